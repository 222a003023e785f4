import type { Ahj } from "../../api/schemas";
import { geoidDigits } from "../directory/geoid";
import { nameKey } from "../search/plain-name";
import { stateBehind } from "../search/split-state";
import { retiredCode, retiredNamed, retiredSentence } from "./retired-codes";

/** The fate of a code that the service does not know. */
export interface Successors {
  sentence: string;
  nextStep: string;
  /** The geoIDs that may be meant now. With `isOneToOne` there is one, which has the same land. */
  geoids: readonly string[];
  isOneToOne: boolean;
}

/**
 * The successors of codes that the service does not know, as far as they are known: of retired counties, and of places that the directory
 * has as county subdivisions, which have the same last five digits.
 */
export function successorsOf(geoids: readonly string[], known: Iterable<Ahj>): Map<string, Successors> {
  const found = new Map<string, Successors>();
  const places = geoids.filter((geoid) => geoid.length === geoidDigits.place);
  const subdivisions = places.length === 0 ? new Map<string, Ahj>() : subdivisionsOf(known);
  for (const geoid of geoids) {
    const retired = retiredCode(geoid);
    const subdivision = subdivisions.get(geoid);
    if (retired) {
      found.set(geoid, {
        ...retiredSentence(retired),
        geoids: retired.kind === "connecticut" ? [] : retired.successors.map((each) => each.geoid),
        isOneToOne: retired.kind === "renamed",
      });
    } else if (subdivision?.geoid) {
      found.set(geoid, {
        sentence: `The directory has ${subdivision.name.slice(0, mostNameCharacters)}, ${subdivision.state_code} (${subdivision.geoid}), a county subdivision with the same last five digits.`,
        nextStep: `If it is meant, use ${subdivision.geoid}.`,
        geoids: [subdivision.geoid],
        isOneToOne: false,
      });
    }
  }
  return found;
}

/** The successors of a county with this name and its state, if it has gone. */
export function successorsOfName(name: string): Successors | undefined {
  const split = stateBehind(name);
  if (!split) return undefined;
  const key = nameKey(split.rest)
    .replace(/\s(?:co\.?|cnty)$/, " county")
    .replace(/^(county|city) of (.+)$/, "$2 $1")
    .replace(/ \((county|city)\)$/, " $1");
  const [retired] = ["", " county", " census area"].flatMap(
    (kind) => retiredNamed(key + kind, split.state) ?? [],
  );
  return retired && successorsOf([retired.geoid], []).get(retired.geoid);
}

/** The most characters of a name that a sentence in a cell has room for. */
const mostNameCharacters = 60;

/** The county subdivisions by the code that they would have as places: the state's and their own last five digits. */
function subdivisionsOf(known: Iterable<Ahj>): Map<string, Ahj> {
  const byPlaceCode = new Map<string, Ahj>();
  for (const ahj of known) {
    if (ahj.geoid?.length !== geoidDigits.countySubdivision) continue;
    byPlaceCode.set(ahj.geoid.slice(0, geoidDigits.state) + ahj.geoid.slice(geoidDigits.county), ahj);
  }
  return byPlaceCode;
}
