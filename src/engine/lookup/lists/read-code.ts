import { ahjIdIn } from "../asked-names";
import { isCounty } from "../directory/counties";
import { geoidDigits, isOwnCode } from "../directory/geoid";
import { stateOfGeoid } from "../directory/states";
import { censusLevel } from "./census-levels";
import { tidyText } from "./tidy-text";

/** How a code or name was understood. */
export type How =
  | "as-given"
  | "zero-back"
  | "prefix-cut"
  | "tidied"
  | "joined"
  | "whole-state"
  | "name"
  | "name-spelled"
  | "name-guessed"
  | "name-chosen"
  | "replaced";

/** How the entry of a row was understood; "not-matched" if it stands for no jurisdiction. */
export type RowHow = How | "not-matched";

/** Why something in a list stands for no jurisdiction. Each kind is shown together. */
export type Misreading =
  | "other-area"
  | "zip-code"
  | "no-such-county"
  | "no-such-state"
  | "part-of-code"
  | "shortened"
  | "sheet-error"
  | "several"
  | "no-code"
  | "contradiction"
  | "unreadable";

/** An entry that stands for no jurisdiction and is never sent. */
export interface NotUnderstood {
  kind: "none";
  why: Misreading;
  /** The reason, as a whole sentence. `{county}` stands for the name of `county`. */
  sentence: string;
  /** The geoID of the county that the area lies in: it can be offered, and is never taken by itself. */
  county?: string;
  /** The geoID that it may be all the same. */
  code?: string;
}

/** The meaning of a code. `isOwn`: it has not the form of a census code, so it may be a service's own, and only the directory can tell. */
export type CodeMeaning =
  | { kind: "geoid"; geoid: string; how: How; isOwn?: boolean }
  | { kind: "ahj"; id: number; how: How }
  | NotUnderstood;

export const none = (why: Misreading, sentence: string, county?: string): NotUnderstood =>
  county === undefined ? { kind: "none", why, sentence } : { kind: "none", why, sentence, county };

const found = (geoid: string, how: How): CodeMeaning => ({ kind: "geoid", geoid, how });

/**
 * The meaning of a cell, word or argument that is a code or an error; null if it is blank, or may be a name. Digits get a zero back that
 * Excel has cut off.
 *
 *     readCode("6001") // 06001, "zero-back"
 *     readCode("8600000US36001") // none: the code of a ZIP code area
 */
export function readCode(cell: unknown): CodeMeaning | null {
  if (cell === null || cell === undefined || cell === "") return null;
  if (typeof cell === "number") return readNumber(cell);
  if (typeof cell !== "string") return none("unreadable", "It is neither a geoID nor a name.");
  const text = tidyText(cell);
  if (text === "") return null;
  if (/^#\s/.test(text)) return none("unreadable", "It is a comment.");
  if (/^#(?!\d)/.test(text))
    return none("sheet-error", `The cell shows the error ${text.slice(0, mostShown)}.`);
  const id = ahjIdIn(text.replace(/^ahj(?:\s+id)?\s*:\s*/i, "ahj:"));
  if (id !== undefined) return { kind: "ahj", id, how: "as-given" };
  const meaning = readText(text);
  const isTidied = text !== cell.trim();
  return meaning?.kind === "geoid" && meaning.how === "as-given" && isTidied
    ? { ...meaning, how: "tidied" }
    : meaning;
}

function readNumber(number: number): CodeMeaning {
  if (!Number.isSafeInteger(number) || number <= 0)
    return none("unreadable", "A number with decimals, a negative number or 0 is no code.");
  return readDigits(String(number), true) ?? found(String(number), "as-given");
}

function readText(text: string): CodeMeaning | null {
  if (/^\d+$/.test(text)) return readDigits(text, true) ?? ownCode(text);
  if (/^[+-]?\d+(?:[.,]\d+)?E[+-]?\d{1,2}$/i.test(text)) {
    const advice = "Widen its column, choose the number format 0, and copy it again.";
    return none("shortened", `Excel shortened this code, so digits are missing. ${advice}`);
  }
  const other = readOther(text);
  if (other) return other;
  const [, whole] =
    /^#?(\d+)\.?0*$/.exec(/^#|\./.test(text) ? text : "") ?? /^(\d{4,10}),00?$/.exec(text) ?? [];
  if (whole !== undefined) return readSpelling(whole, "tidied");
  if (/^[1-9]\d{0,2}(?:[,'’]\d{3})+$/.test(text)) return readSpelling(text.replace(/\D/g, ""), "tidied");
  if (/^\d{5}-\d{4}$/.test(text)) return none("zip-code", "It is a ZIP code, which is no jurisdiction.");
  const joined = readJoined(text);
  if (joined) return joined;
  const [, level, variant = "", area = ""] = /^(\d{3})(\w{0,4})US(\w*)$/i.exec(text) ?? [];
  if (level !== undefined) return readLongForm(level, variant.slice(-2), area);
  const [, labeled] = label.exec(text) ?? /^US[ -]?(\d+)$/i.exec(text) ?? [];
  if (labeled !== undefined) return readLabeled(labeled);
  const [, historical] = /^G(\d{3}|\d{7,17})$/i.exec(text) ?? [];
  return historical === undefined ? ownCode(text) : readNhgis(historical);
}

/** The words before a code: `FIPS 06001`, "County FIPS: 06-001", `geoId/06001`, `county:06001`. */
const label =
  /^(?:dcid:\s?)?(?:(?:state|county|place|city)\s?:|(?:(?:state|county|place|city|census|ahj)\s+)?(?:fips|geo[ _-]?id)(?:\s+codes?)?(?:\s*[:=#/-]\s*|\s+|(?=\d{4})))\s*(\d[\dA-Z /_-]*)$/i;

/** A code behind a word that says so. */
function readLabeled(code: string): CodeMeaning | null {
  const meaning = readText(code);
  return meaning?.kind === "geoid" && meaning.how === "as-given"
    ? { ...meaning, how: "prefix-cut" }
    : meaning;
}

/** Dates, telephone numbers and others that have digits and hyphens, parts of a tract's code, and letters in place of digits. */
function readOther(text: string): NotUnderstood | null {
  if (/^(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}-\d{1,2}-\d{2,4}|\d{1,2}-[A-Z]{3}|[A-Z]{3}-\d{1,2})$/i.test(text))
    return none("unreadable", "It may be a date.");
  if (/^(?:\d{3}-\d{3}-\d{4}|\d{2}-\d{7}|-\d+)$/.test(text))
    return none("unreadable", "It is a number of another kind.");
  const [, state = "", county = "", tract] =
    /^(\d{1,2})[\s-](\d{3})[\s-](\d{4}(?:\.\d\d)?|\d{6})$/.exec(text) ??
    /^(\d{2})(\d{3})\s(\d{4}\.\d\d|\d{6})$/.exec(text) ??
    [];
  const inside = state.padStart(2, "0") + county;
  if (tract !== undefined && isCounty(inside)) return ofCounty("a census tract", inside);
  const digits = text.replace(/[oO]/g, "0").replace(/[lI]/g, "1");
  const isMistyped = digits !== text && /^\d{5,10}$/.test(digits);
  return isMistyped ? none("unreadable", "It has a letter in place of a digit.") : null;
}

const mostShown = 20;

/** The digits that are left after other characters were taken off. Their own reading counts if it says more than "as given". */
function readSpelling(digits: string, how: How): CodeMeaning | null {
  const meaning = readDigits(digits, true) ?? ownCode(digits);
  return meaning?.kind === "geoid" && meaning.how === "as-given" ? { ...meaning, how } : meaning;
}

/** `06-001`, `6 001`, `06-44000`, `06-001-90010`: the codes of a state and of a part of it. */
function readJoined(text: string): CodeMeaning | null {
  const [, state = "", sign, part = "", subdivision = ""] =
    /^(\d{1,2})([-–—_/ ])(\d{3}|\d{5})(?:\2(\d{5}))?$/.exec(text) ?? [];
  if (sign === undefined) return null;
  // Behind a blank, five digits may be a county's whole code.
  if (sign === " " && part.length !== 3) return null;
  return joinedCode(state, part, subdivision);
}

/** The code that a state's code makes with a county's or place's part, and perhaps with a county subdivision's. */
export function joinedCode(state: string, part: string, subdivision = ""): CodeMeaning {
  const digits = `${state.padStart(2, "0")}${part}${subdivision}`;
  const meaning = readDigits(digits, false);
  if (meaning?.kind === "geoid")
    return { ...meaning, how: meaning.how === "as-given" ? "joined" : meaning.how };
  return meaning ?? none("unreadable", "A state's code and this are no geoID.");
}

/** `0500000US06001` and its other spellings: only the levels that the service can have are cut, and only for a whole area. */
function readLongForm(digits: string, component: string, area: string): CodeMeaning {
  const { words, digits: length, isInCounty } = censusLevel(digits);
  if (length === undefined) {
    const county = area.slice(0, geoidDigits.county);
    return isInCounty && isCounty(county) ? ofCounty(words, county) : ofArea(words);
  }
  if (component !== "" && component !== "00") return ofArea(`a part of ${words}`);
  const geoid = area.length === length - 1 ? `0${area}` : area;
  const meaning = geoid.length === length ? readDigits(geoid, false) : null;
  if (meaning?.kind === "geoid" && meaning.how === "as-given")
    return found(geoid, geoid === area ? "prefix-cut" : "zero-back");
  return meaning?.kind === "none"
    ? meaning
    : none("unreadable", `The code of ${words} has ${length} digits behind US.`);
}

/** NHGIS writes a zero behind the codes of state and county: `G0600010` is 06001. Its other codes are longer. */
function readNhgis(digits: string): CodeMeaning {
  const [, state, county] = /^(\d\d)0(?:(\d{3})0)?$/.exec(digits) ?? [];
  const meaning = state === undefined ? null : readDigits(`${state}${county ?? ""}`, false);
  if (meaning?.kind === "geoid") return found(meaning.geoid, "prefix-cut");
  return none("other-area", "It is a GISJOIN code of NHGIS, which is no geoID.");
}

const ofArea = (words: string) => none("other-area", `It is the code of ${words}.`);
const ofCounty = (words: string, county: string) =>
  none("other-area", `It is the code of ${words} of {county}.`, county);

/** The meaning of digits; null if they have the length of no census code. */
function readDigits(digits: string, pads: boolean): CodeMeaning | null {
  if (/^0+$/.test(digits)) return none("unreadable", "Zeros alone are no jurisdiction's code.");
  const padded = `0${digits}`;
  switch (digits.length) {
    case 1:
    case 4:
    case 6:
      return pads ? wholeCode(padded, "zero-back") : null;
    case 9:
      return pads ? (tractWithoutZero(digits) ?? wholeCode(padded, "zero-back")) : null;
    case 2:
    case 5:
    case 7:
      return wholeCode(digits, "as-given");
    case 3:
      return none("part-of-code", "It is a county's code without the code of its state.");
    case 10:
      return tractWithoutZero(digits) ?? wholeCode(digits, "as-given");
    case 11:
      return inCounty(digits, "a census tract") ?? inCounty(padded, "a census block group") ?? noLength;
    case 12:
      return inCounty(digits, "a census block group") ?? noLength;
    case 14:
      return inCounty(padded, "a census block") ?? null;
    case 15:
      return inCounty(digits, "a census block") ?? null;
    default:
      return null;
  }
}

const noLength = none("unreadable", "GeoIDs have 2, 5, 7 or 10 digits.");

/** Ten digits whose county exists only with a zero in front: a census tract, with eleven digits. */
function tractWithoutZero(digits: string): NotUnderstood | null {
  if (digits.length !== 10 || isCounty(digits.slice(0, geoidDigits.county))) return null;
  return inCounty(`0${digits}`, "a census tract");
}

function inCounty(digits: string, words: string): NotUnderstood | null {
  const county = digits.slice(0, geoidDigits.county);
  return isCounty(county) ? ofCounty(words, county) : null;
}

/** Digits of a geoID's length, with its zero: a geoID if its state, and its county, exist. */
function wholeCode(digits: string, how: How): CodeMeaning {
  const fips = digits.slice(0, geoidDigits.state);
  const state = stateOfGeoid(fips);
  const { length } = digits;
  if (length === geoidDigits.county) {
    const padded = digits.startsWith("000") ? digits.slice(-2) : digits.endsWith("000") ? fips : "";
    if (stateOfGeoid(padded) !== undefined) return found(padded, "whole-state");
  }
  if (state === undefined) return none("no-such-state", `No state's code is ${fips}.${zipHint(digits)}`);
  const county = digits.slice(0, geoidDigits.county);
  if (length === geoidDigits.place && digits.endsWith("00000")) return found(fips, "whole-state");
  const isWholeCounty = length === geoidDigits.countySubdivision && digits.endsWith("00000");
  if (isWholeCounty && isCounty(county)) return found(county, "whole-state");
  const hasCounty = length === geoidDigits.county || length === geoidDigits.countySubdivision;
  if (hasCounty && !isCounty(county))
    return none("no-such-county", `${state} has no county with the code ${county}.${zipHint(digits)}`);
  return found(digits, how);
}

const zipHint = ({ length }: string) => (length === geoidDigits.county ? " It may be a ZIP code." : "");

function ownCode(text: string): CodeMeaning | null {
  return isOwnCode(text) ? { kind: "geoid", geoid: text, how: "as-given", isOwn: true } : null;
}
