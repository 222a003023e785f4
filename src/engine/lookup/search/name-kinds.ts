import type { Ahj } from "../../api/schemas";
import { plainName } from "./plain-name";

/** A name without its kind, and the kinds that may be meant, the likelier one first. All have the form that `plainName` gives. */
export interface KindOfName {
  base: string;
  kinds: readonly string[];
}

/** Kinds whose jurisdictions are counties or like counties. */
const countyKinds = ["county", "parish", "census area", "district", "island"];
/** Kinds of places within counties. */
const placeKinds = ["city", "town", "township", "village", "census designated place"];
/** Kinds that are the one in some states and the other in others. */
const bothKinds = ["city and borough", "city and county", "municipality", "municipio", "borough"];

/** Other words for kinds. "Cty" is more often a county than a city. */
const otherWords: Readonly<Record<string, readonly string[]>> = {
  co: ["county"],
  cnty: ["county"],
  cty: ["county", "city"],
  par: ["parish"],
  psh: ["parish"],
  boro: ["borough"],
  bor: ["borough"],
  twp: ["township"],
  twsp: ["township"],
  vlg: ["village"],
  vil: ["village"],
  vill: ["village"],
  cdp: ["census designated place"],
  muni: ["municipality"],
  "independent city": ["city"],
  "indep city": ["city"],
  "ind city": ["city"],
  "city borough": ["city and borough"],
  "municipality and borough": ["borough"],
  "city county": ["city and county"],
  "county and city": ["city and county"],
};

const placeWords = ["county", "parish", "census area", ...placeKinds, ...bothKinds, "cdp"];
const ownWords = [...countyKinds, ...placeKinds, ...bothKinds];
/** "St. Croix Island" is a county with its kind, but "Long Island" is a place. */
const readOwn = createReader(placeWords);
const readOwnOfCounty = createReader(ownWords);
const readAsked = createReader([...ownWords, ...Object.keys(otherWords)]);

/** Reads the kind at the end of a plain name, or before "of" at its beginning. */
function createReader(words: readonly string[]) {
  // The longer words come first, as "city and county" ends in a kind, too.
  const any = [...words].sort((one, other) => other.length - one.length).join("|");
  const front = new RegExp(`^(?:(?:incorporated|inc|consolidated) )?(${any}) (?:of|de) (?:the )?(.+)$`);
  const behind = new RegExp(`^(.+?) (${any})(?: of)?$`);
  return (plain: string): KindOfName | undefined => {
    const [, word, base] = front.exec(plain) ?? swapped(behind.exec(plain));
    return word === undefined || base === undefined ? undefined : { base, kinds: otherWords[word] ?? [word] };
  };
}

function swapped(found: RegExpExecArray | null): (string | undefined)[] {
  return found ? [found[0], found[2], found[1]] : [];
}

/** The kind in an AHJ's own plain name. Utilities have none. */
export function kindInName(plain: string, { type }: Ahj): KindOfName | undefined {
  if (type === "utility") return undefined;
  return type === "county" ? readOwnOfCounty(plain) : readOwn(plain);
}

/** The kind in a name that somebody wrote, perhaps abbreviated. */
export function kindAsked(plain: string): KindOfName | undefined {
  return readAsked(plain);
}

/** True for kinds that are no places, so that no other kind can stand before them. */
export function isCountyKind(kind: string): boolean {
  return countyKinds.includes(kind);
}

/**
 * The AHJs, which have the same base, that a kind may mean: those of the very kind; if there are none, the counties for any kind of county,
 * and the others for any kind of place; counties first.
 */
export function ofKinds(ahjs: readonly Ahj[], kinds: readonly string[]): Ahj[] {
  for (const kind of kinds) {
    const fitting = ahjs.filter((ahj) => mayBeOfKind(ahj, kind));
    const same = fitting.filter((ahj) => kindOf(ahj) === kind);
    if (same.length > 0) return same;
    const isCounty = ({ type }: Ahj) => type === "county";
    if (fitting.length > 0) return [...fitting.filter(isCounty), ...fitting.filter((ahj) => !isCounty(ahj))];
  }
  return [];
}

function mayBeOfKind(ahj: Ahj, kind: string): boolean {
  if (ahj.type === "state" || ahj.type === "utility") return false;
  if (bothKinds.includes(kind)) return true;
  const isCounty = ahj.type === "county";
  if (isCountyKind(kind)) return isCounty;
  return !isCounty || !isCountyKind(kindOf(ahj));
}

function kindOf(ahj: Ahj): string {
  return kindInName(plainName(ahj.name), ahj)?.kinds[0] ?? ahj.type.toLowerCase();
}
