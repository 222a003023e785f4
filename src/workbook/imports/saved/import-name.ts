import { config } from "../../../config";
import type { Category, DataPointType } from "../../../engine/api/schemas";
import { freeSheetName } from "../../sheet/layout/sheet-name";

/** What is imported, as far as a name says it. */
export interface NamedChoice {
  ahjs: readonly { name: string; state_code: string }[];
  /** Chosen questions; of a collection its name says more. */
  types?: readonly Pick<DataPointType, "name" | "category_ids">[];
  /** As far as they are known. */
  categories?: readonly Category[];
  collection?: { name: string } | null | undefined;
}

/** A short name for an import and its sheet, such as "TX inspections": a sheet's name as Excel takes it, and as long as it may be. */
export function importName(choice: NamedChoice): string {
  const [where, what] = [whereOf(choice), whatOf(choice)];
  const isCounted = /^\d/.test(where) || /^\d/.test(what);
  const whole = `${where}${isCounted ? ", " : " "}${what}`;
  const isShort = whole.length <= config.sheetNameCharacters;
  // A number of questions says the least.
  return freeSheetName(
    cutToWords(isShort ? whole : isCounted ? (/^\d/.test(what) ? where : what) : whole),
    [],
  );
}

/** The jurisdiction, their state, or how many they are. */
function whereOf({ ahjs }: NamedChoice): string {
  const [first] = ahjs;
  const states = new Set(ahjs.map(({ state_code }) => state_code.trim()));
  const [state = ""] = states;
  if (first && ahjs.length === 1 && first.name.trim() !== "") return first.name.trim();
  return states.size === 1 && state !== "" ? state : counted(ahjs.length, "jurisdiction");
}

/** The collection, the question, the category that they are all of, or how many they are. */
function whatOf({ types = [], categories = [], collection }: NamedChoice): string {
  if (collection && collection.name.trim() !== "") return collection.name.trim();
  const [first] = types;
  if (first && types.length === 1 && first.name.trim() !== "") return first.name.trim();
  const isOfAll = ({ id }: Category) => types.every(({ category_ids }) => category_ids.includes(id));
  const category = types.length > 0 ? categories.find(isOfAll) : undefined;
  return category && category.name.trim() !== ""
    ? inLowerCase(category.name.trim())
    : counted(types.length, "question");
}

/** Words that begin with a capital alone; abbreviations stay. */
function inLowerCase(name: string): string {
  return name.replace(/\b\p{Lu}\p{Ll}+\b/gu, (word) => word.toLowerCase());
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}

/** Fewer say too little of a name. */
const fewCharacters = 12;

/** As many whole words as a sheet's name has room for; a word that leaves nothing else is cut. */
function cutToWords(name: string): string {
  if (name.length <= config.sheetNameCharacters) return name;
  const cut = name.slice(0, config.sheetNameCharacters + 1);
  const words = cut.slice(0, cut.lastIndexOf(" ")).replace(/[\s,;:–-]+$/, "");
  return words.length < fewCharacters ? cut : words;
}
