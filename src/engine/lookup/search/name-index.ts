import { inTurns } from "../../../async/in-turns";
import { addTo, groupBy } from "../../../lists";
import type { Ahj } from "../../api/schemas";
import { kindInName } from "./name-kinds";
import { plainName } from "./plain-name";
import { patternOf } from "./repair-name";

/** The AHJs by the plain form of their names, without blanks, because "De Kalb" and "DeKalb" are one name. */
export interface NameIndex {
  /** The AHJs with this name. Some letters of it may be unknown (`repairs`). */
  named(plain: string): readonly Ahj[];
  /** The AHJs with this name and a kind: "orange" gives every Orange County and the Town of Orange. */
  withBase(plain: string): readonly Ahj[];
}

/** A pattern is compared with thousands of names, so a long list of something else gets no more of them. */
const mostPatterns = 5_000;

export async function createNameIndex(ahjs: readonly Ahj[]): Promise<NameIndex> {
  const byName = new Map<string, Ahj[]>();
  const byBase = new Map<string, Ahj[]>();
  await inTurns(ahjs, (ahj) => {
    const plain = plainName(ahj.name);
    addTo(byName, joined(plain), ahj);
    const kind = kindInName(plain, ahj);
    if (kind) addTo(byBase, joined(kind.base), ahj);
  });
  return { named: createSearch(byName), withBase: createSearch(byBase) };
}

function createSearch(lists: ReadonlyMap<string, readonly Ahj[]>) {
  let byLetter: Map<string, string[]> | undefined;
  let patterns = 0;
  return (plain: string): readonly Ahj[] => {
    const key = joined(plain);
    const found = lists.get(key);
    if (found) return found;
    const pattern = patterns < mostPatterns ? patternOf(key) : undefined;
    if (!pattern) return [];
    patterns += 1;
    byLetter ??= groupBy(lists.keys(), (each) => each.charAt(0));
    const keys = byLetter.get(key.charAt(0)) ?? [];
    return keys.flatMap((each) => (pattern.test(each) ? (lists.get(each) ?? []) : []));
  };
}

function joined(plain: string): string {
  return plain.replaceAll(" ", "");
}
