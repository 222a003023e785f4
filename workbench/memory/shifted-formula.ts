import { tokenize } from "@borgar/fx";
import { columnLetters, parseAddress } from "../address";

/** A formula after columns were inserted or deleted (`by` below zero), in the sheets that `isMeant` names. */
export function shiftedFormula(
  formula: string,
  shift: { at: number; by: number },
  isMeant: (sheetName: string | undefined) => boolean,
): string {
  return tokenize(formula)
    .map(({ type, value }) => {
      const parsed = type === "range" ? parseAddress(value) : null;
      return parsed && isMeant(parsed.sheetName) ? shiftedReference(value, shift) : value;
    })
    .join("");
}

function shiftedReference(reference: string, { at, by }: { at: number; by: number }): string {
  const sheet = reference.slice(0, reference.lastIndexOf("!") + 1);
  const ends = reference.slice(sheet.length).split(":");
  const [first = "", last = first] = ends;
  // Whole rows have no columns.
  if (!/[a-z]/i.test(first)) return reference;
  const isGone = (column: number) => by < 0 && column >= at && column < at - by;
  const [from, to] = [columnOf(first), columnOf(last)];
  if (isGone(from) && isGone(to)) return "#REF!";
  const moved = (column: number) => (column < at ? column : column + by);
  const end = isGone(to) ? at - 1 : moved(to);
  const [begin] = [isGone(from) ? at : moved(from)];
  const written = [withColumn(first, begin), withColumn(last, end)];
  return sheet + (ends.length === 1 ? written.slice(0, 1) : written).join(":");
}

const columnOf = (end: string) => parseAddress(`${lettersIn(end)}1`)?.rect.column ?? 0;
const lettersIn = (end: string) => /[a-z]+/i.exec(end)?.[0] ?? "A";
const withColumn = (end: string, column: number) => end.replace(/[a-z]+/i, columnLetters(column));
