/** The real part of the geography: states and counties with their Census GEOIDs, from the `us-atlas` package. */
import { createRequire } from "node:module";
import * as z from "zod/mini";
import { readTable } from "../tsv";

export interface AtlasState {
  geoid: string;
  name: string;
  postalCode: string;
}

export interface AtlasCounty {
  geoid: string;
  /** The name in common use: Alameda County, Orleans Parish, Baltimore city. */
  name: string;
  /** The center of the county's outline and half its width and height, in degrees. */
  lat: number;
  lon: number;
  latReach: number;
  lonReach: number;
}

type Rings = number | Rings[];
interface Shape {
  id: string;
  properties: { name: string };
  arcs: Rings[];
}
/** The parts of a TopoJSON file that are used here. Arcs are lists of integer steps, scaled and moved into degrees. */
interface Topology {
  transform: { scale: [number, number]; translate: [number, number] };
  arcs: [number, number][][];
  objects: { counties: { geometries: Shape[] }; states: { geometries: Shape[] } };
}

interface Box {
  west: number;
  south: number;
  east: number;
  north: number;
}

function around(boxes: readonly Box[]): Box {
  return {
    west: Math.min(...boxes.map((box) => box.west)),
    south: Math.min(...boxes.map((box) => box.south)),
    east: Math.max(...boxes.map((box) => box.east)),
    north: Math.max(...boxes.map((box) => box.north)),
  };
}

function arcBoxes({ arcs, transform }: Topology): Box[] {
  const [lonScale, latScale] = transform.scale;
  const [lonStart, latStart] = transform.translate;
  return arcs.map((steps) => {
    let [x, y] = [0, 0];
    let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const [dx, dy] of steps) {
      x += dx;
      y += dy;
      west = Math.min(west, x);
      south = Math.min(south, y);
      east = Math.max(east, x);
      north = Math.max(north, y);
    }
    return {
      west: lonStart + west * lonScale,
      south: latStart + south * latScale,
      east: lonStart + east * lonScale,
      north: latStart + north * latScale,
    };
  });
}

function countyBox(county: Shape, boxes: readonly Box[]): Box {
  // A negative index is an arc drawn backwards; the arc's own index is its complement (~).
  const parts = (county.arcs.flat(3) as number[]).map((arc) => boxes[arc < 0 ? ~arc : arc]!);
  const whole = around(parts);
  if (whole.east - whole.west < 180) return whole;
  // The Aleutians cross the 180th meridian, so their eastern longitudes are counted on westwards.
  return around(
    parts.map((part) => (part.west > 0 ? { ...part, west: part.west - 360, east: part.east - 360 } : part)),
  );
}

const suffixes = new Map(
  readTable("county-suffixes", z.object({ geoid_prefix: z.string(), suffix: z.string() })).map((row) => [
    row.geoid_prefix,
    row.suffix,
  ]),
);

/** The atlas has bare names ("Orleans"); the longest listed prefix of the GEOID gives the word to add. */
function fullName(geoid: string, name: string): string {
  const suffix = [5, 3, 2]
    .map((length) => suffixes.get(geoid.slice(0, length)))
    .find((found) => found !== undefined);
  return `${name} ${suffix ?? "County"}`.trim();
}

const byGeoid = (one: { geoid: string }, other: { geoid: string }) => (one.geoid < other.geoid ? -1 : 1);

/** All states (with DC and the territories) and all counties (with their equivalents), by ascending GEOID. */
export function readAtlas(): { states: AtlasState[]; counties: AtlasCounty[] } {
  const topology = createRequire(import.meta.url)("us-atlas/counties-10m.json") as Topology;
  const postalCodes = new Map(
    readTable("states", z.object({ fips: z.string(), postal_code: z.string() })).map((row) => [
      row.fips,
      row.postal_code,
    ]),
  );
  const boxes = arcBoxes(topology);
  return {
    states: topology.objects.states.geometries
      .map(({ id, properties }) => {
        const postalCode = postalCodes.get(id);
        if (postalCode === undefined) throw new Error(`no postal code for state ${id}`);
        return { geoid: id, name: properties.name, postalCode };
      })
      .sort(byGeoid),
    counties: topology.objects.counties.geometries
      .map((county) => {
        const { west, south, east, north } = countyBox(county, boxes);
        return {
          geoid: county.id,
          name: fullName(county.id, county.properties.name),
          lat: (south + north) / 2,
          lon: (west + east) / 2,
          latReach: (north - south) / 2,
          lonReach: (east - west) / 2,
        };
      })
      .sort(byGeoid),
  };
}
