import { Failure } from "../errors";
import { fitsSheet, type TableSize } from "./table-plan";

/** A rectangle of a sheet; rows and columns count from zero. */
export interface Area {
  row: number;
  column: number;
  rows: number;
  columns: number;
}

/** Where a table is about to be written. */
export interface Prepared {
  /** What is written, header row included. */
  target: Excel.Range;
  /** What becomes the table; the target, unless something else is given. */
  whole?: Excel.Range;
  /** The table that the target is a part of already. */
  table?: Excel.Table | undefined;
  /** Nothing else is on the sheet, so its header may be frozen. */
  isAlone: boolean;
  /** Nothing else stands in the target's columns. */
  mayWiden: boolean;
  /** Puts the sheet back as it was. */
  undo(): Promise<void>;
  /** Lets go of what `undo` would have needed. */
  keep(): Promise<void>;
}

/** @throws Failure `too-large` where it is no part of a sheet. */
export function rangeAt(context: Excel.RequestContext, sheetId: string, area: Area): Excel.Range {
  const { row, column, rows, columns } = area;
  if (!fitsSheet({ rows: row + rows, columns: column + columns })) throw new Failure("too-large");
  return context.workbook.worksheets.getItem(sheetId).getRangeByIndexes(row, column, rows, columns);
}

/**
 * Fails with cells-in-the-way where cells are filled, unless the user has given up a rectangle of at least this size.
 */
export function mustBeGivenUp(filled: string | null, mayOverwrite: TableSize | null, size: TableSize): void {
  const isGivenUp =
    mayOverwrite !== null && size.rows <= mayOverwrite.rows && size.columns <= mayOverwrite.columns;
  if (filled !== null && !isGivenUp) {
    throw new Failure("cells-in-the-way", { detail: `${filled} is not empty.` });
  }
}

/** Fails with cells-in-the-way: Excel makes no table over another, whoever gives its cells up. */
export async function mustHoldNoTable(context: Excel.RequestContext, range: Excel.Range): Promise<void> {
  const tables = range.getTables(false).load("items/name");
  await context.sync();
  const [table] = tables.items;
  if (table) throw new Failure("cells-in-the-way", { detail: `A table stands there: ${table.name}.` });
}
