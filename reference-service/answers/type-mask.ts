/** Sets of data point types as bits, so that ten million (AHJ, type) pairs can be counted in milliseconds. */
import { types, type CatalogueType } from "./sample-catalogue";

/** One bit for each type, at the type's place in the catalogue. */
export type TypeMask = Uint32Array;

export const wordsPerMask = Math.ceil(types.length / 32);

export function typeMask(chosen: Iterable<CatalogueType>): TypeMask {
  const mask = new Uint32Array(wordsPerMask);
  for (const { index } of chosen) mask[index >>> 5]! |= 1 << (index & 31);
  return mask;
}

/** The types of the catalogue for which `wanted` holds. */
export function typeMaskOf(wanted: (entry: CatalogueType) => boolean): TypeMask {
  return typeMask(types.filter(wanted));
}

/** The types of a mask, by ascending id. */
export function typesOf(mask: TypeMask): CatalogueType[] {
  return types.filter(({ index }) => ((mask[index >>> 5]! >>> (index & 31)) & 1) === 1);
}

/** Counts the bits of a 32-bit word that are set. */
export function bitsSet(word: number): number {
  word -= (word >>> 1) & 0x55555555;
  word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
  return Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
