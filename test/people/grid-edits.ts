import { intersect } from "../../workbench/address";
import type { CellValue, CellView, Rect, TableInfo } from "../../workbench/spreadsheet";
import type { LineShift } from "../../workbench/line-shift";
import type { MemorySpreadsheet } from "../../workbench/memory/memory-spreadsheet";

/** A cell of a sheet; rows and columns count from zero. */
export interface Place {
  sheetId: string;
  row: number;
  column: number;
}

export const cellAt = ({ row, column }: Pick<Place, "row" | "column">): Rect => ({
  ...{ row, column },
  rows: 1,
  columns: 1,
});

export const readCell = (spreadsheet: MemorySpreadsheet, place: Place): CellView =>
  spreadsheet.read(place.sheetId, cellAt(place))[0]![0]!;

/** True if a cell shows part of another cell's spilled result. */
export function isSpilledInto(spreadsheet: MemorySpreadsheet, { sheetId, row, column }: Place): boolean {
  const parent = spreadsheet.spillParent(sheetId, row, column);
  return parent !== null && (parent.row !== row || parent.column !== column);
}

export const isFormula = ({ formula, value, numberFormat }: CellView) =>
  typeof formula === "string" && formula.startsWith("=") && formula !== value && numberFormat !== "@";

/** The content of a cell as the formula bar shows it. */
export const textIn = (cell: CellView) => String(isFormula(cell) ? cell.formula : cell.value);

/** Writes cells as they were read, at any place: a text stays a text. */
export function writeCells(
  spreadsheet: MemorySpreadsheet,
  sheetId: string,
  rect: Rect,
  rows: readonly (readonly CellView[])[],
): void {
  spreadsheet.writeNumberFormats(
    sheetId,
    rect,
    rows.map((row) => row.map(({ numberFormat }) => numberFormat)),
  );
  const typedForm = (cell: CellView): CellValue => {
    const { value, formula, numberFormat } = cell;
    if (isFormula(cell)) return formula;
    return typeof value === "string" && value !== "" && numberFormat !== "@" ? `'${value}` : value;
  };
  spreadsheet.writeFormulas(
    sheetId,
    rect,
    rows.map((row) => row.map(typedForm)),
  );
}

const scratchRow = 900;

/** Reorders the rows of a table's body with all that belongs to them; `order` gives each new row's former row. */
export function reorder(
  spreadsheet: MemorySpreadsheet,
  { sheetId, rect }: Pick<TableInfo, "sheetId" | "rect">,
  order: readonly number[],
): void {
  const body = { ...rect, row: rect.row + 1, rows: rect.rows - 1 };
  const scratch = { ...body, row: scratchRow };
  spreadsheet.copy({ sheetId, rect: body }, { sheetId, row: scratchRow, column: rect.column });
  order.forEach((from, to) => {
    const row = { ...rect, row: scratchRow + from, rows: 1 };
    spreadsheet.copy({ sheetId, rect: row }, { sheetId, row: body.row + to, column: rect.column });
  });
  spreadsheet.clear(sheetId, scratch, { contents: true, formats: true });
}

/** Reorders the columns of a table, headers and all; `order` gives each new column's former one. */
export function reorderColumns(
  spreadsheet: MemorySpreadsheet,
  { sheetId, rect }: Pick<TableInfo, "sheetId" | "rect">,
  order: readonly number[],
): void {
  const scratch = { ...rect, row: scratchRow };
  spreadsheet.copy({ sheetId, rect }, { sheetId, row: scratchRow, column: rect.column });
  order.forEach((from, to) => {
    const column = { ...scratch, column: rect.column + from, columns: 1 };
    spreadsheet.copy({ sheetId, rect: column }, { sheetId, row: rect.row, column: rect.column + to });
  });
  spreadsheet.clear(sheetId, scratch, { contents: true, formats: true });
}

/** True if Excel refuses to insert or delete these cells: a table would be cut, or lose its header row or its last row. */
export function isRefused(spreadsheet: MemorySpreadsheet, sheetId: string, shift: LineShift): boolean {
  const { axis, at, by, strip } = shift;
  return spreadsheet
    .tables()
    .filter((table) => table.sheetId === sheetId)
    .some(({ rect }) => {
      const [size, across, acrossSize] =
        axis === "row" ? (["rows", "column", "columns"] as const) : (["columns", "row", "rows"] as const);
      const end = rect[axis] + rect[size];
      if (end <= at) return false;
      if (strip) {
        const [from, to] = [rect[across], rect[across] + rect[acrossSize]];
        const isOutside = to <= strip.from || from >= strip.from + strip.size;
        if (isOutside) return false;
        if (from < strip.from || to > strip.from + strip.size) return true;
      }
      if (by > 0) return false;
      const gone = Math.min(end, at - by) - Math.max(rect[axis], at);
      const hasHeader = axis === "row" && rect.row >= at && rect.row < at - by;
      return gone > 0 && (hasHeader || rect[size] - gone < (axis === "row" ? 2 : 1));
    });
}

/** The table whose body a cell stands in. */
export function tableAround(spreadsheet: MemorySpreadsheet, place: Place): TableInfo | undefined {
  return spreadsheet
    .tables()
    .find(({ sheetId, rect }) => sheetId === place.sheetId && intersect(rect, cellAt(place)) !== null);
}
