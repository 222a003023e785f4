import { gridOf } from "../../lists";
import { isFormula } from "../sheet/cells/cell-content";
import { type CellArea, type CellContents, cellKey, type FormulaCell } from "../sheet/cells/formula-search";
import { fingerprint } from "../sheet/values/fingerprint";

/** A cell that shows something other than before. Both texts are as displayed. */
export interface ShownChange extends CellArea {
  sheetName: string;
  before: string;
  after: string;
}

export type Shown = ReadonlyMap<string, Pick<CellContents, "value" | "text">>;

/** The cells whose value differs: the formulas' own cells and those into which they spilled. */
export function changesOf(cells: readonly FormulaCell[], before: Shown, after: Shown): ShownChange[] {
  const changes: ShownChange[] = [];
  for (const { sheetId, sheetName, row, column, rows, columns } of cells) {
    for (let down = 0; down < rows; down += 1) {
      for (let across = 0; across < columns; across += 1) {
        const place = { sheetId, sheetName, row: row + down, column: column + across, rows: 1, columns: 1 };
        const key = cellKey(sheetId, place.row, place.column);
        const [was, is] = [before.get(key), after.get(key)];
        if (was && is && was.value !== is.value) changes.push({ ...place, before: was.text, after: is.text });
      }
    }
  }
  return changes;
}

/** The longest run of formulas, from the first, that together fill at most `most` cells. */
export function withinCells<Cell extends Pick<CellArea, "rows" | "columns">>(
  cells: readonly Cell[],
  most: number,
): Cell[] {
  let sum = 0;
  const past = cells.findIndex(({ rows, columns }) => (sum += rows * columns) > most);
  return past < 0 ? [...cells] : cells.slice(0, past);
}

/** The most cells that are read twice only to compare them, to bound the time. */
export const mostCompared = 50_000;

export type CellsNow = ReadonlyMap<string, Pick<CellContents, "value" | "formula" | "numberFormat">>;

/**
 * The present content of the area of a frozen formula: its cells, the fingerprint of their values, and whether one of them has a formula.
 */
export function standingIn(frozen: CellArea, contents: CellsNow) {
  const { sheetId, row, column } = frozen;
  const now = gridOf(frozen, (down, across) => contents.get(cellKey(sheetId, row + down, column + across)));
  const shown = fingerprint(now.map((cells) => cells.map((cell) => cell?.value ?? "")));
  const hasFormula = now.flat().some((cell) => cell !== undefined && isFormula(cell));
  return { now, shown, hasFormula };
}
