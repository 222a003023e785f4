import type { IUnitRange } from "@univerjs/core";
import {
  FormulaExecuteStageType,
  FormulaExecutedStateType,
  IActiveDirtyManagerService,
  SetFormulaCalculationNotificationMutation,
  SetFormulaCalculationStartMutation,
  SetFormulaCalculationStopMutation,
  SetRangeValuesMutation,
  SetTriggerFormulaCalculationStartMutation,
} from "@univerjs/preset-sheets-core";
import { between } from "../../address";
import { type Book, toRange } from "../univer";

export interface CellPlace {
  sheetId: string;
  row: number;
  column: number;
}

export function placeKey({ sheetId, row, column }: CellPlace): string {
  return `${sheetId}!${row}!${column}`;
}

/** When Univer calculates, and how to make it. */
export interface Calculation {
  /** Counts evaluations of the sheet: a calculation with spills evaluates a cell once per pass. */
  pass(): number;
  /** No calculation runs and none is due. */
  atRest(): boolean;
  /** Calculates these formula cells and what depends on them. */
  start(cells: CellPlace[]): void;
  /** `end` after each calculation that went through; `rest` when no other follows. */
  on(event: "end" | "rest", listener: () => void): void;
}

export function createCalculation(book: Book): Calculation {
  const dirtying = book.injector.get(IActiveDirtyManagerService);
  const listeners = { end: [] as (() => void)[], rest: [] as (() => void)[] };
  let pass = 0;
  /** A change was made; Univer starts calculating 100 ms after the last one, and once when it has started. */
  let due = true;
  let running = 0;
  let stopping = false;
  /**
   * A change during a calculation makes Univer stop it, or start another beside it. Either way it may forget what
   * was to be calculated; so all of it is calculated once more at the end.
   */
  let interrupted = false;
  let dirtyRanges: IUnitRange[] = [];

  const start = (ranges: IUnitRange[]) =>
    book.run(SetTriggerFormulaCalculationStartMutation.id, { dirtyRanges: ranges }, { onlyLocal: true });

  function ended(state: FormulaExecutedStateType) {
    if (state === FormulaExecutedStateType.STOP_EXECUTION && !stopping) {
      // A stopped calculation notifies twice; only the second time it is over.
      stopping = true;
      interrupted = true;
      return;
    }
    const stopped = stopping;
    stopping = false;
    running -= 1;
    if (running > 0) return;
    if (!stopped) for (const listener of listeners.end) listener();
    const again = dirtyRanges;
    dirtyRanges = [];
    if (interrupted) {
      interrupted = false;
      start(again);
    }
    if (!due) for (const listener of listeners.rest) listener();
  }

  book.onRun(({ id, params }, options) => {
    if (id === SetFormulaCalculationNotificationMutation.id) {
      const stage = (params.stageInfo as { stage: FormulaExecuteStageType } | undefined)?.stage;
      if (
        stage === FormulaExecuteStageType.START_DEPENDENCY ||
        stage === FormulaExecuteStageType.START_DEPENDENCY_ARRAY_FORMULA
      ) {
        pass += 1;
      }
      if (params.functionsExecutedState !== undefined) {
        ended(params.functionsExecutedState as FormulaExecutedStateType);
      }
    } else if (id === SetFormulaCalculationStartMutation.id) {
      due = false;
      running += 1;
      if (running > 1) interrupted = true;
      dirtyRanges.push(...(params.dirtyRanges as IUnitRange[]));
    } else if (id === SetFormulaCalculationStopMutation.id) {
      due = false;
    } else if (dirtying.get(id) && !(id === SetRangeValuesMutation.id && options.onlyLocal)) {
      due = true;
    }
  });

  return {
    pass: () => pass,
    atRest: () => !due && running === 0,
    start: (cells) => start(toRanges(book.unitId(), cells)),
    on: (event, listener) => void listeners[event].push(listener),
  };
}

/** Cells one below the other make one range: Univer's time grows with the number of ranges. */
function toRanges(unitId: string, cells: CellPlace[]): IUnitRange[] {
  const sorted = [...cells].sort(
    (a, b) => a.sheetId.localeCompare(b.sheetId) || a.column - b.column || a.row - b.row,
  );
  const ranges: IUnitRange[] = [];
  for (const { sheetId, row, column } of sorted) {
    const last = ranges.at(-1);
    if (
      last?.sheetId === sheetId &&
      last.range.startColumn === column &&
      (last.range.endRow === row - 1 || last.range.endRow === row)
    ) {
      last.range.endRow = row;
    } else {
      ranges.push({ unitId, sheetId, range: toRange(between(row, column, row, column)) });
    }
  }
  return ranges;
}
