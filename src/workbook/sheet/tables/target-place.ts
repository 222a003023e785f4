import { Failure } from "../../../errors";
import { SheetFailure } from "../../../sheet-failure";
import { type Area, halves } from "../layout/area";
import type { Backup } from "./copy-aside";
import { type HasExcelApi, mergedCells } from "../excel-api";
import { excelFailure } from "../excel-failure";
import type { WrittenPlace } from "../format-table";
import type { BlockPlace, WrittenBlock } from "../swap/blocks";
import { readRowGroups } from "../read-groups";
import { fingerprint } from "../values/fingerprint";
import { fitsSheet, type TableSize } from "../layout/table-plan";

/**
 * The place where a table is about to be written. Before `begin`, nothing is written except an added sheet. An undo takes these steps in
 * order: `undoTable`; the cells get back what they held; `undoShape`; headers of columns that the table no longer has; `undoPlace`. Each step
 * may be done twice.
 */
export interface Prepared extends WrittenPlace, BlockPlace {
  /** The range that becomes the table. Default: the target. */
  whole?: Excel.Range;
  /** The existing table that the target is part of. */
  table?: Excel.Table | undefined;
  /** The size of the table that stands there. Cells that the new one leaves over are emptied. */
  earlier?: TableSize;
  /** The sheet that was added for the table. An undo deletes it if nothing of others is on it. */
  addedSheet?: Excel.Worksheet;
  /** A copy of the earlier cells, if there was anything to keep. */
  backup?: Backup | undefined;
  /**
   * Makes room, for example by inserting cells. Cells that it writes are added to `written`; `headers` are those of the table. It fails with
   * cells-in-the-way if somebody has changed anything since the user chose the place.
   */
  begin?(written: WrittenBlock[], headers: readonly string[]): Promise<void>;
  /**
   * Queues a check that rows of the target are still beside their rows of the list. The returned function, called after the sync, fails if
   * they are not.
   */
  queueCheck?(start: number, rows: number): () => void;
  /** Turns a new table back into plain cells. */
  undoTable?(): Promise<void>;
  /**
   * Undoes changes of tables' sizes. If columns can only be deleted, those with texts of others stay; `hasOthers` is true if the target has
   * such texts. Returns the addresses of what stays outside of the target.
   */
  undoShape?(hasOthers: boolean): Promise<string[]>;
  /** Deletes inserted cells again and shows the earlier sheet, with the same argument and result as `undoShape`. */
  undoPlace?(hasOthers: boolean): Promise<string[]>;
}

/**
 * Turns the table that was made of a range back into plain cells. The table may be larger than the range by now, because Excel extends a
 * table by text typed right below it.
 */
export async function makePlainCells(context: Excel.RequestContext, range: Excel.Range): Promise<void> {
  const tables = range.getTables(false).load("items/id");
  await context.sync();
  range.load("rowIndex,columnIndex");
  const headers = tables.items.map((table) => table.getHeaderRowRange().load("rowIndex,columnIndex"));
  await context.sync();
  tables.items.forEach((table, index) => {
    const header = headers[index];
    const isMade = header?.rowIndex === range.rowIndex && header.columnIndex === range.columnIndex;
    if (isMade) table.convertToRange();
  });
  await context.sync();
}

/** The place of a table, with its present content. */
export interface TargetPlace {
  /** The address of the whole rectangle. */
  address: string;
  /** The address of the cells in the way; null if the place is free. */
  filled: string | null;
  contents: Contents;
}

/** The content that a table of this size would overwrite, as a fingerprint. */
export interface Contents extends TableSize {
  fingerprint: string;
}

/** The cells that the user has agreed to overwrite. */
export interface GivenUp {
  /** The size of the rectangle whose cells the user has given up; null if none. */
  mayOverwrite: TableSize | null;
  /** The `contents` of the place when the user chose it or was asked; undefined if the user was not asked. */
  contents?: Contents | undefined;
}

/** Reads the content of the cells of a table of this size, from a range's first cell. */
export async function readTableContents(
  context: Excel.RequestContext,
  first: Excel.Range,
  { rows, columns }: TableSize,
): Promise<Contents> {
  const { from, lines } = await readFormulas(context, first, { rows, columns });
  return { rows, columns, fingerprint: fingerprint(from ? [[from.row, from.column], ...lines] : []) };
}

/**
 * Reads what the rows of a table of this size hold, from a range's first cell. Returns an estimate of the bytes that a request answers which
 * reads a row and its copy, by the row's number from 0.
 */
export async function readHeldBytes(
  context: Excel.RequestContext,
  first: Excel.Range,
  size: TableSize,
): Promise<(row: number) => number> {
  const { from, lines } = await readFormulas(context, first, size);
  const bytes = lines.map((line) => line.reduce<number>((sum, content) => sum + answeredBytes(content), 0));
  const ofRow = (row: number) => bytes[row - (from?.row ?? 0)] ?? 0;
  // The header is read with the first row below it.
  return (row) => ofRow(row) + (row === 1 ? ofRow(0) : 0);
}

const encoder = new TextEncoder();

/** Value and formula of a cell and of its copy, each with a comma, and a number format. */
const answeredBytes = (content: unknown) => 4 * (encoder.encode(JSON.stringify(content)).length + 1) + 30;

/** The formulas of the filled part of a table of this size, and where it begins; null if all is blank. */
async function readFormulas(
  context: Excel.RequestContext,
  first: Excel.Range,
  { rows, columns }: TableSize,
): Promise<{ from: { row: number; column: number } | null; lines: unknown[][] }> {
  const range = first.getCell(0, 0).getAbsoluteResizedRange(rows, columns);
  const used = range.getUsedRangeOrNullObject(true);
  used.load("rowIndex,columnIndex,rowCount,columnCount");
  range.load("rowIndex,columnIndex");
  await context.sync();
  if (used.isNullObject) return { from: null, lines: [] };
  const lines: unknown[][] = [];
  const size = { rows: used.rowCount, columns: used.columnCount };
  await readRowGroups(context, size, cellsAtOnce, (group) => {
    const part = used
      .getCell(group.start, 0)
      .getAbsoluteResizedRange(group.rows, size.columns)
      .load("formulas");
    return () => {
      for (const row of part.formulas) lines.push(row as unknown[]);
    };
  });
  const from = { row: used.rowIndex - range.rowIndex, column: used.columnIndex - range.columnIndex };
  return { from, lines };
}

/** The cells that are read at once, because a response of Excel on the web holds at most 5 MB. */
export const cellsAtOnce = 20_000;

/** Fails with cells-in-the-way if a place holds something other than when the user chose it. */
export async function mustBeAsTold(
  context: Excel.RequestContext,
  first: Excel.Range,
  contents: Contents | undefined,
): Promise<void> {
  if (!contents) return;
  const now = await readTableContents(context, first, contents);
  if (now.fingerprint !== contents.fingerprint) throw changedSinceChosen();
}

/** Fails with cells-in-the-way if a place that was blank no longer is. */
export async function mustBeBlank(context: Excel.RequestContext, range: Excel.Range): Promise<void> {
  const used = range.getUsedRangeOrNullObject(true);
  await context.sync();
  if (!used.isNullObject) throw changedSinceChosen();
}

/** The failure if cells were changed since the user chose the place. Nothing was overwritten, or everything was put back. */
export const changedSinceChosen = () =>
  new SheetFailure("cells-in-the-way", {
    detail: "Somebody has changed cells there since you chose the place. Nothing was overwritten.",
    nextStep: "Look at them, then insert again.",
  });

/** The place where a table is about to be written, header row included. */
export interface PlaceToWrite {
  /** The sheet's id; null for a sheet that is about to be added. */
  sheetId: string | null;
  sheetName: string;
  area: Area;
  /** The name of the hidden sheet that is about to hold a copy of the place; null for a new sheet. */
  copyName: string | null;
}

/** The means to prepare the place of a table. */
export interface Preparing {
  hasExcelApi: HasExcelApi;
  /** Awaited right before the first write. Returns the name for the sheet of the copy. */
  beforeWriting(place: Pick<PlaceToWrite, "area"> & { sheetId: string }): Promise<string>;
}

/**
 * The range of an area.
 * @throws Failure `too-large` if the area reaches beyond the sheet.
 */
export function rangeAt(context: Excel.RequestContext, sheetId: string, area: Area): Excel.Range {
  const { row, column, rows, columns } = area;
  if (!fitsSheet({ rows: row + rows, columns: column + columns })) throw new Failure("too-large");
  return context.workbook.worksheets.getItem(sheetId).getRangeByIndexes(row, column, rows, columns);
}

/** Fails with cells-in-the-way if cells are filled, unless the user has given up a rectangle of at least this size. */
export function mustBeGivenUp(filled: string | null, mayOverwrite: TableSize | null, size: TableSize): void {
  const isGivenUp =
    mayOverwrite !== null && size.rows <= mayOverwrite.rows && size.columns <= mayOverwrite.columns;
  if (filled !== null && !isGivenUp) {
    throw new SheetFailure("cells-in-the-way", { detail: `${filled} is not empty.` });
  }
}

/**
 * Fails with cells-in-the-way if there is a table or merged cells, because Excel makes no table over them even if the user gives them up.
 */
export async function mustTakeTable(
  context: Excel.RequestContext,
  sheetId: string,
  area: Area,
  hasExcelApi: HasExcelApi,
): Promise<void> {
  const tables = rangeAt(context, sheetId, area).getTables(false).load("items/name");
  await context.sync();
  await mustNotBeMerged(context, sheetId, area, hasExcelApi);
  const [table] = tables.items;
  if (table) throw new SheetFailure("cells-in-the-way", { detail: `A table stands there: ${table.name}.` });
}

/**
 * Fails with cells-in-the-way if a table ends right above the place, because Excel would extend it by the cells written below it
 * (co-authoring-in-excel-add-ins.md).
 */
export async function mustNotExtendTable(
  context: Excel.RequestContext,
  sheetId: string,
  area: Area,
): Promise<void> {
  if (area.row === 0) return;
  const above = rangeAt(context, sheetId, { ...area, row: area.row - 1, rows: 1 });
  const tables = above.getTables(false).load("items/name");
  await context.sync();
  const [table] = tables.items;
  if (!table) return;
  throw new SheetFailure("cells-in-the-way", {
    detail: `The table ${table.name} ends right above: Excel would make the new rows a part of it.`,
    nextStep: "Leave a blank row between them.",
  });
}

/**
 * Fails with cells-in-the-way if cells are merged, because Excel keeps only the first value written into merged cells and drops the others
 * silently. An Excel version that can't tell (before ExcelApi 1.13) is not checked.
 */
export async function mustNotBeMerged(
  context: Excel.RequestContext,
  sheetId: string,
  area: Area,
  hasExcelApi: HasExcelApi,
): Promise<void> {
  const [inTheWay] = await mergedCellsIn(context, sheetId, area, hasExcelApi);
  if (!inTheWay) return;
  throw new SheetFailure("cells-in-the-way", {
    detail: `Cells are merged there: ${inTheWay.address}.`,
    nextStep: "Unmerge them, or choose another place.",
  });
}

/** The merged areas that reach into a place; none in an Excel version that can't tell (before ExcelApi 1.13). */
export async function mergedCellsIn(
  context: Excel.RequestContext,
  sheetId: string,
  area: Area,
  hasExcelApi: HasExcelApi,
): Promise<Excel.Range[]> {
  // Excel returns only merged areas that begin in the range (OfficeDev/office-js#3611). Any area that reaches into the place begins in this
  // larger range.
  const fromTheTop = { row: 0, column: 0, rows: area.row + area.rows, columns: area.column + area.columns };
  const merged = await readMergedAreas(context, sheetId, fromTheTop, hasExcelApi);
  // All of these areas begin before the place ends. An area that also ends after the place begins reaches into it.
  return merged.filter(
    ({ rowIndex, rowCount, columnIndex, columnCount }) =>
      rowIndex + rowCount > area.row && columnIndex + columnCount > area.column,
  );
}

/**
 * The merged areas that begin in a part of a sheet; none in an Excel version that can't tell. Excel fails if there are more than 512 of
 * them (Range.getMergedAreasOrNullObject), so each half is then asked for.
 */
async function readMergedAreas(
  context: Excel.RequestContext,
  sheetId: string,
  area: Area,
  hasExcelApi: HasExcelApi,
): Promise<Excel.Range[]> {
  if (!hasExcelApi(mergedCells)) return [];
  const merged = rangeAt(context, sheetId, area).getMergedAreasOrNullObject().load("areaCount");
  try {
    await context.sync();
  } catch (thrown) {
    if (area.rows * area.columns === 1 || excelFailure(thrown).kind !== "sheet-refused") throw thrown;
    const found: Excel.Range[] = [];
    for (const half of halves(area)) {
      found.push(...(await readMergedAreas(context, sheetId, half, hasExcelApi)));
    }
    return found;
  }
  if (merged.isNullObject) return [];
  const areas = merged.areas.load(
    "items/address,items/rowIndex,items/columnIndex,items/rowCount,items/columnCount",
  );
  await context.sync();
  return areas.items;
}
