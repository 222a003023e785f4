import { inTurns } from "../../../async/in-turns";
import { addTo } from "../../../lists";
import type { Ahj } from "../../api/schemas";
import type { Places } from "../directory/places";
import { plainName } from "./plain-name";
import { stateCodeOf } from "./state-names";

/** Which jurisdictions a name may mean that none of them has. */
export interface NameGuess {
  candidates: Ahj[];
  /** One alone in the state that is named has the name by the rules of `plainName`, blanks aside. Never by letters that differ. */
  isCertain: boolean;
}

/** Of so many names what is not certain is looked for: a long list of something else would take minutes. */
const mostLookedFor = 50;
/** What more have in common says nothing. */
const mostCandidates = 5;

/** Those of the names that may mean something. `state` is meant where a name has none. */
export async function guessNames(
  names: readonly string[],
  ahjs: readonly Ahj[],
  { places, state }: { places: Places; state?: string | undefined },
): Promise<Map<string, NameGuess>> {
  const guesses = new Map<string, NameGuess>();
  if (names.length === 0) return guesses;
  const byName = new Map<string, Ahj[]>();
  await inTurns(ahjs, (ahj) => addTo(byName, joinedName(ahj.name), ahj));
  const others: { name: string; rest: string; named: string | undefined }[] = [];
  await inTurns(names, (name) => {
    const { rest, state: named = state } = splitState(name);
    const alike = byName.get(joinedName(rest)) ?? [];
    const there = alike.filter((ahj) => named === undefined || ahj.state_code === named);
    const isCertain = there.length === 1 && named !== undefined;
    if (there.length > 0) guesses.set(name, { candidates: there, isCertain });
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

/** A single word may be the header of a list: "Place" does not mean Placer County, "Alameda" does mean Alameda County. */
function mayBeMeant(text: string, { name }: Ahj): boolean {
  const words = plainName(text).split(" ");
  return (
    words.length > 1 ||
    plainName(name)
      .split(" ")
      .includes(words[0] ?? "")
  );
}

/** "De Kalb" and "DeKalb" are one name. */
function joinedName(name: string): string {
  return plainName(name).replaceAll(" ", "");
}

/** A state behind the name: its code or name, with or without a comma before it. */
export function splitState(name: string): { rest: string; state?: string } {
  const words = name.trim().split(/[\s,]+/);
  for (let count = Math.min(3, words.length - 1); count > 0; count -= 1) {
    const state = stateCodeOf(words.slice(-count).join(" "));
    if (state !== undefined) return { rest: words.slice(0, -count).join(" "), state };
  }
  return { rest: name };
}
