import { addressOf } from "../../src/workbook/sheet/layout/cell-address";
import type { CellScalar, SheetFile } from "../../xlsx/workbook-file";

/** What a cell holds. */
export interface ReadCell {
  /** An error is its text. */
  value: CellScalar;
  /** As Excel shows it, with "="; null where it holds none. */
  formula: string | null;
}

/** A cell that holds something else than before. */
export interface CellDifference {
  cell: string;
  before: ReadCell;
  now: ReadCell;
}

/** A sheet's cells in memory. */
export interface ReadSheet {
  name: string;
  /** Cells that hold something, by place. */
  cells: ReadonlyMap<number, ReadCell>;
  cellAt(row: number, column: number): ReadCell | undefined;
  placeOf(row: number, column: number): number;
}

const columnsOfSheet = 16_384;
const placeOf = (row: number, column: number) => row * columnsOfSheet + column;

/** `namespaces` are those of custom functions, for formulas as Excel shows them. */
export function readSheet(sheet: SheetFile, namespaces: readonly string[]): ReadSheet {
  const cells = new Map<number, ReadCell>();
  for (const { row, column, value, formula } of sheet.cells(namespaces))
    if (formula || (value !== null && value !== ""))
      cells.set(placeOf(row, column), { value, formula: formula ? `=${formula.shown}` : null });
  return { name: sheet.name, cells, placeOf, cellAt: (row, column) => cells.get(placeOf(row, column)) };
}

const blank: ReadCell = { value: null, formula: null };

/** A blank text and no text look alike. */
export function sameContent(one: ReadCell | undefined, other: ReadCell | undefined): boolean {
  return (one?.formula ?? null) === (other?.formula ?? null) && (one?.value ?? "") === (other?.value ?? "");
}

/** The cells of two sheets that differ at the same address, but for places that are compared in another way. */
export function compareCells(
  before: ReadSheet,
  now: ReadSheet,
  isLeftOut: { before(place: number): boolean; now(place: number): boolean },
): CellDifference[] {
  const places = new Set<number>();
  for (const place of before.cells.keys()) if (!isLeftOut.before(place)) places.add(place);
  for (const place of now.cells.keys()) if (!isLeftOut.now(place)) places.add(place);
  return [...places]
    .sort((one, other) => one - other)
    .flatMap((place) => {
      const old = isLeftOut.before(place) ? undefined : before.cells.get(place);
      const current = isLeftOut.now(place) ? undefined : now.cells.get(place);
      if (sameContent(old, current)) return [];
      const cell = addressOf({
        sheetName: now.name,
        row: Math.floor(place / columnsOfSheet),
        column: place % columnsOfSheet,
      });
      return [{ cell, before: old ?? blank, now: current ?? blank }];
    });
}
