import type { IStyleData } from "@univerjs/core";
import { SetColDataMutation } from "@univerjs/preset-sheets-core";
import { MAX_COLUMNS, MAX_ROWS, contains } from "../address";
import type { Rect } from "../spreadsheet";
import type { Book, CellMatrix } from "./univer";

/**
 * Adds to the style of a rectangle's cells; `styleAt` counts from its corner, null leaves a cell as it is. Whole
 * columns get the style of their first cell, also for cells to come; whole rows as far as the sheet reaches now.
 */
export function restyle(
  book: Book,
  sheetId: string,
  rect: Rect,
  styleAt: (y: number, x: number) => IStyleData | null,
): void {
  const matrix: CellMatrix = {};
  const set = (row: number, column: number, s: IStyleData | null) => {
    if (s) (matrix[row] ??= {})[column] = { s };
  };
  if (rect.rows === MAX_ROWS) {
    const columnStyles = new Map<number, IStyleData>();
    for (let x = 0; x < rect.columns; x += 1) {
      const style = styleAt(0, x);
      if (style) columnStyles.set(rect.column + x, style);
    }
    styleColumns(book, sheetId, columnStyles);
    book
      .sheet(sheetId)
      .getCellMatrix()
      .forValue((row, column) => set(row, column, columnStyles.get(column) ?? null));
  } else {
    if (rect.columns < MAX_COLUMNS) book.makeRoom(sheetId, rect);
    const columns = Math.min(rect.columns, book.sheet(sheetId).getColumnCount() - rect.column);
    for (let y = 0; y < rect.rows; y += 1) {
      for (let x = 0; x < columns; x += 1) set(rect.row + y, rect.column + x, styleAt(y, x));
    }
  }
  book.setCells(sheetId, matrix, { calculate: false });
}

/** Takes all style from a rectangle's cells, and from whole columns. */
export function unstyle(book: Book, sheetId: string, rect: Rect): void {
  const sheet = book.sheet(sheetId);
  const matrix: CellMatrix = {};
  sheet.getCellMatrix().forValue((row, column) => {
    if (contains(rect, row, column)) (matrix[row] ??= {})[column] = { s: null };
  });
  book.setCells(sheetId, matrix, { calculate: false });
  if (rect.rows < MAX_ROWS) return;
  const columns = Math.min(rect.columns, sheet.getColumnCount() - rect.column);
  styleColumns(book, sheetId, new Map(Array.from({ length: columns }, (_, x) => [rect.column + x, null])));
}

function styleColumns(book: Book, subUnitId: string, styles: Map<number, IStyleData | null>): void {
  const sheet = book.sheet(subUnitId);
  const columnData = Object.fromEntries(
    [...styles].map(([column, style]) => [
      column,
      { s: style && { ...sheet.getColumnStyle(column), ...style } },
    ]),
  );
  book.run(SetColDataMutation.id, { subUnitId, columnData });
}
