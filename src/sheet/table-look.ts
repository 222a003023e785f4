import type { TablePlan } from "./table-plan";

const pointsPerCharacter = 5.6;
const narrowest = 60;
const widest = 260;
const longText = 40;

/** Widths in points: as wide as most of the column needs, wrapped beyond. */
export function columnWidths({ headers, rows }: TablePlan): number[] {
  return headers.map((header, column) => {
    // A header may wrap, so it asks for half its length.
    const lengths = [header.length / 2, ...rows.slice(0, 500).map((row) => lineLength(row[column]?.value))];
    const characters = Math.max(...lengths) + 2;
    return Math.round(Math.min(widest, Math.max(narrowest, characters * pointsPerCharacter)));
  });
}

/** Columns whose texts are too long for one line. */
export function wrappedColumns({ headers, rows }: TablePlan): number[] {
  return headers
    .map((_, column) => column)
    .filter((column) =>
      rows.some((row) => {
        const value = row[column]?.value;
        return typeof value === "string" && (value.length > longText || value.includes("\n"));
      }),
    );
}

function lineLength(value: unknown): number {
  return Math.max(
    ...String(value ?? "")
      .split("\n")
      .map((line) => line.length),
  );
}
