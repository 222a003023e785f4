/** Cuts a list into parts of `size` items; the last may be shorter. */
export function partsOf<Item>(items: readonly Item[], size: number): Item[][] {
  const parts: Item[][] = [];
  for (let start = 0; start < items.length; start += size) parts.push(items.slice(start, start + size));
  return parts;
}

/** Adds an item to the list that the map holds under the key. */
export function addTo<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

/** The items in lists by their key, in the order in which keys first occur. */
export function groupBy<Key, Item>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) addTo(groups, keyOf(item), item);
  return groups;
}

/** Rows x columns of items, each from the numbers of its row and its column, which count from zero. */
export function gridOf<Item>(
  { rows, columns }: { rows: number; columns: number },
  item: (down: number, across: number) => Item,
): Item[][] {
  return Array.from({ length: rows }, (_, down) =>
    Array.from({ length: columns }, (_, across) => item(down, across)),
  );
}

/** Cuts a list, in its order, into parts whose sizes add up to `room` at most; an item that is larger has a part of its own. */
export function partsWithin<Item>(
  items: Iterable<Item>,
  sizeOf: (item: Item) => number,
  { room, mostItems = Infinity }: { room: number; mostItems?: number },
): Item[][] {
  const parts: Item[][] = [];
  let taken = Infinity;
  for (const item of items) {
    const size = sizeOf(item);
    taken += size;
    if (taken > room || (parts.at(-1)?.length ?? 0) >= mostItems) {
      parts.push([]);
      taken = size;
    }
    parts.at(-1)?.push(item);
  }
  return parts;
}
