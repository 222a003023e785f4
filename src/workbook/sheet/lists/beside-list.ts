import { config } from "../../../config";
import { Failure } from "../../../errors";
import { SheetFailure } from "../../../sheet-failure";
import { type HasExcelApi, tableGrows } from "../excel-api";
import type { Area } from "../layout/area";
import { columnLetters } from "../layout/cell-address";
import { fitsSheet } from "../layout/table-plan";
import { type CellContent, heldBy } from "../cells/cell-content";
import { withTextsLost } from "../cells/changed-meanwhile";
import { replaceCells } from "../cells/replace-cells";
import { makeRoom } from "../swap/blocks";
import { deleteInserted } from "../swap/inserted-cells";
import type { Workbook } from "../workbook";
import { mayWrite } from "../write-access";
import { copyAside } from "../tables/copy-aside";
import { deleteColumn, type EditedTable } from "../tables/table-shape";
import {
  type Contents,
  type GivenUp,
  makePlainCells,
  mustBeAsTold as mustHoldAsTold,
  mustBeBlank,
  mustBeGivenUp,
  mustNotExtendTable,
  mustTakeTable,
  type Prepared,
  type Preparing,
  rangeAt,
  readTableContents,
} from "../tables/target-place";
import {
  type BesideChoice,
  type BesidePlan,
  type BesideTarget,
  type BesideWay,
  choiceOf,
  isInOneTable,
  type ListBlock,
  planBeside,
  roomBehind,
} from "./beside-plan";
import { type BesideList, cellsOfList, type ListColumn, readRows } from "./list-column";
import { insertionProblem, readBlock, readNeighbors } from "./list-surroundings";

/** One way to place new columns beside a list, and its effects. */
export interface BesideOffer {
  way: BesideWay;
  block: ListBlock | null;
  /** True if the new columns and the list are in one table. */
  isInOneTable: boolean;
  /** The address of the cells that the new columns would fill, before anything is inserted. */
  address: string;
  /** The contents that the new columns would overwrite. */
  contents: Contents;
  /** The reason why it can't be done; null if it can. */
  refusal: string | null;
}

/** The places where new columns can go beside a list. */
export interface BesidePlace {
  /** The place right of the list. */
  right: BesideOffer;
  /** The address of filled cells right of the list; null if there are none. */
  filled: string | null;
  /** The other ways, if columns can't simply go right of the list; otherwise null. `after` names the column that `behind` follows. */
  others: { inserted: BesideOffer; behind: BesideOffer; after: string } | null;
  /** The reason why the list does not become a table although it should; null if it does, or need not. */
  notTable: string | null;
}

/** The number of new columns: in one table with the list, and as a table of their own. */
export interface ColumnCounts {
  together: number;
  apart: number;
}

/** Looks for places for new columns. Fails with the workbook's kinds, and if there is no place at all. */
export function inspectBeside(
  { run, hasExcelApi }: Pick<Workbook, "run" | "hasExcelApi">,
  beside: BesideList,
  columns: ColumnCounts,
  wantsTable: boolean,
): Promise<BesidePlace> {
  const { list } = beside;
  return run(async (context) => {
    await mayWrite(context, context.workbook.worksheets.getItem(list.sheetId));
    const neighbors = await readNeighbors(context, beside);
    const { block, problem: notTable } =
      wantsTable && !list.table
        ? await readBlock(context, beside, neighbors, hasExcelApi)
        : { block: null, problem: null };
    const look = (way: BesideWay) => inspectWay(context, { ...beside, way, block }, columns, hasExcelApi);
    const { offer: right, filled, failure } = await look({ kind: "beside" });
    if (!failure && filled === null) return { right, filled, others: null, notTable };
    const room = roomBehind(beside, neighbors, columns.apart);
    const { offer: inserted } = await look({ kind: "inserted" });
    const { offer: behind } = await look({ kind: "behind", column: room.column });
    if (failure && [inserted, behind].every(({ refusal }) => refusal !== null)) throw failure;
    return { right, filled, others: { inserted, behind, after: columnLetters(room.after) }, notTable };
  });
}

async function inspectWay(
  context: Excel.RequestContext,
  choice: BesideChoice,
  columns: ColumnCounts,
  hasExcelApi: HasExcelApi,
): Promise<{ offer: BesideOffer; filled: string | null; failure: Failure | null }> {
  const { list, way, block } = choice;
  const inOneTable = isInOneTable(choice);
  const plan = planBeside(choice, inOneTable ? columns.together : columns.apart);
  const area = withoutHeaderCells(plan.target, plan);
  const size = { rows: area.rows, columns: area.columns };
  const failure = await refusalOf(() => mustHaveRoom(context, choice, plan, hasExcelApi));
  const refusal = failure && (failure.detail ?? failure.message);
  const offer = { way, block, isInOneTable: inOneTable, refusal };
  if (failure?.kind === "too-large") {
    const contents = { ...size, fingerprint: "" };
    return { offer: { ...offer, address: "", contents }, filled: null, failure };
  }
  const target = rangeAt(context, list.sheetId, area).load("address");
  const filled = target.getUsedRangeOrNullObject(true).load("address");
  await context.sync();
  return {
    offer: { ...offer, address: target.address, contents: await readTableContents(context, target, size) },
    filled: filled.isNullObject || way.kind === "inserted" ? null : filled.address,
    failure,
  };
}

/** The failure with which a place is refused; null if it is not. */
async function refusalOf(look: () => Promise<void>): Promise<Failure | null> {
  try {
    await look();
    return null;
  } catch (thrown) {
    const isOfPlace =
      thrown instanceof Failure && ["cells-in-the-way", "too-large", "no-list"].includes(thrown.kind);
    if (isOfPlace) return thrown;
    throw thrown;
  }
}

/** The area before cells are inserted for a header, since those will be blank. */
function withoutHeaderCells(area: Area, { headerCells }: BesidePlan): Area {
  return headerCells ? { ...area, rows: area.rows - 1 } : area;
}

/**
 * Fails if new columns can't go to a place: with cells-in-the-way if Excel could not make a table or insert columns there, with no-list if
 * the cells of a row would be separated, and with too-large.
 */
async function mustHaveRoom(
  context: Excel.RequestContext,
  { list, header, ...choice }: BesideChoice,
  plan: BesidePlan,
  hasExcelApi: HasExcelApi,
): Promise<void> {
  const { sheetId } = list;
  const { target, whole, insertedBefore, table } = plan;
  if (!fitsSheet({ rows: target.row + target.rows, columns: whole.column + whole.columns }))
    throw new Failure("too-large");
  await mustStandAlone(context, sheetId, plan);
  if (insertedBefore !== null) {
    const columns = { column: insertedBefore, columns: target.columns };
    const beside = { list, header };
    const problem = await insertionProblem(context, beside, columns, hasExcelApi);
    if (problem !== null) throw new SheetFailure("cells-in-the-way", { detail: problem });
    return;
  }
  const place = withoutHeaderCells(table === "made" ? whole : target, plan);
  await mustTakeTable(context, sheetId, place, hasExcelApi);
  if (choice.way.kind === "behind") await mustNotExtendTable(context, sheetId, target);
}

/** Fails with no-list if cells would move down while other cells of their rows stay. */
async function mustStandAlone(
  context: Excel.RequestContext,
  sheetId: string,
  { headerCells, insertedBefore, target }: BesidePlan,
): Promise<void> {
  if (!headerCells) return;
  const { row, column } = headerCells;
  // Columns that are still to be inserted are not there yet.
  const right = column + headerCells.columns - (insertedBefore === null ? 0 : target.columns);
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
    throw new SheetFailure("no-list", { detail });
  }
}

/**
 * Prepares the place for columns beside a list. Fails with no-list if the list is no longer as it was read, and with cells-in-the-way if
 * the place is filled and its content was not given up. In the user's own columns, only blank header cells are written.
 */
export async function prepareBeside(
  context: Excel.RequestContext,
  { mayOverwrite, contents, ...target }: BesideTarget & GivenUp,
  columns: number,
  { hasExcelApi, beforeWriting }: Preparing,
): Promise<Prepared> {
  const canResize = hasExcelApi(tableGrows);
  const choice = choiceOf(target);
  const { list, header, block } = choice;
  const plan = planBeside(choice, columns);
  const { target: area, insertedBefore, headerCells } = plan;
  const { sheetId } = list;
  await mayWrite(context, context.workbook.worksheets.getItem(sheetId));
  await mustBeAsRead(context, { list, header });
  if (target.block && plan.table === "made")
    await mustBeAsTold(context, { list, header }, target.block, hasExcelApi);
  await mustHaveRoom(context, choice, plan, hasExcelApi);
  const place = (part: Area) => rangeAt(context, sheetId, part);
  const isBlankPlace = insertedBefore !== null;
  const there = place(withoutHeaderCells(area, plan)).getUsedRangeOrNullObject(true).load("address");
  const others = place({ ...area, row: 0, rows: config.sheetRows }).getUsedRangeOrNullObject(true);
  others.load("address");
  // Places are made again after each request: an object of a request that Excel refuses can't be used anymore, and one from before an
  // insertion moves with its cells.
  const places = () => ({
    target: place(area).load("address,rowCount,columnCount"),
    whole: place(plan.whole).load("address"),
    ownColumn: place({ ...area, column: list.column, columns: 1 }),
  });
  const firstPlaces = places();
  const table =
    plan.table === "grows" && list.table
      ? context.workbook.tables.getItem(list.table.id).load("id")
      : undefined;
  await context.sync();
  const filled = isBlankPlace || there.isNullObject ? null : there.address;
  mustBeGivenUp(filled, mayOverwrite, { rows: 0, columns });
  const insertedColumns = () => place({ row: 0, rows: 1, column: area.column, columns }).getEntireColumn();
  let areColumnsInserted = false;
  let isHeaderInserted = false;
  const headers: HeaderCell[] = [];

  const prepared: Prepared = {
    ...firstPlaces,
    table,
    isAlone: false,
    mayWiden: isBlankPlace || others.isNullObject,
    resize: table && {
      columnsBefore: 0,
      queueChange() {
        if (canResize) table.resize(table.getRange().getResizedRange(0, columns));
      },
    },
    async begin(written, names) {
      const copyName = await beforeWriting({ sheetId, area });
      if (insertedBefore !== null) {
        insertedColumns().insert("Right");
        await context.sync();
        areColumnsInserted = true;
        Object.assign(prepared, places());
        await context.sync();
      }
      if (headerCells) {
        place(headerCells).insert("Down");
        Object.assign(prepared, places());
        await context.sync();
        isHeaderInserted = true;
      }
      prepared.backup = await copyAside(context, prepared.target, {
        sheetName: copyName,
        isBlank: filled === null,
      });
      // The copy is made, so from here on the journal sees each change.
      if (isHeaderInserted) await mustBeBlank(context, prepared.target.getRow(0));
      if (filled === null) await mustBeBlank(context, prepared.target);
      const first = prepared.target.getOffsetRange(isHeaderInserted ? 1 : 0, 0);
      if (!isBlankPlace) await mustHoldAsTold(context, first, contents);
      if (table && !canResize) {
        // Columns that are added over filled cells would move them.
        await makeRoom(context, prepared, area, written);
        await addColumns(context, table, { names, place: prepared.target });
      }
      if (plan.table !== "made" || !block) return;
      for (const [across, { text, isNew }] of block.headers.entries()) {
        const before = block.column + across;
        const isOverwritten = !isBlankPlace && before >= area.column && before < area.column + columns;
        const column = insertedBefore !== null && before >= insertedBefore ? before + columns : before;
        // Headers are written one by one, because each is checked in the request that writes it.
        // eslint-disable-next-line office-addins/no-context-sync-in-loop
        if (isNew && !isOverwritten)
          headers.push(await writeHeader(context, { sheetId, row: area.row, column }, text));
      }
    },
    queueCheck(start, rows) {
      const first = area.row + start - list.row - (isHeaderInserted ? 1 : 0);
      const { column, columns: width, rows: expected } = cellsOfList(list);
      const cells = place({ row: area.row + start, column, rows, columns: width }).load("values");
      return () => {
        const isSame = cells.values.every(
          (row: unknown[], down) => !expected[first + down] || areSame(row, expected[first + down] ?? []),
        );
        // Answers must not land in rows that have been sorted or moved meanwhile.
        if (!isSame) throw new SheetFailure("no-list", { detail: "It has changed since it was read." });
      };
    },
    async undoTable() {
      if (!table) await makePlainCells(context, prepared.whole ?? prepared.target);
    },
    async undoShape(hasOthers) {
      if (!table || (hasOthers && !canResize)) return [];
      const left = await narrow(context, table, list, columns, hasExcelApi);
      // The ranges in deleted columns are gone with them.
      if (!canResize && left.length === 0) Object.assign(prepared, places(), { resize: undefined });
      return left;
    },
    async undoPlace(hasOthers) {
      const left: string[] = [];
      for (const header of headers) left.push(...(await header.takenBack()));
      if (hasOthers || left.length > 0) return left;
      if (isHeaderInserted && headerCells) {
        left.push(...(await deleteInserted(context, () => place(headerCells), "down")));
        isHeaderInserted = left.length > 0;
      }
      if (areColumnsInserted && left.length === 0) {
        left.push(...(await deleteInserted(context, insertedColumns, "right")));
        areColumnsInserted = left.length > 0;
      }
      return left;
    },
  };
  return prepared;
}

/** Fails with no-list if the user's columns that would become a table have changed since the user was told of them. */
async function mustBeAsTold(
  context: Excel.RequestContext,
  beside: BesideList,
  block: ListBlock,
  hasExcelApi: HasExcelApi,
): Promise<void> {
  const neighbors = await readNeighbors(context, beside);
  const now = await readBlock(context, beside, neighbors, hasExcelApi);
  if (JSON.stringify(now.block) !== JSON.stringify(block))
    throw new SheetFailure("no-list", { detail: "The columns beside it have changed since it was read." });
}

interface HeaderCell {
  /** Empties the cell again. If somebody has changed it, it stays and its address is returned. */
  takenBack(): Promise<string[]>;
}

/** Writes a header into a blank cell. Fails with sheet-refused if somebody has typed into it. */
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

/** Adds columns at a table's right edge. Fails with cells-in-the-way if somebody has typed in their place, so that their texts have moved. */
async function addColumns(
  context: Excel.RequestContext,
  table: Excel.Table,
  { names, place }: { names: readonly string[]; place: Excel.Range },
): Promise<void> {
  const typed = place.getUsedRangeOrNullObject(true);
  for (const name of names) table.columns.add(undefined, undefined, name);
  await context.sync();
  if (!typed.isNullObject) throw new SheetFailure("cells-in-the-way");
}

/**
 * Removes added columns, if the table still has as many as were added. If they can only be deleted, a column with somebody's text stays.
 * Returns the table's address if any of them stays.
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
  const keyed: EditedTable = { context, tableId: table.id, ids, displaced: new Map() };
  for (const name of added.reverse()) {
    const isExpected = (content: CellContent) => heldBy(content) === "";
    const { status } = await deleteColumn(keyed, name, { isExpected }).catch((thrown: unknown) => {
      throw withTextsLost(thrown, [...keyed.displaced.values()].flat());
    });
    if (status === "changed") left.push(now.address);
  }
  return left.slice(0, 1);
}

/** Fails with no-list if the list has changed since it was read, because answers must not land in rows that have been sorted or moved. */
async function mustBeAsRead(
  context: Excel.RequestContext,
  { list, header: { from } }: BesideList,
): Promise<void> {
  const { sheetId, row, table } = list;
  const { column, columns, rows, above: expected = [] } = cellsOfList(list);
  const range = rangeAt(context, sheetId, { row, column, rows: rows.length, columns });
  const hasHeaderAbove = from === "new" || from === "above";
  const above = hasHeaderAbove ? rangeAt(context, sheetId, { row: row - 1, column, rows: 1, columns }) : null;
  above?.load("values");
  const header = table && context.workbook.tables.getItemOrNullObject(table.id).getHeaderRowRange();
  header?.load("rowIndex,columnIndex,values");
  const now = await readRows(context, range, { rows: rows.length, columns });
  const isSameTable =
    !table ||
    (header?.rowIndex === table.row &&
      header.columnIndex === table.column &&
      areSame((header.values[0] ?? []).map(String), table.headers));
  const isSameAbove = !above || areSame(above.values[0] ?? [], expected);
  const areSameRows = now.length === rows.length && now.every((each, at) => areSame(each, rows[at] ?? []));
  if (!isSameTable || !isSameAbove || !areSameRows) {
    throw new SheetFailure("no-list", { detail: "It has changed since it was read." });
  }
}

function areSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index]);
}
