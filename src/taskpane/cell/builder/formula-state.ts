import { type ArgumentRole, formulaFunctions } from "../../../workbook/formula-text/formula-functions";
import { holdsCell } from "../../../workbook/sheet/layout/cell-address";
import { formulaCalls, readArgument } from "../../../workbook/formula-text/formula-call";
import type { SelectedArea } from "../../../workbook/sheet/cells/formula-writing";

/** The functions that the builder writes. */
export const builderFunctions = ["VALUE", "CITATION", "MATRIX", "CARD"] as const;
export type BuilderFunction = (typeof builderFunctions)[number];

/** A formula that is being written: each argument as it is typed, so that what is not understood stays as it is. */
export interface FormulaState {
  name: BuilderFunction;
  /** Without those that are omitted. */
  args: Partial<Record<ArgumentRole, string>>;
}

export const emptyFormula: FormulaState = { name: "VALUE", args: {} };

/** Null where the formula is more than one call of a function that the builder knows. */
export function formulaState(formula: string, namespace: string): FormulaState | null {
  const [call] = formulaCalls(formula, namespace);
  const name = builderFunctions.find((known) => known === call?.name);
  if (!call?.isWhole || !name || call.args.length > formulaFunctions[name].length) return null;
  const args: FormulaState["args"] = {};
  formulaFunctions[name].forEach((role, place) => {
    const { text = "" } = call.args[place] ?? {};
    if (text !== "") args[role] = text;
  });
  return { name, args };
}

/** What the builder does not know of a function is left out. */
export function formulaText({ name, args }: FormulaState, namespace: string): string {
  const texts = formulaFunctions[name].map((role) => args[role] ?? "");
  while (texts.at(-1) === "") texts.pop();
  return `=${namespace}.${name}(${texts.join(", ")})`;
}

/** Nothing that a function needs is missing. */
export function isComplete({ args }: FormulaState): boolean {
  return args.jurisdictions !== undefined && args.types !== undefined;
}

/** An argument of these values: one alone, or a list that goes down or across. Text can't leave its quotes. */
export function constant(values: readonly (string | number)[], direction: "down" | "across"): string {
  const texts = values.map((value) =>
    typeof value === "number" ? String(value) : `"${value.replaceAll('"', '""')}"`,
  );
  return texts.length === 1 ? (texts[0] ?? "") : `{${texts.join(direction === "down" ? ";" : ",")}}`;
}

/** The values of an argument that is made of texts and numbers; null for any other. */
export function constantsIn(text: string | undefined): (string | number)[] | null {
  if (text === undefined) return [];
  const argument = readArgument(text);
  if (argument.kind !== "value") return null;
  const values: unknown[] = Array.isArray(argument.value) ? argument.value.flat() : [argument.value];
  const isPlain = (value: unknown) => typeof value === "string" || typeof value === "number";
  return values.every(isPlain) ? values : null;
}

const plainNumber = /^-?(0|[1-9]\d{0,14})(\.\d{1,6})?$/;

/** What somebody types to be shown: a number where it is certainly one. */
export function typedConstant(typed: string): string {
  return plainNumber.test(typed) ? typed : constant([typed], "down");
}

/**
 * Cells of a sheet, as a formula on `sheetId` calls them. `address` is Excel's, with the sheet's name in front; quotes
 * around a name are always right.
 */
export function addressFrom(sheetId: string, area: SelectedArea): string {
  const [, sheet = "", cells = ""] = /^(?:(.*)!)?([^!]+)$/s.exec(area.address) ?? [];
  if (area.sheetId === sheetId || sheet === "") return cells;
  return `${sheet.startsWith("'") ? sheet : `'${sheet.replaceAll("'", "''")}'`}!${cells}`;
}

/** Whether a formula in this cell would point at itself, as far as its arguments are addresses. */
export function pointsAtItself(
  { args }: FormulaState,
  target: { address: string; row: number; column: number },
): boolean {
  const own = sheetOf(target.address);
  return Object.values(args).some((text) => {
    const cells = text.slice(text.lastIndexOf("!") + 1);
    const sheet = sheetOf(text) || own;
    return plainAddress.test(cells) && sheet === own && holdsCell(cells.replace("#", ""), target);
  });
}

/** The name of an address's sheet, in small letters; empty where there is none. */
function sheetOf(address: string): string {
  return address
    .slice(0, Math.max(0, address.lastIndexOf("!")))
    .replace(/^'(.*)'$/s, "$1")
    .replaceAll("''", "'")
    .toLowerCase();
}

const plainAddress =
  /^(\$?[a-z]{1,3}\$?\d+(:\$?[a-z]{1,3}\$?\d+)?#?|\$?[a-z]{1,3}:\$?[a-z]{1,3}|\$?\d+:\$?\d+)$/i;

/** The same formula for another sheet: cells of the sheet that it was written for get its name. */
export function movedTo(sheetId: string, { name, args }: FormulaState, from: SelectedArea): FormulaState {
  const sheet = from.address.slice(0, from.address.lastIndexOf("!") + 1);
  const moved = Object.entries(args).map(([role, text]) => [
    role,
    plainAddress.test(text) ? addressFrom(sheetId, { sheetId: from.sheetId, address: sheet + text }) : text,
  ]);
  return { name, args: Object.fromEntries(moved) as FormulaState["args"] };
}
