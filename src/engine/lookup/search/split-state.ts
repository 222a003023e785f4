import { stateCodeOf } from "./state-names";

/** A name without its state. */
export interface SplitName {
  rest: string;
  state: string;
  /** True if a comma, a bracket or a dash stands between, so that the state can be no part of the name. */
  isApart: boolean;
}

/** The most words of a state's name, as of the District of Columbia. */
const mostWords = 3;
/** The most characters of a name that are looked at: no jurisdiction has a longer name, and a cell may hold a whole text. */
export const mostNameCharacters = 200;

/** A name without a country behind it, as in "Orange County, Florida, USA". */
export function withoutCountry(name: string): string {
  if (name.length > mostNameCharacters) return name;
  return name
    .trim()
    .replace(/(?:,\s*(?:us|u\.\s?s\.)|[\s,]+(?:usa|u\.\s?s\.\s?a\.?|united states(?: of america)?))$/i, "")
    .replace(/[\s,]+$/, "");
}

/** Splits a state off the end of a name. */
export function stateBehind(name: string): SplitName | undefined {
  if (name.length > mostNameCharacters) return undefined;
  const [, before = "", behind = ""] =
    /^(.*[^\s,([])\s*(?:,|[([]|\s[-–—|/]\s)\s*([^,()[\]]+)[)\]]?$/.exec(name) ?? [];
  const own = behind && stateCodeOf(behind);
  if (own) return { rest: before, state: own, isApart: true };
  const words = name.split(/\s+/);
  for (let count = Math.min(mostWords, words.length - 1); count > 0; count -= 1) {
    const state = stateCodeOf(words.slice(-count).join(" "));
    if (state !== undefined)
      return { rest: words.slice(0, -count).join(" ").replace(/,$/, ""), state, isApart: false };
  }
  return undefined;
}

/** Splits a state and a comma off the beginning of a name: "California, Orange County". */
export function stateInFront(name: string): SplitName | undefined {
  if (name.length > mostNameCharacters) return undefined;
  const [, front = "", rest = ""] = /^([^,]+),\s*(.+)$/.exec(name) ?? [];
  const state = stateCodeOf(front);
  return state && rest ? { rest, state, isApart: true } : undefined;
}

/** Splits a state off the beginning, where it may be another word: "CA Orange County", "CA - Orange County", "La Porte". */
export function stateWordInFront(name: string): SplitName | undefined {
  const words = name
    .replace(/^[([]/, "")
    .split(/[\s,]+|[-–—:|/)\]]\s*/)
    .filter((word) => word !== "");
  for (let count = Math.min(mostWords, words.length - 1); count > 0; count -= 1) {
    const state = stateCodeOf(words.slice(0, count).join(" "));
    if (state !== undefined) return { rest: words.slice(count).join(" "), state, isApart: false };
  }
  return undefined;
}

/** True if a text that means a state can hardly mean something else. "ID" is a heading, "Wash" and "Ore" are words. */
export function isSurelyState(text: string): boolean {
  return (
    (/^[A-Z]{2}$/.test(text) && text !== "ID") ||
    /^(?:state|commonwealth|territory) of /i.test(text) ||
    (text.includes(".") && !/^(?:as|hi|id|in|me|oh|ok|or)\.$/i.test(text))
  );
}
