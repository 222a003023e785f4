import { type CellContent, contentAfter, heldBy, holds } from "./cell-content";
import type { SheetTable } from "../layout/table-plan";

/** A cell as it was read. Row and column count within the place where a table is written, header row included. */
export interface ReadCell {
  row: number;
  column: number;
  content: CellContent;
  /** True if the cell is blank or holds what it held before the write. */
  isAsBefore: boolean;
}

export interface Others {
  /** Cells with texts that somebody else has entered. */
  others: ReadCell[];
  /** True if rows or columns are no longer where they were written. */
  haveMoved: boolean;
}

export interface OthersOptions {
  /** True if the place may still hold its earlier texts. */
  mayHoldOldTexts: boolean;
  /**
   * True if somebody's texts stood in these cells. Then even a single planned text in another cell than its own means that cells were
   * moved.
   */
  werePeoples?: boolean;
}

/**
 * Returns a function that finds somebody else's texts among cells of a table that is being written. The cells must have been read together.
 * Rows and columns may have been moved meanwhile: a row is recognized by all of its texts, and a planned text is the add-in's wherever it
 * stands. Only if the place may still hold its earlier texts (`mayHoldOldTexts`) does a moved row have to be complete.
 */
export function othersIn(plan: SheetTable): (cells: readonly ReadCell[], options: OthersOptions) => Others {
  let plannedRows: Set<string> | undefined;
  let plannedTexts: Set<unknown> | undefined;
  const isPlannedRow = (values: readonly unknown[]) => {
    plannedRows ??= new Set(plan.rows.map((row) => rowText(row.map((cell) => contentAfter(cell).value))));
    return plannedRows.has(rowText(values));
  };
  const isPlannedText = (value: unknown) => {
    plannedTexts ??= new Set<unknown>([
      ...plan.columns.map(({ header }) => header),
      ...plan.rows.flatMap((row) => row.map((cell) => contentAfter(cell).value)),
    ]);
    return plannedTexts.has(value);
  };
  const isPlanned = ({ row, column, content }: ReadCell) => {
    const cell = plan.rows[row - 1]?.[column];
    if (row === 0) return heldBy(content) === plan.columns[column]?.header;
    return cell !== undefined && holds(content, contentAfter(cell));
  };

  return (cells, { mayHoldOldTexts, werePeoples = false }) => {
    const unexplained = cells.filter((cell) => !cell.isAsBefore && !isPlanned(cell));
    if (unexplained.length === 0) return { others: [], haveMoved: false };
    const rows = new Map<number, unknown[]>();
    for (const { row, column, content } of cells)
      if (column < plan.columns.length) rows.set(row, [...(rows.get(row) ?? []), heldBy(content)]);
    const isOfMovedRow = ({ row, column }: ReadCell) =>
      column < plan.columns.length && isPlannedRow(rows.get(row) ?? []);
    const typed = new Set(unexplained.filter((cell) => !isOfMovedRow(cell)));
    const displaced = [...typed].filter(({ content }) => isPlannedText(heldBy(content)));
    // A single text of this kind may be somebody's own.
    const areDisplaced = displaced.length > (werePeoples ? 0 : 1);
    if (areDisplaced && !mayHoldOldTexts) for (const cell of displaced) typed.delete(cell);
    // If a row has several unexplained texts, and at least as many as explained ones, the row or its columns have moved.
    const counts = new Map<number, { typed: number; known: number }>();
    for (const cell of cells) {
      const count = counts.get(cell.row) ?? { typed: 0, known: 0 };
      if (typed.has(cell)) count.typed += 1;
      else if (heldBy(cell.content) !== "") count.known += 1;
      counts.set(cell.row, count);
    }
    const hasMoved = ({ row }: ReadCell) => {
      const { typed: unknown, known } = counts.get(row) ?? { typed: 0, known: 0 };
      return unknown > 1 && unknown >= known;
    };
    const isOurs = ({ content }: ReadCell) =>
      heldBy(content) === "" || (!mayHoldOldTexts && isPlannedText(heldBy(content)));
    return {
      others: cells.filter((cell) => (hasMoved(cell) ? !isOurs(cell) : typed.has(cell))),
      haveMoved: areDisplaced || cells.some(hasMoved),
    };
  };
}

const rowText = (values: readonly unknown[]) => JSON.stringify(values);
