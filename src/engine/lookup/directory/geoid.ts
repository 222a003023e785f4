import { isCounty } from "./counties";
import { stateOfGeoid } from "./states";

/** The numbers of digits that the Census Bureau's geoIDs have (docs/interface.md, "GeoID"). */
export const geoidDigits = { state: 2, county: 5, place: 7, countySubdivision: 10 };

const lengths: readonly number[] = Object.values(geoidDigits);

/** The longest text that is taken for a geoID. It leaves room for a service's own codes, which may be longer than the Census Bureau's. */
export const mostGeoidCharacters = 20;

/** The numbers of digits that a geoID has after Excel has turned it into a number and so removed its leading zero. */
const digitsWithoutZero = lengths.map((digits) => digits - 1);

/**
 * The geoID that a cell or argument is, if it has the form of one and needs no reading (`readCode` reads the others); null if it is none. A
 * number gets its lost zero back.
 */
export function plainGeoid(cell: unknown): string | null {
  const text = typeof cell === "number" ? textOfNumber(cell) : typeof cell === "string" ? cell.trim() : "";
  return mayBeSent(text) && !zerosForTheWhole.test(text) ? text : null;
}

/** A place's or county subdivision's part of zeros: the code may stand for all of the state or county. */
const zerosForTheWhole = /^..(?:...)?0{5}$/;

/** A text, or digits with the zero that a number has lost. */
export function withZero(text: string): string {
  return /^[1-9]\d*$/.test(text) && digitsWithoutZero.includes(text.length) ? `0${text}` : text;
}

/**
 * True if a text may be a service's own code: letters, digits, hyphens and underscores, one digit at least. Other forms than the usual ones
 * are accepted, because docs/interface.md, "GeoID", does not rule them out.
 */
export function isOwnCode(text: string): boolean {
  return text.length <= mostGeoidCharacters && /^(?=\D*\d)[\w-]+$/.test(text);
}

/** True for a text that names a jurisdiction by words, and so is neither a geoID nor a service's own code. */
export const isPlaceName = (text: string): boolean => !isOwnCode(text);

/**
 * True if a text can hardly be anything but a geoID: digits of a geoID's length that begin with the code of a state and, if it is that
 * long, with the code of a county that exists or existed. Another text may be the user's own, such as an invoice's number: it is looked for
 * in the directory, and never sent.
 */
export function mayBeSent(geoid: string): boolean {
  if (!lengths.includes(geoid.length) || stateOfGeoid(geoid) === undefined) return false;
  const hasCounty = geoid.length === geoidDigits.county || geoid.length === geoidDigits.countySubdivision;
  return !hasCounty || isCounty(geoid.slice(0, geoidDigits.county));
}

/** True for digits with the length of a geoID that begin with the code of no state, or of no county of their state. */
export function isImpossible(text: string): boolean {
  return /^\d+$/.test(text) && lengths.includes(text.length) && !mayBeSent(text);
}

function textOfNumber(number: number): string {
  return Number.isSafeInteger(number) && number > 0 ? withZero(String(number)) : "";
}
