import { config } from "../../../config";
import type { Category, DataPointType } from "../../../engine/api/schemas";
import { kindWords } from "../../../engine/lookup/directory/kind-words";
import { freeSheetName } from "../../sheet/layout/sheet-name";

/** The choice for an import, with everything that its name may mention. */
export interface NamedChoice {
  ahjs: readonly { name: string; state_code: string; type: string }[];
  /** The number of jurisdictions of a state, or of one kind in it, if all of them were added. */
  ofState?: { state: string; found: number } | undefined;
  /** The chosen questions. For a collection they matter less, since its own name says more. */
  types?: readonly Pick<DataPointType, "name" | "category_ids">[];
  /** The categories of questions, as far as they are known. */
  categories?: readonly Category[];
  collection?: { name: string } | null | undefined;
}

/**
 * A short name for an import and its sheet, such as "40 TX counties, inspections". It is a name that Excel accepts for a sheet, of at most
 * the permitted length.
 */
export function importName(choice: NamedChoice): string {
  const [where, what] = [whereOf(choice), whatOf(choice)];
  const state = stateOf(choice);
  const isCounted = /^\d/.test(what);
  const isPlain = choice.ahjs.length === 1 || where === state;
  const whole = `${where}${isCounted || !isPlain ? ", " : " "}${what}`;
  const isShort = whole.length <= config.sheetNameCharacters;
  // If there is no room for the whole name, the number of questions is left out first, then the number of a state's jurisdictions.
  const shorter = isCounted ? where : isPlain ? whole : state === undefined ? what : `${state} ${what}`;
  return freeSheetName(cutToWords(isShort ? whole : shorter), []);
}

/**
 * The words for the jurisdictions: the only one's name, the state or kind of which all are chosen ("TX counties"), or a number ("40 TX
 * counties").
 */
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

/** The state that all jurisdictions are in; undefined if they are in several. */
function stateOf({ ahjs }: NamedChoice): string | undefined {
  return only(ahjs.map(({ state_code }) => state_code.trim()));
}

/** The text that all of them are; undefined if they differ or are blank. */
function only(texts: readonly string[]): string | undefined {
  const [text, other] = new Set(texts);
  return other === undefined && text !== "" ? text : undefined;
}

/**
 * The words for the questions: the collection's name, the only question's name, the category that all of them belong to, or their number.
 */
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

/** Lowers words with a single capital at the start; abbreviations stay. */
function inLowerCase(name: string): string {
  return name.replace(/\b\p{Lu}\p{Ll}+\b/gu, (word) => word.toLowerCase());
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}

/** Fewer characters say too little as a name. */
const fewCharacters = 12;

/** As many whole words as fit into a sheet's name. A first word that is too long is cut. */
function cutToWords(name: string): string {
  if (name.length <= config.sheetNameCharacters) return name;
  const cut = name.slice(0, config.sheetNameCharacters + 1);
  const words = cut.slice(0, cut.lastIndexOf(" ")).replace(/[\s,;:–-]+$/, "");
  return words.length < fewCharacters ? cut : words;
}
