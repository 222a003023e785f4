import { Failure } from "../../../errors";
import type { CellPosition } from "../workbook";

/** The selected cells. */
export interface SelectedArea {
  sheetId: string;
  /** With its sheet's name. */
  address: string;
}

/**
 * The first of the selected areas: `getSelectedRange` fails where several are selected (excel-add-ins-workbooks.md). While a
 * chart or a picture is selected, this fails with no-cells-selected, too.
 */
export function firstSelectedArea(context: Excel.RequestContext): Excel.Range {
  return context.workbook.getSelectedRanges().areas.getItemAt(0);
}

/** Of more areas than anybody selects by hand, the first. */
const mostAreas = 1_000;

/**
 * All selected areas, with their places loaded. Excel hangs where `areas.items` is loaded while all cells are selected
 * (OfficeDev/office-js#5758), so they are taken one by one.
 */
export async function selectedAreas(context: Excel.RequestContext): Promise<Excel.Range[]> {
  const selected = context.workbook.getSelectedRanges().load("areaCount");
  await context.sync();
  const count = Math.min(selected.areaCount, mostAreas);
  const areas = Array.from({ length: count }, (_, index) =>
    selected.areas.getItemAt(index).load("address,rowIndex,columnIndex,rowCount,columnCount"),
  );
  await context.sync();
  return areas;
}

/** Fails with no-cells-selected where several areas are selected. */
export async function readSelectedArea(context: Excel.RequestContext): Promise<SelectedArea> {
  const range = context.workbook.getSelectedRange().load("address");
  const sheet = range.worksheet.load("id");
  await context.sync();
  return { sheetId: sheet.id, address: range.address };
}

/** What may stand in a cell that a formula is written to: anything, this formula, or nothing. */
export type Overwriting = "anything" | { formula: string } | "nothing";

/** Fails with cells-in-the-way, for a cell in a table too, unless the user has given up what stands there. */
export async function writeFormula(
  context: Excel.RequestContext,
  position: CellPosition,
  formula: string,
  overwriting: Overwriting,
): Promise<void> {
  const cell = cellAt(context, position).load("address,formulas,numberFormat");
  const tables = cell.getTables(false).load("items/id");
  await context.sync();
  const there: unknown = cell.formulas[0]?.[0];
  const isExpected = typeof overwriting === "object" && there === overwriting.formula;
  if (overwriting !== "anything" && !isExpected) {
    const inTheWay = [
      there !== "" && `${cell.address} is not empty.`,
      tables.items.length > 0 &&
        `${cell.address} is in a table: Excel may fill its whole column with the formula.`,
    ].filter((sentence) => sentence !== false);
    if (inTheWay.length > 0) throw new Failure("cells-in-the-way", { detail: inTheWay.join(" ") });
  }
  // In a cell with the format of texts, a formula would be one.
  if (cell.numberFormat[0]?.[0] === "@") cell.numberFormat = [["General"]];
  cell.formulas = [[formula]];
  await context.sync();
}

export function cellAt(context: Excel.RequestContext, { sheetId, row, column }: CellPosition): Excel.Range {
  return context.workbook.worksheets.getItem(sheetId).getRangeByIndexes(row, column, 1, 1);
}
