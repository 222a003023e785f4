import { formulaCalls } from "../../../workbook/formula-text/formula-call";
import { wordIn } from "../../../workbook/formula-text/argument-constants";
import { unknownFunction } from "../../../workbook/formula-text/unknown-function";
import { argumentSize } from "../../../workbook/formula-text/argument-size";
import type { SelectedArea } from "../../../workbook/sheet/cells/selected-area";
import { holdsCell, sheetNameIn } from "../../../workbook/sheet/layout/cell-address";
import type { TableSize } from "../../../workbook/sheet/layout/table-plan";
import { plural } from "../../ui/labels";
import { argumentKey, argumentKind } from "./argument-kinds";
import type { KnownFunction, KnownParameter } from "./known-functions";

/** A formula that is being written. Each argument is kept as it was typed, so that text that is not understood stays as it is. */
export interface FormulaDraft {
  name: string;
  /** Texts of arguments by `argumentKey`, without omitted ones. It may hold arguments of other functions. */
  args: Readonly<Record<string, string>>;
}

/** Reads a formula. Null if it is more than a single call of one of the add-in's functions. */
export function draftOf(
  formula: string,
  functions: readonly KnownFunction[],
  namespace: string,
): FormulaDraft | null {
  const [call] = formulaCalls(formula, namespace);
  const known = functions.find(({ name }) => name === call?.name);
  if (!call?.isWhole || !known || call.args.length > known.parameters.length) return null;
  const args = known.parameters.flatMap((parameter, place) => {
    const text = call.args[place]?.text ?? "";
    return text === "" ? [] : [[argumentKey(known.name, parameter.name), text]];
  });
  return { name: known.name, args: Object.fromEntries(args) as FormulaDraft["args"] };
}

/** Says why a formula can't be changed in the builder, if `draftOf` gives null for it. */
export function whyNoDraft(formula: string, namespace: string): string {
  const [call, ...others] = formulaCalls(formula, namespace);
  if (!call) return "This formula can’t be read here.";
  const unknown = unknownFunction(formula, namespace);
  if (unknown !== undefined) return unknown;
  const called = `${namespace}.${call.name}`;
  if (call.isWhole) return `This formula has more arguments than ${called} takes.`;
  return others.length > 0
    ? `This formula has ${plural(others.length + 1, `${namespace} function`)}; only one can be changed here.`
    : `This formula calculates with the result of ${called}; only ${called} alone can be changed here.`;
}

/** Writes the draft as a formula, without arguments that the function does not have. */
export function formulaOf(
  { args }: FormulaDraft,
  { name, parameters }: KnownFunction,
  namespace: string,
): string {
  const texts = parameters.map((parameter) => args[argumentKey(name, parameter.name)] ?? "");
  while (texts.at(-1) === "") texts.pop();
  return `=${namespace}.${name}(${texts.join(", ")})`;
}

/** The draft with this argument changed; without it if the text is undefined. */
export function withArgument(draft: FormulaDraft, key: string, text: string | undefined): FormulaDraft {
  const { [key]: _, ...others } = draft.args;
  return { ...draft, args: text === undefined ? others : { ...others, [key]: text } };
}

/** True if several constants make a list here, as they do for functions that give a table with names. */
export function takesList({ name }: KnownParameter): boolean {
  return name === "geoids" || name === "question_ids" || name === "columns";
}

/** A sentence that says what still has to be chosen; null if nothing has. */
export function missingSentence({ args }: FormulaDraft, { name, parameters }: KnownFunction): string | null {
  const nouns = parameters
    .filter(({ optional }) => !optional)
    .map((parameter) => argumentKey(name, parameter.name))
    .filter((key) => args[key] === undefined)
    .map((key) => argumentKind(key).noun ?? key);
  return nouns.length === 0 ? null : `Choose ${nouns.join(" and ")}, or select cells.`;
}

/**
 * The address of an area as a formula on sheet `sheetId` needs it. `area.address` is Excel's, with the sheet's name in front. The name is
 * always quoted, which is never wrong.
 */
export function addressFrom(sheetId: string, area: SelectedArea): string {
  const [, sheet = "", cells = ""] = /^(?:(.*)!)?([^!]+)$/s.exec(area.address) ?? [];
  if (area.sheetId === sheetId || sheet === "") return cells;
  return `${sheet.startsWith("'") ? sheet : `'${sheet.replaceAll("'", "''")}'`}!${cells}`;
}

/** True if an argument is an address that includes this cell. The formula is on the cell's sheet. */
export function pointsAt(text: string, cell: { address: string; row: number; column: number }): boolean {
  const own = sheetOf(cell.address);
  const cells = text.slice(text.lastIndexOf("!") + 1);
  const sheet = sheetOf(text) || own;
  return plainAddress.test(cells) && sheet === own && holdsCell(cells.replace("#", ""), cell);
}

const sheetOf = (address: string) => sheetNameIn(address).toLowerCase();

const plainAddress =
  /^(\$?[a-z]{1,3}\$?\d+(:\$?[a-z]{1,3}\$?\d+)?#?|\$?[a-z]{1,3}:\$?[a-z]{1,3}|\$?\d+:\$?\d+)$/i;

/** The same formula for another sheet: addresses without a sheet get the name of the sheet that the formula was written for. */
export function movedTo(sheetId: string, { name, args }: FormulaDraft, from: SelectedArea): FormulaDraft {
  const sheet = from.address.slice(0, from.address.lastIndexOf("!") + 1);
  const moved = Object.entries(args).map(([key, text]) => [
    key,
    plainAddress.test(text) ? addressFrom(sheetId, { sheetId: from.sheetId, address: sheet + text }) : text,
  ]);
  return { name, args: Object.fromEntries(moved) as FormulaDraft["args"] };
}

/** The least number of rows and columns that a formula's result takes, as far as its arguments tell. */
export function leastSize({ name, args }: FormulaDraft): TableSize {
  const size = (key: string) => (args[key] === undefined ? null : argumentSize(args[key]));
  const count = (key: string) => {
    const { rows, columns } = size(key) ?? { rows: 1, columns: 1 };
    return rows * columns;
  };
  const headers = args.headers === undefined || wordIn(args.headers, ["false"]) === null ? 1 : 0;
  switch (name) {
    case "VALUE":
    case "CITATION":
    case "CARD":
    case "CHANGED":
      return { rows: count("geoid"), columns: count("question_id") };
    case "MATRIX":
      return { rows: count("geoid") + headers, columns: count("question_id") + 2 };
    case "AHJ":
      return { rows: count("geoid"), columns: count("ahj_field") };
    case "FIND":
      return { rows: 1 + headers, columns: 3 + (args.question_id === undefined ? 0 : count("question_id")) };
    case "GEOID":
      return size("name") ?? { rows: 1, columns: 1 };
    default:
      // A list has at least one row and one column, and a header if it has one.
      return { rows: 1 + headers, columns: 1 };
  }
}
