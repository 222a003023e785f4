import { Failure } from "../../errors";
import type { CellAnswer } from "./answers/answers";

/** Cells that show old answers, because the service could not be asked. */
export interface OldAnswers {
  count: number;
  /** When the oldest of them was fetched. */
  oldestMs: number;
}

/** Remembers which cells formulas show with an old answer. */
export interface OldAnswerNotes {
  /** A formula shows this answer. */
  shown(ahjId: number, typeId: number, answer: CellAnswer): void;
  /** The service has answered these anew, whoever asked. */
  confirmed(ahjId: number, typeIds: Iterable<number>): void;
  /** Every formula is calculated anew: whoever still shows an old answer says so again. */
  forget(): void;
  /** Tells of the cells, if they are others than when it was last told. */
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
      // After asking anew in vain the same answer passes as fresh again, though nothing has confirmed it.
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
