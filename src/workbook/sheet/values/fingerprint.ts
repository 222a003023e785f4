/** A fingerprint of values, row by row. It tells whether values have changed without storing them a second time in the file. */
export function fingerprint(values: readonly (readonly unknown[])[]): string {
  // FNV-1a over UTF-16 units, twice with different starts, which gives 64 bits.
  const characters = JSON.stringify(values);
  let [one, other] = [0x811c9dc5, 0x01000193];
  for (let index = 0; index < characters.length; index += 1) {
    const unit = characters.charCodeAt(index);
    one = Math.imul(one ^ unit, 0x01000193);
    other = Math.imul(other ^ unit ^ (index & 0xff), 0x85ebca6b);
  }
  return [one, other].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
}

/**
 * A fingerprint of 24 bits for a text. `begun` is the fingerprint of a text before it, so that texts with the same beginning need not be
 * joined.
 */
export function shortPrint(text: string, begun?: number): number {
  const hash = beginPrint(text, begun);
  // The highest bits are folded into the others, as FNV's authors advise.
  return ((hash >>> 24) ^ hash) & 0xffffff;
}

/** FNV-1a over UTF-16 units. The result can be passed on as `begun`. */
export function beginPrint(text: string, begun = 0x811c9dc5): number {
  let hash = begun;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash;
}
