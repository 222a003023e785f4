import { addressOf } from "../../src/workbook/sheet/layout/cell-address";
import { epochSerials } from "../../src/workbook/sheet/date-system";
import { isDateFormat } from "../../src/workbook/sheet/values/shown-number";
import type { CellScalar, FileCell, SheetFile, WorkbookFile } from "../../xlsx/workbook-file";

/** The content of a cell. */
export interface ReadCell {
  /** An error is a text, such as "#N/A", and a day is its number in the usual date system. */
  value: CellScalar;
  /** The formula as Excel shows it, with "="; null if there is none. */
  formula: string | null;
}

/** A cell whose content differs between the two versions. */
export interface CellDifference {
  cell: string;
  before: ReadCell;
  now: ReadCell;
}

/** A sheet's cells in memory. */
export interface ReadSheet {
  name: string;
  /** Cells with content, by `placeOf`. */
  cells: ReadonlyMap<number, ReadCell>;
  cellAt(row: number, column: number): ReadCell | undefined;
  /** The number format of a cell with content. */
  formatAt(row: number, column: number): string;
  placeOf(row: number, column: number): number;
}

const columnsOfSheet = 16_384;
const placeOf = (row: number, column: number) => row * columnsOfSheet + column;

/** Reads the sheets of a file. `namespaces` are those of custom functions, whose formulas are read as Excel shows them. */
export function readSheets(file: WorkbookFile, namespaces: readonly string[]): ReadSheet[] {
  const formats = new Map<number, string>();
  const formatOf = (style: number) => {
    const known = formats.get(style) ?? file.styles.look(style).numberFormat;
    formats.set(style, known);
    return known;
  };
  const shift = file.uses1904 ? epochSerials[1900] - epochSerials[1904] : 0;
  const valueOf = ({ value, style }: FileCell) =>
    shift > 0 && typeof value === "number" && isDateFormat(formatOf(style)) ? value + shift : value;
  return file.sheets.map((sheet) => readSheet(sheet, namespaces, { valueOf, formatOf }));
}

function readSheet(
  sheet: SheetFile,
  namespaces: readonly string[],
  { valueOf, formatOf }: { valueOf: (cell: FileCell) => CellScalar; formatOf: (style: number) => string },
): ReadSheet {
  const cells = new Map<number, ReadCell>();
  const styles = new Map<number, number>();
  for (const cell of sheet.cells(namespaces)) {
    const { row, column, formula } = cell;
    const value = valueOf(cell);
    if (!formula && (value === null || value === "")) continue;
    cells.set(placeOf(row, column), { value, formula: formula ? `=${formula.shown}` : null });
    styles.set(placeOf(row, column), cell.style);
  }
  return {
    ...{ name: sheet.name, cells, placeOf },
    cellAt: (row, column) => cells.get(placeOf(row, column)),
    formatAt: (row, column) => formatOf(styles.get(placeOf(row, column)) ?? 0),
  };
}

const blank: ReadCell = { value: null, formula: null };

/** True if the contents are the same. An empty text and no text look alike, so they count as the same. */
export function sameContent(one: ReadCell | undefined, other: ReadCell | undefined): boolean {
  return (one?.formula ?? null) === (other?.formula ?? null) && (one?.value ?? "") === (other?.value ?? "");
}

/** The cells of two sheets that differ at the same address, except for places that are compared in another way. */
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
