import type { Ahj } from "../../api/schemas";
import { geoidDigits } from "./geoid";

/** The counties and states of AHJs, as far as they follow from a list of AHJs, without a request. */
export interface Places {
  /** The name of the county whose geoID begins the AHJ's 10-digit geoID; undefined if the list lacks it or the geoID has another length. */
  countyOf(ahj: Ahj): string | undefined;
  /** The name of the AHJ's state; undefined if the list lacks the state. */
  stateOf(ahj: Ahj): string | undefined;
}

export function createPlaces(ahjs: readonly Ahj[]): Places {
  const counties = new Map<string, string>();
  const stateNames = new Map<string, string>();
  for (const { name, type, geoid, state_code } of ahjs) {
    if (type === "county" && geoid?.length === geoidDigits.county) counties.set(geoid, name);
    if (type === "state") stateNames.set(state_code, name);
  }
  const countyGeoid = ({ geoid }: Ahj) =>
    geoid?.length === geoidDigits.countySubdivision ? geoid.slice(0, geoidDigits.county) : "";
  return {
    stateOf: ({ state_code }) => stateNames.get(state_code),
    countyOf: (ahj) => counties.get(countyGeoid(ahj)),
  };
}

/**
 * The AHJs, at most the first `limit`, that share name and state with another AHJ and whose county the list does not tell. Only a request
 * for their details can tell them apart. States, counties and AHJs without a geoID lie in no county, so they are left out.
 */
export function needingCounty(ahjs: readonly Ahj[], places: Places, limit: number): Ahj[] {
  const key = ({ name, state_code }: Ahj) => `${state_code} ${name}`;
  const counts = new Map<string, number>();
  for (const ahj of ahjs) counts.set(key(ahj), (counts.get(key(ahj)) ?? 0) + 1);
  const isCity = ({ geoid, type }: Ahj) => geoid !== null && type !== "county" && type !== "state";
  return ahjs
    .filter((ahj) => isCity(ahj) && (counts.get(key(ahj)) ?? 0) > 1 && places.countyOf(ahj) === undefined)
    .slice(0, limit);
}

/** True if the word begins one of the text's words. Both must be in lower case. */
export function hasWordBeginning(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    if (!/[\p{L}\p{N}]/u.test(text.charAt(at - 1))) return true;
  }
  return false;
}
