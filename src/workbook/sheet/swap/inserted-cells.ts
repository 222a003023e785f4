import { twice } from "../../../async/twice";
import { type CellContent, entryOf, heldBy } from "../cells/cell-content";
import { cellAddress } from "../layout/cell-address";
import { contentsOfRange } from "./contents";

/** The direction in which other cells move when cells are inserted, and in which they move back. */
const directions = { down: ["Down", "Up"], right: ["Right", "Left"] } as const;

/**
 * Deletes cells that were inserted, so that the others move back. If somebody has typed there meanwhile, they stay, and the address of the
 * texts is returned. The request that deletes also reads, so a text of the last moment comes back with its cells.
 *
 * @example
 * const left = await deleteInserted(context, () => sheet.getRange("D:E"), "right");
 */
export async function deleteInserted(
  context: Excel.RequestContext,
  cells: () => Excel.Range,
  moved: keyof typeof directions,
): Promise<string[]> {
  const [away, back] = directions[moved];
  const looked = cells().getUsedRangeOrNullObject(true).load("address");
  await context.sync();
  if (!looked.isNullObject) return [looked.address];
  const filled = cells().getUsedRangeOrNullObject(true);
  filled.load("address,values,formulas,numberFormat,rowIndex,columnIndex,rowCount,columnCount");
  cells().delete(back);
  await context.sync();
  if (filled.isNullObject) return [];
  cells().insert(away);
  const { rowIndex, columnIndex, rowCount, columnCount, address } = filled;
  enterAgain(cells().worksheet.getRangeByIndexes(rowIndex, columnIndex, rowCount, columnCount), filled);
  await context.sync();
  return [address];
}

/** A cell of a sheet, whose row and column count from the sheet's first cell, from 0, and what it holds. */
export interface FilledCell extends CellContent {
  row: number;
  column: number;
}

/**
 * Deletes a sheet that was added, unless it holds anything that is not `isOurs`; it then stays, and the addresses of those cells are returned.
 * The request that deletes also reads; if somebody has typed at that moment, the sheet is added again, with their texts. If it holds more
 * than `most` cells it stays, too, because they can't be read in one request; its address is returned.
 *
 * @example
 * const left = await deleteAddedSheet(context, sheet, ({ value }) => value === "Fee");
 */
export async function deleteAddedSheet(
  context: Excel.RequestContext,
  sheet: Excel.Worksheet,
  isOurs: (cell: FilledCell) => boolean,
  most = Infinity,
): Promise<string[]> {
  const used = sheet.getUsedRangeOrNullObject(true).load("address,rowCount,columnCount");
  sheet.load("name");
  await context.sync();
  if (!used.isNullObject && used.rowCount * used.columnCount > most) return [used.address];
  const looked = queueFilled(sheet, isOurs);
  await context.sync();
  const there = looked();
  if (there.length > 0) return there.map(({ address }) => address);
  const filled = queueFilled(sheet, isOurs);
  sheet.delete();
  await context.sync();
  const typed = filled();
  if (typed.length === 0) return [];
  const again = context.workbook.worksheets.add(sheet.name);
  for (const cell of typed) {
    const range = again.getRangeByIndexes(cell.row, cell.column, 1, 1);
    const { value, numberFormat } = entryOf(cell);
    range.numberFormat = [[numberFormat]];
    range.values = [[value]];
  }
  await context.sync();
  return typed.map(({ address }) => address);
}

/** Queues the reading of a sheet's cells that hold anything but what `isOurs`. Call the returned function after the request. */
function queueFilled(sheet: Excel.Worksheet, isOurs: (cell: FilledCell) => boolean) {
  const used = sheet
    .getUsedRangeOrNullObject(true)
    .load("address,values,formulas,numberFormat,rowIndex,columnIndex");
  return (): (FilledCell & { address: string })[] => {
    if (used.isNullObject) return [];
    return contentsOfRange(used).flatMap((line, down) =>
      line.flatMap((content, across) => {
        const cell = { ...content, row: used.rowIndex + down, column: used.columnIndex + across };
        const isOthers = heldBy(cell) !== "" && !isOurs(cell);
        return isOthers ? [{ ...cell, address: cellAddress(used.address, down, across) }] : [];
      }),
    );
  };
}

/** Adjoining rows of a table's body, counted from 0. */
export interface AddedRows {
  first: number;
  rows: number;
  /** The number of the table's columns. */
  columns: number;
  /** True if a row, counted from the first of these rows, holds what it got when it was added. */
  isAsAdded(cells: readonly CellContent[], row: number): boolean;
}

/**
 * Deletes rows that were added to a table if all of them are as they were added. Otherwise nothing is deleted, and the others are returned,
 * counted from the first row. The request that deletes also reads: rows in which somebody has typed at that moment, or which a sort has
 * brought there, come back at the end of the table and are returned. `displaced` holds their texts until then.
 *
 * @example
 * const isAsAdded = (cells) => cells.every(({ value }) => value === "");
 * const { changed } = await deleteAddedRows(context, table, { first: 5, rows: 3, columns: 2, isAsAdded }, new Map());
 */
export async function deleteAddedRows(
  context: Excel.RequestContext,
  table: Excel.Table,
  { first, rows, columns, isAsAdded }: AddedRows,
  displaced: Map<object, readonly unknown[]>,
): Promise<{ changed: number[]; areDeleted: boolean }> {
  const body = table.getDataBodyRange();
  const wanted = body.getCell(first, 0).getAbsoluteResizedRange(rows, columns);
  const looked = body.getIntersectionOrNullObject(wanted).load("values,formulas,numberFormat");
  await context.sync();
  const othersIn = (lines: CellContent[][]) =>
    Array.from({ length: rows }, (_, row) => row).filter((row) => !lines[row] || !isAsAdded(lines[row], row));
  const changed = othersIn(looked.isNullObject ? [] : contentsOfRange(looked));
  if (changed.length > 0) return { changed, areDeleted: false };
  const deleted = wanted.load("values,formulas,numberFormat");
  wanted.delete("Up");
  await context.sync();
  const lines = contentsOfRange(deleted);
  const others = othersIn(lines);
  const back = others.map((row) => (lines[row] ?? []).map(entryOf));
  if (back.length === 0) return { changed: [], areDeleted: true };
  const texts = others.flatMap((row) => (lines[row] ?? []).map(heldBy)).filter((held) => held !== "");
  displaced.set(others, texts);
  await twice(() => {
    table.rows.add(undefined, back.map((line) => line.map(({ value }) => value)) as string[][]);
    return context.sync();
  });
  displaced.delete(others);
  return { changed: others, areDeleted: true };
}

/** Queues the writing of contents that were read from a range of the same size. Blank cells stay as they are. */
function enterAgain(
  range: Excel.Range,
  read: Pick<Excel.Range, "values" | "formulas" | "numberFormat">,
): void {
  // Only a blank cell has no formula; the value of a formula may be "".
  const entries = contentsOfRange(read).map((line) =>
    line.map((content) => (content.formula === "" ? null : entryOf(content))),
  );
  range.numberFormat = entries.map((line) => line.map((entry) => entry?.numberFormat ?? null));
  range.values = entries.map((line) => line.map((entry) => entry?.value ?? null));
}
