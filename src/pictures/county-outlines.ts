/** The counties' shapes as a build packs them (deployment/county-shapes.ts): a topology in small numbers. */
export interface PackedShapes {
  width: number;
  height: number;
  /** Of the counties: five digits, sorted. */
  geoids: string[];
  /**
   * Of each county its polygons, of each polygon its rings, of each ring its arcs. Arcs are numbered as in TopoJSON: ~5 is arc
   * 5 from its end to its beginning. Each number is told as the difference from the one before it in this list.
   */
  polygons: number[][][][];
  /** Of each arc its points: x and y, as the difference from the point before it, be it the last of another arc. */
  arcs: number[][];
}

export interface CountyOutline {
  geoid: string;
  /** As SVG draws it. */
  path: string;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface CountyOutlines {
  whole: Box;
  counties: CountyOutline[];
  /** Of a state, by the first two digits of its counties' geoIDs. */
  boxes: ReadonlyMap<string, Box>;
  /** Borders of states, and shores: one path. */
  stateBorders: string;
}

type Point = [x: number, y: number];

export function countyOutlines({ width, height, geoids, polygons, arcs }: PackedShapes): CountyOutlines {
  const points = unpackArcs(arcs);
  const counties: CountyOutline[] = [];
  const corners = new Map<string, Point[]>();
  const statesOfArc = points.map((): string[] => []);
  let arc = 0;
  for (const [index, county] of polygons.entries()) {
    const geoid = geoids[index] ?? "";
    const state = geoid.slice(0, 2);
    const own = corners.get(state) ?? [];
    corners.set(state, own);
    let path = "";
    for (const ring of county.flat()) {
      const line: Point[] = [];
      for (const step of ring) {
        arc += step;
        const place = arc < 0 ? ~arc : arc;
        const along = points[place] ?? [];
        for (const point of arc < 0 ? [...along].reverse() : along) line.push(point);
        statesOfArc[place]?.push(state);
      }
      for (const point of line) own.push(point);
      path += `${pathOf(line)}Z`;
    }
    counties.push({ geoid, path });
  }
  const isBorder = (_: Point[], index: number) => {
    const [one, other] = statesOfArc[index] ?? [];
    return one !== other;
  };
  return {
    whole: { x: 0, y: 0, width, height },
    counties,
    boxes: new Map([...corners].map(([state, own]) => [state, boxOf(own)])),
    stateBorders: points.filter(isBorder).map(pathOf).join(""),
  };
}

function unpackArcs(arcs: readonly number[][]): Point[][] {
  let [x, y] = [0, 0];
  return arcs.map((steps) => {
    const points: Point[] = [];
    for (let at = 0; at + 1 < steps.length; at += 2) {
      x += steps[at] ?? 0;
      y += steps[at + 1] ?? 0;
      points.push([x, y]);
    }
    return points;
  });
}

function pathOf(points: readonly Point[]): string {
  return `M${points.map((point) => point.join()).join("L")}`;
}

function boxOf(points: readonly Point[]): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of points) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x);
    bottom = Math.max(bottom, y);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}
