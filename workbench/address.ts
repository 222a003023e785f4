import type { Rect } from "./spreadsheet";

/** Excel's limits. */
export const MAX_ROWS = 1_048_576;
export const MAX_COLUMNS = 16_384;

/** "A" for 0, "AA" for 26. */
export function columnLetters(column: number): string {
  let letters = "";
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  }
  return letters;
}

function columnIndex(letters: string): number {
  let index = 0;
  for (const letter of letters.toUpperCase()) index = index * 26 + letter.charCodeAt(0) - 64;
  return index - 1;
}

const address =
  /^(?:(?:'((?:[^']|'')+)'|([^'!]+))!)?(?:\$?([A-Z]{1,3})\$?(\d{1,7})(?::\$?([A-Z]{1,3})\$?(\d{1,7}))?|\$?([A-Z]{1,3}):\$?([A-Z]{1,3})|\$?(\d{1,7}):\$?(\d{1,7}))$/i;

/**
 * Reads "B2", "A1:B2", "A:C" or "1:3", with or without `$` and a sheet's name in front. Whole columns and rows
 * span Excel's limits. Null when the text is no address or lies outside the limits.
 */
export function parseAddress(text: string): { sheetName?: string; rect: Rect } | null {
  const match = address.exec(text.trim());
  if (!match) return null;
  const [, quoted, plain, left, top, right, bottom, firstColumn, lastColumn, firstRow, lastRow] = match;
  const columns = [
    columnIndex(left ?? firstColumn ?? "A"),
    columnIndex(right ?? left ?? lastColumn ?? columnLetters(MAX_COLUMNS - 1)),
  ];
  const rows = [Number(top ?? firstRow ?? 1) - 1, Number(bottom ?? top ?? lastRow ?? MAX_ROWS) - 1];
  const rect = between(Math.min(...rows), Math.min(...columns), Math.max(...rows), Math.max(...columns));
  if (rect.row < 0 || rect.row + rect.rows > MAX_ROWS || rect.column + rect.columns > MAX_COLUMNS)
    return null;
  const sheetName = quoted?.replaceAll("''", "'") ?? plain;
  return sheetName === undefined ? { rect } : { sheetName, rect };
}

/** "Sheet1!A1:B2", "'My sheet'!A:C", "Sheet1!1:3"; without a sheet's name, the range alone. */
export function formatAddress(sheetName: string | null, rect: Rect): string {
  return sheetName === null ? formatRect(rect) : `${quoteSheetName(sheetName)}!${formatRect(rect)}`;
}

function formatRect({ row, column, rows, columns }: Rect): string {
  const right = column + columns - 1;
  const bottom = row + rows - 1;
  if (rows === MAX_ROWS) return `${columnLetters(column)}:${columnLetters(right)}`;
  if (columns === MAX_COLUMNS) return `${row + 1}:${bottom + 1}`;
  const first = `${columnLetters(column)}${row + 1}`;
  return rows === 1 && columns === 1 ? first : `${first}:${columnLetters(right)}${bottom + 1}`;
}

/** A name needs quotes when it is not a plain word or could be read as a cell. */
export function quoteSheetName(name: string): string {
  const plain = /^[\p{L}_][\p{L}\p{N}_.]*$/u.test(name) && !/^([A-Z]{1,3}\d+|R\d*C?\d*|C\d*)$/i.test(name);
  return plain ? name : `'${name.replaceAll("'", "''")}'`;
}

/** The rectangle between two corners, both inclusive. */
export function between(top: number, left: number, bottom: number, right: number): Rect {
  return { row: top, column: left, rows: bottom - top + 1, columns: right - left + 1 };
}

export function contains(rect: Rect, row: number, column: number): boolean {
  const [y, x] = [row - rect.row, column - rect.column];
  return y >= 0 && y < rect.rows && x >= 0 && x < rect.columns;
}

/** The smallest rectangle around both. */
export function union(a: Rect | null, b: Rect): Rect {
  if (!a) return b;
  return between(
    Math.min(a.row, b.row),
    Math.min(a.column, b.column),
    Math.max(a.row + a.rows, b.row + b.rows) - 1,
    Math.max(a.column + a.columns, b.column + b.columns) - 1,
  );
}

/** The rectangle of one cell. */
export function cellAt(row: number, column: number): Rect {
  return { row, column, rows: 1, columns: 1 };
}

/** All cells but the upper-left one: the rest of its row, and the rows below. */
export function allButFirst({ row, column, rows, columns }: Rect): Rect[] {
  return [
    { row, column: column + 1, rows: 1, columns: columns - 1 },
    { row: row + 1, column, rows: rows - 1, columns },
  ].filter((part) => part.rows > 0 && part.columns > 0);
}

export function isSameRect(one: Rect, other: Rect): boolean {
  return (
    one.row === other.row &&
    one.column === other.column &&
    one.rows === other.rows &&
    one.columns === other.columns
  );
}

/** The cells that two rectangles share; null when they do not touch. */
export function intersect(a: Rect, b: Rect): Rect | null {
  const top = Math.max(a.row, b.row);
  const left = Math.max(a.column, b.column);
  const bottom = Math.min(a.row + a.rows, b.row + b.rows) - 1;
  const right = Math.min(a.column + a.columns, b.column + b.columns) - 1;
  return top > bottom || left > right ? null : between(top, left, bottom, right);
}
