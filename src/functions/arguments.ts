import { utcMs } from "../engine/api/utc-time";
import { isBlank } from "../engine/lookup/asked-names";
import { notADate, notOneOf } from "../workbook/formula-text/argument-refusals";
import { msOfSerial } from "../workbook/sheet/values/serial-date";

/** The cells of an argument, row by row. A single value gives one cell. */
export function cellsOf(argument: unknown): unknown[] {
  return Array.isArray(argument) ? argument.flat() : [argument];
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

/** The time of a date in UTC, in milliseconds since 1970. The argument is Excel's number or a text in ISO 8601. */
export function momentOf(argument: unknown): number {
  const ms =
    typeof argument === "number" ? msOfSerial(argument) : utcMs(typeof argument === "string" ? argument : "");
  if (!Number.isNaN(ms)) return ms;
  throw notADate(argument);
}
