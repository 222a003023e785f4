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

/** Tells when Univer calculates, and starts its calculations. */
export interface Calculation {
  /** The number of the current pass over the sheets. A calculation with spills has several passes and evaluates a cell once in each. */
  pass(): number;
  /** True if no calculation runs and none is due. */
  atRest(): boolean;
  /** Calculates these formula cells and what depends on them. */
  start(cells: CellPlace[]): void;
  /** Calls the listener at each `end`, after a calculation that was not stopped, or at each `rest`, when no other is due. */
  on(event: "end" | "rest", listener: () => void): void;
}

export function createCalculation(book: Book): Calculation {
  const dirtying = book.injector.get(IActiveDirtyManagerService);
  const listeners = { end: [] as (() => void)[], rest: [] as (() => void)[] };
  let pass = 0;
  /** True from a change until Univer calculates, 100 ms after the last change; and at first, because Univer calculates when it starts. */
  let due = true;
  /** The number of calculations that run at present. */
  let running = 0;
  let stopping = false;
  /**
   * True if Univer stopped a calculation because of a change, or started another beside it. It may then forget cells, so all dirty
   * ranges are calculated once more at the end.
   */
  let interrupted = false;
  /** The ranges of all calculations since the last end. */
  let dirtyRanges: IUnitRange[] = [];

  const start = (ranges: IUnitRange[]) =>
    book.run(SetTriggerFormulaCalculationStartMutation.id, { dirtyRanges: ranges }, { onlyLocal: true });

  function ended(state: FormulaExecutedStateType) {
    if (state === FormulaExecutedStateType.STOP_EXECUTION && !stopping) {
      // Univer reports a stopped calculation twice. It is over at the second report.
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

/** Joins cells that lie below one another into ranges, because Univer takes longer with more ranges. */
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
