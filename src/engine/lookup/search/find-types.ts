import type { DataPointType } from "../../api/schemas";
import { createFinder } from "./finder";
import { plainName } from "./plain-name";

/** Finds questions while somebody types. */
export interface TypeFinder {
  /** Best matches first: by name, description, id, or the words by which builders know it. All, in their order, without a text. */
  find(text: string): DataPointType[];
}

/** Words that builders use for what a question's name says otherwise. */
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
    find: (text) =>
      text.trim() === "" ? [...types] : finder.find(singular(text)).flatMap((at) => types[at] ?? []),
  };
}

/** "Fees" finds a fee: a word's beginning is enough. */
function singular(text: string): string {
  return text.replace(/(?<![\p{L}\p{N}])(\p{L}{3,}?)s(?![\p{L}\p{N}])/gu, "$1");
}
