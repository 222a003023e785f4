import { config } from "../config";
import { Failure } from "../errors";
import { blankCell, type Cell, cellText, textCell } from "./cell-value";

/** A whole table as it will stand in the sheet: rectangular, headers unique as Excel demands. */
export interface TablePlan {
  headers: string[];
  rows: Cell[][];
}

/** What a row says of its AHJ. */
export interface RowAhj {
  id: number;
  name: string;
  type: string;
  state_code: string;
  geoid: string | null;
}

export const ahjHeaders = ["AHJ ID", "Name", "Type", "State", "geoID"];

/**
 * One row an AHJ, one column a data point type behind the AHJ's own five.
 * @throws Failure `too-large` where a sheet could not hold it.
 */
export function planWideTable<Ahj extends RowAhj>(
  ahjs: readonly Ahj[],
  types: readonly { name: string }[],
  cellOf: (ahj: Ahj, column: number) => Cell,
): TablePlan {
  const size = wideTableSize(ahjs.length, types.length);
  if (!fitsSheet(size)) throw new Failure("too-large");
  return {
    headers: uniqueHeaders([...ahjHeaders, ...types.map((type) => type.name)]),
    rows: ahjs.map((ahj) => [
      { value: ahj.id, numberFormat: "0" },
      textCell(ahj.name),
      textCell(ahj.type),
      textCell(ahj.state_code),
      ahj.geoid === null ? blankCell : textCell(ahj.geoid),
      ...types.map((_, column) => cellOf(ahj, column)),
    ]),
  };
}

export interface TableSize {
  /** With the header row. */
  rows: number;
  columns: number;
}

export function wideTableSize(ahjs: number, types: number): TableSize {
  return { rows: ahjs + 1, columns: ahjHeaders.length + types };
}

export function fitsSheet({ rows, columns }: TableSize): boolean {
  return rows <= config.sheetRows && columns <= config.sheetColumns;
}

const headerCharacters = 255;

/** Excel compares a table's headers without case, and takes none that is empty. */
function uniqueHeaders(names: string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const base = cellText(name).slice(0, headerCharacters - 10) || "Column";
    let header = base;
    for (let number = 2; taken.has(header.toLowerCase()); number += 1) header = `${base} (${number})`;
    taken.add(header.toLowerCase());
    return header;
  });
}

/** Groups rows so that each piece stays below `maxBytes` when Excel sends it on as JSON. */
export function writePieces(rows: readonly Cell[][], maxBytes: number): { start: number; rows: Cell[][] }[] {
  const pieces: { start: number; rows: Cell[][] }[] = [];
  let bytes = Infinity;
  rows.forEach((row, index) => {
    const rowBytes = row.reduce((sum, cell) => sum + cellBytes(cell), 0);
    if (bytes + rowBytes > maxBytes) {
      pieces.push({ start: index, rows: [] });
      bytes = 0;
    }
    pieces.at(-1)?.rows.push(row);
    bytes += rowBytes;
  });
  return pieces;
}

/** Up to three bytes a character in UTF-8, and as many again for quotes, escapes and commas. */
function cellBytes({ value, numberFormat }: Cell): number {
  return (typeof value === "string" ? value.length * 3 : 20) + numberFormat.length + 10;
}
