import { groupBy } from "../../../lists";
import { mayBeSent } from "../directory/geoid";
import type { How, Misreading } from "./read-code";
import { keyOf, type ReadList } from "./list-entries";
import type { FoundEntry } from "./resolve-list";
import { mixesConnecticut } from "./retired-codes";

/** The words of a kind of correction, for a title: "3 leading zeros put back". */
const corrections: Readonly<Partial<Record<How, readonly [one: string, many: string]>>> = {
  "zero-back": ["leading zero put back", "leading zeros put back"],
  "prefix-cut": ["prefix cut", "prefixes cut"],
  tidied: ["code with other characters around it", "codes with other characters around them"],
  joined: ["code joined from its parts", "codes joined from their parts"],
  "whole-state": [
    "code with zeros for all of a state or county",
    "codes with zeros for all of a state or county",
  ],
  "name-spelled": ["name in another spelling", "names in other spellings"],
  "name-guessed": ["guessed name", "guessed names"],
  "name-chosen": ["name that you decided about", "names that you decided about"],
  replaced: ["code replaced by your choice", "codes replaced by your choice"],
};

/** The words of a kind of entries that were not understood, for a title. */
export const misreadingWords: Readonly<Record<Misreading, string>> = {
  "other-area": "Codes of other areas",
  "zip-code": "ZIP codes",
  "no-such-county": "Codes of no county",
  "no-such-state": "Codes of no state",
  "part-of-code": "Parts of codes",
  shortened: "Shortened by Excel",
  "sheet-error": "Cells with an error",
  several: "Several in one cell",
  "no-code": "Rows without a code",
  contradiction: "Code and state contradict",
  unreadable: "Not geoIDs or names",
};

/** Entries that were corrected in the same way. */
export interface Correction {
  how: How;
  /** The number of these entries and what was done, with an example: "2 leading zeros put back, such as 6001 → 06001". */
  title: string;
  entries: readonly FoundEntry[];
}

/** A list at a glance. */
export interface ListSummary {
  /** The number of entries of each sort, in a sentence. */
  line: string;
  corrections: Correction[];
  /** The entries that the list repeats, once for each repetition. */
  doubles: string[];
  /** True if old counties and planning regions of Connecticut stand in it, which share their land. */
  mixesConnecticut: boolean;
}

/** An entry and its jurisdiction, as a line of a list: `6001 → 06001, Alameda County, CA`. */
export function correctionLine({ given, ahj }: FoundEntry): string {
  const code = ahj.geoid ?? `ahj:${ahj.id}`;
  return `${given} → ${code}, ${ahj.name}, ${ahj.state_code}`;
}

/** Sums a list up. `found` has the entries that stand for a jurisdiction by now, `open` the keys of names that wait for a choice. */
export function summarizeList(
  list: ReadList,
  { found, open }: { found: readonly FoundEntry[]; open: ReadonlySet<string> },
): ListSummary {
  const foundOf = new Map(found.map((entry) => [entry.key, entry]));
  const seen = new Set<string>();
  const seenAhjIds = new Set<number>();
  const counts = { given: 0, corrected: 0, guessed: 0, chosen: 0, asked: 0, unfound: 0, unread: 0 };
  const doubles: string[] = [];
  for (const { given, meaning } of list.entries) {
    const key = keyOf(meaning);
    if (key === null) {
      counts.unread += 1;
      continue;
    }
    const { how, ahj } = foundOf.get(key) ?? {};
    // "06037" and "Los Angeles County, CA" are the same jurisdiction.
    if (seen.has(key) || (ahj && seenAhjIds.has(ahj.id))) doubles.push(given);
    seen.add(key);
    if (ahj) seenAhjIds.add(ahj.id);
    if (how === undefined) counts[open.has(key) ? "asked" : "unfound"] += 1;
    else if (how === "name-guessed") counts.guessed += 1;
    else if (how === "name-chosen") counts.chosen += 1;
    else counts[how in corrections ? "corrected" : "given"] += 1;
  }
  const parts = [
    [counts.given, "as given"],
    [counts.corrected, "corrected"],
    [counts.guessed, "guessed"],
    [counts.chosen, "chosen by you"],
    [counts.asked, "to decide about"],
    [counts.unfound, "not found"],
    [counts.unread, "not understood"],
  ] as const;
  const told = parts
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${count.toLocaleString()} ${words}`);
  const { length } = list.entries;
  const codes = list.entries.flatMap(({ meaning }) =>
    meaning.kind === "geoid" && mayBeSent(meaning.geoid) ? [meaning.geoid] : [],
  );
  return {
    line: `${length.toLocaleString()} ${length === 1 ? "entry" : "entries"}: ${told.join(", ")}.`,
    corrections: correctionsOf(found),
    doubles,
    mixesConnecticut: mixesConnecticut(codes),
  };
}

/** The corrections of entries, by kind. */
export function correctionsOf(found: readonly FoundEntry[]): Correction[] {
  return [...groupBy(found, ({ how }) => how)].flatMap(([how, entries]) => {
    const words = corrections[how];
    const [first] = entries;
    if (!words || !first) return [];
    const [one, many] = words;
    const code = first.ahj.geoid ?? first.ahj.name;
    const count = `${entries.length.toLocaleString()} ${entries.length === 1 ? one : many}`;
    return [
      {
        how,
        title: `${count}, such as ${first.given.slice(0, mostShown)} → ${code.slice(0, mostShown)}`,
        entries,
      },
    ];
  });
}

const mostShown = 40;
