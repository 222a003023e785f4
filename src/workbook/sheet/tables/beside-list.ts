import { config } from "../../../config";
import { Failure } from "../../../errors";
import { type HasExcelApi, tableGrows } from "../excel-api";
import type { Area } from "../layout/area";
import type { TableSize } from "../layout/table-plan";
import { mayWrite } from "../write-access";
import { type Backup, copyAside, takeBack } from "./copy-aside";
import { type BesideList, besideArea, type ListColumn, readValues } from "./list-column";
import {
  type BeforeWriting,
  mustBeGivenUp,
  mustTakeTable,
  type Prepared,
  rangeAt,
  tellsNobody,
} from "./target-place";

/** The cells that the new columns would overwrite; null where there are none. */
export async function inspectBeside(
  context: Excel.RequestContext,
  beside: BesideList,
  columns: number,
  hasExcelApi: HasExcelApi,
): Promise<{ address: string; filled: string | null }> {
  await mayWrite(context, context.workbook.worksheets.getItem(beside.list.sheetId));
  if (beside.header.from === "inserted") await mustStandAlone(context, beside.list, columns);
  const area = besideArea(beside, columns);
  // Nothing stands in cells that are yet to be inserted.
  const rows = beside.header.from === "inserted" ? area.rows - 1 : area.rows;
  const target = rangeAt(context, beside.list.sheetId, { ...area, rows }).load("address");
  const { sheetId, column, table } = beside.list;
  const whole = { ...area, rows, column, columns: columns + 1 };
  await mustTakeTable(context, sheetId, table ? { ...area, rows } : whole, hasExcelApi);
  const filled = target.getUsedRangeOrNullObject(true).load("address");
  await context.sync();
  return { address: target.address, filled: filled.isNullObject ? null : filled.address };
}

/** Cells that move down must not leave those of their row behind: fails with no-list. */
async function mustStandAlone(
  context: Excel.RequestContext,
  { sheetId, row, column }: ListColumn,
  columns: number,
): Promise<void> {
  const right = column + 1 + columns;
  const used = [
    { column: 0, columns: column },
    { column: right, columns: config.sheetColumns - right },
  ]
    .filter((part) => part.columns > 0)
    .map((part) => rangeAt(context, sheetId, { ...part, row, rows: config.sheetRows - row }))
    .map((range) => range.getUsedRangeOrNullObject(true).load("address"));
  await context.sync();
  if (used.some((range) => !range.isNullObject)) {
    const detail = "Put a header above your list first: other columns stand beside it.";
    throw new Failure("no-list", { detail });
  }
}

/**
 * Makes room for columns beside a list, which must stand as it was read, and tells how to take it back.
 * Fails with cells-in-the-way, unless they are given up.
 */
export async function prepareBeside(
  context: Excel.RequestContext,
  { mayOverwrite, ...beside }: BesideList & { mayOverwrite: TableSize | null },
  columns: number,
  hasExcelApi: HasExcelApi,
  beforeWriting: BeforeWriting = tellsNobody,
): Promise<Prepared> {
  const canResize = hasExcelApi(tableGrows);
  const { list, header } = beside;
  await mustBeAsRead(context, beside);
  const { filled } = await inspectBeside(context, beside, columns, hasExcelApi);
  mustBeGivenUp(filled, mayOverwrite, { rows: 0, columns });
  const area = besideArea(beside, columns);
  const copyName = await beforeWriting({ sheetId: list.sheetId, area });
  const place = (part: Area) => rangeAt(context, list.sheetId, part);
  /** How to take back what has been done, the last step first. */
  const back: (() => void | Promise<void>)[] = [];
  let backup: Backup | undefined;
  async function undo() {
    for (const step of back) await step();
    await context.sync();
  }
  try {
    if (header.from === "inserted") {
      const cells = { row: area.row, column: list.column, rows: 1, columns: columns + 1 };
      place(cells).insert("Down");
      await context.sync();
      back.unshift(() => place(cells).delete("Up"));
    }
    // After that: a range that was asked for before has moved with its cells.
    const target = place(area);
    const whole = list.table ? target : place({ ...area, column: list.column, columns: columns + 1 });
    const others = place({ ...area, row: 0, rows: config.sheetRows }).getUsedRangeOrNullObject(true);
    others.load("address");
    const copy = (backup = await copyAside(context, whole, copyName));
    back.unshift(async () => {
      whole.copyFrom(copy.range, "All");
      await context.sync();
    });
    /** A column that is added where something stands would move it. */
    const isCleared = list.table !== null && !canResize;
    const placeOf = (sheet: Excel.Worksheet) =>
      sheet.getRangeByIndexes(area.row, area.column, area.rows, area.columns);
    const table = list.table ? context.workbook.tables.getItem(list.table.id) : undefined;
    if (table && list.table) {
      if (isCleared) target.clear("All");
      const narrow = widen(table, list.table.headers.length, columns, canResize);
      await context.sync();
      back.unshift(narrow);
    } else {
      back.unshift(async () => {
        const made = whole.getTables(true).load("items/name");
        await context.sync();
        for (const item of made.items) item.convertToRange();
      });
    }
    if (header.from === "new" || header.from === "inserted") {
      const cell = whole.getCell(0, 0);
      cell.numberFormat = [["@"]];
      cell.values = [[header.text]];
    }
    return {
      target,
      givenUp: isCleared || filled === null ? undefined : placeOf(copy.sheet),
      whole,
      table,
      isAlone: false,
      mayWiden: others.isNullObject,
      undo,
      backup,
    };
  } catch (thrown) {
    await takeBack(context, undo, backup);
    throw thrown;
  }
}

/**
 * Adds columns at a table's right edge, and gives the way back. A table that is resized leaves the cells around it where
 * they are, which takes ExcelApi 1.13.
 */
function widen(table: Excel.Table, before: number, columns: number, canResize: boolean): () => void {
  if (canResize) {
    const range = table.getRange();
    table.resize(range.getResizedRange(0, columns));
    return () => table.resize(range);
  }
  for (let added = 0; added < columns; added += 1) table.columns.add();
  return () => {
    for (let added = columns - 1; added >= 0; added -= 1) table.columns.getItemAt(before + added).delete();
  };
}

/** Answers must not land in rows that have been sorted or moved meanwhile. */
async function mustBeAsRead(
  context: Excel.RequestContext,
  { list, header: { from } }: BesideList,
): Promise<void> {
  const { sheetId, row, column, values, table } = list;
  const range = rangeAt(context, sheetId, { row, column, rows: values.length, columns: 1 });
  const hasHeaderAbove = from === "new" || from === "above";
  const above = hasHeaderAbove
    ? rangeAt(context, sheetId, { row: row - 1, column, rows: 1, columns: 1 })
    : null;
  above?.load("values");
  const header = table && context.workbook.tables.getItemOrNullObject(table.id).getHeaderRowRange();
  header?.load("rowIndex,columnIndex,values");
  const now = await readValues(context, range, { rows: values.length, columns: 1 });
  const isSameTable =
    !table ||
    (header?.rowIndex === table.row &&
      header.columnIndex === table.column &&
      isSame((header.values[0] ?? []).map(String), table.headers));
  const isSameAbove = !above || above.values[0]?.[0] === list.above;
  if (!isSameTable || !isSameAbove || !isSame(now, values)) {
    throw new Failure("no-list", { detail: "It has changed since it was read." });
  }
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index]);
}
