/** A random source that one seed decides. */
export interface Random {
  /** A number from 0 to below 1. */
  next(): number;
  /** A whole number from `least` to `most`. */
  whole(least: number, most: number): number;
  chance(share: number): boolean;
  one<Item>(items: readonly Item[]): Item;
  /** Some of the items, at least `least`, in random order. */
  some<Item>(items: readonly Item[], least?: number): Item[];
  shuffled<Item>(items: readonly Item[]): Item[];
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  const shuffled = <Item>(items: readonly Item[]) => {
    const mixed = [...items];
    for (let at = mixed.length - 1; at > 0; at -= 1) {
      const other = whole(0, at);
      [mixed[at], mixed[other]] = [mixed[other] as Item, mixed[at] as Item];
    }
    return mixed;
  };
  return {
    next,
    whole,
    chance: (share) => next() < share,
    one: (items) => {
      if (items.length === 0) throw new Error("nothing to choose from");
      return items[whole(0, items.length - 1)] as (typeof items)[number];
    },
    some: (items, least = 1) => shuffled(items).slice(0, whole(Math.min(least, items.length), items.length)),
    shuffled,
  };
}
