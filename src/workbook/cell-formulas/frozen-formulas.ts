import * as z from "../../zod";
import { config } from "../../config";
import { type CellArea, callsFunction } from "../sheet/cells/formula-search";
import { jsonPart, readJsonPart } from "../sheet/parts/json-part";

/** A formula that was replaced by the values that it showed, with everything that is needed to bring it back. */
export interface FrozenFormula extends CellArea {
  /** The name of the sheet at that time; `locateFrozen` in freeze.ts finds the sheet today. */
  sheetName: string;
  formula: string;
  /** The `fingerprint` of the frozen values. */
  shown: string;
  /** The number formats that its cells had, row by row, or a single format if all cells had the same. */
  numberFormats: string | string[][];
}

/** Formulas frozen together, as the workbook keeps them. */
export interface Freezing {
  atMs: number;
  formulas: FrozenFormula[];
  /** Stored entries that are damaged or that this add-in did not write. They are written back unchanged. */
  unreadable: unknown[];
}

// zod's own maxLength would also read the length of a value that is no text, and can throw.
const text = (most: number) => z.string().check(z.refine((given) => given.length <= most));
const whole = (least: number, most: number) => z.int().check(z.minimum(least), z.maximum(most));
/** The longest formula, sheet name, sheet id or number format that is accepted; Excel's own limits are lower. */
const mostCharacters = 10_000;
const version = 1;
const stored = z.object({ version: z.literal(version), atMs: z.number(), formulas: z.array(z.unknown()) });
const storedFormula = z.object({
  sheetId: text(mostCharacters),
  sheetName: text(mostCharacters),
  row: whole(0, config.sheetRows - 1),
  column: whole(0, config.sheetColumns - 1),
  rows: whole(1, config.sheetRows),
  columns: whole(1, config.sheetColumns),
  formula: text(mostCharacters),
  shown: text(mostCharacters),
  numberFormats: z.union([text(mostCharacters), z.array(z.array(text(mostCharacters)))]),
});

/** The namespace of the custom XML parts that hold frozen formulas. Each freeze writes a part of its own. */
export const frozenNamespace = "urn:regdata:frozen";

/** The most characters of formulas in one part. */
const partCharacters = 1_000_000;

/** The parts that hold these formulas and the entries that could not be read. */
export function frozenXml({ atMs, formulas, unreadable }: Freezing): string[] {
  const parts: unknown[][] = [];
  let characters = Infinity;
  for (const formula of [...formulas, ...unreadable]) {
    const size = JSON.stringify(formula).length;
    characters += size;
    if (characters > partCharacters) {
      parts.push([]);
      characters = size;
    }
    parts.at(-1)?.push(formula);
  }
  return parts.map((part) => jsonPart("frozen", frozenNamespace, { version, atMs, formulas: part }));
}

/**
 * Reads a part. Null if the add-in did not write it, or wrote it in an unknown version: it is then left as it is. Only formulas that call
 * one of the add-in's functions are accepted, since anybody may have written the part.
 */
export function parseFrozenXml(xml: string, namespace: string): Freezing | null {
  const parsed = stored.safeParse(readJsonPart("frozen", xml));
  if (!parsed.success) return null;
  const freezing: Freezing = { atMs: parsed.data.atMs, formulas: [], unreadable: [] };
  for (const each of parsed.data.formulas) {
    const formula = storedFormula.safeParse(each);
    if (formula.success && isOurs(formula.data, namespace)) freezing.formulas.push(formula.data);
    else freezing.unreadable.push(each);
  }
  return freezing;
}

function isOurs(frozen: FrozenFormula, namespace: string): boolean {
  const { formula, row, rows, column, columns, numberFormats } = frozen;
  return (
    callsFunction(formula, namespace) &&
    row + rows <= config.sheetRows &&
    column + columns <= config.sheetColumns &&
    canBeKept(frozen) &&
    (typeof numberFormats === "string" ||
      (numberFormats.length === rows && numberFormats.every((each) => each.length === columns)))
  );
}

/** True if a result is small enough to be read again: a larger one could bring the pane down. */
export function canBeKept({ rows, columns }: Pick<CellArea, "rows" | "columns">): boolean {
  return rows * columns <= config.formulaCells;
}
