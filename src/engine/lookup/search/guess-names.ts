import { inTurns } from "../../../async/in-turns";
import { addTo } from "../../../lists";
import type { Ahj } from "../../api/schemas";
import type { Places } from "../directory/places";
import { nameWithoutKind, plainName } from "./plain-name";
import { stateCodeOf } from "./state-names";

/** The jurisdictions that a name may mean although none of them has exactly this name. */
export interface NameGuess {
  candidates: Ahj[];
  /**
   * True if exactly one jurisdiction in the named state has the name by the rules of `plainName`, blanks aside. Different letters never
   * make it true.
   */
  isCertain: boolean;
}

/** At most this many uncertain names are searched for, because a long list of something else would take minutes. */
const mostLookedFor = 50;
/** If more jurisdictions than this match, the match says nothing. */
const mostCandidates = 5;

/** The guesses for the names that may mean something. `state` counts for a name without a state. */
export async function guessNames(
  names: readonly string[],
  ahjs: readonly Ahj[],
  { places, state }: { places: Places; state?: string | undefined },
): Promise<Map<string, NameGuess>> {
  const guesses = new Map<string, NameGuess>();
  if (names.length === 0) return guesses;
  const byName = new Map<string, Ahj[]>();
  const byShortName = new Map<string, Ahj[]>();
  await inTurns(ahjs, (ahj) => {
    const plain = plainName(ahj.name);
    addTo(byName, joined(plain), ahj);
    const short = nameWithoutKind(plain);
    if (short !== plain) addTo(byShortName, joined(short), ahj);
  });
  const others: { name: string; rest: string; named: string | undefined }[] = [];
  await inTurns(names, (name) => {
    const { rest, state: named = state } = splitState(name);
    const key = joined(plainName(rest));
    const isThere = (ahj: Ahj) => named === undefined || ahj.state_code === named;
    const alike = (byName.get(key) ?? []).filter(isThere);
    const isCertain = alike.length === 1 && named !== undefined;
    // "Orange" names no kind, so every jurisdiction called Orange may be meant.
    const there = isCertain ? alike : [...alike, ...(byShortName.get(key) ?? []).filter(isThere)];
    if (there.length > 0) guesses.set(name, { candidates: there.sort(compareStates), isCertain });
    else if (others.length < mostLookedFor) others.push({ name, rest, named });
  });
  if (others.length === 0) return guesses;
  const { createAhjFinder } = await import("./find-ahjs");
  const finder = await createAhjFinder(ahjs, places);
  await inTurns(others, ({ name, rest, named }) => {
    const close = finder.find({ text: rest, state: named }, mostCandidates + 1);
    const candidates = close.filter((ahj) => mayBeMeant(rest, ahj));
    if (close.length <= mostCandidates && candidates.length > 0)
      guesses.set(name, { candidates, isCertain: false });
  });
  return guesses;
}

/**
 * True if the name may be meant. A single word may be the header of a list: "Place" does not mean Placer County, "Alameda" does mean
 * Alameda County.
 */
function mayBeMeant(text: string, { name }: Ahj): boolean {
  const words = plainName(text).split(" ");
  return (
    words.length > 1 ||
    plainName(name)
      .split(" ")
      .includes(words[0] ?? "")
  );
}

/** Removes blanks, because "De Kalb" and "DeKalb" are one name. */
function joined(plain: string): string {
  return plain.replaceAll(" ", "");
}

function compareStates({ state_code: one }: Ahj, { state_code: other }: Ahj): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Splits a state off the end of a name: its code or name, with or without a comma before it. */
export function splitState(name: string): { rest: string; state?: string } {
  const words = name.trim().split(/[\s,]+/);
  for (let count = Math.min(3, words.length - 1); count > 0; count -= 1) {
    const state = stateCodeOf(words.slice(-count).join(" "));
    if (state !== undefined) return { rest: words.slice(0, -count).join(" "), state };
  }
  return { rest: name };
}
