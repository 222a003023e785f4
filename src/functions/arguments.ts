import { utcMs } from "../api/utc-time";
import { Failure } from "../errors";
import { geoidOfCell } from "../lookup/geoid";
import type { AhjName, TypeName } from "../lookup/lookup";
import { msOfSerial } from "../sheet/serial-date";

/** A blank cell arrives as 0, null or an empty text, depending on the platform; an omitted argument as null. */
export function isBlank(argument: unknown): boolean {
  return argument === null || argument === undefined || argument === "" || argument === 0;
}

/** The cells of an argument, row by row; one where it is a single value. */
export function cellsOf(argument: unknown): unknown[] {
  return Array.isArray(argument) ? argument.flat() : [argument];
}

/** The only way to an AHJ without a geography, such as a utility. */
const ahjId = /^ahj:\s*0*([1-9]\d{0,14})$/i;

/** The jurisdiction that a cell means; null where it is blank. */
export function jurisdictionOf(cell: unknown): AhjName | Failure | null {
  if (isBlank(cell)) return null;
  const [, id] = (typeof cell === "string" && ahjId.exec(cell.trim())) || [];
  return (
    (id === undefined ? geoidOfCell(cell) : Number(id)) ??
    new Failure("invalid-argument", { detail: `${quoted(cell)} is not a geoID.` })
  );
}

/** The data point type that a cell means, by id or exact name; null where it is blank. */
export function typeOf(cell: unknown): TypeName | Failure | null {
  if (isBlank(cell)) return null;
  const name = typeof cell === "string" ? cell.trim() : "";
  const id = typeof cell === "number" ? cell : /^\d+$/.test(name) ? Number(name) : NaN;
  if (Number.isSafeInteger(id) && id > 0) return id;
  if (name !== "" && Number.isNaN(id)) return name;
  return new Failure("invalid-argument", { detail: `${quoted(cell)} is not a type id.` });
}

/** One of the choices, in any case; undefined where the argument is blank. */
export function choiceOf<Choice extends string>(
  argument: unknown,
  choices: readonly Choice[],
): Choice | undefined {
  if (isBlank(argument)) return undefined;
  const word = textOf(argument).toLowerCase();
  const choice = choices.find((choice) => choice === word);
  if (choice) return choice;
  throw new Failure("invalid-argument", {
    detail: `${quoted(argument)} is none of: ${choices.join(", ")}.`,
  });
}

/** TRUE or FALSE; the fallback where the argument is omitted. */
export function flagOf(argument: unknown, fallback: boolean): boolean {
  if (argument === null || argument === undefined || argument === "") return fallback;
  if (typeof argument === "boolean" || typeof argument === "number") return Boolean(argument);
  return choiceOf(argument, ["true", "false"]) === "true";
}

/** Empty where the argument is blank. */
export function textOf(argument: unknown): string {
  return isBlank(argument) ? "" : String(argument).trim();
}

/** A date, as Excel's number or as text in ISO 8601, in UTC. */
export function momentOf(argument: unknown): number {
  const ms =
    typeof argument === "number" ? msOfSerial(argument) : utcMs(typeof argument === "string" ? argument : "");
  if (!Number.isNaN(ms)) return ms;
  throw new Failure("invalid-argument", { detail: `${quoted(argument)} is not a date.` });
}

function quoted(argument: unknown): string {
  return typeof argument === "string" ? `"${argument.slice(0, 50)}"` : String(argument).toUpperCase();
}
