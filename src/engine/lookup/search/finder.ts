import uFuzzy from "@leeoniya/ufuzzy";
import { plainName } from "./plain-name";

/** Finds texts while somebody types. */
export interface Finder {
  /**
   * The places of the texts that have all words, each at a word's beginning, in any order; best first. Where there is none, those
   * in which the words stand without blanks between them ("De Kalb"), then those that one letter a word keeps apart ("Almeda").
   */
  find(text: string): number[];
}

/** More places than these are given in the order of the texts. */
const mostRanked = 1_000;
/** Words are put in any order up to so many. */
const wordsInAnyOrder = 4;

const exact = new uFuzzy({ intraMode: 0, interLft: 1 });
const oneOff = new uFuzzy({ intraMode: 1, intraIns: 1, intraSub: 1, intraTrn: 1, intraDel: 1, interLft: 1 });

/** `texts`: as `plainName` gives them. */
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
