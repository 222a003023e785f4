import type { Scalar } from "../values/cell-value";
import { isFormula } from "./cell-content";
import { firstSelectedArea } from "./selected-area";
import { shownValue } from "../values/shown-value";
import type { CellPosition } from "../workbook";

/** The first selected cell, and its table, if it is in one. */
export interface SelectedCell extends CellPosition {
  /** The address, with the sheet's name. */
  address: string;
  /** The value; for an entity, such as a card, its text. */
  value: Scalar;
  text: string;
  /** The formula of the cell itself, or of the cell whose result spills into it; empty if there is none. */
  formula: string;
  /** The rows and columns between the cell and the cell with the formula. */
  offset: { row: number; column: number };
  /** The table row that the cell is in; null if it is in none. */
  table: TableRowHere | null;
  /** The table header that the cell is; null if it is none. */
  header: TableHeaderHere | null;
}

export interface TableHeaderHere {
  tableId: string;
  headers: string[];
  /** The index of the selected column among the headers. */
  column: number;
}

export interface TableRowHere extends TableHeaderHere {
  /** The values of the row's cells. */
  values: unknown[];
  /** The index of the row in the table's body. */
  row: number;
}

/**
 * Reads the first selected cell. `canSeeSpills` is true if Excel has ExcelApi 1.12; without it, a cell that a result spills into seems to
 * have no formula.
 */
export async function readSelectedCell(
  context: Excel.RequestContext,
  canSeeSpills: boolean,
): Promise<SelectedCell> {
  const cell = firstSelectedArea(context).getCell(0, 0);
  cell.load("address,rowIndex,columnIndex,values,text,formulas");
  const sheet = cell.worksheet.load("id");
  const tables = cell.getTables(false).load("items/id,items/showHeaders");
  const parent = canSeeSpills ? cell.getSpillParentOrNullObject() : null;
  parent?.load("rowIndex,columnIndex,formulas");
  // A single request keeps the pane quick while a user walks through cells. A table takes another one.
  await context.sync();
  const own = String(cell.formulas[0]?.[0] ?? "");
  const hasFormula = isFormula({ value: cell.values[0]?.[0], formula: own });
  const isSpilled = !hasFormula && parent !== null && !parent.isNullObject;
  const [table] = tables.items;
  const text = cell.text[0]?.[0] ?? "";
  return {
    address: cell.address,
    sheetId: sheet.id,
    row: cell.rowIndex,
    column: cell.columnIndex,
    value: shownValue({ value: cell.values[0]?.[0] as Scalar, text }),
    text,
    formula: hasFormula ? own : isSpilled ? String(parent.formulas[0]?.[0] ?? "") : "",
    offset: isSpilled
      ? { row: cell.rowIndex - parent.rowIndex, column: cell.columnIndex - parent.columnIndex }
      : { row: 0, column: 0 },
    // Excel refuses to return the header row of a table that hides it, and without headers no column is known.
    ...(table?.showHeaders ? await readTablePlace(context, table, cell) : { table: null, header: null }),
  };
}

async function readTablePlace(
  context: Excel.RequestContext,
  table: Excel.Table,
  cell: Excel.Range,
): Promise<Pick<SelectedCell, "table" | "header">> {
  const header = table.getHeaderRowRange().load("values,rowIndex,columnIndex");
  const line = table.getRange().getIntersectionOrNullObject(cell.getEntireRow()).load("values");
  await context.sync();
  const place: TableHeaderHere = {
    tableId: table.id,
    headers: (header.values[0] ?? []).map(String),
    column: cell.columnIndex - header.columnIndex,
  };
  if (cell.rowIndex === header.rowIndex) return { table: null, header: place };
  const isRow = cell.rowIndex > header.rowIndex && !line.isNullObject;
  const row = cell.rowIndex - header.rowIndex - 1;
  return { table: isRow ? { ...place, values: line.values[0] ?? [], row } : null, header: null };
}

/** The values of cells by their addresses in a formula on this sheet, row by row; null if there are no such cells, or too many. */
export async function readAddresses(
  context: Excel.RequestContext,
  sheetId: string,
  addresses: readonly string[],
): Promise<(unknown[][] | null)[]> {
  const places = addresses.map((address) => {
    const [, quotedName, name, cells = ""] = /^(?:'((?:[^']|'')+)'!|([^!]+)!)?(.+)$/.exec(address) ?? [];
    const sheetName = quotedName?.replaceAll("''", "'") ?? name;
    return { sheet: context.workbook.worksheets.getItemOrNullObject(sheetName ?? sheetId).load("id"), cells };
  });
  await context.sync();
  const ranges = places.map(({ sheet, cells }) =>
    sheet.isNullObject ? null : sheet.getRange(cells.replaceAll("$", "")).load("rowCount,columnCount"),
  );
  await context.sync();
  const readable = ranges.map((range) =>
    range && range.rowCount * range.columnCount <= mostCells ? range : null,
  );
  for (const range of readable) range?.load("values,text");
  await context.sync();
  return readable.map(
    (range) =>
      range?.values.map((row, down) =>
        row.map((value: Scalar, across) => shownValue({ value, text: range.text[down]?.[across] ?? "" })),
      ) ?? null,
  );
}

/** Larger ranges are not read only to look at one cell. */
const mostCells = 20_000;
