import { inTurns } from "../../../async/in-turns";
import type { Ahj } from "../../api/schemas";
import type { Places } from "../directory/places";
import { createNameIndex, type NameIndex } from "./name-index";
import { isCountyKind, kindAsked, ofKinds } from "./name-kinds";
import { knownAs } from "./other-names";
import { plainName } from "./plain-name";
import { hasLostLetter, repairs } from "./repair-name";
import {
  isSurelyState,
  mostNameCharacters,
  stateBehind,
  stateInFront,
  stateWordInFront,
  withoutCountry,
} from "./split-state";
import { stateCodeOf } from "./state-names";

/** The jurisdictions that a name may mean although none of them has exactly this name. */
export interface NameGuess {
  candidates: Ahj[];
  /**
   * True if exactly one jurisdiction in the named state has the name by the rules of `plainName`, blanks aside, or if the name is a state's
   * code. Different letters never make it true.
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
  const guess = createGuess(await createNameIndex(ahjs), ahjs, places);
  const others: string[] = [];
  await inTurns(names, (name) => {
    if (name.length > mostNameCharacters) return;
    const found = guess(name, state);
    if (found) guesses.set(name, found);
    else if (others.length < mostLookedFor) others.push(name);
  });
  if (others.length === 0) return guesses;
  const { createAhjFinder } = await import("./find-ahjs");
  const finder = await createAhjFinder(ahjs, places);
  await inTurns(others, (name) => {
    const split = stateBehind(withoutCountry(name));
    const rest = split?.rest ?? name;
    const close = finder.find({ text: rest, state: split?.state ?? state }, mostCandidates + 1);
    const candidates = close.filter((ahj) => mayBeMeant(rest, ahj, split !== undefined));
    if (close.length <= mostCandidates && candidates.length > 0)
      guesses.set(name, { candidates, isCertain: false });
  });
  return guesses;
}

/** Guesses a name by its parts; every step is a look into a map. */
function createGuess(index: NameIndex, ahjs: readonly Ahj[], places: Places) {
  const { named, withBase } = index;
  const states = ahjs.filter(({ type }) => type === "state");

  /** The jurisdictions with a name, which may leave out or change the kind. The state is not in the name. */
  function byName(text: string, state: string | undefined): NameGuess {
    const plain = plainName(text);
    const isThere = (ahj: Ahj) => state === undefined || ahj.state_code === state;
    const alike = named(plain).filter(isThere);
    const isOne = alike.length === 1 && state !== undefined;
    // New York is a state, and a county and a city in that state.
    if (isOne && alike[0]?.type !== "state") return { candidates: alike, isCertain: true };
    // "Orange" names no kind, so every jurisdiction called Orange may be meant.
    const there = [...alike, ...withBase(plain).filter(isThere)].sort(compareStates);
    const candidates = distinct([...there, ...knownAs(plain, state, index)]);
    if (candidates.length > 0) return { candidates, isCertain: isOne && candidates.length === 1 };
    const kind = kindAsked(plain);
    if (!kind) return { candidates: [], isCertain: false };
    const { base, kinds } = kind;
    // "Carson City (city)" names its kind twice. "Lake County Co" has its state at the end.
    const isTwice = kinds.every((each) => !isCountyKind(each)) || !kindAsked(base);
    const ofBase = [...withBase(base), ...(isTwice ? named(base) : [])].filter(isThere);
    const ofKind = ofKinds(distinct(ofBase.sort(compareStates)), kinds);
    return { candidates: distinct([...ofKind, ...knownAs(base, state, index)]), isCertain: false };
  }

  /** The same for a name that may have its county after a comma: "Springfield, Clark County". */
  function byPlace(text: string, state: string | undefined): NameGuess {
    const found = byName(text, state);
    const [name = "", county, more] = text.split(",");
    if (found.candidates.length > 0 || county === undefined || more !== undefined) return found;
    const isCounty = ({ type }: Ahj) => type === "county";
    const counties = byName(county, state);
    const around = counties.candidates.filter(isCounty);
    if (around.length === 0) return found;
    const others = knownAs(plainName(name), state, index);
    if (others.length > 0) return { candidates: others, isCertain: false };
    const namesakes = byNamesakes(name, state);
    const mayLieIn = (ahj: Ahj) =>
      around.some(
        (each) => each.state_code === ahj.state_code && (places.countyOf(ahj) ?? each.name) === each.name,
      );
    const near = namesakes.filter(mayLieIn);
    const alike = near.filter(hasName(name));
    const [ahj, other] = alike;
    if (ahj && !other && places.countyOf(ahj) !== undefined && counties.isCertain)
      return { candidates: [ahj], isCertain: true };
    const isKnown = (each: Ahj) => places.countyOf(each) !== undefined;
    const candidates = [...near.filter(isKnown), ...near.filter((each) => !isKnown(each))];
    return { candidates: near.length > 0 || state === undefined ? candidates : namesakes, isCertain: false };
  }

  /** The places with a name, in any county. */
  function byNamesakes(name: string, state: string | undefined): Ahj[] {
    const plain = plainName(name);
    const all = [...named(plain), ...withBase(plain)];
    const found = all.length > 0 ? all : byName(name, state).candidates;
    return distinct(found).filter(
      ({ type, state_code }) =>
        type !== "state" && type !== "county" && (state === undefined || state_code === state),
    );
  }

  /** A state at the end or before a comma is split off. Without a comma it may belong to the name, so both are looked for. */
  function byText(given: string, state: string | undefined): NameGuess {
    const text = withoutCountry(given);
    const own = stateCodeOf(text);
    const stateItself = states.filter(({ state_code }) => state_code === own);
    if (stateItself.length === 1 && isSurelyState(text)) return { candidates: stateItself, isCertain: true };
    const behind = stateBehind(text);
    if (behind?.isApart) {
      const found = byPlace(behind.rest, behind.state);
      if (found.candidates.length > 0) return found;
    }
    const front = stateInFront(text);
    const readings = [
      ...(behind && !behind.isApart ? [byPlace(behind.rest, behind.state)] : []),
      ...(front ? [byPlace(front.rest, front.state)] : []),
      ...(behind?.isApart ? [] : [byPlace(text, state)]),
    ];
    const candidates = distinct([...stateItself, ...readings.flatMap((reading) => reading.candidates)]);
    const isCertain = readings.some((reading) => reading.isCertain) && !behind?.isApart;
    if (candidates.length > 0) return { candidates, isCertain: isCertain && candidates.length === 1 };
    const word = stateWordInFront(text);
    return { candidates: word ? byName(word.rest, word.state).candidates : [], isCertain: false };
  }

  return (name: string, state: string | undefined): NameGuess | undefined => {
    const found = byText(name, state);
    if (found.candidates.length > 0) return { ...found, isCertain: found.isCertain && !hasLostLetter(name) };
    for (const text of repairs(name)) {
      const { candidates } = byText(text, state);
      if (candidates.length > 0) return { candidates, isCertain: false };
    }
    return undefined;
  };
}

function hasName(name: string): (ahj: Ahj) => boolean {
  const joined = (text: string) => plainName(text).replaceAll(" ", "");
  const key = joined(name);
  return (ahj) => joined(ahj.name) === key;
}

function distinct(ahjs: readonly Ahj[]): Ahj[] {
  return [...new Set(ahjs)];
}

/** A shorter word with a wrong letter may be anything. */
const fewestLetters = 4;

/**
 * True if the name may be meant. A single word without a state may be the header of a list: "Place" does not mean Placer County, "Tuscon, AZ"
 * does mean Tucson, and "Alameda" does mean Alameda County.
 */
function mayBeMeant(text: string, { name }: Ahj, hasState: boolean): boolean {
  const [word = "", ...others] = plainName(text).split(" ");
  if (others.length > 0 || (hasState && word.length >= fewestLetters)) return true;
  return plainName(name).split(" ").includes(word);
}

function compareStates({ state_code: one }: Ahj, { state_code: other }: Ahj): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
