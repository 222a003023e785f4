import { stateOfGeoid } from "./states";

/** How many digits the Census Bureau's geoIDs have (docs/interface.md, "GeoID"). */
export const geoidDigits = { state: 2, county: 5, place: 7, countySubdivision: 10 };

const lengths: readonly number[] = Object.values(geoidDigits);

/** No geoID has more characters than this, whatever a service may call one. */
export const mostGeoidCharacters = 20;

/** Digits of a number that can only be a geoID whose leading zero Excel took away. */
const digitsWithoutZero = lengths.map((digits) => digits - 1);

/** `0500000US06001`: the Census Bureau's long form, with the geoID behind `US`. */
const longForm = /^\d{7}US(?=\d)/;

/**
 * The geoID that a cell or argument means, or null where it can't be one.
 * A number gets its lost zero back; digits given as text are never changed.
 */
export function geoidOfCell(cell: unknown): string | null {
  if (typeof cell === "number") return geoidOfNumber(cell);
  if (typeof cell !== "string") return null;
  const geoid = cell.trim().replace(longForm, "");
  // Only the usual lengths of a geoID are known (docs/interface.md, "GeoID").
  return geoid.length <= mostGeoidCharacters && /^(?=\D*\d)[\w-]+$/.test(geoid) ? geoid : null;
}

/** The same of a word in a pasted list, where digits may have been a number and have lost their zero. */
export function geoidOfPastedWord(word: string): string | null {
  const mayLackZero = /^[1-9]\d*$/.test(word) && word.length < geoidDigits.countySubdivision;
  return geoidOfCell(mayLackZero ? Number(word) : word);
}

/**
 * Whether a text can hardly be anything but a geoID: digits of one's length that begin with a state's code. Another one may be
 * a text of the user's own, such as an invoice's number: it is looked for in the directory, and never sent.
 */
export function mayBeSent(geoid: string): boolean {
  return lengths.includes(geoid.length) && stateOfGeoid(geoid) !== undefined;
}

function geoidOfNumber(number: number): string | null {
  if (!Number.isSafeInteger(number) || number <= 0) return null;
  return padded(String(number));
}

function padded(digits: string): string {
  return digitsWithoutZero.includes(digits.length) ? `0${digits}` : digits;
}
