import { Failure } from "../../../errors";
import { type Area, halves } from "../layout/area";
import { type Backup, newCopyName } from "./copy-aside";
import { type HasExcelApi, mergedCells } from "../excel-api";
import { excelFailure } from "../excel-failure";
import { fitsSheet, type TableSize } from "../layout/table-plan";

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
  /** A copy of what the user has given up in the target; without one, the target was blank. */
  givenUp?: Excel.Range | undefined;
  /** Puts the sheet back as it was, see `takeBack`. `keepsSheet`: a sheet that was added stays, for what others typed there. */
  undo(keepsSheet?: boolean): Promise<void>;
  /** What stood there; `undo` needs it. */
  backup?: Backup;
}

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
  // Only areas that begin in a range are told (OfficeDev/office-js#3611): any that reaches into the place begins here.
  const fromTheTop = { row: 0, column: 0, rows: area.row + area.rows, columns: area.column + area.columns };
  const merged = await readMergedAreas(context, sheetId, fromTheTop, hasExcelApi);
  // All begin above the place's end; those that also end beyond its beginning reach into it.
  const inTheWay = merged.find(
    ({ rowIndex, rowCount, columnIndex, columnCount }) =>
      rowIndex + rowCount > area.row && columnIndex + columnCount > area.column,
  );
  if (!inTheWay) return;
  throw new Failure("cells-in-the-way", {
    detail: `Cells are merged there: ${inTheWay.address}.`,
    nextStep: "Unmerge them, or choose another place.",
  });
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
