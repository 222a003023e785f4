import { inTurns } from "../../../async/in-turns";
import type { Ahj } from "../../api/schemas";
import { withZero } from "../directory/geoid";
import { hasWordBeginning, type Places } from "../directory/places";
import { isStateCode } from "../directory/states";
import { createFinder, type Finder } from "./finder";
import { otherNamesOf } from "./other-names";
import { plainName } from "./plain-name";

export interface AhjQuery {
  text: string;
  /** A state code. */
  state?: string | undefined;
  /** A kind, as in `Ahj.type`. */
  kind?: string | undefined;
}

/** Finds jurisdictions while somebody types. */
export interface AhjFinder {
  /**
   * Best matches first: by name, kind, state, county, or by the beginning of a geoID, which may lack its zero. A state's code after the
   * words limits the matches to that state, if any are left. Without a text, all jurisdictions of the state and kind, in the order of the
   * list.
   */
  find(query: AhjQuery, limit: number): Ahj[];
}

/** Only this many jurisdictions are ranked. */
const mostRanked = 1_000;

/** Texts are remembered, because the directory arrives page by page and is prepared anew with each page. */
const ownTexts = new WeakMap<Ahj, string>();

function ownTextOf(ahj: Ahj): string {
  let text = ownTexts.get(ahj);
  if (text === undefined) {
    const name = plainName(ahj.name);
    text = `${[name, ...otherNamesOf(name, ahj.state_code)].join(" ")} ${ahj.state_code.toLowerCase()} ${plainName(ahj.type)}`;
    ownTexts.set(ahj, text);
  }
  return text;
}

/** Some jurisdictions of a list, and the finder for them. */
interface Part {
  ahjs: readonly Ahj[];
  finder: Finder;
}

/** Prepares the list, with pauses so that the page can respond. */
export async function createAhjFinder(ahjs: readonly Ahj[], places: Places): Promise<AhjFinder> {
  const plainAround = new Map<string, string>();
  /** The words for an AHJ itself, and the words for its county and state. */
  const texts = new Map<Ahj, { own: string; around: string }>();
  await inTurns(ahjs, (ahj) => {
    const around = `${places.countyOf(ahj) ?? ""} ${places.stateOf(ahj) ?? ""}`;
    let plain = plainAround.get(around);
    if (plain === undefined) plainAround.set(around, (plain = plainName(around)));
    texts.set(ahj, { own: ownTextOf(ahj), around: plain });
  });
  const parts = new Map<string, Part>();

  /** The jurisdictions of a state and kind. */
  function partOf({ state, kind }: Omit<AhjQuery, "text">): Part {
    const key = JSON.stringify([state, kind]);
    const known = parts.get(key);
    if (known) return known;
    const some = ahjs.filter((ahj) => (!state || ahj.state_code === state) && (!kind || ahj.type === kind));
    const finder = createFinder(some.map((ahj) => Object.values(texts.get(ahj) ?? {}).join(" ")));
    const part = { ahjs: some, finder };
    parts.set(key, part);
    return part;
  }

  function findInPart(text: string, { ahjs: some, finder }: Part): Ahj[] {
    if (!/^\d+$/.test(text)) return finder.find(text).flatMap((at) => some[at] ?? []);
    const geoids = new Set([withZero(text), text]);
    return [...geoids].flatMap((geoid) => some.filter((ahj) => ahj.geoid?.startsWith(geoid)));
  }

  /**
   * Jurisdictions with exactly this name, or known by it, come first, then those with more of the words in their own text. The other words
   * name their county or state.
   */
  function inOrder(found: readonly Ahj[], name: string): Ahj[] {
    const words = name.split(" ");
    const rankOf = (ahj: Ahj) => {
      const { own = "" } = texts.get(ahj) ?? {};
      const naming = words.filter((word) => hasWordBeginning(own, word)).length;
      const plain = plainName(ahj.name);
      return plain === name || otherNamesOf(plain, ahj.state_code).includes(name) ? words.length + 1 : naming;
    };
    const ranked = found.slice(0, mostRanked).map((ahj) => ({ ahj, rank: rankOf(ahj) }));
    ranked.sort((one, other) => other.rank - one.rank);
    return [...ranked.map(({ ahj }) => ahj), ...found.slice(mostRanked)];
  }

  return {
    find({ text, state, kind }, limit) {
      const trimmed = text.trim();
      if (trimmed === "") return state || kind ? partOf({ state, kind }).ahjs.slice(0, limit) : [];
      const [, words = "", place = ""] = /^(.+?)[\s,]+([a-z]{2})$/i.exec(trimmed) ?? [];
      const code = place.toUpperCase();
      const inState = !state && isStateCode(code) ? findInPart(words, partOf({ state: code, kind })) : [];
      const found = inState.length > 0 ? inState : findInPart(trimmed, partOf({ state, kind }));
      return inOrder(found, plainName(trimmed)).slice(0, limit);
    },
  };
}
