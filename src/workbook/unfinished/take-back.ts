import { locateFrozen } from "../cell-formulas/freeze";
import { type CellContent, entryOf } from "../sheet/cells/cell-content";
import { cellAddress } from "../sheet/layout/cell-address";
import { cellsAtOnce, rangeAt } from "../sheet/tables/target-place";
import { isAsWritten, type TableUnderWay, type Work } from "./unfinished-work";

/** What became of taking an interrupted import back. */
export interface TakenBack {
  /** The addresses of rows that somebody has changed: they were left as they are. */
  kept: string[];
  /** Sheets whose cells as they were can't be brought back, because their copy is gone: these are left as they are. */
  withoutCopy: string[];
}

/**
 * Takes back what an interrupted import has written. A row that still shows what was to be written, that is blank, or that shows what
 * its place had before gets back what it had. A row that shows anything else was changed by somebody and stays. A sheet that was added
 * goes if nothing of others is on it. It can be interrupted, and done again.
 */
export async function takeBackImport(
  context: Excel.RequestContext,
  { tables }: Pick<Work & { kind: "import" }, "tables">,
): Promise<TakenBack> {
  const taken: TakenBack = { kept: [], withoutCopy: [] };
  for (const table of [...tables].reverse()) {
    const sheets = context.workbook.worksheets.load("items/id,items/name");
    // A table and its sources: two at most.
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
    // The copy comes before the first write, and goes after the last one.
    if (kinds.includes("ours")) taken.withoutCopy.push(sheet.name);
    return;
  }
  if (copy && !isAllOurs && !kinds.includes("ours")) {
    const used = copy.getUsedRangeOrNullObject(true).load("address");
    await context.sync();
    // It was interrupted before the copy was made: nothing was written to the place.
    if (used.isNullObject) {
      copy.delete();
      await context.sync();
      return;
    }
  }
  if (!copy) {
    if (!isAllOurs && !kinds.includes("ours")) return;
    if (isAllOurs && (await isAlone(context, table, sheet))) {
      sheet.delete();
      await context.sync();
      return;
    }
  }
  await makePlain(context, table, sheet);
  const kept = new Set(kinds.flatMap((kind, row) => (kind === "others" ? [row] : [])));
  for (const { first, rows } of partsOfTable(table, kept)) {
    for (const row of await restore(context, table, { first, rows }, sheets)) kept.add(row);
  }
  const range = rangeAt(context, sheet.id, table).load("address");
  await context.sync();
  taken.kept.push(...[...kept].map((row) => cellAddress(range.address, row, 0)));
  // What stood in a row that stays is in the copy alone.
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

/** Adjoining rows of a table's place, header row included, without those that are left out; few enough for one request. */
function partsOfTable({ rows, columns }: TableUnderWay, without: ReadonlySet<number> = new Set()): Rows[] {
  const most = Math.max(1, Math.floor(cellsAtOnce / columns));
  const parts: Rows[] = [];
  for (let row = 0; row < rows; row += 1) {
    const last = parts.at(-1);
    if (without.has(row)) continue;
    if (last && last.first + last.rows === row && last.rows < most) last.rows += 1;
    else parts.push({ first: row, rows: 1 });
  }
  return parts;
}

/** A row shows what was to be written, or what was there before, or nothing; if it shows anything else, somebody has changed it. */
type RowKind = "ours" | "before" | "blank" | "others";

/** Queues the reading of rows of a table's place; the result is called after the sync. */
function queueKinds(table: TableUnderWay, rows: Rows, { sheet, copy }: Sheets) {
  const now = placeOf(sheet, table, rows).load("values,formulas,numberFormat");
  const before = copy && placeOf(copy, table, rows).load("formulas");
  return () =>
    now.values.map((values: unknown[], down): { kind: RowKind; cells: CellContent[] } => {
      const formulas = now.formulas[down] as unknown[];
      const was = before?.formulas[down] as unknown[] | undefined;
      const isBefore = was?.every((formula, across) => formula === formulas[across]);
      const isBlank = formulas.every((formula) => formula === "");
      const isOurs = isAsWritten(table, rows.first + down, values);
      return {
        kind: isOurs ? "ours" : isBefore ? "before" : isBlank ? "blank" : "others",
        cells: values.map((value, across) => ({
          value,
          formula: formulas[across],
          numberFormat: String(now.numberFormat[down]?.[across]),
        })),
      };
    });
}

function placeOf(sheet: Excel.Worksheet, { row, column, columns }: TableUnderWay, { first, rows }: Rows) {
  return sheet.getRangeByIndexes(row + first, column, rows, columns);
}

/** Whether nothing but the table's rows is on the sheet. */
async function isAlone(
  context: Excel.RequestContext,
  { row, column, rows, columns }: TableUnderWay,
  sheet: Excel.Worksheet,
): Promise<boolean> {
  const used = sheet.getUsedRangeOrNullObject(true);
  used.load("rowIndex,columnIndex,rowCount,columnCount");
  const drawings = [sheet.charts.getCount(), sheet.shapes.getCount()];
  await context.sync();
  if (drawings.some(({ value }) => value > 0)) return false;
  return (
    used.isNullObject ||
    (used.rowIndex >= row &&
      used.columnIndex >= column &&
      used.rowIndex + used.rowCount <= row + rows &&
      used.columnIndex + used.columnCount <= column + columns)
  );
}

/** Makes plain cells of the table that was made of the place. */
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
 * Gives rows what they had before. The request that writes also reads before that, so that what somebody typed at the last moment
 * comes back: these rows are given.
 */
async function restore(
  context: Excel.RequestContext,
  table: TableUnderWay,
  rows: Rows,
  sheets: Sheets,
): Promise<number[]> {
  const reading = queueKinds(table, rows, sheets);
  const target = placeOf(sheets.sheet, table, rows);
  if (sheets.copy) target.copyFrom(placeOf(sheets.copy, table, rows), "All");
  else target.clear("All");
  await context.sync();
  const typed = [...reading().entries()].filter(([, { kind }]) => kind === "others");
  for (const [down, { cells }] of typed) {
    cells.forEach((content, across) => {
      const cell = target.getCell(down, across);
      const { value, numberFormat } = entryOf(content);
      cell.numberFormat = [[numberFormat]];
      cell.values = [[value]];
    });
  }
  if (typed.length > 0) await context.sync();
  return typed.map(([down]) => rows.first + down);
}
