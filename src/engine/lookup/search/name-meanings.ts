import { inTurns } from "../../../async/in-turns";
import { addTo } from "../../../lists";
import type { Ahj } from "../../api/schemas";
import { createPlaces } from "../directory/places";
import { guessNames } from "./guess-names";
import { isBorough } from "./other-names";
import { nameKey } from "./plain-name";
import { stateCodeOf } from "./state-names";

/** The jurisdictions that a name stands for, by the rules of docs/guide.md, "Names". */
export interface NameMeaning {
  candidates: readonly Ahj[];
  /** Set if no jurisdiction has exactly this name: tells if the guess is certain all the same (`guessNames`). */
  guess?: "certain" | "perhaps" | undefined;
}

/** The meaning of each name. `state`, a code, decides between namesakes, and counts for a name without a state. */
export async function nameMeanings(
  names: readonly string[],
  ahjs: readonly Ahj[],
  state?: string,
): Promise<Map<string, NameMeaning>> {
  const { meanings, isOpen } = await findByName(names, ahjs, state);
  const open = names.filter(isOpen);
  const guesses = await guessNames(open, ahjs, { places: createPlaces(ahjs), state });
  for (const [name, guess] of guesses) {
    const exact = meanings.get(name)?.candidates ?? [];
    const candidates = [...new Set([...exact, ...guess.candidates])];
    if (candidates.length > exact.length)
      meanings.set(name, { candidates, guess: guess.isCertain ? "certain" : "perhaps" });
  }
  return meanings;
}

/** The jurisdiction that is certainly meant; undefined if there is any doubt. */
export function certainMeaning({ candidates: [ahj, other], guess }: NameMeaning): Ahj | undefined {
  return other || guess === "perhaps" ? undefined : ahj;
}

/**
 * The AHJs with each name, in upper or lower case. A state after the name, as a code or name, narrows them. If several are left, `state`
 * narrows them to its own, if it has any. A name is open if no AHJ has it, or if others may be meant as well.
 */
async function findByName(names: readonly string[], ahjs: readonly Ahj[], state: string | undefined) {
  const byName = new Map<string, Ahj[]>();
  await inTurns(ahjs, (ahj) => {
    addTo(byName, nameKey(ahj.name), ahj);
  });
  const meanings = new Map<string, NameMeaning>();
  const others = new Set<string>();
  const find = (name: string): Ahj[] => {
    const whole = byName.get(nameKey(name));
    if (whole) return whole;
    const [, placeName = "", place = ""] =
      /^(.+),([^,]+)$/.exec(name) ?? /^(.+)\s([a-z]{2})$/i.exec(name) ?? [];
    const named = stateCodeOf(place);
    const found = named
      ? (byName.get(nameKey(placeName)) ?? []).filter((ahj) => ahj.state_code === named)
      : [];
    // "New York, NY" is seldom the state, and "Boulder Co" may be Boulder County.
    if (found.some(({ type }) => type === "state") || /\sCo$/.test(name)) others.add(name);
    return found;
  };
  await inTurns(names, (name) => {
    const found = find(name);
    const inState = found.filter((ahj) => ahj.state_code === state);
    meanings.set(name, { candidates: inState.length > 0 ? inState : found });
    if (found.length > 0 && isBorough(nameKey(name), state)) others.add(name);
  });
  const isOpen = (name: string) => others.has(name) || meanings.get(name)?.candidates.length === 0;
  return { meanings, isOpen };
}
