import { tokenize } from "@borgar/fx";
import { columnLetters, parseAddress, quoteSheetName } from "./address";
import { type LineShift, shiftedRect } from "./line-shift";

/** A formula after rows or columns were inserted or deleted in the sheets that `isMeant` names. */
export function shiftedFormula(
  formula: string,
  shift: LineShift,
  isMeant: (sheetName: string | undefined) => boolean,
): string {
  return tokenize(formula)
    .map(({ type, value }) => {
      const parsed = type.startsWith("range") ? parseAddress(value) : null;
      return parsed && isMeant(parsed.sheetName) ? shiftedReference(value, shift) : value;
    })
    .join("");
}

/** A formula after a sheet got another name: references that name the sheet follow. */
export function renamedFormula(formula: string, from: string, to: string): string {
  return tokenize(formula)
    .map(({ type, value }) => {
      const parsed = type.startsWith("range") ? parseAddress(value) : null;
      return parsed?.sheetName === from ? quoteSheetName(to) + value.slice(value.lastIndexOf("!")) : value;
    })
    .join("");
}

/** Whole rows keep their columns, and whole columns their rows, because the text names none. */
function shiftedReference(reference: string, shift: LineShift): string {
  const rect = parseAddress(reference)?.rect;
  const sheet = reference.slice(0, reference.lastIndexOf("!") + 1);
  const ends = reference.slice(sheet.length).split(":");
  const names = shift.axis === "row" ? /\d/ : /[a-z]/i;
  if (!rect || !names.test(ends[0] ?? "")) return reference;
  const moved = shiftedRect(rect, shift);
  // A reference to another sheet keeps its sheet.
  if (!moved) return `${sheet}#REF!`;
  const last = { row: moved.row + moved.rows - 1, column: moved.column + moved.columns - 1 };
  const written = ends.map((end, index) => {
    const { row, column } = index === 0 ? moved : last;
    return end.replace(/[a-z]+/i, columnLetters(column)).replace(/\d+/, String(row + 1));
  });
  return sheet + written.join(":");
}
