import type { IRange } from "@univerjs/core";
import {
  InsertSheetMutation,
  RemoveSheetMutation,
  SetRangeValuesMutation,
  SetSelectionsOperation,
  SetWorksheetActiveOperation,
} from "@univerjs/preset-sheets-core";
import type { Rect, Spreadsheet, SpreadsheetEvents } from "../spreadsheet";
import { createAppearance } from "./appearance";
import { createCalculation } from "./calculation";
import { createCells } from "./cells";
import { showErrorMessages } from "./error-popup";
import { createFormulas } from "./formulas";
import { createSaving } from "./saving";
import { createSheets } from "./sheets";
import { createTables } from "./tables";
import { type Book, type CellMatrix, startUniver, toRect } from "./univer";

/** Starts an empty workbook in `container`, which gives it its size. */
export function createGrid(container: HTMLElement): Spreadsheet {
  const book = startUniver(container);
  const calculation = createCalculation(book);
  const formulas = createFormulas(book, calculation);
  const cells = createCells(book);
  const tables = createTables(book, cells.clear);
  showErrorMessages(book, formulas.errorMessage);
  return {
    ...createSheets(book),
    ...cells,
    ...createAppearance(book, cells),
    ...tables,
    ...formulas,
    ...createSaving(book, calculation, formulas, tables),
    ...createEvents(book),
  };
}

function createEvents(book: Book): Pick<Spreadsheet, "on"> {
  const listeners: { [Name in keyof SpreadsheetEvents]: Set<(event: SpreadsheetEvents[Name]) => void> } = {
    changed: new Set(),
    selected: new Set(),
    activated: new Set(),
    added: new Set(),
    deleted: new Set(),
  };
  const emit = <Name extends keyof SpreadsheetEvents>(name: Name, event: SpreadsheetEvents[Name]) => {
    for (const listener of [...listeners[name]]) listener(event);
  };

  let lastSelected = "";
  book.onRun(({ id, params }, options) => {
    if (params.unitId !== book.unitId()) return;
    const sheetId = params.subUnitId as string;
    if (id === SetRangeValuesMutation.id && !options.fromFormula) {
      const rect = changedRect(params.cellValue as CellMatrix);
      if (rect) emit("changed", { sheetId, rect });
    } else if (id === SetSelectionsOperation.id) {
      const range = (params.selections as { range: IRange }[]).at(-1)?.range;
      if (!range) return;
      const event = { sheetId, rect: toRect(range) };
      const key = JSON.stringify(event);
      // Univer repeats itself while the pointer moves and when an edit ends.
      if (key !== lastSelected) emit("selected", event);
      lastSelected = key;
    } else if (id === SetWorksheetActiveOperation.id) {
      emit("activated", { sheetId });
    } else if (id === InsertSheetMutation.id) {
      emit("added", { sheetId: (params.sheet as { id: string }).id });
    } else if (id === RemoveSheetMutation.id) {
      emit("deleted", { sheetId });
    }
  });

  return {
    on(name, listener) {
      listeners[name].add(listener);
      return () => listeners[name].delete(listener);
    },
  };
}

const CONTENT_KEYS = ["v", "f", "p", "si"];

/** Where contents changed; a change of format alone is none. */
function changedRect(matrix: CellMatrix): Rect | null {
  let top = Infinity;
  let left = Infinity;
  let bottom = -1;
  let right = -1;
  for (const [row, cells] of Object.entries(matrix)) {
    for (const [column, cell] of Object.entries(cells ?? {})) {
      if (cell && !CONTENT_KEYS.some((key) => Object.hasOwn(cell, key))) continue;
      top = Math.min(top, Number(row));
      bottom = Math.max(bottom, Number(row));
      left = Math.min(left, Number(column));
      right = Math.max(right, Number(column));
    }
  }
  return bottom < 0 ? null : { row: top, column: left, rows: bottom - top + 1, columns: right - left + 1 };
}
