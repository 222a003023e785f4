import { isCounty } from "../directory/counties";
import { mayBeSent } from "../directory/geoid";
import { stateOfGeoid } from "../directory/states";
import { stateCodeOf } from "../search/state-names";
import { areaInName, headingOf } from "./headings";
import { type CodeMeaning, type How, joinedCode, none, readCode } from "./read-code";
import { strangeCharacters, tidyText } from "./tidy-text";

/** The meaning of an entry: a code, or a name that the directory has to be read for. */
export type Meaning = CodeMeaning | { kind: "name"; name: string; how: How };

/** The text that a cell shows in messages. */
export const givenText = (cell: unknown): string =>
  String(cell ?? "")
    .replace(/\s+/g, " ")
    .trim();

/** True if a cell is a state's postal code or name. */
export const isState = (cell: unknown): boolean =>
  typeof cell === "string" && stateCodeOf(tidyText(cell)) !== undefined;

/** The postal code of the state that a cell has, as its postal code, name or two digits; undefined if it has none. */
export function stateOfCell(cell: unknown): string | undefined {
  const text = tidyText(String(cell ?? "")).replace(/\.0+$/, "");
  return /^\d{1,2}$/.test(text) ? stateOfGeoid(text.padStart(2, "0")) : stateCodeOf(text);
}

/** The state behind a name, after a comma; undefined if there is none. */
export function stateOfName(cell: unknown): string | undefined {
  const [, state] = /,([^,()]+)(?:\(.*)?$/.exec(tidyText(String(cell ?? ""))) ?? [];
  return state === undefined ? undefined : stateCodeOf(state.replace(/\s\d{5}(?:-\d{4})?\s*$/, "").trim());
}

/** The meaning of a code beside a state: none if the code lies in another one. */
export function inState(meaning: Meaning, state: string | undefined): Meaning {
  if (meaning.kind !== "geoid" || meaning.isOwn || state === undefined) return meaning;
  const own = stateOfGeoid(meaning.geoid);
  if (own === state) return meaning;
  return none("contradiction", `The row says ${state}, and ${meaning.geoid} lies in ${own ?? "no state"}.`);
}

const asName = (name: string): Meaning => ({ kind: "name", name, how: "name" });
const isName = ([part]: readonly ReadPart[]): boolean => part?.meaning.kind === "name";
const isJurisdiction = ({ meaning: { kind } }: ReadPart): boolean => kind === "geoid" || kind === "ahj";

/** A part of a cell or row, and what it means. */
export interface ReadPart {
  given: string;
  meaning: Meaning;
}

/** The meanings of one cell, see `partsOfCell`. */
export const meaningsOfCell = (cell: unknown): Meaning[] => partsOfCell(cell).map(({ meaning }) => meaning);

/**
 * Reads one cell: no part if it is blank, several if it holds several codes, such as `06001 06003` or `06001, 06003`. A code with its name
 * beside it, such as `Alameda County, CA (06001)`, is that code.
 */
export function partsOfCell(cell: unknown): ReadPart[] {
  const whole = (meaning: Meaning): ReadPart[] => [{ given: givenText(cell), meaning }];
  const code = readCode(cell);
  if (code) return whole(code);
  const text = typeof cell === "string" ? tidyText(cell).replace(/^(?:and|or|&)\s+(?=\S)/i, "") : "";
  if (text === "") return [];
  const codes = codesIn(text);
  if (codes) return codes;
  const area = areaInName(text);
  if (area !== null && /\d{4}/.test(text))
    return whole(none("other-area", `It is the code of ${area}, which is no jurisdiction.`));
  if (isNothing(text)) return whole(none("unreadable", "It is neither a geoID nor a name."));
  const beside = readCode(codeBesideName(text));
  if (beside?.kind === "ahj") return whole(beside);
  if (beside?.kind === "geoid" && mayBeSent(beside.geoid))
    return whole(inState({ ...beside, how: "tidied" }, stateBeside(text)));
  return whole(/\p{L}/u.test(text) ? asName(withoutZip(text.replace(/\s*,\s*/g, ", "))) : unreadable(text));
}

/** Words that programs write where there is no value, and words of totals. */
const isNothing = (text: string): boolean =>
  /^(?:nan|n\/?a|none|null|true|false|totals?|grand total|\(blank\)|loading\.*|row labels|column labels|blank|unknown|tbd)$|^(?:sources?|notes?|last updated)\b[\s:]/i.test(
    text,
  );

/** The state in `Wayne County, MI (48201)` or `48201: Detroit, MI`. */
const stateBeside = (text: string): string | undefined =>
  stateOfName(text) ?? stateCodeOf(text.replace(/^\d+[\s,:–—-]*|[\s,]*[([]?\d*[)\]]?$/g, "").trim());

/**
 * The code of `Alameda County (06001)`, `06001: Alameda County`, `06001 Alameda County, CA` or `ahj:7 PG&E`; "" if there is none. A number
 * that merely stands beside words may be a ZIP code or the number of a house.
 */
function codeBesideName(text: string): string {
  if (/\bdistrict\b/i.test(text)) return "";
  const [, code = ""] =
    /^[^\d]+[([](\d{5,10}|\d{3}\w{0,4}US\d+)[)\]]$/i.exec(text) ??
    /^(\d{3}\w{0,4}US\d+)[\s:,–—-]+\p{L}/iu.exec(text) ??
    /^(\d{5,10})\s*[:–—-]\s*\p{L}[^\d]*$/u.exec(text) ??
    /^(\d{5,10})\s[^\d]+\s(?:county|parish|borough|city|town|township|village|municipio)(?:,[^\d]*)?$/i.exec(
      text,
    ) ??
    /^(\d{5,10})[\s,(]+[\p{L} .]+\)?$/u.exec(isState(text.replace(/^\d+[\s,(]+|\)$/g, "")) ? text : "") ??
    /^(ahj:\d+)[\s,]/i.exec(text) ??
    [];
  return code;
}

/** A name without the ZIP code behind its state. */
function withoutZip(name: string): string {
  const [, front, state = ""] = /^((?:.*[,\s])?(\p{L}[\p{L} .]*?))\s+\d{5}(?:-\d{4})?$/u.exec(name) ?? [];
  return front !== undefined && isState(state) ? front : name;
}

/** The meaning of a cell that stands for one jurisdiction; null if it is blank. Several codes in it are not understood. */
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
function codesIn(text: string): ReadPart[] | null {
  const words = text
    .replace(/\b(ahj|fips|geoid)(?:\s+codes?)?(?::\s*|\s+)(?=\d)/gi, "$1:")
    .replace(/(?:^|[\s,;])(?:and|or|&|\+)(?=[\s,;])/gi, " ")
    .replace(/(?<=\d{5})\s?[/+·|]\s?(?=\d{5})/g, " ")
    .split(/[\s,;、，；]+/)
    .filter((word) => word !== "");
  const codes: ReadPart[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const [word = "", next = ""] = [words[at], words[at + 1]];
    const isPart = /^\d{1,2}$/.test(word) && /^\d{3}$/.test(next);
    // A state's code and five digits are a place's code in parts, or a ZIP code: nobody can tell.
    const isZeros = /^\d{2}$/.test(word) && /^\d{2}000$/.test(next);
    if (isZeros)
      return [{ given: text, meaning: none("several", "It may be one code in parts, or several.") }];
    if (isPart && isCounty(word.padStart(2, "0") + next)) {
      codes.push({ given: `${word} ${next}`, meaning: joinedCode(word, next) });
      at += 1;
      continue;
    }
    const code = readCode(word);
    if (!code || (code.kind === "geoid" && code.isOwn && !/^\d|-/.test(word))) return null;
    codes.push({ given: word, meaning: code });
  }
  return codes;
}

/** The parts of a row that stands in no columns, and the cells beside them that were not read. */
export interface ReadRow {
  parts: ReadPart[];
  unread: string[];
}

/**
 * Reads a row that stands in no columns. One code counts before words beside it, because these name the same jurisdiction; beside several
 * codes, and between semicolons, each cell is an entry. Numbers that are certainly no codes don't count beside words. A state behind or
 * before a name belongs to the name.
 */
export function readRow(cells: readonly unknown[], sign: string): ReadRow {
  const filled = cells.filter((cell) => givenText(cell) !== "");
  const isOne = filled.length < 2;
  const joined = isOne ? null : joinedParts(filled);
  if (joined) return { parts: joined, unread: [] };
  const area = isOne ? null : areaInRow(filled);
  if (area) return { parts: [{ given: filled.map(givenText).join(", "), meaning: area }], unread: [] };
  const read = filled.map((cell) => ({ cell, parts: partsOfCell(cell) }));
  const words = read.flatMap(({ cell, parts }) => (isName(parts) ? [cell] : []));
  const others = read.filter(({ parts }) => !isName(parts));
  const parts = others.flatMap((each) => each.parts);
  const names = namesOf(
    words.map((cell) => withoutZip(tidyText(String(cell)))),
    sign === ",",
  ).map((name): ReadPart => ({ given: name, meaning: asName(name) }));
  if (names.length === 0 || parts.length === 0) return { parts: [...parts, ...names], unread: [] };
  const state = words
    .map((cell) => stateCodeOf(tidyText(String(cell))) ?? stateOfName(cell))
    .find((each) => each !== undefined);
  const sure = sureCodes(parts, { first: read[0]?.parts[0], state, sign });
  const left = (taken: readonly ReadPart[]) =>
    parts.filter((part) => !taken.includes(part)).map(({ given }) => given);
  if (sure.length > 1 || (sure.length > 0 && sign === ";"))
    return { parts: [...sure, ...names], unread: left(sure) };
  const [code] = sure;
  if (code && inState(code.meaning, state) === code.meaning)
    return { parts: [code], unread: [...words.map(givenText), ...left([code])] };
  // A ZIP code, an amount or a date beside a name: the name says what is meant. A state alone does not.
  if (!words.every(isState)) return { parts: names, unread: others.map(({ cell }) => givenText(cell)) };
  const inRow = parts.map((part) => ({ ...part, meaning: inState(part.meaning, state) }));
  return { parts: inRow, unread: words.map(givenText) };
}

/** The codes of a row whose cells are the parts of codes, such as `06`, `001`; null if they are not. */
function joinedParts(cells: readonly unknown[]): ReadPart[] | null {
  const parts = codesIn(cells.map((cell) => tidyText(String(cell))).join(" "));
  const isJoined = parts !== null && parts.length < cells.length;
  return isJoined && parts.every((part) => isJurisdiction(part) || part.meaning.kind === "none")
    ? parts
    : null;
}

/**
 * The numbers beside words that certainly are codes: with a zero in front or other signs, with all digits in the first cell, or in the state
 * that is named.
 */
function sureCodes(
  parts: readonly ReadPart[],
  { first, state, sign }: { first: ReadPart | undefined; state: string | undefined; sign: string },
): ReadPart[] {
  const codes = parts.filter(isJurisdiction);
  const isList = codes.length > 1 && ",;".includes(sign);
  return codes.filter((part) => {
    const { given, meaning } = part;
    if (meaning.kind !== "geoid" || /^0|[^\d,.]/.test(given)) return true;
    const isWhole = meaning.geoid === given && given.length > 2;
    const isInPlace = part === first || (isList && given.length === 5);
    return (isWhole && isInPlace) || (state !== undefined && inState(meaning, state) === meaning);
  });
}

/** The meaning of a row that is about an area which is no jurisdiction, or a total; null if it is about none. */
function areaInRow(cells: readonly unknown[]): Meaning | null {
  const texts = cells.map((cell) => tidyText(String(cell)));
  if (texts.some((text) => /^(?:grand |sub)?totals?$/i.test(text)))
    return none("unreadable", "It is a total, and no jurisdiction.");
  // A heading may stand at the left of numbers: `ZIP`, `36001`, `48201`.
  const isLeft = texts.slice(1).every((text) => !/\p{L}/u.test(text));
  const [words] = texts.flatMap((text, at) => {
    const heading = isLeft && at === 0 ? headingOf(text) : null;
    return areaInName(text) ?? (heading?.role === "area" ? (heading.words ?? []) : []);
  });
  const why = words?.includes("ZIP") ? "zip-code" : "other-area";
  return words === undefined ? null : none(why, `It is about ${words}, which is no jurisdiction.`);
}

/** The names in cells side by side. Parts of one name are joined by commas. */
function namesOf(parts: readonly string[], isCutAtCommas: boolean): string[] {
  const areStates = parts.map(isState);
  const [isFirstState = false, isSecondState = false] = areStates;
  if (parts.length === 2 && isFirstState !== isSecondState)
    return [(isFirstState ? [...parts].reverse() : parts).join(", ")];
  // "New York, NY" and "Indiana, Pennsylvania" are cities that have the names of states. Codes are a list: "CA, NV".
  const [first = ""] = parts;
  const isCity = parts.length === 2 && first.length > mostCodeCharacters;
  if (areStates.every(Boolean)) return isCity ? [parts.join(", ")] : [...parts];
  const arePairs = parts.length % 2 === 0 && areStates.every((is, at) => is === (at % 2 === 1));
  if (arePairs) return parts.flatMap((part, at) => (at % 2 === 0 ? [`${part}, ${parts[at + 1] ?? ""}`] : []));
  const endsInState = areStates.indexOf(true) === parts.length - 1;
  const areWhole = parts.every((part) => kindBehind.test(part));
  return endsInState || (isCutAtCommas && !areWhole) ? [parts.join(", ")] : [...parts];
}

/** The most characters of a state's code, with its points: D.C. */
const mostCodeCharacters = 4;

const kindBehind = /.\s(?:county|parish|borough|city|town|township|village|district|utility|municipio)$/i;

/**
 * True for a name that can be no heading of a list: with a state after a comma, with a digit, "City of Chicago", "Cook County". "County"
 * alone is a heading above counties.
 */
export const isCertainlyName = (text: string): boolean =>
  /[,\d]|^(?:city|town|village|county) of ./i.test(text) || kindBehind.test(text);
