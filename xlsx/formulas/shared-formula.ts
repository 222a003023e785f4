import { parseA1Ref, stringifyA1Ref, tokenize } from "@borgar/fx/xlsx";
import { SHEET_COLUMNS, SHEET_ROWS } from "../file-limits";

type Range = NonNullable<Extract<ReturnType<typeof parseA1Ref>, { range: unknown }>>["range"];

/** A formula that stands in its first cell only and is meant for an area: `at` gives it for a cell of the area. */
export interface SharedFormula {
  row: number;
  column: number;
  text: string;
  /** Texts that stay, and references that go along. */
  pieces: (string | { prefix: string; range: NonNullable<Range> })[];
}

/** Reads the formula of an area's first cell. */
export function sharedFormula(text: string, row: number, column: number): SharedFormula {
  const tokens = tokenize(text, { negativeNumbers: false });
  const isWhole = tokens.map(({ value }) => value).join("") === text;
  const pieces = isWhole ? tokens.map(({ type, value }) => reference(type, value) ?? value) : [text];
  return { row, column, text, pieces };
}

function reference(type: string, value: string): { prefix: string; range: NonNullable<Range> } | null {
  if (!/^range(?!_named)/.test(type)) return null;
  const cut = value.lastIndexOf("!") + 1;
  const parsed = parseA1Ref(value.slice(cut));
  return parsed && "range" in parsed && parsed.range
    ? { prefix: value.slice(0, cut), range: parsed.range }
    : null;
}

/** The formula for another cell. A reference that would leave the sheet comes in again at its other side, as in Excel. */
export function sharedFormulaAt(shared: SharedFormula, row: number, column: number): string {
  const down = row - shared.row;
  const right = column - shared.column;
  if (down === 0 && right === 0) return shared.text;
  return shared.pieces
    .map((piece) => {
      if (typeof piece === "string") return piece;
      const { range } = piece;
      const moved = {
        ...range,
        top: shifted(range.top, range.$top, down, SHEET_ROWS),
        bottom: shifted(range.bottom, range.$bottom, down, SHEET_ROWS),
        left: shifted(range.left, range.$left, right, SHEET_COLUMNS),
        right: shifted(range.right, range.$right, right, SHEET_COLUMNS),
      };
      return piece.prefix + stringifyA1Ref({ range: moved });
    })
    .join("");
}

function shifted<Place extends number | null | undefined>(
  place: Place,
  isAbsolute: boolean | null | undefined,
  by: number,
  count: number,
): Place | number {
  return typeof place !== "number" || isAbsolute ? place : (((place + by) % count) + count) % count;
}
