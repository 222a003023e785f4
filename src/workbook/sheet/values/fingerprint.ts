/** Tells whether the same values still stand, row by row, without keeping them: the file would hold each twice. */
export function fingerprint(values: readonly (readonly unknown[])[]): string {
  // FNV-1a over UTF-16 units, twice with other starts: 64 bits.
  const characters = JSON.stringify(values);
  let [one, other] = [0x811c9dc5, 0x01000193];
  for (let index = 0; index < characters.length; index += 1) {
    const unit = characters.charCodeAt(index);
    one = Math.imul(one ^ unit, 0x01000193);
    other = Math.imul(other ^ unit ^ (index & 0xff), 0x85ebca6b);
  }
  return [one, other].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
}

/** A number of 24 bits for a text; `begun` is of what stands before it, so that texts which begin alike need not be put together. */
export function shortPrint(text: string, begun?: number): number {
  const hash = beginPrint(text, begun);
  // The highest bits are folded into the others, as FNV's authors advise.
  return ((hash >>> 24) ^ hash) & 0xffffff;
}

/** FNV-1a over UTF-16 units, to go on with. */
export function beginPrint(text: string, begun = 0x811c9dc5): number {
  let hash = begun;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash;
}
