import type { Ahj } from "../../api/schemas";
import type { NameIndex } from "./name-index";

/** A borough of New York is a county with another name. */
const boroughs: Readonly<Record<string, string>> = {
  manhattan: "new york county",
  brooklyn: "kings county",
  "staten island": "richmond county",
  bronx: "bronx county",
  "the bronx": "bronx county",
  queens: "queens county",
};

/**
 * The AHJs that everybody calls by another name: the boroughs of New York, which are counties, with the city that they belong to, and the
 * District of Columbia. `state` is the state that is named, if any.
 */
export function knownAs(plain: string, state: string | undefined, { named }: NameIndex): Ahj[] {
  const inState = (name: string, code: string) => named(name).filter(({ state_code }) => state_code === code);
  if (state === "DC")
    return /^washington(?: city)?$/.test(plain) ? inState("district of columbia", state) : [];
  if (state !== undefined && state !== "NY") return [];
  const county = Object.hasOwn(boroughs, plain) ? boroughs[plain] : undefined;
  if (county === undefined && plain !== "nyc") return [];
  const city = [...inState("new york city", "NY"), ...inState("new york", "NY")].filter(
    ({ type }) => type !== "state",
  );
  return county === undefined ? city : [...inState(county, "NY"), ...city];
}

/** True for a borough of New York, which a namesake in another state does not exclude. */
export function isBorough(key: string, state: string | undefined): boolean {
  return (state === undefined || state === "NY") && Object.hasOwn(boroughs, key);
}
