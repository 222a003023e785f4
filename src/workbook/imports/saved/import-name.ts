import { config } from "../../../config";
import type { DataPointType } from "../../../engine/api/schemas";
import { freeSheetName } from "../../sheet/layout/sheet-name";

/** The choice for an import, with everything that its name may mention. */
export interface NamedChoice {
  ahjs: readonly { name: string; state_code: string }[];
  /** The chosen questions. For a collection they matter less, since its own name says more. */
  types?: readonly Pick<DataPointType, "name">[];
  collection?: { name: string } | null | undefined;
}

/**
 * A short name for an import and its sheet that says what is asked, such as "TX Permit Fee, Setback and 4 more". It is a name that Excel
 * accepts for a sheet, of at most the permitted length, and none of `taken`.
 */
export function importName(choice: NamedChoice, taken: readonly string[] = []): string {
  const { ahjs, types = [], collection } = choice;
  // Jurisdictions without a question get one later.
  const isOfPlaces = !collection && types.length === 0 && ahjs.length > 1;
  const where = isOfPlaces ? `${ahjs.length.toLocaleString("en-US")} jurisdictions` : whereOf(choice);
  const wholes = wordings(choice).map((what) => [where, what].filter((part) => part !== "").join(" "));
  const fitting = wholes.find((whole) => whole.length <= config.sheetNameCharacters);
  return freeSheetName(fitting ?? shortened(where, choice), taken);
}

/** The only jurisdiction's name, or the state that all jurisdictions are in; "" if they are in several. */
function whereOf({ ahjs }: NamedChoice): string {
  const name = ahjs.length === 1 ? (ahjs[0]?.name ?? "").trim() : "";
  const [state = "", other] = new Set(ahjs.map(({ state_code }) => state_code.trim()));
  return name !== "" || other !== undefined ? name : state;
}

/** The name of what is asked, from the longest to the shortest: a collection's, or those of the first questions and the number of others. */
function wordings(choice: NamedChoice): string[] {
  const names = namesOf(choice);
  return names.map((_, at) => {
    const shown = names.slice(0, names.length - at);
    if (at > 0) return `${shown.join(", ")} and ${at} more`;
    return [shown.slice(0, -1).join(", "), ...shown.slice(-1)].filter((part) => part !== "").join(" and ");
  });
}

function namesOf({ types = [], collection }: NamedChoice): string[] {
  const named = collection ? [collection] : types;
  return named.map(({ name }) => name.trim()).filter((name) => name !== "");
}

/** Fewer characters of a question say too little. */
const fewCharacters = 8;

/** A name of which even the shortest wording is too long: as many words of the first question as fit, or else of the jurisdiction. */
function shortened(where: string, choice: NamedChoice): string {
  const [first, ...others] = namesOf(choice);
  const begin = where === "" ? "" : `${where} `;
  const end = others.length > 0 ? ` and ${others.length} more` : "";
  const room = config.sheetNameCharacters - begin.length - end.length;
  if (first === undefined || room < fewCharacters) return cutToWords(where, config.sheetNameCharacters);
  return begin + cutToWords(first, room) + end;
}

/** As many whole words of a name as fit into so many characters. A first word that is too long is cut. */
export function cutToWords(name: string, most: number): string {
  if (name.length <= most) return name;
  const cut = name.slice(0, most);
  const end = name[most] === " " ? most : cut.lastIndexOf(" ");
  const words = cut
    .slice(0, Math.max(0, end))
    .replace(/( (and|for|in|of|or|per|the|to|with)|[\s,;:–-])+$/i, "");
  return words.length < fewCharacters ? cut : words;
}
