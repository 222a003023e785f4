import { config } from "../../../config";

/** The data point types wanted of each AHJ, by ids. */
export type WantedAnswers = ReadonlyMap<number, ReadonlySet<number>>;

/** The cells that one request, or the pages of one list, ask for. Some of them may not be wanted. */
export interface Rectangle {
  ahjIds: number[];
  typeIds: number[];
}

/** The number of cells that a matrix may have: `cells` now, doubled with each matrix that the service accepts, up to `mostCells`. */
export interface MatrixLimit {
  cells: number;
  mostCells: number;
}

/** Wanted answers that are not known yet. */
export interface UnknownAnswers {
  /** Values with their citation, which the matrix gives. */
  values: WantedAnswers;
  /** Values that are wanted with the date of the last change, which only the list of data points tells. */
  dated?: WantedAnswers | undefined;
  /** AHJs whose county, population and position are wanted. Each AHJ takes a request. */
  details?: ReadonlySet<number> | undefined;
}

/** The requests that bring the wanted answers. */
export interface Plan {
  /** Each matrix is at most twice as large as the largest one before it. */
  matrices: Rectangle[];
  dataPoints: Rectangle[];
  details: number[];
}

export function planRequests({ values, dated, details }: UnknownAnswers, limit: MatrixLimit): Plan {
  return {
    matrices: planMatrices(dated ? without(values, dated) : values, limit),
    dataPoints: dated ? planDataPoints(dated) : [],
    details: [...(details ?? [])],
  };
}

/** The number of requests that a plan takes: exact for matrices and details, an upper limit for data points. */
export function requestsOf({ matrices, dataPoints, details }: Plan): number {
  const pages = dataPoints.reduce((sum, rectangle) => sum + pagesOf(rectangle), 0);
  return matrices.length + pages + details.length;
}

/** Cells of a rectangle, wanted or not. */
export function cellsOf({ ahjIds, typeIds }: Rectangle): number {
  return ahjIds.length * typeIds.length;
}

/**
 * Cuts the wanted cells into as few matrices as possible, because cells that nobody asked for cost less than another request. Once the
 * service's limit is known, the matrices are about equally large, so that several go side by side and none blocks the page longer than it
 * must.
 */
function planMatrices(wanted: WantedAnswers, limit: MatrixLimit): Rectangle[] {
  const few = cutIntoMatrices(wanted, limit);
  if (few.length < 2 || limit.cells < limit.mostCells) return few;
  const cells = cellsOfAll(few);
  // The size allows for one more line, because a line is not cut in two.
  const longestLine = few.reduce((most, { typeIds }) => Math.max(most, typeIds.length), 0);
  const evenCells = Math.min(Math.ceil(cells / few.length) + longestLine - 1, limit.cells);
  const even = cutIntoMatrices(wanted, { cells: evenCells, mostCells: evenCells });
  return even.length > few.length || cellsOfAll(even) > cells ? few : even;
}

function cellsOfAll(rectangles: readonly Rectangle[]): number {
  return rectangles.reduce((sum, rectangle) => sum + cellsOf(rectangle), 0);
}

function cutIntoMatrices(wanted: WantedAnswers, { cells, mostCells }: MatrixLimit): Rectangle[] {
  const sizeAt = (index: number) => Math.min(cells * 2 ** index, mostCells);
  return cut(wanted, {
    mostWants: sizeAt,
    fits: (lines, wants, { index }) => lines * wants <= sizeAt(index),
    cost: () => 1,
    leastCost(wantedCells) {
      let count = 0;
      for (let left = wantedCells; left > 0; count += 1) left -= sizeAt(count);
      return count;
    },
  });
}

/**
 * Cuts the wanted cells for the list of data points, so that addresses are short and pages are few. Cells that nobody asked for may cost a
 * page, so lines with different wants share a rectangle only while everything fits on one page.
 */
function planDataPoints(wanted: WantedAnswers): Rectangle[] {
  return cut(wanted, {
    mostWants: () => config.idsPerAddress - 1,
    fits: (lines, wants, { isFull }) =>
      lines + wants <= config.idsPerAddress && (isFull || lines * wants <= config.pageSize),
    cost: pagesOf,
    leastCost: (wantedCells) => Math.ceil(wantedCells / config.pageSize),
  });
}

function pagesOf(rectangle: Rectangle): number {
  return Math.ceil(cellsOf(rectangle) / config.pageSize);
}

/** The limits and costs of rectangles. */
interface Shape {
  /** The number of a single line's wants that fit into a rectangle. */
  mostWants(index: number): number;
  /** True if a rectangle may have this size. `isFull`: every cell is wanted; `index`: the number of rectangles before this one. */
  fits(lines: number, wants: number, rectangle: { isFull: boolean; index: number }): boolean;
  /** The number of requests that a rectangle takes. */
  cost(rectangle: Rectangle): number;
  /** The fewest requests that any plan for this many wanted cells can take. */
  leastCost(cells: number): number;
}

/** Lines (AHJs, or types) with the same wants. */
interface Group {
  lines: number[];
  /** Sorted. */
  wants: number[];
}

/** Cuts by AHJ or by type, whichever takes fewer requests; if both take the same number, whichever asks for fewer cells. */
function cut(wanted: WantedAnswers, shape: Shape): Rectangle[] {
  const groups = groupsOf(wanted);
  const sum = (plan: Rectangle[], of: (rectangle: Rectangle) => number) =>
    plan.reduce((total, rectangle) => total + of(rectangle), 0);
  const first = cutInOrder(groups, shape).map(rectangleOf);
  const cells = groups.reduce((total, { lines, wants }) => total + lines.length * wants.length, 0);
  if (sum(first, shape.cost) <= shape.leastCost(cells)) return first;

  const second = cutInOrder(turnedGroupsOf(groups, wanted), shape).map(turnedRectangleOf);
  const saved = sum(first, shape.cost) - sum(second, shape.cost);
  return saved > 0 || (saved === 0 && sum(second, cellsOf) < sum(first, cellsOf)) ? second : first;
}

/** Fills one rectangle after another. Groups with similar wants are neighbors, so that the rectangles stay narrow. */
function cutInOrder(groups: readonly Group[], shape: Shape): Group[] {
  const rectangles: Group[] = [];
  let lines: number[] = [];
  let wants = new Set<number>();
  const close = () => {
    if (lines.length > 0)
      rectangles.push(...slicesOf({ lines, wants: [...wants] }, shape, rectangles.length));
    lines = [];
    wants = new Set();
  };
  for (const group of groups) {
    const union = new Set([...wants, ...group.wants]);
    let isFull = lines.length === 0;
    if (shape.fits(lines.length + 1, union.size, { isFull, index: rectangles.length })) wants = union;
    else close();
    for (const line of group.lines) {
      if (!shape.fits(lines.length + 1, wants.size, { isFull, index: rectangles.length })) close();
      if (lines.length === 0) {
        wants = new Set(group.wants);
        isFull = true;
      }
      lines.push(line);
    }
  }
  close();
  return rectangles;
}

/** Cuts a group whose lines have more wants than fit into one rectangle. */
function slicesOf({ lines, wants }: Group, shape: Shape, index: number): Group[] {
  const slices: Group[] = [];
  for (let at = 0; at < wants.length;) {
    const next = at + shape.mostWants(index + slices.length);
    slices.push({ lines, wants: wants.slice(at, next) });
    at = next;
  }
  return slices;
}

function rectangleOf({ lines, wants }: Group): Rectangle {
  return { ahjIds: lines, typeIds: wants };
}

function turnedRectangleOf({ lines, wants }: Group): Rectangle {
  return { ahjIds: wants, typeIds: lines };
}

/** Groups lines with the same wants, and puts groups with similar wants next to each other. */
function groupsOf(wanted: WantedAnswers): Group[] {
  const keys = new Map<ReadonlySet<number>, string>();
  const groups = new Map<string, Group>();
  for (const [line, set] of wanted) {
    if (set.size === 0) continue;
    let key = keys.get(set);
    if (key === undefined) keys.set(set, (key = sorted(set).join()));
    const group = groups.get(key);
    if (group) group.lines.push(line);
    else groups.set(key, { lines: [line], wants: sorted(set) });
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
}

/** Groups of the same wanted cells with types as lines. */
function turnedGroupsOf(groups: readonly Group[], wanted: WantedAnswers): Group[] {
  const [only] = groups;
  if (groups.length === 1 && only) return [{ lines: only.wants, wants: only.lines }];
  const turned = new Map<number, Set<number>>();
  for (const [line, wants] of wanted) {
    for (const want of wants) {
      const lines = turned.get(want);
      if (lines) lines.add(line);
      else turned.set(want, new Set([line]));
    }
  }
  return groupsOf(turned);
}

/** The cells that are in `wanted` but not in `other`. */
function without(wanted: WantedAnswers, other: WantedAnswers): WantedAnswers {
  return new Map(
    [...wanted].map(([line, wants]) => {
      const taken = other.get(line);
      return [line, taken ? new Set([...wants].filter((want) => !taken.has(want))) : wants];
    }),
  );
}

function sorted(set: ReadonlySet<number>): number[] {
  return [...set].sort((a, b) => a - b);
}
