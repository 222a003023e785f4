import type { Scalar } from "../values/cell-value";
import type { CellPosition } from "../workbook";
import { entryOf } from "./cell-content";
import { replaceCells } from "./replace-cells";

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

/** What may stand in a cell that a formula is written to: nothing, or this content, which the user has given up. */
export type Overwriting = "nothing" | { content: Scalar };

/** A formula was written, or something stands in its way and was left as it is. */
export type FormulaWritten =
  | { status: "written" }
  /** The content is the formula, or the value where there is none; the detail is a sentence or two. */
  | { status: "in-the-way"; content: Scalar; detail: string };

/**
 * Writes a formula into one cell, unless something else stands there than what is given up. An empty cell in a table counts as
 * in the way as well, because Excel may fill its whole column. What is typed at the last moment stays: then this fails with
 * sheet-refused, and its detail names the cell.
 */
export async function writeFormula(
  context: Excel.RequestContext,
  position: CellPosition,
  formula: string,
  overwriting: Overwriting,
): Promise<FormulaWritten> {
  const cell = cellAt(context, position).load("address,values,formulas,numberFormat");
  const tables = cell.getTables(false).load("items/id");
  await context.sync();
  const [[content], [value], [numberFormat]] = [cell.formulas[0], cell.values[0], cell.numberFormat[0]] as [
    [Scalar],
    [Scalar],
    [string],
  ];
  const isGivenUp = overwriting !== "nothing" && overwriting.content === content;
  const inTheWay = [
    content !== "" && `${cell.address} is not empty.`,
    tables.items.length > 0 &&
      `${content === "" ? cell.address : "It"} is in a table: Excel may fill its whole column with the formula.`,
  ].filter((sentence) => sentence !== false);
  if (!isGivenUp && inTheWay.length > 0) return { status: "in-the-way", content, detail: inTheWay.join(" ") };
  const before = entryOf({ value, formula: content, numberFormat });
  // In a cell with the format of texts, a formula would be one.
  const after = { content: formula, numberFormat: numberFormat === "@" ? "General" : null };
  await replaceCells(
    context,
    [
      {
        ...position,
        ...{ rows: 1, columns: 1 },
        before: [[{ content: before.value, numberFormat }]],
        after: [[after]],
      },
    ],
    {},
  );
  return { status: "written" };
}

export function cellAt(context: Excel.RequestContext, { sheetId, row, column }: CellPosition): Excel.Range {
  return context.workbook.worksheets.getItem(sheetId).getRangeByIndexes(row, column, 1, 1);
}
