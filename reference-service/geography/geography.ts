/**
 * The sample geography: real states, counties and large cities, and in them places, townships and utilities, which are generated unless real
 * ones are given. Every generated name starts with "Sample". Populations are always generated.
 */
import * as z from "zod/mini";
import type { Ahj, AhjDetail } from "../../src/engine/api/schemas";
import { readAtlas, type AtlasCounty, type AtlasState } from "./atlas";
import type { Level } from "../answers/sample-catalogue";
import { grouped } from "../grouped";
import { chance, pick } from "../seeded";
import { numeric, readTable } from "../tsv";

/** The facts of an AHJ apart from its id. */
interface Jurisdiction {
  level: Level;
  name: string;
  state: AtlasState;
  county: AtlasCounty | null;
  geoid: string | null;
  population: number | null;
  lat: number | null;
  lon: number | null;
}

export interface AhjRecord {
  /** The AHJ's place in `records`, which are sorted by ascending id. */
  index: number;
  level: Level;
  ahj: Ahj;
  jurisdiction: Jurisdiction;
  /** GEOID of the county itself, or of the county that the AHJ lies in, also for a utility; null for a state. */
  countyGeoid: string | null;
  /** The AHJ itself and the jurisdictions above it, nearest first: their rules apply in this order. */
  chain: readonly AhjRecord[];
}

/** A real place or county subdivision. */
export interface City {
  geoid: string;
  name: string;
  /** In degrees. */
  lat: number;
  lon: number;
}

/** The real areas that a geography is made from. */
export interface Territory {
  /** States by ascending GEOID; counties likewise. */
  states: readonly AtlasState[];
  counties: readonly AtlasCounty[];
  /** The real places by the GEOID of their county. Without them, places are generated. */
  places?: ReadonlyMap<string, readonly City[]> | undefined;
  /** The real county subdivisions by the GEOID of their county. Without them, townships are generated. */
  townships?: ReadonlyMap<string, readonly City[]> | undefined;
}

export interface Geography {
  /** All AHJs by ascending id. */
  records: readonly AhjRecord[];
  byId: ReadonlyMap<number, AhjRecord>;
  /** The AHJ of a geoID; if several AHJs have the geoID, the one with the lowest id (docs/interface.md, "GeoID"). */
  byGeoid: ReadonlyMap<string, AhjRecord>;
}

/** AHJ ids start above the ids of the data point types, so an id that is mistaken for one of the other kind finds nothing. */
const firstAhjId = 10_001;

/** Codes of real places and townships end below 90000, so a generated one can't be taken for real. */
const firstSampleCode = 90_000;

/** States whose counties are divided into townships (or towns) with governments of their own. */
const townshipStates = new Set("CT IL IN KS ME MA MI MN MO NE NH NJ NY ND OH PA RI SD VT WI".split(" "));

/** San Diego County, California: the county of the smallest subscription. It has two utilities. */
export const demoCounty = "06073";

/**
 * Places that are on file twice, by the state they lie in and the state they are filed under the second time. Records are in the order of
 * the states' GEOIDs, Arizona's and California's first, Idaho's before its western neighbors'. So in half of the cases the lower id lies
 * outside the five western states and the higher inside; in the others the lower lies inside, the higher mostly outside.
 */
const filedTwice: readonly { state: string; filedUnder: string }[] = [
  { state: "NV", filedUnder: "ID" },
  { state: "NV", filedUnder: "ID" },
  { state: "OR", filedUnder: "ID" },
  { state: "OR", filedUnder: "ID" },
  { state: "WA", filedUnder: "ID" },
  { state: "WA", filedUnder: "ID" },
  { state: "AZ", filedUnder: "AZ" },
  { state: "CA", filedUnder: "CA" },
  { state: "AZ", filedUnder: "TX" },
  { state: "CA", filedUnder: "NY" },
  { state: "CA", filedUnder: "OH" },
  { state: "OR", filedUnder: "PA" },
];

const placeStems =
  "Maple Cedar Oak River Lake Spring Mill Stone Green Fair Clear North South East West Pine Elm Ash Birch Fox Hill Glen".split(
    " ",
  );
const placeEndings = [
  "ton",
  "ville",
  "field",
  "ford",
  "wood",
  "dale",
  "view",
  "haven",
  "port",
  "burg",
  " Grove",
];
const townshipNames =
  "Washington Union Jackson Franklin Liberty Jefferson Center Lincoln Grant Clay Perry Richland Salem Monroe".split(
    " ",
  );
const utilityAreas = [
  "Cedar Valley",
  "Three Rivers",
  "High Plains",
  "Lakeshore",
  "Blue Ridge",
  "Prairie",
  "Tri-County",
];
const utilityKinds = [
  "Electric Cooperative",
  "Power and Light",
  "Public Utility District",
  "Municipal Electric Department",
];

/** The number of each random draw. Two draws for one jurisdiction must not depend on each other. */
const draw = { population: 1, name: 2, count: 3, lat: 4, lon: 5, utility: 6 };

const rounded = (degrees: number) => Math.round(degrees * 10_000) / 10_000;
const eastOfGreenwich = (degrees: number) => rounded(((degrees + 540) % 360) - 180);

function countyPopulation({ geoid }: AtlasCounty): number {
  return Math.round(10 ** (3.3 + 2.6 * chance(Number(geoid), draw.population)));
}

function cityPopulation(county: AtlasCounty, geoid: string): number {
  return 40 + Math.round(countyPopulation(county) * 0.16 * chance(Number(geoid), draw.population));
}

function draftCity(state: AtlasState, county: AtlasCounty, city: City): Jurisdiction {
  const { geoid, name, lat, lon } = city;
  return {
    level: "city",
    name,
    state,
    county,
    geoid,
    population: cityPopulation(county, geoid),
    lat: rounded(lat),
    lon: eastOfGreenwich(lon),
  };
}

function sampleCity(county: AtlasCounty, geoid: string, name: string): City {
  const offset = (stream: number) => 1.4 * chance(Number(geoid), stream) - 0.7;
  return {
    geoid,
    name: `Sample ${name}`,
    lat: county.lat + county.latReach * offset(draw.lat),
    lon: county.lon + county.lonReach * offset(draw.lon),
  };
}

function sampleTownships(state: AtlasState, county: AtlasCounty): City[] {
  const seed = Number(county.geoid);
  const count = townshipStates.has(state.postalCode) ? 2 + Math.floor(6 * chance(seed, draw.count, 1)) : 0;
  return Array.from({ length: count }, (_, at) => {
    const name = pick(townshipNames, chance(seed, draw.name, at));
    return sampleCity(county, `${county.geoid}${firstSampleCode + at}`, `${name} Township`);
  });
}

/**
 * Large cities by the GEOID of their county, with the Census Bureau's codes. A city that lies in several counties is in the one of its city
 * hall. Consolidated cities have the name by which people know them. Cities that are counties themselves are left out.
 */
const largeCities = grouped(
  readTable(
    "cities",
    z.object({ geoid: z.string(), county_geoid: z.string(), name: z.string(), lat: numeric, lon: numeric }),
  ),
  ({ county_geoid }) => county_geoid,
);

/** The places and townships of one state, county by county. */
function draftCities(
  state: AtlasState,
  counties: readonly AtlasCounty[],
  { places, townships }: Territory,
): Jurisdiction[] {
  let placeCode = firstSampleCode;
  const samplePlaces = (county: AtlasCounty) => {
    const generated = Array.from(
      { length: 2 + Math.floor(10 * chance(Number(county.geoid), draw.count)) },
      () => {
        const geoid = `${state.geoid}${placeCode++}`;
        const stem = pick(placeStems, chance(Number(geoid), draw.name));
        const ending = pick(placeEndings, chance(Number(geoid), draw.name, 1));
        return sampleCity(county, geoid, `${stem}${ending}`);
      },
    );
    const large = largeCities.get(county.geoid) ?? [];
    return [...generated.slice(0, generated.length - large.length), ...large];
  };
  return counties.flatMap((county) =>
    [
      ...(places ? (places.get(county.geoid) ?? []) : samplePlaces(county)),
      ...(townships ? (townships.get(county.geoid) ?? []) : sampleTownships(state, county)),
    ].map((city) => draftCity(state, county, city)),
  );
}

function draftUtility(state: AtlasState, county: AtlasCounty, at: number): Jurisdiction {
  const seed = Number(county.geoid);
  const area = pick(utilityAreas, chance(seed, draw.utility, 2 * at));
  const kind = pick(utilityKinds, chance(seed, draw.utility, 2 * at + 1));
  return {
    level: "utility",
    name: `Sample ${area} ${kind}`,
    state,
    county,
    geoid: null,
    population: null,
    lat: null,
    lon: null,
  };
}

/** The utilities of one state; its first county has at least one. */
function draftUtilities(state: AtlasState, counties: readonly AtlasCounty[]): Jurisdiction[] {
  return counties.flatMap((county, at) => {
    const share = county.geoid === demoCounty ? 1 : chance(Number(county.geoid), draw.count, 2);
    const count = share < 0.2 ? (at === 0 ? 1 : 0) : share < 0.9 ? 1 : 2;
    return Array.from({ length: count }, (_, number) => draftUtility(state, county, number));
  });
}

function draftCounty(state: AtlasState, county: AtlasCounty): Jurisdiction {
  return {
    level: "county",
    name: county.name,
    state,
    county,
    geoid: county.geoid,
    population: countyPopulation(county),
    lat: rounded(county.lat),
    lon: eastOfGreenwich(county.lon),
  };
}

/** The state's AHJ. If the state has no counties, its population and location are null. */
function draftState(state: AtlasState, counties: readonly AtlasCounty[]): Jurisdiction {
  const isKnown = counties.length > 0;
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    level: "state",
    name: state.name,
    state,
    county: null,
    geoid: state.geoid,
    population: isKnown ? counties.reduce((sum, county) => sum + countyPopulation(county), 0) : null,
    lat: isKnown ? rounded(mean(counties.map((county) => county.lat))) : null,
    lon: isKnown ? eastOfGreenwich(mean(counties.map((county) => county.lon))) : null,
  };
}

function addSecondRecords(citiesByState: ReadonlyMap<string, Jurisdiction[]>): void {
  // The doubled records come from the end of each state's own list, so that no county is left with doubled records only.
  const ownCount = new Map([...citiesByState].map(([postalCode, cities]) => [postalCode, cities.length]));
  for (const { state, filedUnder } of filedTwice) {
    const last = ownCount.get(state)! - 1;
    ownCount.set(state, last);
    const original = citiesByState.get(state)![last]!;
    const target = citiesByState.get(filedUnder)!;
    const { state: recordState, county } = state === filedUnder ? original : target[0]!;
    target.push({ ...original, state: recordState, county });
  }
}

function toRecord(jurisdiction: Jurisdiction, index: number) {
  const { level, name, state, county, geoid } = jurisdiction;
  const ahj: Ahj = { id: firstAhjId + index, name, type: level, state_code: state.postalCode, geoid };
  return { index, level, ahj, jurisdiction, countyGeoid: county?.geoid ?? null, chain: [] as AhjRecord[] };
}

/** The detail fields (docs/interface.md, "AHJ"). A field that does not apply to a state or a utility is null. */
export function detailOf({ ahj, jurisdiction }: AhjRecord): AhjDetail {
  const { level, state, county, population, lat, lon } = jurisdiction;
  return {
    ...ahj,
    state_name: state.name,
    county: level === "utility" ? null : (county?.name ?? null),
    population,
    lat,
    lon,
  };
}

/**
 * Creates the records: states by ascending GEOID, then all counties, then the cities state by state, then the utilities. The default
 * territory is the atlas's, and only with this default are some places on file twice.
 */
export function createGeography(given?: Territory): Geography {
  const territory = given ?? readAtlas();
  const { states, counties } = territory;
  const countiesOf = new Map(
    states.map((state) => [state, counties.filter((county) => county.geoid.startsWith(state.geoid))]),
  );
  const citiesByState = new Map(
    [...countiesOf].map(([state, own]) => [state.postalCode, draftCities(state, own, territory)]),
  );
  if (!given) addSecondRecords(citiesByState);
  const drafts: Jurisdiction[] = [
    ...[...countiesOf].map(([state, own]) => draftState(state, own)),
    ...[...countiesOf].flatMap(([state, own]) => own.map((county) => draftCounty(state, county))),
    ...[...citiesByState.values()].flat(),
    ...[...countiesOf].flatMap(([state, own]) => draftUtilities(state, own)),
  ];
  const records = drafts.map(toRecord);
  joinChains(records);

  const byGeoid = new Map<string, AhjRecord>();
  for (const record of records) {
    const { geoid } = record.ahj;
    if (geoid !== null && !byGeoid.has(geoid)) byGeoid.set(geoid, record);
  }
  return { records, byId: new Map(records.map((record) => [record.ahj.id, record])), byGeoid };
}

/**
 * Joins each city, its county, the county's utility and the state to a chain. A city's chain is its county's with the city in front, so a
 * city without a rule of its own has its county's rule. A utility lies in its home county. A county is served by one of its own utilities;
 * if it has none, by a utility of the county before it in the same state.
 */
function joinChains(records: readonly (AhjRecord & { chain: AhjRecord[] })[]): void {
  const stateRecords = new Map<string, AhjRecord>();
  const countyRecords = new Map<string, AhjRecord>();
  const homeUtilities = new Map<string, AhjRecord[]>();
  for (const record of records) {
    if (record.level === "state") stateRecords.set(record.ahj.state_code, record);
    if (record.level === "county") countyRecords.set(record.countyGeoid!, record);
    if (record.level === "utility") {
      const home = homeUtilities.get(record.countyGeoid!);
      if (home) home.push(record);
      else homeUtilities.set(record.countyGeoid!, [record]);
    }
  }
  const serving = new Map<string, AhjRecord>();
  let latest: AhjRecord[] = [];
  for (const [countyGeoid, county] of countyRecords) {
    latest = homeUtilities.get(countyGeoid) ?? latest;
    serving.set(countyGeoid, pick(latest, chance(county.index, draw.utility)));
  }
  for (const record of records) {
    record.chain.push(record);
    if (record.level === "state") continue;
    const countyGeoid = record.countyGeoid!;
    if (record.level !== "county") record.chain.push(countyRecords.get(countyGeoid)!);
    if (record.level !== "utility") record.chain.push(serving.get(countyGeoid)!);
    record.chain.push(stateRecords.get(record.ahj.state_code)!);
  }
}
