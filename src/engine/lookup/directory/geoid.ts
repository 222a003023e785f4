/** Lengths of a number that can only be a geoID whose leading zero Excel took away (2, 5, 7 and 10 with it). */
const lengthsWithoutZero = new Set([1, 4, 6, 9]);

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
  return /^(?=\D*\d)[\w-]{1,20}$/.test(geoid) ? geoid : null;
}

function geoidOfNumber(number: number): string | null {
  if (!Number.isSafeInteger(number) || number <= 0) return null;
  return padded(String(number));
}

function padded(digits: string): string {
  return lengthsWithoutZero.has(digits.length) ? `0${digits}` : digits;
}
