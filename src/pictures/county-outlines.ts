/** The counties' shapes as a build packs them (deployment/county-shapes.ts): a topology in small numbers. */
export interface PackedShapes {
  width: number;
  height: number;
  /** The counties' geoIDs: five digits each, sorted. */
  geoids: string[];
  /**
   * For each county its polygons, for each polygon its rings, for each ring its arcs. Arcs are numbered as in TopoJSON: ~5 is arc 5 from
   * its end to its beginning. Each number is given as the difference from the one before it in this list.
   */
  polygons: number[][][][];
  /** For each arc its points: x and y, as the difference from the point before it, even if that is the last point of another arc. */
  arcs: number[][];
}

export interface CountyOutline {
  geoid: string;
  /** The path in the form that SVG draws. */
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
  /** The box of each state, by the first two digits of its counties' geoIDs. */
  boxes: ReadonlyMap<string, Box>;
  /** The borders of states, and shores, as one path. */
  stateBorders: string;
}

/** A line from a place, in steps: x and y of each step after the other. */
interface Arc {
  start: Place;
  end: Place;
  steps: number[];
  box: Box;
}

interface Place {
  x: number;
  y: number;
}

export function countyOutlines({
  width,
  height,
  geoids,
  polygons,
  arcs: packed,
}: PackedShapes): CountyOutlines {
  const arcs = unpackArcs(packed);
  const boxes = new Map<string, Box>();
  const statesOfArc = arcs.map((): string[] => []);
  let number = 0;
  const counties = polygons.map((county, index): CountyOutline => {
    const geoid = geoids[index] ?? "";
    const state = geoid.slice(0, 2);
    let path = "";
    for (const ring of county.flat()) {
      const steps: string[] = [];
      let start: Place | undefined;
      for (const difference of ring) {
        number += difference;
        const isForward = number >= 0;
        const place = isForward ? number : ~number;
        const arc = arcs[place];
        if (!arc) continue;
        start ??= isForward ? arc.start : arc.end;
        steps.push((isForward ? arc.steps : backward(arc.steps)).join());
        statesOfArc[place]?.push(state);
        boxes.set(state, around(boxes.get(state), arc.box));
      }
      if (start) path += `M${start.x},${start.y}l${steps.join()}Z`;
    }
    return { geoid, path };
  });
  const isBorder = (_: Arc, index: number) => {
    const [one, other] = statesOfArc[index] ?? [];
    return one !== other;
  };
  const borders = arcs.filter(isBorder).map(({ start, steps }) => `M${start.x},${start.y}l${steps.join()}`);
  return { whole: { x: 0, y: 0, width, height }, counties, boxes, stateBorders: borders.join("") };
}

/** The middle of a county's largest area, in the outline's units. */
export function middleOf({ path }: CountyOutline): Place {
  const areas = path.split("Z").flatMap((ring) => {
    const [x = 0, y = 0, ...steps] = (ring.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number);
    return steps.length > 0 ? [unpackArcs([[x, y, ...steps]])[0]!.box] : [];
  });
  const [first = { x: 0, y: 0, width: 0, height: 0 }, ...others] = areas;
  const size = ({ width, height }: Box) => width * height;
  const largest = others.reduce((one, other) => (size(other) > size(one) ? other : one), first);
  return { x: largest.x + largest.width / 2, y: largest.y + largest.height / 2 };
}

/** The box around these states, given by the first two digits of their counties' geoIDs; the whole map if there are none. */
export function boxOf({ boxes, whole }: CountyOutlines, states: readonly string[]): Box {
  const own = states.flatMap((state) => boxes.get(state) ?? []);
  const [first] = own;
  return first ? own.reduce(around, first) : whole;
}

function unpackArcs(arcs: readonly number[][]): Arc[] {
  let [x, y] = [0, 0];
  return arcs.map((numbers) => {
    x += numbers[0] ?? 0;
    y += numbers[1] ?? 0;
    const start = { x, y };
    let [left, top, right, bottom] = [x, y, x, y];
    for (let at = 2; at < numbers.length; at += 2) {
      x += numbers[at] ?? 0;
      y += numbers[at + 1] ?? 0;
      [left, right] = [Math.min(left, x), Math.max(right, x)];
      [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
    }
    const box = { x: left, y: top, width: right - left, height: bottom - top };
    return { start, end: { x, y }, steps: numbers.slice(2), box };
  });
}

function backward(steps: readonly number[]): number[] {
  const back: number[] = [];
  for (let at = steps.length - 2; at >= 0; at -= 2) back.push(-(steps[at] ?? 0), -(steps[at + 1] ?? 0));
  return back;
}

function around(one: Box | undefined, other: Box): Box {
  if (!one) return other;
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)];
  const right = Math.max(one.x + one.width, other.x + other.width);
  const bottom = Math.max(one.y + one.height, other.y + other.height);
  return { x, y, width: right - x, height: bottom - y };
}
