/** The data point types wanted of each AHJ, by ids. */
export type Wanted = ReadonlyMap<number, ReadonlySet<number>>;

/** What one matrix request asks for. */
export interface Rectangle {
  ahjIds: number[];
  typeIds: number[];
}

/**
 * Cuts what is wanted into few rectangles of at most `maxCells` cells. A rectangle may hold cells nobody asked
 * for: they cost less than another request.
 */
export function planRectangles(wanted: Wanted, maxCells: number): Rectangle[] {
  // AHJs that want the same types stand together, so that a rectangle stays narrow.
  const ahjs = [...wanted]
    .filter(([, types]) => types.size > 0)
    .map(([ahjId, types]) => ({ ahjId, types: [...types].sort((a, b) => a - b) }))
    .sort((a, b) => compare(a.types.join(), b.types.join()) || a.ahjId - b.ahjId);

  const rectangles: Rectangle[] = [];
  let ahjIds: number[] = [];
  let typeIds = new Set<number>();
  const close = () => {
    for (const slice of slices([...typeIds], maxCells)) rectangles.push({ ahjIds, typeIds: slice });
    ahjIds = [];
    typeIds = new Set();
  };
  for (const { ahjId, types } of ahjs) {
    const union = new Set([...typeIds, ...types]);
    if (ahjIds.length > 0 && union.size * (ahjIds.length + 1) > maxCells) close();
    ahjIds.push(ahjId);
    for (const type of types) typeIds.add(type);
  }
  if (ahjIds.length > 0) close();
  return rectangles;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function slices<Item>(items: Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
