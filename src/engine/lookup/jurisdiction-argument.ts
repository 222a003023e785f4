import { Failure } from "../../errors";
import { isBlank, quoted } from "./asked-names";
import { geoidDigits } from "./directory/geoid";
import { stateOfGeoid } from "./directory/states";
import { headingOf } from "./lists/headings";
import type { NotUnderstood } from "./lists/read-code";
import { type Meaning, meaningOfCell } from "./lists/read-parts";
import { mostNameCharacters } from "./search/split-state";
import type { AhjName } from "./wants";

/** The name of a county by its geoID. */
type CountyName = (geoid: string) => string | undefined;

/**
 * The jurisdictions that the cells of a formula's argument mean, by the rules of lists; null for a blank cell, a Failure for one that means
 * none.
 */
export async function readArguments(cells: readonly unknown[]): Promise<(AhjName | Failure | null)[]> {
  const meanings = cells.map((cell) => (namesNone(cell) ? null : meaningOfCell(cell)));
  const namesCounty = (meaning: Meaning | null) => {
    if (meaning?.kind === "geoid") return meaning.how === "whole-state" && isOfCounty(meaning.geoid);
    return meaning?.kind === "none" && meaning.county !== undefined;
  };
  const nameOf = meanings.some(namesCounty)
    ? (await import("./lists/county-names")).countyName
    : () => undefined;
  return meanings.map((meaning, at) => jurisdictionOf(cells[at], meaning, nameOf));
}

/** True if a cell names no jurisdiction: it is blank, or has `ahj:` and no id, as a formula makes of a blank cell (`"ahj:"&A2`). */
const namesNone = (cell: unknown) =>
  isBlank(cell) || (typeof cell === "string" && /^\s*ahj:\s*$/i.test(cell));

/** The jurisdiction that a cell with this meaning stands for; null if it is blank, a Failure if it stands for none. */
function jurisdictionOf(
  cell: unknown,
  meaning: Meaning | null,
  nameOf: CountyName,
): AhjName | Failure | null {
  if (meaning === null) return null;
  if (typeof cell === "string" && cell.trimStart().startsWith("=") && meaning.kind !== "geoid")
    return new Failure("invalid-argument", {
      detail: `${quoted(cell)} is a formula in a cell that is formatted as text.`,
      nextStep: "Set the cell's number format to General, and enter the formula again.",
    });
  if (meaning.kind === "ahj") return meaning.id;
  if (meaning.kind === "none") return refusalOf(cell, meaning, nameOf);
  if (meaning.kind === "name") return mayBeName(meaning.name) ? meaning.name : notAJurisdiction(cell);
  if (meaning.how !== "whole-state") return meaning.geoid;
  const { geoid } = meaning;
  const level = isOfCounty(geoid) ? "county" : "state";
  const name = level === "county" ? namedCounty(geoid, nameOf) : stateOfGeoid(geoid);
  return new Failure("not-a-jurisdiction", {
    detail: `${quoted(cell)} may stand for all of ${name}.`,
    nextStep: `For the ${level}, write "${geoid}".`,
  });
}

/** False for a heading, a single letter and a whole text: the directory is not read for them. */
const mayBeName = (text: string) =>
  text.length <= mostNameCharacters && /\p{L}.*\p{L}/u.test(text) && headingOf(text) === null;

const isOfCounty = ({ length }: string) => length === geoidDigits.county;

function refusalOf(cell: unknown, meaning: NotUnderstood, nameOf: CountyName): Failure {
  if (meaning.why === "unreadable" || meaning.why === "sheet-error") return notAJurisdiction(cell);
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

function notAJurisdiction(cell: unknown): Failure {
  return new Failure("invalid-argument", { detail: `${quoted(cell)} is neither a geoID nor a name.` });
}
