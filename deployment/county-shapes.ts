/**
 * Makes the counties' shapes for the pane's map when the add-in is built. Their source is the Census Bureau's shapes of 2017 (us-atlas).
 * They are projected to a flat picture, simplified, rounded and packed, so the pane needs no projection and loads a quarter of the bytes.
 */
import { geoAlbersUsa, geoMercator, type GeoProjection } from "d3-geo";
import { planarRingArea, presimplify } from "topojson-simplify";
import type { PackedShapes } from "../src/pictures/county-outlines";
import type { GeometryCollection, MultiPolygon, Polygon, Topology } from "topojson-specification";

type County = Polygon | MultiPolygon;
export type CountyAtlas = Topology<{ counties: GeometryCollection }>;

/** The picture's width and height, in its own units. */
const width = 1_020;
const height = 632;

/** Coordinates are rounded to a fifth of a unit. */
const stepsPerUnit = 5;

/** In square units. A corner is left out if its triangle with its neighbors is smaller than this; an islet is left out if it is smaller. */
const leastCorner = 0.25;
const leastIslet = 1;

/** In square units. A smaller area is a rounding error. */
const leastArea = 1e-6;

/** The share of a county's own area below which a corner may be left out: Virginia's cities are hardly larger than `leastCorner`. */
const leastPartOfCounty = 1 / 30;

const albers = geoAlbersUsa().scale(1_300).translate([546, 295]);
const inset = (center: [number, number], scale: number, translate: [number, number]): GeoProjection =>
  geoMercator().center(center).scale(scale).translate(translate);

/** The projections of the islands that Albers USA leaves out. They lie side by side below the states, each as large as it can be. */
const insets: Record<string, GeoProjection> = {
  "60": inset([-170.7, -14.28], 6_000, [450, 598]),
  "66": inset([144.79, 13.45], 4_500, [600, 598]),
  "69": inset([145.4, 17.3], 1_000, [640, 570]),
  "72": inset([-66.45, 18.22], 3_000, [770, 600]),
  "78": inset([-64.8, 18.04], 3_600, [925, 598]),
};

type Point = [x: number, y: number];

const arcOf = (index: number) => (index < 0 ? ~index : index);
const polygonsOf = (county: County) => (county.type === "Polygon" ? [county.arcs] : county.arcs);

export function countyShapes(atlas: CountyAtlas): PackedShapes {
  const counties = (atlas.objects.counties.geometries as County[]).sort((one, other) =>
    String(one.id) < String(other.id) ? -1 : 1,
  );
  const usesOf = new Map<number, County[]>();
  for (const county of counties)
    for (const index of polygonsOf(county).flat(2)) {
      const arc = arcOf(index);
      usesOf.set(arc, [...(usesOf.get(arc) ?? []), county]);
    }
  // `presimplify` only undoes the transform of a topology that has one; it weighs the corners of a topology without one.
  const { arcs: onGlobe } = presimplify(atlas);
  const projected = onGlobe.map((arc, index) =>
    arc.map(([longitude = NaN, latitude = NaN]) => projectedPoint([longitude, latitude], usesOf.get(index))),
  );
  const weighed = presimplify({ type: "Topology", objects: {}, arcs: projected }).arcs;
  const ringOf = (arcs: number[]): Point[] =>
    arcs.flatMap((index) => {
      const points = projected[arcOf(index)] ?? [];
      return index < 0 ? [...points].reverse() : points;
    });
  const areaOf = ([outer = []]: number[][]) => planarRingArea(ringOf(outer));
  const areas = new Map(
    counties.map((county) => [county, Math.max(...polygonsOf(county).map(areaOf))] as const),
  );
  // Counties without an area are left out: the atlas has Falls Church, a city of Virginia, as a line.
  const drawn = counties.filter((county) => (areas.get(county) ?? 0) > leastArea);
  const packer = createPacker((arc) => {
    const area = Math.min(...(usesOf.get(arc) ?? []).map((county) => areas.get(county) ?? 0));
    const least = Math.min(leastCorner, area * leastPartOfCounty);
    return (weighed[arc] ?? [])
      .filter(([, , weight = 0]) => weight >= least)
      .map(([x = NaN, y = NaN]) => [Math.round(x * stepsPerUnit), Math.round(y * stepsPerUnit)]);
  });
  const isIslet = (polygon: number[][], county: County) =>
    polygon.flat().every((index) => usesOf.get(arcOf(index))?.length === 1) &&
    areaOf(polygon) < Math.min(leastIslet, areas.get(county) ?? 0);
  return {
    width: width * stepsPerUnit,
    height: height * stepsPerUnit,
    geoids: drawn.map(({ id }) => String(id)),
    polygons: drawn.map((county) =>
      polygonsOf(county)
        .filter((polygon) => !isIslet(polygon, county))
        .map((polygon) => polygon.map(packer.packRing)),
    ),
    arcs: packer.arcs,
  };
}

function projectedPoint(place: Point, [county]: County[] = []): Point {
  const projection = insets[String(county?.id).slice(0, 2)] ?? albers;
  const point = projection(place);
  if (!point) throw new Error(`${place.join(" ")} of ${county?.id} is nowhere in the picture`);
  return point;
}

/**
 * Numbers the arcs in the order in which they are first used, in the direction of that use, so an arc mostly begins where the last one
 * ended.
 */
function createPacker(pointsOf: (arc: number) => Point[]) {
  const arcs: number[][] = [];
  /** The packed number of each arc of the atlas; its complement (~) if the packed points run the other way. */
  const numbers = new Map<number, number>();
  let lastPoint: Point = [0, 0];
  let lastIndex = 0;
  const pack = (points: Point[]) =>
    arcs.push(
      points.flatMap(([x, y]) => {
        const step = [x - lastPoint[0], y - lastPoint[1]];
        lastPoint = [x, y];
        return step;
      }),
    ) - 1;
  const numberOf = (index: number) => {
    const arc = arcOf(index);
    if (!numbers.has(arc)) {
      const points = pointsOf(arc);
      numbers.set(arc, index < 0 ? ~pack(points.reverse()) : pack(points));
    }
    const number = numbers.get(arc) ?? 0;
    return index < 0 ? ~number : number;
  };
  return {
    arcs,
    packRing: (ring: number[]) =>
      ring.map((index) => {
        const number = numberOf(index);
        const step = number - lastIndex;
        lastIndex = number;
        return step;
      }),
  };
}
