import { config } from "../../config";
import { Failure } from "../../errors";
import { mostQuoted, plainJurisdiction, quoted } from "./asked-names";
import { geoidDigits } from "./directory/geoid";
import { stateOfGeoid } from "./directory/states";
import type { AhjName } from "./wants";
import { type NotUnderstood, readCode } from "./lists/read-code";

/** The name of a county by its geoID. */
type CountyName = (geoid: string) => string | undefined;

/**
 * The jurisdictions that the cells of a formula's argument mean; null for a blank cell, a Failure for one that means none. A formula's text
 * is never padded: `"6001"` stays what it is, and the directory tells what it may mean.
 */
export async function readArguments(cells: readonly unknown[]): Promise<(AhjName | Failure | null)[]> {
  const namesCounty = (cell: unknown) => {
    const meaning = plainJurisdiction(cell) === undefined ? readCode(cell, { padsText: false }) : null;
    if (meaning?.kind === "geoid") return meaning.how === "whole-state" && isOfCounty(meaning.geoid);
    return meaning?.kind === "none" && meaning.county !== undefined;
  };
  const nameOf = cells.some(namesCounty)
    ? (await import("./lists/county-names")).countyName
    : () => undefined;
  return cells.map((cell) => jurisdictionOf(cell, nameOf));
}

/** The jurisdiction that a cell means; null if it is blank, a Failure if it means none. Without `nameOf`, counties are told by their code. */
export function jurisdictionOf(
  cell: unknown,
  nameOf: CountyName = () => undefined,
): AhjName | Failure | null {
  const plain = plainJurisdiction(cell);
  if (plain !== undefined) return plain;
  const meaning = readCode(cell, { padsText: false });
  if (meaning === null) return notAGeoid(cell);
  if (meaning.kind === "ahj") return meaning.id;
  if (meaning.kind === "none") return refusalOf(cell, meaning, nameOf);
  if (meaning.how !== "whole-state") return meaning.geoid;
  const { geoid } = meaning;
  const level = isOfCounty(geoid) ? "county" : "state";
  const name = level === "county" ? namedCounty(geoid, nameOf) : stateOfGeoid(geoid);
  return new Failure("not-a-jurisdiction", {
    detail: `${quoted(cell)} may stand for all of ${name}.`,
    nextStep: `For the ${level}, write "${geoid}".`,
  });
}

const isOfCounty = ({ length }: string) => length === geoidDigits.county;

function refusalOf(cell: unknown, meaning: NotUnderstood, nameOf: CountyName): Failure {
  if (meaning.why === "unreadable" || meaning.why === "sheet-error")
    return new Failure("invalid-argument", { detail: `${quoted(cell)} is not a geoID.` });
  const { county } = meaning;
  const detail = `${quoted(cell)}: ${sentenceOf(meaning, nameOf)}`;
  return new Failure(
    "not-a-jurisdiction",
    county === undefined ? { detail } : { detail, nextStep: `For its county, write "${county}".` },
  );
}

/** The sentence that says why something stands for no jurisdiction, with the name of its county. */
export function sentenceOf({ sentence, county = "" }: NotUnderstood, nameOf: CountyName): string {
  return sentence.replace("{county}", namedCounty(county, nameOf));
}

function namedCounty(geoid: string, nameOf: CountyName): string {
  const name = nameOf(geoid);
  return name === undefined ? `the county ${geoid}` : `${name}, ${stateOfGeoid(geoid)}`;
}

function notAGeoid(cell: unknown): Failure {
  const detail = `${quoted(cell)} is not a geoID.`;
  const isName = typeof cell === "string" && /\p{L}/u.test(cell) && cell.trim().length <= mostQuoted;
  if (!isName) return new Failure("invalid-argument", { detail });
  const name = cell.trim().replaceAll('"', '""');
  const nextStep = `To find one by its name, write =${config.namespace}.GEOID("${name}").`;
  return new Failure("invalid-argument", { detail, nextStep });
}
