/** The widest digit of Calibri 11, in pixels. Source of both: ECMA-376 Part 1, 18.3.1.13 (`width` of a column). */
const digitPx = 7;

/** The pixels of a width in a file, which counts characters with their margin. */
export function pixelsOf(characters: number): number {
  return Math.trunc(((256 * characters + Math.trunc(128 / digitPx)) / 256) * digitPx);
}

/** The width in a file of so many pixels. */
export function charactersOf(px: number): number {
  return Math.trunc((px / digitPx) * 256) / 256;
}
