import { isCounty } from "../directory/counties";
import { mayBeSent } from "../directory/geoid";
import { stateCodeOf } from "../search/state-names";
import { type CodeMeaning, type How, joinedCode, none, readCode } from "./read-code";
import { strangeCharacters, tidyText } from "./tidy-text";

/** The meaning of an entry: a code, or a name that the directory has to be read for. */
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
  const code = readCode(cell, { padsText: true });
  if (code) return whole(code);
  const text = typeof cell === "string" ? tidyText(cell) : "";
  if (text === "") return [];
  const codes = codesIn(text);
  if (codes) return codes;
  const beside = readCode(codeBesideName(text), { padsText: true });
  if (beside?.kind === "ahj") return whole(beside);
  if (beside?.kind === "geoid" && mayBeSent(beside.geoid)) return whole({ ...beside, how: "tidied" });
  return whole(/\p{L}/u.test(text) ? asName(withoutZip(text.replace(/\s*,\s*/g, ", "))) : unreadable(text));
}

/**
 * The code of `Alameda County (06001)`, `06001: Alameda County`, `06001 Alameda County, CA` or `ahj:7 PG&E`; "" if there is none. A number
 * that merely stands beside words may be a ZIP code or the number of a house.
 */
function codeBesideName(text: string): string {
  const [, code = ""] =
    /^[^\d]+[([](\d{5,10})[)\]]$/.exec(text) ??
    /^(\d{5,10})\s*[:–—-]\s*\p{L}[^\d]*$/u.exec(text) ??
    /^(\d{5,10})\s[^\d]+\s(?:county|parish|borough|city|town|township|village|municipio)(?:,[^\d]*)?$/i.exec(
      text,
    ) ??
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
    .split(/[\s,;]+/)
    .filter((word) => word !== "");
  const codes: ReadPart[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const [word = "", next = ""] = [words[at], words[at + 1]];
    const isPart = /^\d{1,2}$/.test(word) && /^\d{3}$/.test(next);
    if (isPart && isCounty(word.padStart(2, "0") + next)) {
      codes.push({ given: `${word} ${next}`, meaning: joinedCode(word, next) });
      at += 1;
      continue;
    }
    const code = readCode(word, { padsText: true });
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
 * Reads a row that stands in no columns. Codes count before words beside them, because these name the same jurisdiction, and words before
 * numbers that are no codes. A state behind or before a name belongs to the name.
 */
export function readRow(cells: readonly unknown[], isCutAtCommas: boolean): ReadRow {
  const filled = cells.filter((cell) => givenText(cell) !== "");
  const read = filled.map((cell) => ({ cell, parts: partsOfCell(cell) }));
  if (filled.length > 1 && read.some(({ parts: [first] }) => first?.meaning.kind === "none")) {
    const whole = codesIn(filled.map((cell) => tidyText(String(cell))).join(" "));
    if (whole?.every(isJurisdiction)) return { parts: whole, unread: [] };
  }
  const words = read.filter(({ parts }) => isName(parts));
  const others = read.filter(({ parts }) => !isName(parts)).flatMap(({ parts }) => parts);
  if (words.length === 0 || others.some(isJurisdiction))
    return { parts: others, unread: words.map(({ cell }) => givenText(cell)) };
  const names = namesOf(
    words.map(({ cell }) => withoutZip(tidyText(String(cell)))),
    isCutAtCommas,
  );
  return {
    parts: names.map((name) => ({ given: name, meaning: asName(name) })),
    unread: others.map(({ given }) => given),
  };
}

/** The names in cells side by side. Parts of one name are joined by commas. */
function namesOf(parts: readonly string[], isCutAtCommas: boolean): string[] {
  const areStates = parts.map(isState);
  const [isFirstState = false, isSecondState = false] = areStates;
  if (parts.length === 2 && isFirstState !== isSecondState)
    return [(isFirstState ? [...parts].reverse() : parts).join(", ")];
  const [first = "", second = ""] = parts;
  // "New York, NY" is a city: a state's name with its code behind it.
  const isCity =
    parts.length === 2 && first.length > mostCodeCharacters && second.length <= mostCodeCharacters;
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
