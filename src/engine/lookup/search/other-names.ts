import type { Ahj } from "../../api/schemas";
import type { NameIndex } from "./name-index";

/** A borough of New York is a county with another name. */
const boroughs = {
  manhattan: "new york county",
  brooklyn: "kings county",
  "staten island": "richmond county",
  bronx: "bronx county",
  "the bronx": "bronx county",
  queens: "queens county",
};

/** Counties by the names that people write for them, in the form of `plainName`. */
const counties: Readonly<Record<string, { name: string; state: string }>> = {
  ...Object.fromEntries(Object.entries(boroughs).map(([borough, name]) => [borough, { name, state: "NY" }])),
  "la county": { name: "los angeles county", state: "CA" },
  sf: { name: "san francisco county", state: "CA" },
  "sf county": { name: "san francisco county", state: "CA" },
  "sd county": { name: "san diego county", state: "CA" },
  "slo county": { name: "san luis obispo county", state: "CA" },
  jeffco: { name: "jefferson county", state: "CO" },
  nola: { name: "orleans parish", state: "LA" },
  moco: { name: "montgomery county", state: "MD" },
  "pg county": { name: "prince georges county", state: "MD" },
  slco: { name: "salt lake county", state: "UT" },
};

/**
 * The AHJs that everybody calls by another name: the boroughs of New York, which are counties, with the city that they belong to, other
 * counties, and the District of Columbia. `state` is the state that is named, if any.
 */
export function knownAs(plain: string, state: string | undefined, { named }: NameIndex): Ahj[] {
  const inState = (name: string, code: string) => named(name).filter(({ state_code }) => state_code === code);
  if (state === "DC")
    return /^washington(?: city)?$/.test(plain) ? inState("district of columbia", state) : [];
  const county = Object.hasOwn(counties, plain) ? counties[plain] : undefined;
  const found =
    county && (state === undefined || state === county.state) ? inState(county.name, county.state) : [];
  if (!isBorough(plain, state) && !(plain === "nyc" && (state === undefined || state === "NY"))) return found;
  const city = [...inState("new york city", "NY"), ...inState("new york", "NY")].filter(
    ({ type }) => type !== "state",
  );
  return [...found, ...city];
}

/** True for a borough of New York, which a namesake in another state does not exclude. */
export function isBorough(key: string, state: string | undefined): boolean {
  return (state === undefined || state === "NY") && Object.hasOwn(boroughs, key);
}

const namesOfCounties = new Map<string, string[]>();
for (const [other, { name, state }] of Object.entries(counties)) {
  const key = `${name}, ${state}`;
  namesOfCounties.set(key, [...(namesOfCounties.get(key) ?? []), other]);
}

/** The other names of a county, by its own name and its state's code; all names in the form of `plainName`. */
export function otherNamesOf(plain: string, state: string): readonly string[] {
  return namesOfCounties.get(`${plain}, ${state}`) ?? [];
}
