import { config } from "../../config";
import { Failure } from "../../errors";
import { plainGeoid } from "./directory/geoid";
import type { AhjName, TypeName } from "./wants";

/** A blank cell arrives as 0, null or an empty text, depending on the platform; an omitted argument as null. */
export function isBlank(argument: unknown): boolean {
  return argument === null || argument === undefined || argument === "" || argument === 0;
}

/** The id in `ahj:1234`, the only way to an AHJ without a geography, such as a utility; undefined in other texts. */
export function ahjIdIn(text: string): number | undefined {
  const [, id] = /^ahj:\s*0*([1-9]\d{0,14})$/i.exec(text.trim()) ?? [];
  return id === undefined ? undefined : Number(id);
}

/** A name and its state's code: `Alameda County, CA`. */
const plainName = /^(?!(?:and|or)\s)\p{L}[\p{L} .'-]*\p{L}, [A-Z]{2}$/u;

/**
 * The jurisdiction that a cell means without further reading: a geoID as it is, `ahj:` and an id, or a name with its state's code. Null if
 * the cell is blank, undefined if it takes reading.
 */
function plainJurisdiction(cell: unknown): AhjName | null | undefined {
  if (isBlank(cell)) return null;
  const geoid = plainGeoid(cell);
  if (geoid !== null || typeof cell !== "string") return geoid ?? undefined;
  return plainName.test(cell) ? cell : ahjIdIn(cell);
}

/**
 * The jurisdictions that the cells of an argument mean: geoIDs, AHJ ids and names, as lists may have them. Null for a blank cell, a Failure
 * for one that means none. Other spellings than the usual ones are read by a script that is loaded for them.
 *
 *     jurisdictionsOf(["06001", 6003, "Alameda County, CA", "ahj:7"]) // ["06001", "06003", "Alameda County, CA", 7]
 */
export function jurisdictionsOf(
  cells: readonly unknown[],
): (AhjName | Failure | null)[] | Promise<(AhjName | Failure | null)[]> {
  mustBeFew(cells);
  const plain = cells.map(plainJurisdiction);
  const isRead = (each: AhjName | null | undefined) => each !== undefined;
  if (plain.every(isRead)) return plain;
  return import("./jurisdiction-argument").then(({ readArguments }) => readArguments(cells));
}

/** Fails if an argument names more different jurisdictions than there are, because each would be looked up. Blank cells do not count. */
export function mustBeFew(cells: readonly unknown[]): void {
  const most = config.mostJurisdictions;
  if (cells.length <= most) return;
  const different = new Set<unknown>();
  for (const cell of cells) {
    if (!isBlank(cell)) different.add(cell);
    if (different.size > most)
      throw new Failure("invalid-argument", {
        detail: `An argument may name ${most.toLocaleString("en-US")} different jurisdictions at most.`,
      });
  }
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

/** The most characters of an argument that a sentence quotes. */
const mostQuoted = 50;

/** An argument in the form in which a sentence quotes it. */
export function quoted(argument: unknown): string {
  return typeof argument === "string" ? `"${argument.slice(0, mostQuoted)}"` : String(argument).toUpperCase();
}
