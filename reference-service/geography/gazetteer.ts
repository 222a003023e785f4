/**
 * Census Gazetteer files: real counties, places and county subdivisions in place of the generated ones. Layouts:
 * https://www.census.gov/programs-surveys/geography/technical-documentation/records-layout/gaz-record-layouts.html
 */
import { readFileSync } from "node:fs";
import { readAtlas, type AtlasCounty } from "./atlas";
import { counted } from "../http/envelope";
import { createGeography, type City, type Geography, type Territory } from "./geography";

export interface GazetteerFile {
  /** As the report is to call it. */
  name: string;
  bytes: Uint8Array;
}

type Kind = "county" | "place" | "county subdivision";

const kindByGeoidLength: Record<number, Kind> = { 5: "county", 7: "place", 10: "county subdivision" };
const plurals: Record<Kind, string> = {
  county: "counties",
  place: "places",
  "county subdivision": "county subdivisions",
};

interface Where {
  file: string;
  line: number;
}

interface Area extends City, Where {
  kind: Kind;
  /** Whether it has a government that functions: without one it is no AHJ. */
  functions: boolean;
}

interface Reading {
  areas: Area[];
  skipped: (Where & { why: string })[];
}

/** Census functional status codes of governments that function, also consolidated and special-purpose ones. */
const functioning = [..."ABCE"];
/** Fictitious, subordinate, inactive, nonfunctioning, quasi-legal, statistical and state-recognised areas. */
const notFunctioning = [..."FGILMNST"];

const neededColumns = ["USPS", "GEOID", "NAME", "INTPTLAT", "INTPTLONG"];

/** How far from a county's interior point its generated places lie at most, in degrees. */
const sampleReach = 0.1;

/** How many of the skipped lines are named; the others are counted. */
const maxNamed = 20;

/** Thrown when a line can't be used, with the reason. */
class UnusableLine extends Error {}

function unusable(why: string): never {
  throw new UnusableLine(why);
}

const quoted = (text: string) => JSON.stringify(text.length > 30 ? `${text.slice(0, 30)}…` : text);
const inThousands = (count: number) => count.toLocaleString("en-US");

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

function degrees(text: string | undefined, most: number): number {
  const value = text ? Number(text) : NaN;
  return Math.abs(value) <= most ? value : unusable("its INTPTLAT and INTPTLONG are not in degrees");
}

/** Throws UnusableLine. */
function readArea(
  fields: readonly string[],
  columns: readonly string[],
  postalCodes: ReadonlyMap<string, string>,
): Omit<Area, keyof Where> {
  if (fields.length < columns.length || fields.slice(columns.length).some((field) => field !== "")) {
    unusable(`it has ${counted(fields.length, "field")} where the header has ${columns.length}`);
  }
  const field = (column: string) => fields[columns.indexOf(column)];
  const [geoid = "", usps = "", name = "", status] = ["GEOID", "USPS", "NAME", "FUNCSTAT"].map(field);

  const kind = /^\d+$/.test(geoid) ? kindByGeoidLength[geoid.length] : undefined;
  if (kind === undefined) unusable(`its GEOID ${quoted(geoid)} does not have 5, 7 or 10 digits`);
  if (usps !== postalCodes.get(geoid.slice(0, 2))) {
    unusable(`its USPS ${quoted(usps)} is not the state of its GEOID ${quoted(geoid)}`);
  }
  const functions = status === undefined || functioning.includes(status);
  if (!functions && !notFunctioning.includes(status)) unusable(`its FUNCSTAT ${quoted(status)} is unknown`);
  if (name === "") unusable("it has no NAME");
  const [lat, lon] = [degrees(field("INTPTLAT"), 90), degrees(field("INTPTLONG"), 180)];
  return { kind, functions, geoid, name, lat, lon };
}

/** Adds the lines of a file to the reading. Returns the sentence that says why it is no gazetteer file, if so. */
function readFile(
  { name: file, bytes }: GazetteerFile,
  postalCodes: ReadonlyMap<string, string>,
  { areas, skipped }: Reading,
): string | undefined {
  const [header = "", ...lines] = new TextDecoder().decode(bytes).split(/\r?\n/);
  const separator = header.includes("|") ? "|" : "\t";
  const fieldsOf = (text: string) => text.split(separator).map((field) => field.trim());
  const columns = fieldsOf(header.trimEnd());
  if (!neededColumns.every((column) => columns.includes(column))) {
    const zip = header.startsWith("PK") ? " It is a zip file: unpack it first." : "";
    return `${file} has no header line with ${neededColumns.join(", ")}.${zip}`;
  }
  const before = areas.length;
  lines.forEach((text, at) => {
    if (text.trim() === "") return;
    const where = { file, line: at + 2 };
    try {
      // The decoder put this character where the bytes are no UTF-8.
      if (text.includes("\uFFFD")) unusable("it is not UTF-8");
      areas.push({ ...where, ...readArea(fieldsOf(text), columns, postalCodes) });
    } catch (error) {
      if (!(error instanceof UnusableLine)) throw error;
      skipped.push({ ...where, why: error.message });
    }
  });
  return areas.length > before
    ? undefined
    : `${file} has no line of a county, a place or a county subdivision.`;
}

/** By ascending GEOID. Of several lines with one GEOID the first counts. */
function withoutRepeated({ areas, skipped }: Reading): Reading {
  const byGeoid = new Map<string, Area>();
  const repeated = areas.flatMap((area) => {
    const first = byGeoid.get(area.geoid);
    if (first === undefined) byGeoid.set(area.geoid, area);
    const why = `its GEOID ${quoted(area.geoid)} stands in ${first?.file}, line ${first?.line}`;
    return first ? [{ ...area, why }] : [];
  });
  return {
    areas: [...byGeoid.values()].sort((one, other) => (one.geoid < other.geoid ? -1 : 1)),
    skipped: [...skipped, ...repeated],
  };
}

/** The square of the distance in degrees of latitude: good enough to tell which of two is nearer. */
function squaredDistance(one: City, other: AtlasCounty): number {
  const east = ((one.lon - other.lon + 540) % 360) - 180;
  return (one.lat - other.lat) ** 2 + (east * Math.cos((one.lat * Math.PI) / 180)) ** 2;
}

/**
 * The county that a city lies in. A county subdivision's GEOID begins with it. Of a place the gazetteer does not say
 * it: it is the one of its state whose interior point is nearest, which is an approximation. So it is for a subdivision
 * of a county that is not there, such as one of Connecticut in a year before or after its counties changed.
 */
function createCountyFinder(counties: readonly AtlasCounty[]): (city: City) => AtlasCounty | undefined {
  const byGeoid = new Map(counties.map((county) => [county.geoid, county]));
  const byState = grouped(counties, ({ geoid }) => geoid.slice(0, 2));
  return (city) => {
    const own = city.geoid.length === 10 ? byGeoid.get(city.geoid.slice(0, 5)) : undefined;
    if (own) return own;
    let nearest: AtlasCounty | undefined;
    let least = Infinity;
    for (const county of byState.get(city.geoid.slice(0, 2)) ?? []) {
      const distance = squaredDistance(city, county);
      if (distance < least) [nearest, least] = [county, distance];
    }
    return nearest;
  };
}

/** One line for each file, then the skipped lines. */
function reportOf(names: readonly string[], { areas, skipped }: Reading): string[] {
  const files = names.map((name) => {
    const own = areas.filter(({ file }) => file === name);
    const taken = own.filter(({ functions }) => functions);
    const counts = [...grouped(taken, ({ kind }) => kind)].map(
      ([kind, { length }]) => `${inThousands(length)} ${length === 1 ? kind : plurals[kind as Kind]}`,
    );
    const others = own.length - taken.length;
    const leftOut = others > 0 ? `; left out without a functioning government: ${inThousands(others)}` : "";
    return `${name}: ${counts.join(", ") || "nothing"}${leftOut}.`;
  });
  const named = skipped
    .slice(0, maxNamed)
    .map(({ file, line, why }) => `${file}, line ${line} is skipped: ${why}.`);
  const unnamed = skipped.length - named.length;
  return [...files, ...named, ...(unnamed > 0 ? [`So are ${inThousands(unnamed)} more.`] : [])];
}

/**
 * The states with what the files list. A kind of area that a file has lines of comes from the files alone, in every
 * state; for the other kinds there are the atlas's counties, and generated places and townships. The order of files
 * and lines does not matter, except that of lines with one GEOID the first counts. The report says in lines what was
 * taken, left out and skipped. A problem is a sentence.
 */
export function readGazetteer(
  files: readonly GazetteerFile[],
): { territory: Territory; report: string[] } | { problem: string } {
  const atlas = readAtlas();
  const postalCodes = new Map(atlas.states.map(({ geoid, postalCode }) => [geoid, postalCode]));
  const read: Reading = { areas: [], skipped: [] };
  for (const file of files) {
    const problem = readFile(file, postalCodes, read);
    if (problem !== undefined) return { problem };
  }
  const { areas, skipped } = withoutRepeated(read);
  const has = (kind: Kind) => areas.some((area) => area.kind === kind);
  const counties = has("county")
    ? areas
        .filter(({ kind, functions }) => kind === "county" && functions)
        .map((area) => ({ ...area, latReach: sampleReach, lonReach: sampleReach }))
    : atlas.counties;
  const countyOf = createCountyFinder(counties);
  const placed = areas.map((area) => ({ ...area, countyGeoid: countyOf(area)?.geoid }));
  const isLost = ({ functions, countyGeoid }: (typeof placed)[number]) =>
    functions && countyGeoid === undefined;
  const lost = placed.filter(isLost).map((area) => ({ ...area, why: "its state has no county" }));
  const used = placed.filter((area) => !isLost(area));

  const citiesOf = (wanted: Kind) =>
    has(wanted)
      ? grouped(
          used.filter(({ kind, functions }) => kind === wanted && functions),
          ({ countyGeoid }) => countyGeoid ?? "",
        )
      : undefined;
  return {
    territory: {
      states: atlas.states,
      counties,
      places: citiesOf("place"),
      townships: citiesOf("county subdivision"),
    },
    report: reportOf(
      files.map(({ name }) => name),
      { areas: used, skipped: [...skipped, ...lost] },
    ),
  };
}

/** What a command's `--gazetteer` names, see `readGazetteer`: tells what was read, or quits with what is wrong. */
export function loadGazetteer(paths: readonly string[], quit: (sentence: string) => never): Geography {
  const files: GazetteerFile[] = [];
  for (const name of paths) {
    try {
      files.push({ name, bytes: readFileSync(name) });
    } catch (error) {
      quit(`--gazetteer: ${name} can't be read: ${(error as Error).message}.`);
    }
  }
  const read = readGazetteer(files);
  if ("problem" in read) quit(`--gazetteer: ${read.problem}`);
  for (const line of read.report) console.error(line);
  return createGeography(read.territory);
}
