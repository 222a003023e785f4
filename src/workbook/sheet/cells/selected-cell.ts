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
  const [selected] = await readAsSelected(context, [firstSelectedArea(context).getCell(0, 0)], canSeeSpills);
  return selected as SelectedCell;
}

/** Reads cells, each as the selected one is read. `canSeeSpills`: see `readSelectedCell`. */
export async function readAsSelected(
  context: Excel.RequestContext,
  cells: readonly Excel.Range[],
  canSeeSpills: boolean,
): Promise<SelectedCell[]> {
  const loaded = cells.map((cell) => ({
    cell: cell.load("address,rowIndex,columnIndex,values,text,formulas"),
    sheet: cell.worksheet.load("id"),
    tables: cell.getTables(false).load("items/id,items/showHeaders"),
    parent: canSeeSpills ? cell.getSpillParentOrNullObject().load("rowIndex,columnIndex,formulas") : null,
  }));
  // A single request keeps the pane quick while a user walks through cells. A table takes another one.
  await context.sync();
  const places = await readTablePlaces(
    context,
    loaded.map(({ cell, tables }) => ({ cell, table: tables.items[0] })),
  );
  return loaded.map(({ cell, sheet, parent }, index) => {
    const own = String(cell.formulas[0]?.[0] ?? "");
    const hasFormula = isFormula({ value: cell.values[0]?.[0], formula: own });
    const isSpilled = !hasFormula && parent !== null && !parent.isNullObject;
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
      ...(places[index] ?? noTable),
    };
  });
}

type TableOfCell = Pick<SelectedCell, "table" | "header">;

const noTable: TableOfCell = { table: null, header: null };

/** The places of cells in their tables, in one request for all. */
async function readTablePlaces(
  context: Excel.RequestContext,
  cells: readonly { cell: Excel.Range; table: Excel.Table | undefined }[],
): Promise<TableOfCell[]> {
  const headers = new Map<string, Excel.Range>();
  const lines = new Map<string, Excel.Range>();
  const lineKey = (table: Excel.Table, cell: Excel.Range) => `${table.id} ${cell.rowIndex}`;
  for (const { cell, table } of cells) {
    // Excel refuses to return the header row of a table that hides it, and without headers no column is known.
    if (!table?.showHeaders) continue;
    if (!headers.has(table.id))
      headers.set(table.id, table.getHeaderRowRange().load("values,rowIndex,columnIndex"));
    const key = lineKey(table, cell);
    if (!lines.has(key))
      lines.set(key, table.getRange().getIntersectionOrNullObject(cell.getEntireRow()).load("values"));
  }
  if (headers.size > 0) await context.sync();
  return cells.map(({ cell, table }) => {
    const header = table && headers.get(table.id);
    if (!header) return noTable;
    const place: TableHeaderHere = {
      tableId: table.id,
      headers: (header.values[0] ?? []).map(String),
      column: cell.columnIndex - header.columnIndex,
    };
    if (cell.rowIndex === header.rowIndex) return { table: null, header: place };
    const line = lines.get(lineKey(table, cell));
    const isRow = cell.rowIndex > header.rowIndex && line !== undefined && !line.isNullObject;
    const row = cell.rowIndex - header.rowIndex - 1;
    return { table: isRow ? { ...place, values: line.values[0] ?? [], row } : null, header: null };
  });
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
