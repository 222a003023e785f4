import { config } from "../../../config";
import { Failure } from "../../../errors";
import { type HasExcelApi, tableGrows } from "../excel-api";
import type { Area } from "../layout/area";
import { type CellContent, enterAgain } from "../cells/cell-content";
import { replaceCells } from "../cells/replace-cells";
import { mayWrite } from "../write-access";
import { copyAside } from "./copy-aside";
import { type BesideList, besideArea, type ListColumn, readValues } from "./list-column";
import { withTextsLost } from "../cells/changed-meanwhile";
import type { KeyedTable } from "./checked-writes";
import { deleteColumn } from "./table-shape";
import {
  type BeforeWriting,
  type GivenUp,
  makePlainCells,
  mustBeAsTold,
  mustBeBlank,
  mustBeGivenUp,
  mustTakeTable,
  type Place,
  type Prepared,
  rangeAt,
  readContents,
  tellsNobody,
} from "./target-place";

/** The place of the new columns, and what they would overwrite. */
export async function inspectBeside(
  context: Excel.RequestContext,
  beside: BesideList,
  columns: number,
  hasExcelApi: HasExcelApi,
): Promise<Place> {
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
  return {
    address: target.address,
    filled: filled.isNullObject ? null : filled.address,
    contents: await readContents(context, target, { rows, columns }),
  };
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
 * The place for columns beside a list, which must stand as it was read. Fails with cells-in-the-way, unless they are given up.
 * Of the list itself only a blank header cell is written.
 */
export async function prepareBeside(
  context: Excel.RequestContext,
  { mayOverwrite, contents, ...beside }: BesideList & GivenUp,
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
  const place = (part: Area) => rangeAt(context, list.sheetId, part);
  const headerRow = { row: area.row, column: list.column, rows: 1, columns: columns + 1 };
  // An object of a request that Excel refuses can't be used any more, and one from before an insertion moves with its cells.
  const places = () => {
    const target = place(area).load("address,rowCount,columnCount");
    const whole = list.table ? target : place({ ...area, column: list.column, columns: columns + 1 });
    const ownColumn = place({ ...area, column: list.column, columns: 1 });
    return { target, whole: whole.load("address"), ownColumn };
  };
  const others = place({ ...area, row: 0, rows: config.sheetRows }).getUsedRangeOrNullObject(true);
  others.load("address");
  const firstPlaces = places();
  const table = list.table ? context.workbook.tables.getItem(list.table.id).load("id") : undefined;
  await context.sync();
  let isInserted = false;
  let headerCell: HeaderCell | null = null;

  const prepared: Prepared = {
    ...firstPlaces,
    table,
    isAlone: false,
    mayWiden: others.isNullObject,
    async begin(journal) {
      const copyName = await beforeWriting({ sheetId: list.sheetId, area });
      if (header.from === "inserted") {
        place(headerRow).insert("Down");
        Object.assign(prepared, places());
        await context.sync();
        isInserted = true;
      }
      prepared.backup = await copyAside(context, prepared.target, {
        sheetName: copyName,
        isBlank: filled === null,
      });
      // The copy is there: from now on the journal sees each change.
      if (isInserted) await mustBeBlank(context, prepared.target.getRow(0));
      if (filled === null) await mustBeBlank(context, prepared.target);
      await mustBeAsTold(context, prepared.target.getOffsetRange(isInserted ? 1 : 0, 0), contents);
      if (table && list.table) {
        // A column that is added where something stands would move it.
        if (!canResize) await journal.empty();
        await journal.resize(() => widen(table, columns, canResize));
      }
      if (header.from === "new" || header.from === "inserted")
        headerCell = await writeHeader(context, { ...list, row: area.row }, header.text);
    },
    queueCheck(start, rows) {
      const first = area.row + start - list.row - (isInserted ? 1 : 0);
      const cells = place({ row: area.row + start, column: list.column, rows, columns: 1 }).load("values");
      return () => {
        const isSame = cells.values.every(([value]: unknown[], down) => {
          const expected = list.values[first + down];
          return expected === undefined || value === expected;
        });
        // Answers must not land in rows that have been sorted or moved meanwhile.
        if (!isSame) throw new Failure("no-list", { detail: "It has changed since it was read." });
      };
    },
    async undoTable() {
      if (!table) await makePlainCells(context, prepared.whole ?? prepared.target);
    },
    async undoShape(hasOthers) {
      if (!table || (hasOthers && !canResize)) return [];
      return narrow(context, table, list, columns, hasExcelApi);
    },
    async undoPlace(hasOthers) {
      const left = headerCell ? await headerCell.takenBack() : [];
      if (!isInserted || hasOthers || left.length > 0) return left;
      const typed = await deleteBlank(context, place(headerRow));
      isInserted = typed.length > 0;
      return typed;
    },
  };
  return prepared;
}

interface HeaderCell {
  /** Empties the cell, unless somebody has changed it: then this gives its address. */
  takenBack(): Promise<string[]>;
}

/** Writes a header into a blank cell. Fails with sheet-refused where somebody has typed into it. */
async function writeHeader(
  context: Excel.RequestContext,
  { sheetId, row, column }: Pick<ListColumn, "sheetId" | "row" | "column">,
  text: string,
): Promise<HeaderCell> {
  const cell = rangeAt(context, sheetId, { row, column, rows: 1, columns: 1 }).load("numberFormat,address");
  await context.sync();
  const area = { sheetId, row, column, rows: 1, columns: 1 };
  const blank = [[{ content: "", numberFormat: String(cell.numberFormat[0]?.[0]) }]];
  const written = [[{ content: text, numberFormat: "@" }]];
  await replaceCells(context, [{ ...area, before: blank, after: written }], {});
  let isThere = true;
  return {
    async takenBack() {
      if (!isThere) return [];
      const change = { ...area, before: written, after: blank };
      return replaceCells(context, [change], {}).then(
        () => ((isThere = false), []),
        () => [cell.address],
      );
    },
  };
}

/** Deletes blank cells, and what is below them moves up. Gives the addresses of texts in them; then they stay. */
async function deleteBlank(context: Excel.RequestContext, cells: Excel.Range): Promise<string[]> {
  const looked = cells.getUsedRangeOrNullObject(true);
  looked.load("address");
  await context.sync();
  if (!looked.isNullObject) return [looked.address];
  const met = cells.getUsedRangeOrNullObject(true);
  met.load("address,values,formulas,numberFormat,columnIndex,columnCount");
  cells.load("columnIndex");
  cells.delete("Up");
  await context.sync();
  if (met.isNullObject) return [];
  // Somebody has typed at the last moment: the cells come back with the text.
  cells.insert("Down");
  const first = cells.getCell(0, met.columnIndex - cells.columnIndex);
  enterAgain(first.getAbsoluteResizedRange(1, met.columnCount), met);
  await context.sync();
  return [met.address];
}

/**
 * Adds columns at a table's right edge. A table that is resized leaves the cells around it where they are, which takes
 * ExcelApi 1.13.
 */
function widen(table: Excel.Table, columns: number, canResize: boolean): void {
  if (canResize) table.resize(table.getRange().getResizedRange(0, columns));
  else for (let added = 0; added < columns; added += 1) table.columns.add();
}

/**
 * Takes added columns away, if there are as many as were added. Where they can only be deleted, a column with a text of somebody
 * stays. Gives the address of the table if any of them stays.
 */
async function narrow(
  context: Excel.RequestContext,
  table: Excel.Table,
  list: ListColumn,
  columns: number,
  hasExcelApi: HasExcelApi,
): Promise<string[]> {
  const before = list.table?.headers ?? [];
  const now = table.getRange().load("address,columnCount");
  const header = table.getHeaderRowRange().load("values");
  table.load("id");
  await context.sync();
  if (now.columnCount === before.length) return [];
  // Somebody has added or deleted columns meanwhile.
  if (now.columnCount !== before.length + columns) return [now.address];
  if (hasExcelApi(tableGrows)) {
    table.resize(table.getRange().getResizedRange(0, -columns));
    await context.sync();
    return [];
  }
  const ids = before.slice(list.column - (list.table?.column ?? 0)).slice(0, 1);
  const added = (header.values[0] ?? []).slice(before.length).map(String);
  const left: string[] = [];
  const keyed: KeyedTable = { context, tableId: table.id, ids, displaced: new Map() };
  for (const name of added.reverse()) {
    const isExpected = ({ value }: CellContent) => value === "";
    const { status } = await deleteColumn(keyed, name, { isExpected }).catch((thrown: unknown) => {
      throw withTextsLost(thrown, [...keyed.displaced.values()].flat());
    });
    if (status === "changed") left.push(now.address);
  }
  return left.slice(0, 1);
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
