import type { DataPointType } from "../../api/schemas";
import { createFinder } from "./finder";
import { plainName } from "./plain-name";

/** Finds questions while somebody types. */
export interface TypeFinder {
  /** Best matches first: by name, description, id, or words that builders use for it. Without a text, all types in their order. */
  find(text: string): DataPointType[];
}

/** Words that builders use instead of the words in a question's name. */
const otherWords: readonly (readonly [name: RegExp, words: string])[] = [
  [/\belectrical code\b/, "nec nfpa 70"],
  [/\bresidential code\b/, "irc"],
  [/\bexisting building code\b/, "iebc"],
  [/\bbuilding code\b/, "ibc"],
  [/\bfire code\b/, "ifc"],
  [/\benergy code\b/, "iecc"],
  [/\bmechanical code\b/, "imc umc"],
  [/\bplumbing code\b/, "ipc upc"],
  [/\bfuel gas code\b/, "ifgc"],
  [/\bwildland\b/, "wui iwuic"],
  [/\bautomated\b.*\bpermit/, "solarapp instant"],
  [/\breview time\b/, "turnaround"],
  [/\bfee\b/, "cost price"],
];

export function createTypeFinder(types: readonly DataPointType[]): TypeFinder {
  const finder = createFinder(
    types.map(({ id, name, description }) => {
      const plain = plainName(name);
      const others = otherWords.filter(([of]) => of.test(plain)).map(([, words]) => words);
      return [plain, id, ...others, plainName(description)].join(" ");
    }),
  );
  return {
    find(text) {
      if (text.trim() === "") return [...types];
      const words = singular(text);
      return inOrder(
        finder.find(words).flatMap((at) => types[at] ?? []),
        plainName(words),
      );
    },
  };
}

/**
 * Puts names that equal the words first, then names that end with them ("Minimum Permit Fee" is a permit fee, "Permit Fee Rebate" is none),
 * names that begin with them, and names that contain them; shorter names first. All others keep their order.
 */
function inOrder(found: readonly DataPointType[], words: string): DataPointType[] {
  const ranks = [
    (name: string) => name === words,
    (name: string) => name.endsWith(` ${words}`),
    (name: string) => name.startsWith(words),
    (name: string) => name.includes(` ${words}`),
  ];
  const ranked = found.map((type) => {
    const name = plainName(type.name);
    const rank = ranks.findIndex((isSo) => isSo(name));
    return rank < 0 ? { type, rank: ranks.length, length: 0 } : { type, rank, length: name.length };
  });
  ranked.sort((one, other) => one.rank - other.rank || one.length - other.length);
  return ranked.map(({ type }) => type);
}

/** Turns plurals into singulars, so that "Fees" finds a fee: the beginning of a word is enough. */
function singular(text: string): string {
  return text.replace(/(?<![\p{L}\p{N}])(\p{L}{3,}?)s(?![\p{L}\p{N}])/gu, "$1");
}
