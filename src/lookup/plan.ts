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
  const rectangles: Rectangle[] = [];
  let ahjIds: number[] = [];
  let typeIds = new Set<number>();
  const close = () => {
    if (ahjIds.length === 0) return;
    // The types of a single AHJ may already be more than allowed.
    for (const slice of slices([...typeIds], maxCells)) rectangles.push({ ahjIds, typeIds: slice });
    ahjIds = [];
    typeIds = new Set();
  };
  for (const group of groupsByTypes(wanted)) {
    const union = new Set([...typeIds, ...group.typeIds]);
    if (union.size * (ahjIds.length + 1) > maxCells) close();
    for (const type of ahjIds.length === 0 ? group.typeIds : union) typeIds.add(type);
    for (const ahjId of group.ahjIds) {
      if (ahjIds.length > 0 && typeIds.size * (ahjIds.length + 1) > maxCells) {
        close();
        typeIds = new Set(group.typeIds);
      }
      ahjIds.push(ahjId);
    }
  }
  close();
  return rectangles;
}

/** AHJs that want the same types, together; groups with similar types side by side, so that rectangles stay narrow. */
function groupsByTypes(wanted: Wanted): Rectangle[] {
  const keys = new Map<ReadonlySet<number>, string>();
  const groups = new Map<string, Rectangle>();
  for (const [ahjId, types] of wanted) {
    if (types.size === 0) continue;
    let key = keys.get(types);
    if (key === undefined) keys.set(types, (key = sorted(types).join()));
    const group = groups.get(key);
    if (group) group.ahjIds.push(ahjId);
    else groups.set(key, { ahjIds: [ahjId], typeIds: sorted(types) });
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
}

function sorted(types: ReadonlySet<number>): number[] {
  return [...types].sort((a, b) => a - b);
}

function slices<Item>(items: Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
