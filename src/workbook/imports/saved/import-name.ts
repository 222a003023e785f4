import { config } from "../../../config";
import type { Category, DataPointType } from "../../../engine/api/schemas";
import { kindWords } from "../../../engine/lookup/directory/kind-words";
import { freeSheetName } from "../../sheet/layout/sheet-name";

/** What is imported, as far as a name says it. */
export interface NamedChoice {
  ahjs: readonly { name: string; state_code: string; type: string }[];
  /** How many a state has, or has of a kind, if all of them were added. */
  ofState?: { state: string; found: number } | undefined;
  /** Chosen questions; of a collection its name says more. */
  types?: readonly Pick<DataPointType, "name" | "category_ids">[];
  /** As far as they are known. */
  categories?: readonly Category[];
  collection?: { name: string } | null | undefined;
}

/** A short name for an import and its sheet, such as "40 TX counties, inspections": a sheet's name as Excel takes it, and as long as it may be. */
export function importName(choice: NamedChoice): string {
  const [where, what] = [whereOf(choice), whatOf(choice)];
  const state = stateOf(choice);
  const isCounted = /^\d/.test(what);
  const isPlain = choice.ahjs.length === 1 || where === state;
  const whole = `${where}${isCounted || !isPlain ? ", " : " "}${what}`;
  const isShort = whole.length <= config.sheetNameCharacters;
  // A number of questions says the least, then how many of a state they are.
  const shorter = isCounted ? where : isPlain ? whole : state === undefined ? what : `${state} ${what}`;
  return freeSheetName(cutToWords(isShort ? whole : shorter), []);
}

/** The jurisdiction; the state, or the kind in it, of which all are chosen; or how many they are: "TX counties", "40 TX counties". */
function whereOf(choice: NamedChoice): string {
  const { ahjs, ofState } = choice;
  const [first] = ahjs;
  if (first && ahjs.length === 1 && first.name.trim() !== "") return first.name.trim();
  const state = stateOf(choice);
  if (state === undefined) return counted(ahjs.length, "jurisdiction");
  const isAll = ofState?.state === state && ofState.found === ahjs.length;
  const kind = only(ahjs.map(({ type }) => type.trim()));
  const count = ahjs.length.toLocaleString("en-US");
  if (kind === undefined) return isAll ? state : `${count} in ${state}`;
  return `${isAll ? "" : `${count} `}${state} ${kindWords(kind)}`;
}

/** The one state that all are in. */
function stateOf({ ahjs }: NamedChoice): string | undefined {
  return only(ahjs.map(({ state_code }) => state_code.trim()));
}

/** The text that all of them are; undefined where they differ or are blank. */
function only(texts: readonly string[]): string | undefined {
  const [text, other] = new Set(texts);
  return other === undefined && text !== "" ? text : undefined;
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
