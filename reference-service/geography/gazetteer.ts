/**
 * Census Gazetteer files: real counties, places and county subdivisions in place of the generated ones. Layouts:
 * https://www.census.gov/programs-surveys/geography/technical-documentation/records-layout/gaz-record-layouts.html
 */
import { readFileSync } from "node:fs";
import { readAtlas, type AtlasCounty } from "./atlas";
import { grouped } from "../grouped";
import { counted } from "../http/envelope";
import { createGeography, type City, type Geography, type Territory } from "./geography";

interface GazetteerFile {
  /** The file's name in the report. */
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
  /** True if the area has a government that functions; without one it is no AHJ. */
  functions: boolean;
}

interface Reading {
  areas: Area[];
  skipped: (Where & { why: string })[];
}

/** Census functional status codes of governments that function, including consolidated and special-purpose governments. */
const functioning = [..."ABCE"];
/** Census codes of fictitious, subordinate, inactive, nonfunctioning, quasi-legal, statistical and state-recognized areas. */
const notFunctioning = [..."FGILMNST"];

const neededColumns = ["USPS", "GEOID", "NAME", "INTPTLAT", "INTPTLONG"];

/** The farthest that a county's generated places lie from its interior point, in degrees. */
const sampleReach = 0.1;

/** The number of skipped lines that the report names; it counts the others. */
const maxNamed = 20;

/** Thrown when a line can't be used, with the reason. */
class UnusableLine extends Error {}

function unusable(why: string): never {
  throw new UnusableLine(why);
}

const quoted = (text: string) => JSON.stringify(text.length > 30 ? `${text.slice(0, 30)}…` : text);
const inThousands = (count: number) => count.toLocaleString("en-US");

function degrees(text: string | undefined, most: number): number {
  const value = text ? Number(text) : NaN;
  return Math.abs(value) <= most ? value : unusable("its INTPTLAT and INTPTLONG are not in degrees");
}

/** Reads one line. Throws UnusableLine if it can't be used. */
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

/** Adds the lines of a file to the reading. Returns a sentence that says why the file is no gazetteer file; undefined if it is one. */
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
      // The decoder puts this character where the bytes are not UTF-8.
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

/** The areas by ascending GEOID. If several lines have one GEOID, the first counts. */
function withoutRepeated({ areas, skipped }: Reading): Reading {
  const byGeoid = new Map<string, Area>();
  const repeated = areas.flatMap((area) => {
    const first = byGeoid.get(area.geoid);
    if (first === undefined) byGeoid.set(area.geoid, area);
    const why = `its GEOID ${quoted(area.geoid)} is already in ${first?.file}, line ${first?.line}`;
    return first ? [{ ...area, why }] : [];
  });
  return {
    areas: [...byGeoid.values()].sort((one, other) => (one.geoid < other.geoid ? -1 : 1)),
    skipped: [...skipped, ...repeated],
  };
}

/** The square of the distance in degrees of latitude, exact enough to tell which of two places is nearer. */
function squaredDistance(one: City, other: AtlasCounty): number {
  const east = ((one.lon - other.lon + 540) % 360) - 180;
  return (one.lat - other.lat) ** 2 + (east * Math.cos((one.lat * Math.PI) / 180)) ** 2;
}

/**
 * Finds the county that a city lies in. A county subdivision's GEOID begins with its county's. The gazetteer does not name a place's
 * county, so the county of its state with the nearest interior point is taken, which is an approximation. The same holds for a subdivision
 * whose county is missing, such as one of Connecticut in a year before or after its counties changed.
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

/** The report: one line for each file, then the skipped lines. */
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
  return [
    ...files,
    ...named,
    ...(unnamed > 0 ? [`Skipped lines that are not listed here: ${inThousands(unnamed)}.`] : []),
  ];
}

/**
 * The states with the counties, places and subdivisions of the files. If any file has lines of a kind of area, all areas of this kind come
 * from the files, in every state. The other kinds come from the atlas (counties) or are generated (places and townships). The order of
 * files and lines does not matter, except that the first of several lines with one GEOID counts. The report says in lines which areas were
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

/**
 * Reads the files of a command's `--gazetteer` (see `readGazetteer`) and prints the report. Calls `quit` with a sentence if a file can't be
 * used.
 */
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
