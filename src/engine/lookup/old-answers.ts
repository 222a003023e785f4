import { Failure, isUnavailable } from "../../errors";
import type { CachedValue } from "../cache/cached-answer";

/** Old answers that are shown, because the service could not be asked. */
export interface OldAnswers {
  count: number;
  /** When the oldest of these answers was fetched. */
  oldestMs: number;
}

/** Remembers the old answers that are shown: values by AHJ and type, lists and jurisdictions by a name. */
export interface OldAnswerNotes {
  /** Notes that a formula shows this answer. */
  shown(
    ahjId: number,
    typeId: number,
    answer: { isOld: boolean; cell: Pick<CachedValue, "fetchedAtMs"> } | Failure,
  ): void;
  /** Notes that the service has answered these cells anew, whoever asked. */
  confirmed(ahjId: number, typeIds: Iterable<number>): void;
  /**
   * True if an answer of this time is better than a failure, because the service could not be asked. Notes it under a name, unless nothing
   * was to be asked. Every list and jurisdiction that is shown in place of a failure is asked for here, so that none is shown unmarked.
   */
  isBetter(failure: Failure, name: string, fetchedAtMs: number): boolean;
  /** Notes that what is shown under this name is of this time; undefined if the service has given it anew. */
  note(name: string, fetchedAtMs: number | undefined): void;
  /** Forgets all cells, because every formula is calculated anew and reports an old answer again. */
  forget(): void;
  /** Reports the cells if they have changed since the last report. */
  tell(): void;
}

export function createOldAnswerNotes(onChange: (old: OldAnswers | null) => void): OldAnswerNotes {
  /** When the answer that a cell shows was fetched. */
  const fetchedAtMs = new Map<string, number>();
  let hasChanged = false;

  function forget(cell: string) {
    hasChanged = fetchedAtMs.delete(cell) || hasChanged;
  }

  function tell() {
    if (!hasChanged) return;
    hasChanged = false;
    if (fetchedAtMs.size === 0) return onChange(null);
    onChange({
      count: fetchedAtMs.size,
      oldestMs: [...fetchedAtMs.values()].reduce((a, b) => Math.min(a, b)),
    });
  }

  function note(name: string, atMs: number | undefined) {
    if (fetchedAtMs.get(name) === atMs) return;
    if (atMs === undefined) fetchedAtMs.delete(name);
    else fetchedAtMs.set(name, atMs);
    hasChanged = true;
    queueMicrotask(tell);
  }

  return {
    shown(ahjId, typeId, answer) {
      const shown = answer instanceof Failure ? undefined : answer;
      if (!shown?.isOld && fetchedAtMs.size === 0) return;
      const cell = cellKey(ahjId, typeId);
      // After a new request in vain the same answer passes as fresh again, though nothing has confirmed it.
      const isOld = shown && (shown.isOld || shown.cell.fetchedAtMs === fetchedAtMs.get(cell));
      if (!isOld) return forget(cell);
      fetchedAtMs.set(cell, shown.cell.fetchedAtMs);
      hasChanged = true;
    },
    confirmed(ahjId, typeIds) {
      if (fetchedAtMs.size === 0) return;
      for (const typeId of typeIds) forget(cellKey(ahjId, typeId));
    },
    isBetter(failure, name, atMs) {
      if (failure.kind !== "not-asked" && isUnavailable(failure)) note(name, atMs);
      return isUnavailable(failure);
    },
    note,
    forget() {
      hasChanged ||= fetchedAtMs.size > 0;
      fetchedAtMs.clear();
    },
    tell,
  };
}

const cellKey = (ahjId: number, typeId: number) => `${ahjId} ${typeId}`;
