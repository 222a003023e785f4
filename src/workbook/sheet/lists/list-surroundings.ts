import { config } from "../../../config";
import { type HasExcelApi, spills, tableGrows } from "../excel-api";
import type { Area } from "../layout/area";
import { columnLetters } from "../layout/cell-address";
import { mergedCellsIn, rangeAt } from "../tables/target-place";
import { columnsAround, type ListBlock, type Neighbors } from "./beside-plan";
import { besideArea, type BesideList } from "./list-column";

/** The rows of a list with the row of its header, as they are before cells are inserted for one. */
function rowsOfList(beside: BesideList): Pick<Area, "row" | "rows"> {
  const { row, rows } = besideArea(beside, 1);
  return { row, rows: beside.header.from === "inserted" ? rows - 1 : rows };
}

/** Reads the content of a list's rows. */
export async function readNeighbors(context: Excel.RequestContext, beside: BesideList): Promise<Neighbors> {
  const { sheetId, table: own } = beside.list;
  const rows = rowsOfList(beside);
  const strip = rangeAt(context, sheetId, { ...rows, column: 0, columns: config.sheetColumns });
  const used = strip.getUsedRangeOrNullObject(true).load("columnIndex,columnCount");
  const tables = strip.getTables(false).load("items/id,items/name");
  await context.sync();
  const others = tables.items
    .filter(({ id }) => id !== own?.id)
    .map((table) => ({ name: table.name, range: table.getRange().load("columnIndex,columnCount") }));
  const columns = used.isNullObject
    ? []
    : Array.from({ length: used.columnCount }, (_, across) => used.columnIndex + across);
  const looked = columns.map((column) => ({
    column,
    cells: rangeAt(context, sheetId, { ...rows, column, columns: 1 })
      .getUsedRangeOrNullObject(true)
      .load("address"),
  }));
  await context.sync();
  return {
    filled: new Set(looked.filter(({ cells }) => !cells.isNullObject).map(({ column }) => column)),
    tables: others.map(({ name, range }) => ({
      name,
      column: range.columnIndex,
      columns: range.columnCount,
    })),
  };
}

/** The list with the columns that adjoin it, or the reason why they can't become a table. */
export async function readBlock(
  context: Excel.RequestContext,
  beside: BesideList,
  neighbors: Neighbors,
  hasExcelApi: HasExcelApi,
): Promise<{ block: ListBlock; problem: null } | { block: null; problem: string }> {
  const not = (problem: string) => ({ block: null, problem });
  const { sheetId } = beside.list;
  const { column, columns } = columnsAround(beside, neighbors);
  const area = { ...rowsOfList(beside), column, columns };
  const [table] = neighbors.tables.filter(
    (each) => each.column < column + columns && column < each.column + each.columns,
  );
  if (table) return not(`The table ${table.name} stands in it.`);
  const [merged] = await mergedCellsIn(context, sheetId, area, hasExcelApi);
  if (merged) return not(`Cells are merged there: ${merged.address}.`);
  const whole = rangeAt(context, sheetId, area).load("rowIndex");
  if (hasExcelApi(spills)) whole.load("hasSpill");
  const header = whole.getRow(0).load("values,formulas");
  const cells = Array.from({ length: columns }, (_, across) => header.getCell(0, across).load("address"));
  await context.sync();
  if (hasExcelApi(spills) && whole.hasSpill !== false)
    return not("A formula in it fills several cells, which Excel allows in no table.");
  const headers: { text: string; isNew: boolean }[] = [];
  for (let across = 0; across < columns; across += 1) {
    const [value, formula] = [header.values[0]?.[across], header.formulas[0]?.[across]] as unknown[];
    // Cells that are still to be inserted are blank.
    const there = beside.header.from === "inserted" ? "" : value;
    if (typeof there !== "string" || (there !== "" && formula !== value))
      return not(`${cells[across]?.address} is a number or a formula, which Excel would turn into text.`);
    const isOwn = column + across === beside.list.column;
    const text = there || (isOwn ? beside.header.text : `Column ${columnLetters(column + across)}`);
    if (headers.some((other) => other.text.toLowerCase() === text.toLowerCase()))
      return not(`Two of its columns are called “${text}”.`);
    headers.push({ text, isNew: there === "" });
  }
  return { block: { column, headers }, problem: null };
}

/** The reason why whole columns can't be inserted before a column right of a list; null if they can. */
export async function insertionProblem(
  context: Excel.RequestContext,
  beside: BesideList,
  { column, columns }: { column: number; columns: number },
  hasExcelApi: HasExcelApi,
): Promise<string | null> {
  const { sheetId, table: own } = beside.list;
  if (own && !hasExcelApi(tableGrows)) return "Your Excel is too old for that in a table.";
  const [before, behind] = [column - 1, column].map((each) =>
    rangeAt(context, sheetId, { row: 0, rows: config.sheetRows, column: each, columns: 1 }),
  ) as [Excel.Range, Excel.Range];
  const pushedOff = rangeAt(context, sheetId, {
    row: 0,
    rows: config.sheetRows,
    column: config.sheetColumns - columns,
    columns,
  });
  const last = pushedOff.getUsedRangeOrNullObject(false).load("address");
  const tables = [before, behind].map((each) => each.getTables(false).load("items/id,items/name"));
  const used = [before, behind].map((each) => each.getUsedRangeOrNullObject(true).load("address"));
  if (hasExcelApi(spills)) for (const each of used) each.load("hasSpill");
  await context.sync();
  if (!last.isNullObject) return `${last.address} would be pushed off the sheet.`;
  const ids = new Set(tables[0]?.items.map(({ id }) => id));
  const widened = tables[1]?.items.find(({ id }) => ids.has(id));
  if (widened) return `The table ${widened.name} would get the new columns, too.`;
  // A result that spills across the new columns would stay together, but references to its cells would shift.
  if (hasExcelApi(spills) && used.every((each) => !each.isNullObject && each.hasSpill !== false))
    return "A formula there fills several cells.";
  const merged = await mergedCellsIn(
    context,
    sheetId,
    { ...rowsOfList(beside), column: column - 1, columns: 2 },
    hasExcelApi,
  );
  const across = merged.find(
    ({ columnIndex, columnCount }) => columnIndex < column && columnIndex + columnCount > column,
  );
  return across ? `Cells are merged there: ${across.address}.` : null;
}
