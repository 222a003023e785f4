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
  // The interface promises no more of a geoID's form than its usual lengths.
  return /^(?=\D*\d)[\w-]{1,20}$/.test(geoid) ? geoid : null;
}

function geoidOfNumber(number: number): string | null {
  if (!Number.isSafeInteger(number) || number <= 0) return null;
  return padded(String(number));
}

function padded(digits: string): string {
  return lengthsWithoutZero.has(digits.length) ? `0${digits}` : digits;
}

/** A list of geoIDs as it was read. */
export interface GeoidList {
  /** Without duplicates, in the order of the list. */
  geoids: string[];
  /** Those that were given a zero, as they stood there. */
  repaired: { given: string; geoid: string }[];
  /** What can't be a geoID. */
  unreadable: string[];
}

/** Reads a pasted list: one geoID a line, or separated by commas, semicolons or blanks. Lost zeros come back. */
export function parsePastedGeoids(text: string): GeoidList {
  const words = text.split(/[\s,;]+/).map((word) => word.replace(/^["']+|["']+$/g, ""));
  // Pasted text has no types: digits may have been a number in the sheet they come from.
  return readList(words, (word) => {
    const geoid = geoidOfCell(word);
    return geoid === null ? null : /^\d+$/.test(geoid) ? padded(geoid) : geoid;
  });
}

/** Reads cells, one geoID each: numbers get their lost zero back, text stays as it is. */
export function parseGeoidCells(cells: readonly unknown[]): GeoidList {
  return readList(cells, geoidOfCell);
}

function readList<Entry>(entries: readonly Entry[], geoidOf: (entry: Entry) => string | null): GeoidList {
  const geoids = new Set<string>();
  const repaired = new Map<string, string>();
  const unreadable = new Set<string>();
  for (const entry of entries) {
    const given = String(entry).trim();
    if (given === "") continue;
    const geoid = geoidOf(entry);
    if (geoid === null) {
      unreadable.add(given);
      continue;
    }
    geoids.add(geoid);
    if (geoid === `0${given}`) repaired.set(given, geoid);
  }
  return {
    geoids: [...geoids],
    repaired: [...repaired].map(([given, geoid]) => ({ given, geoid })),
    unreadable: [...unreadable],
  };
}
