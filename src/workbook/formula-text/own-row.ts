import { toCol, parseStructRef } from "@borgar/fx";

/** The row of a table in which a formula stands. Columns and rows count from 0, in the sheet. */
export interface OwnRow {
  row: number;
  /** The table's first column. */
  column: number;
  /** The names of the table's columns, in their order. */
  headers: readonly string[];
}

/**
 * The address of the cells that a reference such as `[@Fee]` names in this row; null for any other reference, and for a column that the table
 * lacks.
 * @example ownRowAddress("[@[AHJ ID]]", { row: 4, column: 1, headers: ["City", "AHJ ID"] }) // "C5"
 */
export function ownRowAddress(reference: string, { row, column, headers }: OwnRow): string | null {
  const { table, columns = [], sections = [] } = parseStructRef(reference) ?? {};
  if (table || sections.join() !== "this row" || columns.length === 0) return null;
  const places = columns.map((wanted) =>
    headers.findIndex((header) => header.toLowerCase() === wanted.toLowerCase()),
  );
  if (places.includes(-1)) return null;
  return places.map((place) => `${toCol(column + place)}${row + 1}`).join(":");
}

/** True if a formula may have such a reference. */
export const mayNameOwnRow = (formula: string) => /\[(?:@|\[?#this row)/i.test(formula);
