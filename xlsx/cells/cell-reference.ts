import { SHEET_COLUMNS, SHEET_ROWS } from "../file-limits";
import { broken } from "../workbook-file-error";

/** An area of a sheet; rows and columns count from zero. */
export interface Rect {
  row: number;
  column: number;
  rows: number;
  columns: number;
}

/** The letters of a column: 0 is A, 27 is AB. */
export function columnLetters(column: number): string {
  let letters = "";
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  }
  return letters;
}

export function cellReference(row: number, column: number): string {
  return `${columnLetters(column)}${row + 1}`;
}

/**
 * The column of a cell's reference, such as 27 of AB12; throws if the text is no reference of a cell in `row`,
 * or lies outside of a sheet. It runs for each cell of a file, so it makes no strings.
 */
export function referenceColumn(reference: string, row: number): number {
  let column = 0;
  let at = 0;
  for (; at < reference.length; at++) {
    const code = reference.charCodeAt(at) & ~0x20;
    if (code < 65 || code > 90) break;
    column = column * 26 + code - 64;
  }
  let number = 0;
  for (let digit = at; digit < reference.length; digit++) {
    const code = reference.charCodeAt(digit) - 48;
    if (code < 0 || code > 9) throw broken(`${reference} is no cell`);
    number = number * 10 + code;
  }
  if (at === 0 || number !== row + 1 || column > SHEET_COLUMNS)
    throw broken(`${reference} is no cell of row ${row + 1}`);
  return column - 1;
}

/** An area by its reference, such as A1 or B2:C9; null if it is none, or lies outside of a sheet. Whole rows and columns are areas. */
export function rectOf(reference: string): Rect | null {
  const match = /^\$?([a-z]{0,3})\$?(\d{0,7})(?::\$?([a-z]{0,3})\$?(\d{0,7}))?$/i.exec(reference.trim());
  if (!match) return null;
  const [, left = "", top = "", right = left, bottom = top] = match;
  if (left === "" && top === "") return null;
  if ((left === "") !== (right === "") || (top === "") !== (bottom === "")) return null;
  const isWhole = left === "" || top === "";
  if (isWhole && !reference.includes(":")) return null;
  const columns = left === "" ? [0, SHEET_COLUMNS - 1] : [columnNumber(left), columnNumber(right)];
  const rows = top === "" ? [0, SHEET_ROWS - 1] : [Number(top) - 1, Number(bottom) - 1];
  const [row, lastRow] = ordered(rows);
  const [column, lastColumn] = ordered(columns);
  if (row < 0 || column < 0 || lastRow >= SHEET_ROWS || lastColumn >= SHEET_COLUMNS) return null;
  return { row, column, rows: lastRow - row + 1, columns: lastColumn - column + 1 };
}

function ordered([one = 0, other = 0]: number[]): [number, number] {
  return one <= other ? [one, other] : [other, one];
}

/** The column of its letters, in any case: A is 0, AB is 27. It runs for each cell of a file, so it makes no strings. */
export function columnNumber(letters: string): number {
  let number = 0;
  for (let at = 0; at < letters.length; at++) number = number * 26 + (letters.charCodeAt(at) & ~0x20) - 64;
  return number - 1;
}

/** The reference of an area; one cell has no colon. */
export function rectReference({ row, column, rows, columns }: Rect): string {
  const first = cellReference(row, column);
  return rows === 1 && columns === 1
    ? first
    : `${first}:${cellReference(row + rows - 1, column + columns - 1)}`;
}

/** Throws a RangeError if a place is not one of a sheet's: a mistake of whoever asks, not of the file. */
export function checkPlace(row: number, column: number): void {
  const isPlace = (place: number, count: number) => Number.isInteger(place) && place >= 0 && place < count;
  if (!isPlace(row, SHEET_ROWS) || !isPlace(column, SHEET_COLUMNS)) {
    throw new RangeError(`Row ${row}, column ${column} is outside of a sheet.`);
  }
}

export function contains(rect: Rect, row: number, column: number): boolean {
  return (
    row >= rect.row &&
    row < rect.row + rect.rows &&
    column >= rect.column &&
    column < rect.column + rect.columns
  );
}
