import { config } from "../../config";
import { Failure } from "../../errors";
import { geoidOfCell } from "./directory/geoid";
import type { AhjName, TypeName } from "./lookup";

/** A blank cell arrives as 0, null or an empty text, depending on the platform; an omitted argument as null. */
export function isBlank(argument: unknown): boolean {
  return argument === null || argument === undefined || argument === "" || argument === 0;
}

/** The id in `ahj:1234`, the only way to an AHJ without a geography, such as a utility; undefined in other texts. */
export function ahjIdIn(text: string): number | undefined {
  const [, id] = /^ahj:\s*0*([1-9]\d{0,14})$/i.exec(text.trim()) ?? [];
  return id === undefined ? undefined : Number(id);
}

/** The jurisdiction that a cell means; null if the cell is blank. */
export function jurisdictionOf(cell: unknown): AhjName | Failure | null {
  if (isBlank(cell)) return null;
  return (typeof cell === "string" ? ahjIdIn(cell) : undefined) ?? geoidOfCell(cell) ?? notAGeoid(cell);
}

function notAGeoid(cell: unknown): Failure {
  const detail = `${quoted(cell)} is not a geoID.`;
  const isName = typeof cell === "string" && /\p{L}/u.test(cell) && cell.trim().length <= mostQuoted;
  if (!isName) return new Failure("invalid-argument", { detail });
  const name = cell.trim().replaceAll('"', '""');
  const nextStep = `To find one by its name, write =${config.namespace}.GEOID("${name}").`;
  return new Failure("invalid-argument", { detail, nextStep });
}

/** The data point type that a cell means, by id or exact name; null if the cell is blank. */
export function typeOf(cell: unknown): TypeName | Failure | null {
  if (isBlank(cell)) return null;
  const name = typeof cell === "string" ? cell.trim() : "";
  const id = typeof cell === "number" ? cell : /^\d+$/.test(name) ? Number(name) : NaN;
  if (Number.isSafeInteger(id) && id > 0) return id;
  if (name !== "" && Number.isNaN(id)) return name;
  return new Failure("invalid-argument", { detail: `${quoted(cell)} is not a question id.` });
}

const mostQuoted = 50;

/** An argument in the form in which a sentence quotes it. */
export function quoted(argument: unknown): string {
  return typeof argument === "string" ? `"${argument.slice(0, mostQuoted)}"` : String(argument).toUpperCase();
}
