import { config } from "../../config";
import { locateFrozen } from "../cell-formulas/frozen-places";
import { type CellContent, isFormula } from "../sheet/cells/cell-content";
import { cellAddress } from "../sheet/layout/cell-address";
import { unsure } from "../sheet/swap/blocks";
import { contentsOfRange } from "../sheet/swap/contents";
import { takeBackBlocks } from "../sheet/swap/take-back-blocks";
import { cellsAtOnce, rangeAt } from "../sheet/tables/target-place";
import type { Scalar } from "../sheet/values/cell-value";
import { isAsWritten, type TableUnderWay, type UnfinishedWork } from "../work-note/unfinished-work";

/** The parts of an interrupted import that could not be taken back. */
export interface TakenBack {
  /** The addresses of rows that somebody has changed. They were left as they are. */
  kept: string[];
  /** Sheets that were left as they are, because the copy of their earlier cells is gone. */
  withoutCopy: string[];
}

/**
 * Undoes the writes of an interrupted import. A row gets its earlier content back if it shows what the import wrote, is blank, or shows the
 * earlier content already. A row that shows anything else was changed by somebody and stays. A sheet that the import added is deleted if
 * nothing else is on it. It may be interrupted and repeated.
 */
export async function takeBackImport(
  context: Excel.RequestContext,
  { tables }: Pick<UnfinishedWork & { kind: "import" }, "tables">,
): Promise<TakenBack> {
  const taken: TakenBack = { kept: [], withoutCopy: [] };
  for (const table of [...tables].reverse()) {
    const sheets = context.workbook.worksheets.load("items/id,items/name");
    // There are at most two tables: the import's and that of its sources.
    // eslint-disable-next-line office-addins/no-context-sync-in-loop
    await context.sync();
    const there = locateFrozen({ ...table, sheetId: table.sheetId ?? "" }, sheets.items);
    const sheet = sheets.items.find(({ id }) => id === there?.id);
    const copy = sheets.items.find(({ name }) => name === table.copyName);
    if (sheet) await takeBackTable(context, table, { sheet, copy, taken });
  }
  return taken;
}

async function takeBackTable(
  context: Excel.RequestContext,
  table: TableUnderWay,
  { sheet, copy, taken }: { sheet: Excel.Worksheet; copy: Excel.Worksheet | undefined; taken: TakenBack },
): Promise<void> {
  const sheets = { sheet, copy };
  const kinds: RowKind[] = [];
  for (const { first, rows } of partsOfTable(table)) {
    const reading = queueKinds(table, { first, rows }, sheets);
    // eslint-disable-next-line office-addins/no-context-sync-in-loop
    await context.sync();
    kinds.push(...reading().map(({ kind }) => kind));
  }
  const isAllOurs = !kinds.includes("others");
  if (table.copyName !== null && !copy) {
    // The copy is made before the first write and deleted after the last one.
    if (kinds.includes("ours")) taken.withoutCopy.push(sheet.name);
    return;
  }
  if (copy && !isAllOurs && !kinds.includes("ours")) {
    const used = copy.getUsedRangeOrNullObject(true).load("address");
    await context.sync();
    // An empty copy means that the import was interrupted before it copied anything, so nothing was written either.
    if (used.isNullObject) {
      copy.delete();
      await context.sync();
      return;
    }
  }
  if (!copy) {
    const hasOurs = kinds.includes("ours");
    if (isAllOurs && (await isAlone(context, table, { sheet, hasOurs }))) {
      sheet.delete();
      await context.sync();
      return;
    }
    if (!hasOurs) return;
  }
  await makePlain(context, table, sheet);
  const kept = new Set(kinds.flatMap((kind, row) => (kind === "others" ? [row] : [])));
  for (const rows of partsOfTable(table, kept)) await restore(context, table, { rows, sheets, kept });
  const range = rangeAt(context, sheet.id, table).load("address");
  await context.sync();
  taken.kept.push(...[...kept].map((row) => cellAddress(range.address, row, 0)));
  // If rows stay as they are, the copy stays too, because only it holds their earlier content.
  if (!copy || kept.size > 0) return;
  copy.delete();
  await context.sync();
}

interface Rows {
  first: number;
  rows: number;
}

interface Sheets {
  sheet: Excel.Worksheet;
  copy: Excel.Worksheet | undefined;
}

/**
 * Blocks of adjoining rows of a table's place, or of a part of it, header row included, without the rows in `without`. Each block is small enough for one
 * request.
 */
function partsOfTable(
  { rows, columns }: TableUnderWay,
  without: ReadonlySet<number> = new Set(),
  within: Rows = { first: 0, rows },
): Rows[] {
  const most = Math.max(1, Math.floor(cellsAtOnce / columns));
  const parts: Rows[] = [];
  for (let row = within.first; row < within.first + within.rows; row += 1) {
    const last = parts.at(-1);
    if (without.has(row)) continue;
    if (last && last.first + last.rows === row && last.rows < most) last.rows += 1;
    else parts.push({ first: row, rows: 1 });
  }
  return parts;
}

/** The content of a row: what the import was to write, what was there before, nothing, or something that somebody entered since. */
type RowKind = "ours" | "before" | "blank" | "others";

/** Queues the reading of rows of a table's place. Call the returned function after the sync. */
function queueKinds(table: TableUnderWay, rows: Rows, { sheet, copy }: Sheets) {
  const now = placeOf(sheet, table, rows).load("values,formulas,numberFormat");
  const before = copy && placeOf(copy, table, rows).load("formulas");
  return () =>
    contentsOfRange(now).map((cells, down): { kind: RowKind; cells: CellContent[] } => {
      const was = before?.formulas[down] as unknown[] | undefined;
      const isBefore = was?.every((formula, across) => formula === cells[across]?.formula);
      const isBlank = cells.every(({ formula }) => formula === "");
      const values = cells.map(({ value }) => value);
      const isOurs = !cells.some(isFormula) && isAsWritten(table, rows.first + down, values);
      return { kind: isOurs ? "ours" : isBefore ? "before" : isBlank ? "blank" : "others", cells };
    });
}

function placeOf(sheet: Excel.Worksheet, { row, column, columns }: TableUnderWay, { first, rows }: Rows) {
  return sheet.getRangeByIndexes(row + first, column, rows, columns);
}

/**
 * True if the sheet holds nothing but the rows of the table. A sheet without any of these rows may be somebody's own sheet of that name, so
 * nothing at all may be on it, not even a format.
 */
async function isAlone(
  context: Excel.RequestContext,
  { row, column, rows, columns }: TableUnderWay,
  { sheet, hasOurs }: { sheet: Excel.Worksheet; hasOurs: boolean },
): Promise<boolean> {
  const used = sheet.getUsedRangeOrNullObject(hasOurs);
  used.load("rowIndex,columnIndex,rowCount,columnCount");
  const drawings = [sheet.charts.getCount(), sheet.shapes.getCount()];
  await context.sync();
  if (drawings.some(({ value }) => value > 0)) return false;
  return (
    used.isNullObject ||
    (hasOurs &&
      used.rowIndex >= row &&
      used.columnIndex >= column &&
      used.rowIndex + used.rowCount <= row + rows &&
      used.columnIndex + used.columnCount <= column + columns)
  );
}

/** Turns the Excel table that the import made of its place into plain cells. */
async function makePlain(
  context: Excel.RequestContext,
  { row, column, rows, columns }: TableUnderWay,
  sheet: Excel.Worksheet,
): Promise<void> {
  const tables = sheet.getRangeByIndexes(row, column, rows, columns).getTables(false).load("items/name");
  await context.sync();
  const ranges = tables.items.map((table) => table.getRange().load("rowIndex,columnIndex,columnCount"));
  await context.sync();
  tables.items.forEach((table, index) => {
    const range = ranges[index];
    const isOurs = range?.rowIndex === row && range.columnIndex === column && range.columnCount === columns;
    if (isOurs) table.convertToRange();
  });
  await context.sync();
}

/**
 * Gives rows their earlier content; those that somebody has changed by then are added to `kept`. A cell that somebody changes in the moment
 * of the writing stays, too, and its row is added.
 */
async function restore(
  context: Excel.RequestContext,
  table: TableUnderWay,
  { rows, sheets, kept }: { rows: Rows; sheets: Sheets; kept: Set<number> },
): Promise<void> {
  const { sheet, copy } = sheets;
  const reading = queueKinds(table, rows, sheets);
  const target = rangeAt(context, sheet.id, table).load("rowCount,columnCount");
  await context.sync();
  const lines = reading();
  const changed = lines.flatMap(({ kind }, down) => (kind === "others" ? [rows.first + down] : []));
  for (const row of changed) kept.add(row);
  if (changed.length > 0) {
    for (const part of partsOfTable(table, kept, rows))
      await restore(context, table, { rows: part, sheets, kept });
    return;
  }
  const entries = lines.map(({ cells }) =>
    cells.map(({ value, numberFormat }) => ({ value: value as Scalar, numberFormat })),
  );
  const { columns } = table;
  const block = { row: rows.first, column: 0, rows: rows.rows, columns, bytes: config.writeBytes, entries };
  const range = copy && placeOf(copy, table, { first: 0, rows: table.rows });
  const place = { target, backup: range && { range, isBlank: false } };
  const { left, refusal } = await takeBackBlocks(context, place, [unsure(block)], "wide");
  if (refusal) throw refusal;
  for (const { row } of left) kept.add(row);
}
