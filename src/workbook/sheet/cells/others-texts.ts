import { type CellContent, contentAfter, holds } from "./cell-content";
import type { SheetTable } from "../layout/table-plan";

/** A cell as it was read, by row and column of the place where a table is written, header row included. */
export interface ReadCell {
  row: number;
  column: number;
  content: CellContent;
  /** It is blank, or holds what stood there before. */
  isAsBefore: boolean;
}

export interface Others {
  /** Cells with texts that somebody else has put there. */
  others: ReadCell[];
  /** Rows or columns do not stand any more where they were written. */
  haveMoved: boolean;
}

export interface OthersOptions {
  /** The place may still hold what stood there before. */
  mayHoldOldTexts: boolean;
  /** Texts of somebody stood in these cells: a single planned text in another cell than its own has been moved there. */
  werePeoples?: boolean;
}

/**
 * Tells texts of others from those of a table that is being written, among cells that were read together. Rows and columns may have
 * been moved meanwhile: a row is known by all its texts, and what was written is ours wherever it stands. Only where the place may
 * still hold what stood there before (`mayHoldOldTexts`) does a row that has moved stay together.
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
    if (row === 0) return content.value === plan.columns[column]?.header;
    return cell !== undefined && holds(content, contentAfter(cell));
  };

  return (cells, { mayHoldOldTexts, werePeoples = false }) => {
    const unexplained = cells.filter((cell) => !cell.isAsBefore && !isPlanned(cell));
    if (unexplained.length === 0) return { others: [], haveMoved: false };
    const rows = new Map<number, unknown[]>();
    for (const { row, column, content } of cells)
      if (column < plan.columns.length) rows.set(row, [...(rows.get(row) ?? []), content.value]);
    const isOfMovedRow = ({ row, column }: ReadCell) =>
      column < plan.columns.length && isPlannedRow(rows.get(row) ?? []);
    const typed = new Set(unexplained.filter((cell) => !isOfMovedRow(cell)));
    const displaced = [...typed].filter(({ content }) => isPlannedText(content.value));
    // One such text may be somebody's own.
    const areDisplaced = displaced.length > (werePeoples ? 0 : 1);
    if (areDisplaced && !mayHoldOldTexts) for (const cell of displaced) typed.delete(cell);
    // Several unexplained texts, and no fewer than explained ones: the row, or its columns, have moved.
    const counts = new Map<number, { typed: number; known: number }>();
    for (const cell of cells) {
      const count = counts.get(cell.row) ?? { typed: 0, known: 0 };
      if (typed.has(cell)) count.typed += 1;
      else if (cell.content.value !== "") count.known += 1;
      counts.set(cell.row, count);
    }
    const hasMoved = ({ row }: ReadCell) => {
      const { typed: unknown, known } = counts.get(row) ?? { typed: 0, known: 0 };
      return unknown > 1 && unknown >= known;
    };
    const isOurs = ({ content: { value } }: ReadCell) =>
      value === "" || (!mayHoldOldTexts && isPlannedText(value));
    return {
      others: cells.filter((cell) => (hasMoved(cell) ? !isOurs(cell) : typed.has(cell))),
      haveMoved: areDisplaced || cells.some(hasMoved),
    };
  };
}

const rowText = (values: readonly unknown[]) => JSON.stringify(values);
