import type { Ahj } from "../../api/schemas";
import { hasWordBeginning } from "../directory/places";

export interface AhjSearch {
  text: string;
  /** Limits the search to one state code. */
  state?: string | undefined;
}

/**
 * Finds AHJs by the beginnings of words of their name, by geoID, state code or type; best matches first. It serves formulas, whose results
 * must not change with how names are guessed.
 */
export function searchAhjs(ahjs: readonly Ahj[], { text, state }: AhjSearch, limit: number): Ahj[] {
  const words = wordsOf(text);
  if (words.length === 0 && !state) return [];
  const beginning = words.join(" ");
  // Only texts of the same length can be equal, so most codes and types need not be turned into lower case.
  const is = (short: string, word: string) => short.length === word.length && short.toLowerCase() === word;
  const rankOf = (ahj: Ahj, name: string): number | undefined => {
    const isFound = (word: string) =>
      hasWordBeginning(name, word) ||
      is(ahj.state_code, word) ||
      is(ahj.type, word) ||
      ahj.geoid?.startsWith(word);
    if (!words.every(isFound)) return undefined;
    return name.startsWith(beginning) ? 0 : 1;
  };
  const names = smallNames(ahjs);
  const matches: Match[] = [];
  ahjs.forEach((ahj, at) => {
    if (state && ahj.state_code !== state) return;
    const rank = rankOf(ahj, names[at] ?? "");
    if (rank !== undefined) matches.push({ ahj, rank });
  });
  return firstOf(matches, limit).map(({ ahj }) => ahj);
}

interface Match {
  ahj: Ahj;
  rank: number;
}

/** The first matches by rank, name and state. A letter matches thousands, so only the wanted ones are sorted. */
function firstOf(matches: Match[], limit: number): Match[] {
  const first = matches.slice(0, limit).sort(compareMatches);
  for (let next = limit; next < matches.length; next += 1) {
    const match = matches[next] as Match;
    const isBefore = (other: Match | undefined) => other !== undefined && compareMatches(match, other) < 0;
    if (!isBefore(first.at(-1))) continue;
    first.splice(first.findIndex(isBefore), 0, match);
    first.pop();
  }
  return first;
}

function compareMatches(a: Match, b: Match): number {
  return (
    a.rank - b.rank || compareText(a.ahj.name, b.ahj.name) || compareText(a.ahj.state_code, b.ahj.state_code)
  );
}

const namesOfLists = new WeakMap<readonly Ahj[], string[]>();

/** The names in lower case. They are remembered, because thirty thousand names must not be converted with every key press. */
function smallNames(ahjs: readonly Ahj[]): string[] {
  const names = namesOfLists.get(ahjs) ?? ahjs.map((ahj) => ahj.name.toLowerCase());
  namesOfLists.set(ahjs, names);
  return names;
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[\s,]/)
    .filter((word) => word !== "");
}

function compareText(a: string, b: string): number {
  return a > b ? 1 : a < b ? -1 : 0;
}
