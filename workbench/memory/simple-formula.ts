import { parseStructRef, tokenize } from "@borgar/fx";
import { parseAddress } from "../address";
import type { CellValue, Rect } from "../spreadsheet";

/**
 * An argument as written: a reference, a defined name, a cell of the formula's row by its table's header (`[@geoID]`), constants, DATE of
 * three numbers, texts joined by `&`, or null where it is left out.
 */
export type Argument =
  | { sheetName?: string; rect: Rect }
  | { definedName: string }
  | { header: string; table: string | undefined }
  | { constants: CellValue[][] }
  | { date: [year: number, month: number, day: number] }
  | { joined: Argument[] }
  | null;

/** A formula that the calculation understands: one function of such arguments, or one reference or DATE alone. */
export type Formula = { name: string; args: Argument[] } | { result: Argument };

/** Reads a formula; null where it is more than can be calculated here. An `@` before the function takes one value, which is all that is shown. */
export function parseFormula(formula: string): Formula | null {
  const all = tokenize(formula).filter(({ type }) => type !== "whitespace" && type !== "fx_prefix");
  const tokens = all[0]?.value === "@" && all[1]?.type === "func" ? all.slice(1) : all;
  const [first, open] = tokens;
  if (tokens.length === 1 && first?.type === "range") {
    const reference = parseAddress(first.value);
    return reference && { result: reference };
  }
  const alone = first?.type === "structured" ? parseArgument(tokens.map(({ value }) => value)) : undefined;
  const result = alone ?? dateOf(tokens.map(({ value }) => value));
  if (result) return { result };
  if (first?.type !== "func" || open?.value !== "(" || tokens.at(-1)?.value !== ")") return null;
  const args: Argument[] = [];
  const inside = tokens.slice(2, -1).map(({ value }) => value);
  for (let at = 0; at < inside.length; at += 1) {
    const end = endOf(inside, at);
    const argument = end === at ? null : parseArgument(inside.slice(at, end));
    if (argument === undefined) return null;
    args.push(argument);
    at = end;
  }
  // A comma at the end leaves one more argument out.
  if (inside.at(-1) === ",") args.push(null);
  return { name: first.value, args };
}

/** The place of the next comma outside of braces and parentheses. */
function endOf(tokens: readonly string[], from: number): number {
  let depth = 0;
  for (let at = from; at < tokens.length; at += 1) {
    if (/^[{(]$/.test(tokens[at] ?? "")) depth += 1;
    if (/^[})]$/.test(tokens[at] ?? "")) depth -= 1;
    if (tokens[at] === "," && depth === 0) return at;
  }
  return tokens.length;
}

function parseArgument(tokens: readonly string[]): Argument | undefined {
  const [only = ""] = tokens;
  if (tokens[0] === "{" && tokens.at(-1) === "}") return arrayOf(tokens.slice(1, -1));
  const date = dateOf(tokens);
  if (date) return date;
  const constant = constantOf(tokens.join(""));
  if (constant !== undefined) return { constants: [[constant]] };
  if (tokens.length === 3 && tokens[1] === "&") {
    const joined = [tokens.slice(0, 1), tokens.slice(2)].map(parseArgument);
    return joined.includes(undefined) ? undefined : { joined: joined as Argument[] };
  }
  if (tokens.length !== 1) return undefined;
  const { table, columns = [], sections = [] } = (only.includes("[") && parseStructRef(only)) || {};
  const [header, ...others] = columns;
  if (header !== undefined && others.length === 0 && sections.join() === "this row")
    return { header, table: table || undefined };
  return parseAddress(only) ?? (/^[A-Z_][\w.]*$/i.test(only) ? { definedName: only } : undefined);
}

/** `DATE(2026,1,31)`. */
function dateOf(tokens: readonly string[]): { date: [number, number, number] } | undefined {
  const [, year, month, day] = /^DATE\((\d{4}),(\d+),(\d+)\)$/i.exec(tokens.join("")) ?? [];
  return year === undefined ? undefined : { date: [Number(year), Number(month), Number(day)] };
}

function arrayOf(tokens: readonly string[]): Argument | undefined {
  const rows: CellValue[][] = [[]];
  let written = "";
  for (const token of [...tokens, ","]) {
    if (token !== "," && token !== ";") {
      written += token;
      continue;
    }
    const constant = constantOf(written);
    if (constant === undefined) return undefined;
    rows.at(-1)?.push(constant);
    if (token === ";") rows.push([]);
    written = "";
  }
  return { constants: rows };
}

function constantOf(written: string): CellValue | undefined {
  if (/^".*"$/s.test(written)) return written.slice(1, -1).replaceAll('""', '"');
  if (/^(TRUE|FALSE)$/i.test(written)) return written.toUpperCase() === "TRUE";
  return written !== "" && Number.isFinite(Number(written)) ? Number(written) : undefined;
}
