import * as z from "zod/mini";
import { config } from "../../config";
import { type CellArea, callsFunction } from "../sheet/cells/formula-search";
import { jsonPart, readJsonPart } from "../sheet/parts/json-part";

z.config({ jitless: true });

/** A formula that was replaced by what it showed, and what it takes to bring it back. */
export interface FrozenFormula extends CellArea {
  /** Of the sheet then: see `locateFrozen` in freeze.ts. */
  sheetName: string;
  formula: string;
  /** Of the frozen values: see `fingerprint`. */
  shown: string;
  /** The number formats that its cells had, row by row; one where all had the same. */
  numberFormats: string | string[][];
}

/** Formulas frozen together, as the workbook keeps them. */
export interface Freezing {
  atMs: number;
  formulas: FrozenFormula[];
  /** What is kept beside them and is none of ours, or damaged. */
  unreadable: unknown[];
}

// zod's own maxLength would also read the length of whatever stands there instead of a text, and can throw.
const text = (most: number) => z.string().check(z.refine((given) => given.length <= most));
const whole = (least: number, most: number) => z.int().check(z.minimum(least), z.maximum(most));
/** Of a formula, a sheet's name or id, a number format; Excel's own limits are below. */
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

/** Of the custom XML parts that hold frozen formulas, one for each time that some were frozen. */
export const frozenNamespace = "urn:regdata:frozen";

/** Characters of formulas in a part. */
const partCharacters = 1_000_000;

/** The parts that hold these formulas, and what could not be read. */
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
 * Null where it is none of ours, or of a version that this one does not know: it is left as it is. Whoever wrote it, only
 * a formula that calls one of the add-in's functions is one.
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

/** Whether a result is of a size that is read again: any other could bring the pane down. */
export function canBeKept({ rows, columns }: Pick<CellArea, "rows" | "columns">): boolean {
  return rows * columns <= config.formulaCells;
}
