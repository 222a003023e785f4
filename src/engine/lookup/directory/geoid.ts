import { stateOfGeoid } from "./states";

/** The numbers of digits that the Census Bureau's geoIDs have (docs/interface.md, "GeoID"). */
export const geoidDigits = { state: 2, county: 5, place: 7, countySubdivision: 10 };

const lengths: readonly number[] = Object.values(geoidDigits);

/** The longest text that is taken for a geoID. It leaves room for a service's own codes, which may be longer than the Census Bureau's. */
export const mostGeoidCharacters = 20;

/** The numbers of digits that a geoID has after Excel has turned it into a number and so removed its leading zero. */
const digitsWithoutZero = lengths.map((digits) => digits - 1);

/** `0500000US06001`: the Census Bureau's long form, with the geoID after `US`. */
const longForm = /^\d{7}US(?=\d)/;

/**
 * The geoID that a cell or argument means; null if it can't be a geoID. A number gets its lost zero back; digits given as text are never
 * changed.
 */
export function geoidOfCell(cell: unknown): string | null {
  if (typeof cell === "number") return geoidOfNumber(cell);
  if (typeof cell !== "string") return null;
  const geoid = cell.trim().replace(longForm, "");
  // Other lengths than the usual ones are accepted, because docs/interface.md, "GeoID", does not rule them out.
  return geoid.length <= mostGeoidCharacters && /^(?=\D*\d)[\w-]+$/.test(geoid) ? geoid : null;
}

/**
 * The geoID that a word in a pasted list means; null if it can't be a geoID. Digits may have been a number, so they get their lost zero
 * back.
 */
export function geoidOfPastedWord(word: string): string | null {
  const mayLackZero = /^[1-9]\d*$/.test(word) && word.length < geoidDigits.countySubdivision;
  return geoidOfCell(mayLackZero ? Number(word) : word);
}

/**
 * True if a text can hardly be anything but a geoID: digits of a geoID's length that begin with a state's code. Another text may be the
 * user's own, such as an invoice's number: it is looked for in the directory, and never sent.
 */
export function mayBeSent(geoid: string): boolean {
  return lengths.includes(geoid.length) && stateOfGeoid(geoid) !== undefined;
}

function geoidOfNumber(number: number): string | null {
  if (!Number.isSafeInteger(number) || number <= 0) return null;
  const digits = String(number);
  return digitsWithoutZero.includes(digits.length) ? `0${digits}` : digits;
}
