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

/** A number of 24 bits for a text. */
export function shortPrint(text: string): number {
  // FNV-1a over UTF-16 units; its highest bits are folded into the others, as its authors advise.
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return ((hash >>> 24) ^ hash) & 0xffffff;
}
