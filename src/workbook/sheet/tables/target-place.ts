import { Failure } from "../../../errors";
import { type Area, halves } from "../layout/area";
import { type Backup, newCopyName } from "./copy-aside";
import type { WriteJournal } from "./write-journal";
import { type HasExcelApi, mergedCells } from "../excel-api";
import { excelFailure } from "../excel-failure";
import type { WrittenPlace } from "../format-table";
import { fingerprint } from "../values/fingerprint";
import { fitsSheet, type TableSize } from "../layout/table-plan";

/**
 * Where a table is about to be written; the target's size is loaded where a table gets another size. Nothing but an added sheet is there until `begin`. The steps of undoing come in this order:
 * `undoTable`; the written cells are emptied; `undoShape`; the copy comes back; `undoPlace`. Each may be done twice.
 */
export interface Prepared extends WrittenPlace {
  /** What becomes the table; the target, unless something else is given. */
  whole?: Excel.Range;
  /** The table that the target is a part of already. */
  table?: Excel.Table | undefined;
  /** The size of what is written or emptied, from the target's first cell; the target's, unless something else is given. */
  changed?: TableSize;
  /** The sheet that was added for the table. It goes if nothing of others is on it. */
  addedSheet?: Excel.Worksheet;
  /** A copy of what stood there, if there was anything to keep. */
  backup?: Backup | undefined;
  /** Makes room: resizes a table, inserts cells, empties what the user has given up. */
  begin?(journal: WriteJournal): Promise<void>;
  /** Queues a look at whether rows of the target still stand beside what they belong to. The result is called after the sync. */
  queueCheck?(start: number, rows: number): () => void;
  /** Makes plain cells again of what has become a table. */
  undoTable?(): Promise<void>;
  /**
   * Takes back sizes of tables. Columns with texts of others stay where they can only be deleted (`hasOthers`: the target has
   * such texts). Gives the addresses of what stays outside of the target.
   */
  undoShape?(hasOthers: boolean): Promise<string[]>;
  /** Takes back inserted cells, and which sheet is shown, in the same way. */
  undoPlace?(hasOthers: boolean): Promise<string[]>;
}

/**
 * Makes plain cells again of the table that was made of a range. By now it may reach beyond: Excel takes what is typed right below a
 * table into it.
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

/** Where a table goes, and what stands there. */
export interface Place {
  /** The whole rectangle. */
  address: string;
  /** The cells in the way; null when the place is free. */
  filled: string | null;
  contents: Contents;
}

/** All that a table of this size would overwrite, as a fingerprint. */
export interface Contents extends TableSize {
  fingerprint: string;
}

/** What the user has agreed to overwrite. */
export interface GivenUp {
  /** The size of the rectangle whose cells the user has given up, if any. */
  mayOverwrite: TableSize | null;
  /** The `contents` of the place when the user chose it, or was asked; without it, nobody was. */
  contents?: Contents | undefined;
}

/** What stands in the cells of a table of this size, from a range's first cell. */
export async function readContents(
  context: Excel.RequestContext,
  first: Excel.Range,
  { rows, columns }: TableSize,
): Promise<Contents> {
  const range = first.getCell(0, 0).getAbsoluteResizedRange(rows, columns);
  const used = range.getUsedRangeOrNullObject(true);
  used.load("rowIndex,columnIndex,rowCount,columnCount");
  range.load("rowIndex,columnIndex");
  await context.sync();
  const formulas: unknown[][] = [];
  if (!used.isNullObject) {
    formulas.push([used.rowIndex - range.rowIndex, used.columnIndex - range.columnIndex]);
    const most = Math.max(1, Math.floor(cellsAtOnce / used.columnCount));
    for (let start = 0; start < used.rowCount; start += most) {
      const size = Math.min(most, used.rowCount - start);
      const part = used.getCell(start, 0).getAbsoluteResizedRange(size, used.columnCount).load("formulas");
      // eslint-disable-next-line office-addins/no-context-sync-in-loop
      await context.sync();
      for (const row of part.formulas) formulas.push(row as unknown[]);
    }
  }
  return { rows, columns, fingerprint: fingerprint(formulas) };
}

/** Cells read at once: an answer has 5 MB at most on the web. */
export const cellsAtOnce = 20_000;

/** Fails with cells-in-the-way where a place holds something else than when the user chose it. */
export async function mustBeAsTold(
  context: Excel.RequestContext,
  first: Excel.Range,
  contents: Contents | undefined,
): Promise<void> {
  if (!contents) return;
  const now = await readContents(context, first, contents);
  if (now.fingerprint !== contents.fingerprint) throw changedSinceChosen();
}

/** The same, for a place that was blank. */
export async function mustBeBlank(context: Excel.RequestContext, range: Excel.Range): Promise<void> {
  const used = range.getUsedRangeOrNullObject(true);
  await context.sync();
  if (!used.isNullObject) throw changedSinceChosen();
}

/** Cells were changed since the user chose the place. Nothing was overwritten, or all is back. */
export const changedSinceChosen = () =>
  new Failure("cells-in-the-way", {
    detail: "Somebody has changed cells there since you chose the place. Nothing was overwritten.",
    nextStep: "Look at them, then insert again.",
  });

/** Where a table is about to be written, header row included. */
export interface PlaceToWrite {
  /** Null for a sheet that is about to be added. */
  sheetId: string | null;
  sheetName: string;
  area: Area;
  /** The name of the hidden sheet that is about to hold a copy of the place; null for a new sheet. */
  copyName: string | null;
}

/** Awaited right before the first write. Gives the name for the sheet of the copy. */
export type BeforeWriting = (place: Pick<PlaceToWrite, "area"> & { sheetId: string }) => Promise<string>;

export const tellsNobody: BeforeWriting = () => Promise.resolve(newCopyName());

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

/** Fails with cells-in-the-way: Excel makes no table over another or over merged cells, whoever gives them up. */
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
  if (table) throw new Failure("cells-in-the-way", { detail: `A table stands there: ${table.name}.` });
}

/**
 * Fails with cells-in-the-way where a table ends right above the place: Excel takes what is written there into it
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
  throw new Failure("cells-in-the-way", {
    detail: `The table ${table.name} ends right above: Excel would make the new rows a part of it.`,
    nextStep: "Leave a blank row between them.",
  });
}

/**
 * Fails with cells-in-the-way: of what is written into merged cells Excel keeps the first and drops the others without a
 * word. An Excel that can't tell of them (before ExcelApi 1.13) is passed over.
 */
export async function mustNotBeMerged(
  context: Excel.RequestContext,
  sheetId: string,
  area: Area,
  hasExcelApi: HasExcelApi,
): Promise<void> {
  const [inTheWay] = await mergedCellsIn(context, sheetId, area, hasExcelApi);
  if (!inTheWay) return;
  throw new Failure("cells-in-the-way", {
    detail: `Cells are merged there: ${inTheWay.address}.`,
    nextStep: "Unmerge them, or choose another place.",
  });
}

/** The merged areas that reach into a place; none in an Excel that can't tell (before ExcelApi 1.13). */
export async function mergedCellsIn(
  context: Excel.RequestContext,
  sheetId: string,
  area: Area,
  hasExcelApi: HasExcelApi,
): Promise<Excel.Range[]> {
  // Only areas that begin in a range are told (OfficeDev/office-js#3611): any that reaches into the place begins here.
  const fromTheTop = { row: 0, column: 0, rows: area.row + area.rows, columns: area.column + area.columns };
  const merged = await readMergedAreas(context, sheetId, fromTheTop, hasExcelApi);
  // All begin above the place's end; those that also end beyond its beginning reach into it.
  return merged.filter(
    ({ rowIndex, rowCount, columnIndex, columnCount }) =>
      rowIndex + rowCount > area.row && columnIndex + columnCount > area.column,
  );
}

/**
 * The merged areas that begin in a part of a sheet; none in an Excel that can't tell. Excel fails where there are more than 512 of them
 * (Range.getMergedAreasOrNullObject): then each half is asked for.
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
