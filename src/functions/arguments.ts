import { isBlank } from "../engine/lookup/asked-names";
import { notOneOf } from "../workbook/formula-text/argument-refusals";

/** The cells of an argument, row by row. A single value gives one cell. */
export function cellsOf(argument: unknown): unknown[] {
  if (!Array.isArray(argument)) return [argument];
  // Mostly a single cell, whose row is taken as it is.
  return argument.length === 1 && Array.isArray(argument[0]) ? (argument[0] as unknown[]) : argument.flat();
}

/** The choice that an argument names, in upper or lower case; undefined if the argument is blank. */
export function choiceOf<Choice extends string>(
  argument: unknown,
  choices: readonly Choice[],
): Choice | undefined {
  if (isBlank(argument)) return undefined;
  const word = textOf(argument).toLowerCase();
  const choice = choices.find((choice) => choice === word);
  if (choice) return choice;
  throw notOneOf(argument, choices);
}

/** TRUE or FALSE; the fallback if the argument is omitted. */
export function flagOf(argument: unknown, fallback: boolean): boolean {
  if (argument === null || argument === undefined || argument === "") return fallback;
  if (typeof argument === "boolean" || typeof argument === "number") return Boolean(argument);
  return choiceOf(argument, ["true", "false"]) === "true";
}

/** The trimmed text of an argument; empty if the argument is blank. */
export function textOf(argument: unknown): string {
  return isBlank(argument) ? "" : String(argument).trim();
}
