import { isCounty } from "../directory/counties";
import { mayBeSent } from "../directory/geoid";
import { stateCodeOf } from "../search/state-names";
import { type CodeMeaning, type How, joinedCode, none, readCode } from "./read-code";
import { strangeCharacters, tidyText } from "./tidy-text";

/** What an entry of a list means: a code, or a name that the directory has to be read for. */
export type Meaning = CodeMeaning | { kind: "name"; name: string; how: How };

/** The text that a cell shows in messages. */
export const givenText = (cell: unknown): string =>
  String(cell ?? "")
    .replace(/\s+/g, " ")
    .trim();

/** True if a cell is a state's code or name. */
export const isState = (cell: unknown): boolean =>
  typeof cell === "string" && stateCodeOf(tidyText(cell)) !== undefined;

const asName = (name: string): Meaning => ({ kind: "name", name, how: "name" });
const isName = ([meaning]: readonly Meaning[]): boolean => meaning?.kind === "name";
const isJurisdiction = ({ kind }: Meaning): boolean => kind === "geoid" || kind === "ahj";

/**
 * The meanings of one cell: none if it is blank, several if it holds several codes, such as `06001 06003` or `06001, 06003`. A code with
 * its name beside it, such as `Alameda County, CA (06001)`, is that code.
 */
export function meaningsOfCell(cell: unknown): Meaning[] {
  const code = readCode(cell, { padsText: true });
  if (code) return [code];
  const text = typeof cell === "string" ? tidyText(cell) : "";
  if (text === "") return [];
  const codes = codesIn(text);
  if (codes) return codes;
  const [, before, behind] =
    /^(?:(\d{5,10})[^\d]+|[^\d]+?[([]?(\d{5,10})[)\]]?)$/.exec(text) ??
    /^()(ahj:\d+)[\s,].*$/i.exec(text) ??
    [];
  const beside = readCode(before ?? behind ?? "", { padsText: true });
  if (beside?.kind === "ahj") return [beside];
  if (beside?.kind === "geoid" && mayBeSent(beside.geoid)) return [{ ...beside, how: "tidied" }];
  return [/\p{L}/u.test(text) ? asName(text.replace(/\s*,\s*/g, ", ")) : unreadable(text)];
}

/** What a cell means that stands for one jurisdiction; null if it is blank. Several codes in it are not understood. */
export function meaningOfCell(cell: unknown): Meaning | null {
  const [meaning = null, other] = meaningsOfCell(cell);
  return other ? none("several", "The cell names several jurisdictions.") : meaning;
}

function unreadable(text: string): Meaning {
  const strange = strangeCharacters(text).slice(0, 3).join(", ");
  return none(
    "unreadable",
    `It is neither a geoID nor a name.${strange === "" ? "" : ` It has ${strange}.`}`,
  );
}

/** The codes of a text that holds nothing else, between blanks or commas; null if it holds something else, too. */
function codesIn(text: string): CodeMeaning[] | null {
  const words = text
    .replace(/\bahj:\s+/gi, "ahj:")
    .split(/[\s,;]+/)
    .filter((word) => word !== "");
  const codes: CodeMeaning[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const [word = "", next = ""] = [words[at], words[at + 1]];
    const isPart = /^\d{1,2}$/.test(word) && /^\d{3}$/.test(next);
    if (isPart && isCounty(word.padStart(2, "0") + next)) {
      codes.push(joinedCode(word, next));
      at += 1;
      continue;
    }
    const code = readCode(word, { padsText: true });
    if (!code || (code.kind === "geoid" && code.isOwn && !/^\d|-/.test(word))) return null;
    codes.push(code);
  }
  return codes;
}

/** The meanings of a row that stands in no columns, and the cells beside them that were not read. */
export interface RowMeanings {
  meanings: Meaning[];
  unread: string[];
}

/**
 * Reads a row that stands in no columns. Codes count before words beside them, because these name the same jurisdiction, and words before
 * numbers that are no codes. A state behind or before a name belongs to the name.
 */
export function meaningsOfRow(cells: readonly unknown[], isCutAtCommas: boolean): RowMeanings {
  const filled = cells.filter((cell) => givenText(cell) !== "");
  const read = filled.map((cell) => ({ cell, meanings: meaningsOfCell(cell) }));
  if (read.some(({ meanings: [first] }) => first?.kind === "none" && filled.length > 1)) {
    const whole = codesIn(filled.map((cell) => tidyText(String(cell))).join(" "));
    if (whole?.every(isJurisdiction)) return { meanings: whole, unread: [] };
  }
  const words = read.filter(({ meanings }) => isName(meanings));
  const others = read.filter(({ meanings }) => !isName(meanings));
  const texts = (some: typeof read) => some.map(({ cell }) => givenText(cell));
  if (others.some(({ meanings }) => meanings.some(isJurisdiction)))
    return { meanings: others.flatMap(({ meanings }) => meanings), unread: texts(words) };
  if (words.length === 0) return { meanings: others.flatMap(({ meanings }) => meanings), unread: [] };
  const names = namesOf(
    words.map(({ cell }) => tidyText(String(cell))),
    isCutAtCommas,
  );
  return { meanings: names.map(asName), unread: texts(others) };
}

/** The names in cells side by side. Parts of one name are joined by commas. */
function namesOf(parts: readonly string[], isCutAtCommas: boolean): string[] {
  const areStates = parts.map(isState);
  const [isFirstState = false, isSecondState = false] = areStates;
  if (parts.length === 2 && isFirstState !== isSecondState)
    return [(isFirstState ? [...parts].reverse() : parts).join(", ")];
  if (areStates.every(Boolean)) return [...parts];
  const arePairs = parts.length % 2 === 0 && areStates.every((is, at) => is === (at % 2 === 1));
  if (arePairs) return parts.flatMap((part, at) => (at % 2 === 0 ? [`${part}, ${parts[at + 1] ?? ""}`] : []));
  const endsInState = areStates.indexOf(true) === parts.length - 1;
  const areWhole = parts.every((part) => kindBehind.test(part));
  return endsInState || (isCutAtCommas && !areWhole) ? [parts.join(", ")] : [...parts];
}

const kindBehind = /.\s(?:county|parish|borough|city|town|township|village|district|utility|municipio)$/i;

/**
 * True for a name that can be no heading of a list: with a state after a comma, with a digit, "City of Chicago", "Cook County". "County"
 * alone is a heading above counties.
 */
export const isCertainlyName = (text: string): boolean =>
  /[,\d]|^(?:city|town|village|county) of ./i.test(text) || kindBehind.test(text);
