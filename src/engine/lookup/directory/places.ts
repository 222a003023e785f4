import type { Ahj } from "../../api/schemas";
import { geoidDigits } from "./geoid";

/** The places of AHJs, as far as a list of AHJs tells them by itself. */
export interface Places {
  /** The name of the listed county whose digits begin an AHJ's geoID of 10 characters; undefined if there is none. */
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
 * The AHJs that share name and state with another one and whose geoID does not tell their county, so that only a look-up of the county
 * tells them apart; at most the first `limit` of them. An AHJ without a geoID lies in no county.
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
