import TinyQueue from "tinyqueue";

/** Items in an order. Adding an item, removing it and finding the first cost about the same however many there are. */
export interface Waiting<Item> extends Iterable<Item> {
  readonly size: number;
  add(item: Item): void;
  /** Removes an item that is in the queue. */
  delete(item: Item): void;
  first(): Item | undefined;
}

export function createWaiting<Item>(compare: (one: Item, other: Item) => number): Waiting<Item> {
  const items = new Set<Item>();
  /** Also holds removed items, until they come first or make up most of it. */
  let heap = new TinyQueue<Item>([], compare);
  return {
    get size() {
      return items.size;
    },
    add(item) {
      items.add(item);
      heap.push(item);
    },
    delete(item) {
      items.delete(item);
      if (heap.length > 2 * items.size) heap = new TinyQueue([...items], compare);
    },
    first() {
      for (let first = heap.peek(); first !== undefined; first = heap.peek()) {
        if (items.has(first)) return first;
        heap.pop();
      }
      return undefined;
    },
    [Symbol.iterator]: () => items.values(),
  };
}
