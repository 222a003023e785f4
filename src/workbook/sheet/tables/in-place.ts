import { SheetFailure } from "../../../sheet-failure";
import { copyAside } from "./copy-aside";
import { type HasExcelApi, tableGrows } from "../excel-api";
import { readTable, type TableHere } from "./bound-table";
import type { Area } from "../layout/area";
import {
  type GivenUp,
  mustBeAsTold,
  mustBeGivenUp,
  mustNotBeMerged,
  type TargetPlace,
  type Prepared,
  type Preparing,
  rangeAt,
  readTableContents,
} from "./target-place";
import type { TableSize } from "../layout/table-plan";
import { mayWrite } from "../write-access";

/** A table that is to be replaced, as it was when the user was told what would be lost. */
export interface TableToReplace extends Pick<TableHere, "rows" | "headers"> {
  tableId: string;
}

/**
 * Looks at the cells that a table of this size would need beyond the table that it replaces. Fails with cells-in-the-way if that table has
 * rows or columns that the user was not told of.
 */
export async function inspectInPlace(
  context: Excel.RequestContext,
  { tableId, ...told }: TableToReplace,
  size: TableSize,
  hasExcelApi: HasExcelApi,
): Promise<TargetPlace> {
  const { sheetId, area } = await tableAsTold(context, { tableId, ...told });
  await mayWrite(context, context.workbook.worksheets.getItem(sheetId));
  const target = rangeAt(context, sheetId, { ...area, ...size }).load("address");
  const used = beyond(area, size).map((part) =>
    rangeAt(context, sheetId, part).getUsedRangeOrNullObject(true),
  );
  for (const range of used) range.load("address");
  await context.sync();
  await mustNotBeMerged(context, sheetId, { ...area, ...size }, hasExcelApi);
  const filled = used.flatMap((range) => (range.isNullObject ? [] : [range.address]));
  return {
    address: target.address,
    filled: filled.length > 0 ? filled.join(" and ") : null,
    contents: await readTableContents(context, target, larger(area, size)),
  };
}

/** Reads the table. Fails with cells-in-the-way if it has rows or columns that the user was not told of. */
async function tableAsTold(context: Excel.RequestContext, { tableId, rows, headers }: TableToReplace) {
  const table = await readTable(context, tableId);
  if (table.area.rows === rows && table.headers.join("\n") === headers.join("\n")) return table;
  const detail = "The table's rows or columns changed after you chose it. Choose it again.";
  throw new SheetFailure("cells-in-the-way", { detail });
}

function larger(one: TableSize, other: TableSize): TableSize {
  return { rows: Math.max(one.rows, other.rows), columns: Math.max(one.columns, other.columns) };
}

/** The areas that a table of this size has to the right of the old one and below it. */
function beyond({ row, column, rows, columns }: Area, size: TableSize): Area[] {
  const right = { row, column: column + columns, rows: size.rows, columns: size.columns - columns };
  const below = { row: row + rows, column, rows: size.rows - rows, columns: Math.min(columns, size.columns) };
  return [right, below].filter((part) => part.rows > 0 && part.columns > 0);
}

/**
 * Prepares the place of a table, which is resized and emptied, so that it keeps its id, name and style in Excel. Fails with sheet-refused
 * and changes nothing without ExcelApi 1.13, and with cells-in-the-way if other cells are filled and were not given up.
 */
export async function prepareInPlace(
  context: Excel.RequestContext,
  { mayOverwrite, contents, ...replaced }: TableToReplace & GivenUp,
  size: TableSize,
  { hasExcelApi, beforeWriting }: Preparing,
): Promise<Prepared> {
  if (!hasExcelApi(tableGrows)) {
    throw new SheetFailure("sheet-refused", {
      detail: "This Excel can't give a table another size.",
      nextStep: "Choose another place.",
    });
  }
  const { filled } = await inspectInPlace(context, replaced, size, hasExcelApi);
  const { table, sheetId, area, bodyRows } = await tableAsTold(context, replaced);
  mustBeGivenUp(filled, mayOverwrite, size);
  if (area.rows !== bodyRows + 1)
    throw new SheetFailure("cells-in-the-way", { detail: "The table has a totals row." });
  const place = (part: Area) => rangeAt(context, sheetId, part);
  // An object of a request that Excel refuses can't be used anymore, so these are loaded with the request of the copy.
  const [before, target] = [area, { ...area, ...size }].map((part) =>
    place(part).load("address,rowCount,columnCount"),
  ) as [Excel.Range, Excel.Range];
  const both = place({ ...area, ...larger(area, size) });
  const copyName = await beforeWriting({ sheetId, area: { ...area, ...size } });
  const backup = await copyAside(context, both, { sheetName: copyName });
  return {
    target,
    table,
    isAlone: false,
    mayWiden: false,
    earlier: area,
    backup,
    resize: { columnsBefore: area.columns, queueChange: () => table.resize(target) },
    begin: () => mustBeAsTold(context, both, contents),
    async undoTable() {
      // The copy of a whole table becomes a new table where the old one is gone.
      table.load("id");
      await context.sync();
    },
    async undoShape() {
      table.resize(before);
      await context.sync();
      return [];
    },
  };
}
