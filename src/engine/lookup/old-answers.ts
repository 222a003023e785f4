import { Failure } from "../../errors";
import type { CellAnswer } from "./answers/answers";

/** Cells that show old answers, because the service could not be asked. */
export interface OldAnswers {
  count: number;
  /** When the oldest of these answers was fetched. */
  oldestMs: number;
}

/** Remembers the cells for which formulas show an old answer. */
export interface OldAnswerNotes {
  /** Notes that a formula shows this answer. */
  shown(ahjId: number, typeId: number, answer: CellAnswer): void;
  /** Notes that the service has answered these cells anew, whoever asked. */
  confirmed(ahjId: number, typeIds: Iterable<number>): void;
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
    forget() {
      hasChanged ||= fetchedAtMs.size > 0;
      fetchedAtMs.clear();
    },
    tell() {
      if (!hasChanged) return;
      hasChanged = false;
      if (fetchedAtMs.size === 0) return onChange(null);
      onChange({
        count: fetchedAtMs.size,
        oldestMs: [...fetchedAtMs.values()].reduce((a, b) => Math.min(a, b)),
      });
    },
  };
}

const cellKey = (ahjId: number, typeId: number) => `${ahjId} ${typeId}`;
