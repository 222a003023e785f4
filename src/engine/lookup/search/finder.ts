import uFuzzy from "@leeoniya/ufuzzy";
import { plainName } from "./plain-name";

/** Finds texts while somebody types. */
export interface Finder {
  /**
   * The indexes of the texts that have all words, each at the beginning of a word, in any order; best first. If there is none, the
   * texts that have the words without blanks between them ("De Kalb"), then the texts that differ by one letter a word ("Almeda").
   */
  find(text: string): number[];
}

/** If more texts than this are found, they come in their own order. */
const mostRanked = 1_000;
/** Up to this many words are found in any order. */
const wordsInAnyOrder = 4;

const exact = new uFuzzy({ intraMode: 0, interLft: 1 });
const oneOff = new uFuzzy({ intraMode: 1, intraIns: 1, intraSub: 1, intraTrn: 1, intraDel: 1, interLft: 1 });

/** `texts` must have the form that `plainName` gives. */
export function createFinder(texts: readonly string[]): Finder {
  const haystack = [...texts];
  let joined: string[] | undefined;

  function search(fuzzy: uFuzzy, stack: string[], needle: string): number[] {
    const [found, info, order] = fuzzy.search(stack, needle, wordsInAnyOrder, mostRanked);
    return order?.flatMap((at) => info?.idx[at] ?? []) ?? found ?? [];
  }

  return {
    find(text) {
      const needle = plainName(text);
      if (needle === "") return [];
      const found = search(exact, haystack, needle);
      if (found.length > 0) return found;
      joined ??= haystack.map((each) => each.replaceAll(" ", ""));
      const inOne = needle.includes(" ") ? search(exact, joined, needle.replaceAll(" ", "")) : [];
      return inOne.length > 0 ? inOne : search(oneOff, haystack, needle);
    },
  };
}
