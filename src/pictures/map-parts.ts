import { groupBy } from "../lists";
import type { CountyMap, DrawnCounty } from "./county-map";

export interface StateOfMap {
  /** The first two digits of its counties' geoIDs. */
  digits: string;
  /** Its postal code, or its digits if no county has a code. */
  name: string;
  /** Sorted by name. */
  counties: DrawnCounty[];
}

/** A part of a map that can be shown. A part without states is the whole map. */
export interface MapPart {
  key: string;
  name: string;
  /** The first two digits of the states' geoIDs. */
  states: readonly string[];
}

/** The states that a map has counties of, by name. */
export function statesOf({ counties }: Pick<CountyMap, "counties">): StateOfMap[] {
  return [...groupBy(counties, ({ geoid }) => geoid.slice(0, 2))]
    .map(([digits, own]) => ({
      digits,
      name: own.find(({ ahj }) => ahj.state_code !== "")?.ahj.state_code ?? digits,
      counties: own.sort((one, other) => one.ahj.name.localeCompare(other.ahj.name, "en")),
    }))
    .sort((one, other) => one.name.localeCompare(other.name, "en"));
}

const all: MapPart = { key: "", name: "All", states: [] };

/** The parts that can be shown: the whole map, two states together if there are no others, and each state. A map opens with `first`. */
export function partsOf(states: readonly StateOfMap[]): { parts: MapPart[]; first: MapPart } {
  const each = states.map(({ digits, name }): MapPart => ({ key: digits, name, states: [digits] }));
  const [one, other, ...more] = each;
  if (!one || more.length > 0) return { parts: [all, ...each], first: all };
  if (!other) return { parts: [all, one], first: one };
  const both = {
    key: `${one.key} ${other.key}`,
    name: `${one.name} and ${other.name}`,
    states: [...one.states, ...other.states],
  };
  return { parts: [all, both, one, other], first: both };
}

/** True if a county is in a part of a map. */
export function isWithin(geoid: string, states: MapPart["states"]): boolean {
  return states.length === 0 || states.includes(geoid.slice(0, 2));
}
