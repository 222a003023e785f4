import type { IRange, Nullable } from "@univerjs/core";
import { FormulaDataModel } from "@univerjs/preset-sheets-core";
import { contains } from "../../address";
import { PENDING } from "../../spreadsheet";
import type { CellValue, Rect, Spreadsheet } from "../../spreadsheet";
import { type Calculation, type CellPlace, placeKey } from "./calculation";
import { contents, shownCell } from "../cells";
import { type Book, toRect } from "../univer";

interface Spill {
  from: CellPlace;
  rect: Rect;
}

/**
 * Univer lets cells keep what they read in a spill that has left or become smaller. Here they are calculated once
 * more; but not while the spill only waits for an answer, so that nothing is asked for the blank cells in between.
 */
export function followShrinkingSpills(book: Book, calculation: Calculation): void {
  const data = book.injector.get(FormulaDataModel);
  let known = new Map<string, Spill>();

  function currentSpills(): Map<string, Spill> {
    const spills = new Map<string, Spill>();
    for (const [sheetId, rows] of Object.entries(data.getArrayFormulaRange()[book.unitId()] ?? {})) {
      for (const [row, columns] of Object.entries(rows ?? {})) {
        for (const [column, range] of Object.entries<Nullable<IRange>>(columns ?? {})) {
          const from = { sheetId, row: Number(row), column: Number(column) };
          // Univer notes how far a blocked spill would reach.
          if (range && shownAt(from) !== "#SPILL!") spills.set(placeKey(from), { from, rect: toRect(range) });
        }
      }
    }
    return spills;
  }

  function shownAt({ sheetId, row, column }: CellPlace): CellValue {
    const sheet = book.workbook().getSheetBySheetId(sheetId);
    return contents(sheet?.getCellMatrix().getValue(row, column));
  }

  calculation.on("end", () => {
    const spills = currentSpills();
    const left: CellPlace[] = [];
    for (const [key, before] of known) {
      const now = spills.get(key);
      if (!now && shownAt(before.from) === PENDING) spills.set(key, before);
      else left.push(...cellsOutside(before, now?.rect));
    }
    known = spills;
    if (left.length > 0) calculation.start(left);
  });
}

/** See Spreadsheet. */
export function createSpillPlaces(book: Book): Pick<Spreadsheet, "spillParent" | "spillOf"> {
  const data = book.injector.get(FormulaDataModel);
  return {
    spillOf(sheetId, row, column) {
      const range = data.getArrayFormulaRange()[book.unitId()]?.[sheetId]?.[row]?.[column];
      // Univer notes how far a blocked spill would reach.
      const isBlocked = contents(shownCell(book, sheetId, row, column)) === "#SPILL!";
      return range && !isBlocked ? toRect(range) : null;
    },
    spillParent(sheetId, row, column) {
      const spills = data.getArrayFormulaRange()[book.unitId()]?.[sheetId] ?? {};
      for (const [top, columns] of Object.entries(spills)) {
        for (const [left, range] of Object.entries<Nullable<IRange>>(columns ?? {})) {
          if (range && contains(toRect(range), row, column))
            return { row: Number(top), column: Number(left) };
        }
      }
      return null;
    },
  };
}

function cellsOutside({ from: { sheetId }, rect }: Spill, now: Rect | undefined): CellPlace[] {
  const cells: CellPlace[] = [];
  for (let row = rect.row; row < rect.row + rect.rows; row += 1) {
    for (let column = rect.column; column < rect.column + rect.columns; column += 1) {
      if (!now || !contains(now, row, column)) cells.push({ sheetId, row, column });
    }
  }
  return cells;
}
