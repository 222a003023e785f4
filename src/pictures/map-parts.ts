import { groupBy } from "../lists";
import type { CountyMap, DrawnCounty } from "./county-map";

export interface StateOfMap {
  /** The first two of its counties' geoIDs. */
  digits: string;
  /** Its postal code, or its digits where nobody tells that. */
  name: string;
  /** By name. */
  counties: DrawnCounty[];
}

/** A part of a map that can be looked at; without states it is all. */
export interface MapPart {
  key: string;
  name: string;
  /** By the first two digits of their counties' geoIDs. */
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

/** What can be looked at: all, two states together if there are no others, and each state. `first` is what a map opens with. */
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

/** Whether a county is in a part of a map. */
export function isWithin(geoid: string, states: MapPart["states"]): boolean {
  return states.length === 0 || states.includes(geoid.slice(0, 2));
}
