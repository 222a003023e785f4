import type { Scalar } from "../values/cell-value";
import type { CellPosition } from "../workbook";
import { entryOf } from "./cell-content";
import { replaceCells } from "./replace-cells";
import { cellAt } from "./selected-area";

/** The present content of a cell that a formula may replace: nothing, or a content that the user has given up. */
export type Overwriting = "nothing" | { content: Scalar };

/** The result of writing a formula: it was written, or something is in its way and was left as it is. */
export type FormulaWritten =
  | { status: "written" }
  /** `content` is the cell's formula, or its value if it has none. `detail` is a sentence or two. */
  | { status: "in-the-way"; content: Scalar; detail: string };

/**
 * Writes a formula into one cell, unless the cell holds something that was not given up. An empty cell of a table counts as in the way,
 * too, because Excel may fill the table's whole column. A text that somebody types at the last moment stays: this then fails with
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
  // Excel would keep a formula as text in a cell with the text format.
  const after = { content: formula, numberFormat: numberFormat === "@" ? "General" : null };
  await replaceCells(
    context,
    [
      {
        ...position,
        rows: 1,
        columns: 1,
        before: [[{ content: before.value, numberFormat }]],
        after: [[after]],
      },
    ],
    {},
  );
  return { status: "written" };
}
