import type { Cell } from "../values/cell-value";
import { formattedLength } from "../values/number-format";
import type { SheetTable } from "./table-plan";

const pointsPerCharacter = 5.2;
/** A table's header carries a filter button. */
const buttonCharacters = 3;
const narrowest = 60;
const widest = 260;
const longText = 40;

/** Widths in points: as wide as most of the column needs, wrapped beyond. */
export function columnWidths({ columns, rows }: SheetTable): number[] {
  return columns.map(({ header }, column) => {
    // Cells that are alike are mostly one.
    const cells = new Set(rows.slice(0, 500).map((row) => row[column]));
    const characters = Math.max(headerLength(header), ...[...cells].map(shownLength)) + 2;
    return Math.round(Math.min(widest, Math.max(narrowest, characters * pointsPerCharacter)));
  });
}

/** Columns whose texts are too long for one line. */
export function wrappedColumns({ columns, rows }: SheetTable): number[] {
  return columns
    .map((_, column) => column)
    .filter((column) =>
      rows.some((row) => {
        const value = row[column]?.value;
        return typeof value === "string" && (value.length > longText || value.includes("\n"));
      }),
    );
}

/** A header wraps between its words, into two lines or so. */
function headerLength(header: string): number {
  const words = header.split(" ").map((word) => word.length);
  return Math.max(header.length / 2, ...words) + buttonCharacters;
}

/** A column that is too narrow would show a number as ####. */
function shownLength(cell: Cell | undefined): number {
  if (!cell) return 0;
  const { value, numberFormat } = cell;
  if (typeof value === "number") return formattedLength(value, numberFormat);
  return Math.max(
    ...String(value)
      .split("\n")
      .map((line) => line.length),
  );
}
