import { type FileCell, type WorkbookFile } from "../../xlsx/workbook-file";
import { unescapedCharacters } from "../../xlsx/xml/xml-text";

/** A cell as openpyxl reads it, with row and column from 1. A formula begins with "=". */
export type ForeignCell = [
  sheet: string,
  row: number,
  column: number,
  kind: string,
  value: string | number | boolean | null,
  formula: string | null,
];

export interface Difference {
  /** The kind of difference in a few words. */
  kind: string;
  /** The first place at which it differs, with both readings. */
  says: string;
}

/** The first difference between what this project and openpyxl read in a workbook; undefined if there is none. */
export function differenceFromForeign(
  file: WorkbookFile,
  foreign: readonly ForeignCell[],
): Difference | undefined {
  const theirs = new Map(foreign.map((cell) => [`${cell[0]}!${cell[1]} ${cell[2]}`, cell]));
  for (const sheet of file.sheets) {
    const merged = sheet.merged;
    for (const cell of sheet.cells()) {
      if (cell.value === null && !cell.formula) continue;
      const key = `${sheet.name}!${cell.row + 1} ${cell.column + 1}`;
      const their = theirs.get(key);
      theirs.delete(key);
      // openpyxl drops what stands under a merged cell.
      const isUnderMerged = merged.some(
        (area) =>
          (cell.row !== area.row || cell.column !== area.column) &&
          cell.row >= area.row &&
          cell.row < area.row + area.rows &&
          cell.column >= area.column &&
          cell.column < area.column + area.columns,
      );
      if (isUnderMerged) continue;
      // openpyxl does not tell an empty text from a blank cell.
      if (!their && cell.value === "" && !cell.formula) continue;
      const kind = their ? differenceOf(cell, their) : "a cell is missing there";
      if (kind !== undefined)
        return {
          kind,
          says: `${key}: ${JSON.stringify([cell.value, cell.formula?.text])}, there ${JSON.stringify(their)}`,
        };
    }
  }
  // openpyxl reads sheets of Excel 4.0 macros as worksheets. They are sheets of another kind here, and kept.
  const others = new Set(file.otherSheets);
  for (const [key, their] of theirs) {
    if (others.has(their[0])) continue;
    if (their[4] !== "" || their[5] !== null)
      return { kind: "a cell is missing here", says: `${key}: there ${JSON.stringify(their)}` };
  }
  return undefined;
}

/** A cell that openpyxl finds in the first workbook and not, or otherwise, in the second; undefined if there is none. */
export function lostCell(before: readonly ForeignCell[], after: readonly ForeignCell[]): string | undefined {
  const now = new Map(after.map((cell) => [`${cell[0]}!${cell[1]} ${cell[2]}`, JSON.stringify(cell)]));
  for (const cell of before) {
    const own = JSON.stringify(cell);
    const found = now.get(`${cell[0]}!${cell[1]} ${cell[2]}`);
    if (found !== own) return `${own}, then ${found}`;
  }
  return undefined;
}

function differenceOf(cell: FileCell, [, , , kind, value, formula]: ForeignCell): string | undefined {
  if ((cell.formula === undefined) !== (formula === null)) return "only one has a formula";
  // openpyxl reads no result of a formula whose text stands in the cell itself. Excel shows it until it calculates.
  if (kind === "inlineStr" && value === null && cell.formula) return undefined;
  if (cell.isError) return kind === "e" ? undefined : "an error";
  // A date that a file has as a text is a number in Excel, and stays a date there.
  if (typeof cell.value === "number" && kind === "d") return undefined;
  if (typeof cell.value === "number")
    return typeof value === "number" && Math.abs(cell.value - value) <= Math.abs(cell.value) * 1e-9
      ? undefined
      : "a number";
  if (typeof cell.value === "boolean") return value === cell.value ? undefined : "a boolean";
  const [own, their] = [
    cell.value ?? "",
    typeof value === "string" ? unescapedCharacters(value) : (value ?? ""),
  ];
  return lines(own) === lines(String(their)) ? undefined : "a text";
}

/** Texts are compared without differences of line ends, which XML does not keep. */
const lines = (text: string) => text.replace(/\r\n?/g, "\n");
