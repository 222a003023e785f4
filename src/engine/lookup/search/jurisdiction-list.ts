import { inTurns } from "../../../async/in-turns";
import { ahjIdIn } from "../asked-names";
import { geoidOfCell, geoidOfPastedWord } from "../directory/geoid";
import { isStateCode } from "../directory/states";
import { nameKey } from "./plain-name";

/** A list of jurisdictions as it was read: each entry once, in the order of the list. */
export interface JurisdictionList {
  geoids: string[];
  /** The geoIDs that got a leading zero, and the digits that the list gave. */
  repaired: { given: string; geoid: string }[];
  /** Ids that were given as `ahj:` and an id. */
  ahjIds: number[];
  /** Names, followed by a comma and a state if the list gave one. */
  names: string[];
  /** Entries that can be neither a geoID nor a name. */
  unreadable: string[];
  /** Entries that the list repeats, once for each repetition. */
  doubles: string[];
  /** GeoIDs, `ahj:` with an id, and names, in the order of the list, each with the line or cell of its first place, from 1 on. */
  rows: ReadonlyMap<string, number>;
  /**
   * None or one: a heading above a list of ids, whose words can be no jurisdiction. As a name it would take the whole directory to look up.
   */
  headers: string[];
}

/**
 * Reads a pasted list: geoIDs, `ahj:` with an id, or names, one per line or cell. GeoIDs may also follow each other with commas or blanks
 * between. Lost leading zeros come back, because digits may have been a number in the sheet they come from.
 */
export async function parsePastedList(text: string): Promise<JurisdictionList> {
  const reader = createReader();
  await inTurns(text.split(/\r\n|\r|\n/), reader.readLine);
  return reader.list();
}

/** Reads cells. Lost leading zeros come back, in numbers and in digits given as text. */
export async function parseCellList(cells: readonly unknown[]): Promise<JurisdictionList> {
  const reader = createReader();
  await inTurns(cells, reader.readCell);
  return reader.list();
}

/** Reads a single cell in the same way. */
export function parseCell(cell: unknown): JurisdictionList {
  const reader = createReader();
  reader.readCell(cell);
  return reader.list();
}

function createReader() {
  const geoids = new Set<string>();
  const repaired = new Map<string, string>();
  const ahjIds = new Set<number>();
  const names = new Map<string, string>();
  const unreadable = new Set<string>();
  const doubles: string[] = [];
  const rows = new Map<string, number>();
  let row = 0;
  /** A name without a state, because the next cell may hold the state. */
  let openName = "";
  let openRow = 0;
  /** True if the first name came before anything else. */
  let beginsWithName = false;

  function take<Entry>(entries: Set<Entry>, entry: Entry, given: string) {
    if (entries.has(entry)) doubles.push(given);
    else entries.add(entry);
  }

  function closeName() {
    const key = nameKey(openName);
    if (names.has(key)) doubles.push(openName);
    else if (key !== "") {
      names.set(key, openName);
      rows.set(openName, openRow);
    }
    openName = "";
  }

  function readEntry(given: string, geoid: string | null) {
    if (given === "") return;
    closeName();
    if (geoid === null) return take(unreadable, given, given);
    if (!geoids.has(geoid)) rows.set(geoid, row);
    take(geoids, geoid, given);
    if (geoid === `0${given}`) repaired.set(given, geoid);
  }

  /** Takes the words if each of them is a geoID or an AHJ id; otherwise returns false. */
  function readIds(words: readonly string[]): boolean {
    const ids = words.map(ahjIdIn);
    const found = words.map((word, at) => (ids[at] === undefined ? geoidOfPastedWord(word) : null));
    if (!words.every((_, at) => ids[at] !== undefined || found[at] !== null)) return false;
    words.forEach((word, at) => {
      const [id, geoid] = [ids[at], found[at]];
      closeName();
      if (id !== undefined) {
        if (!ahjIds.has(id)) rows.set(`ahj:${id}`, row);
        take(ahjIds, id, word);
      } else readEntry(word, geoid ?? null);
    });
    return true;
  }

  function readText(cell: string) {
    const nameParts: string[] = [];
    for (const quoted of cell.replace(/ahj:\s+/gi, "ahj:").split(",")) {
      const [, unquoted = ""] = /^["']*([^]*[^"'])?["']*$/.exec(quoted.trim()) ?? [];
      const part = unquoted.trim();
      if (readIds(part.split(/\s+/))) continue;
      if (/\p{L}/u.test(part)) nameParts.push(part.replace(/\s+/g, " "));
      else readEntry(part, null);
    }
    const name = nameParts.join(", ");
    if (name === "") return;
    if (openName !== "" && isStateCode(name)) {
      openName += `, ${name}`;
      return closeName();
    }
    closeName();
    beginsWithName ||= geoids.size + ahjIds.size + names.size + unreadable.size === 0;
    openName = name;
    openRow = row;
  }

  return {
    readLine(line: string) {
      row += 1;
      for (const cell of line.split(/[\t;]+/)) readText(cell);
    },
    readCell(cell: unknown) {
      row += 1;
      if (typeof cell === "string") readText(cell);
      else readEntry(String(cell ?? ""), geoidOfCell(cell));
    },
    list(): JurisdictionList {
      closeName();
      const [first = "", ...others] = names.values();
      const isHeader =
        beginsWithName && others.length === 0 && geoids.size + ahjIds.size > 0 && !isCertainlyName(first);
      return {
        geoids: [...geoids],
        repaired: [...repaired].map(([given, geoid]) => ({ given, geoid })),
        ahjIds: [...ahjIds],
        names: isHeader ? [] : [...names.values()],
        unreadable: [...unreadable],
        rows,
        doubles,
        headers: isHeader ? [first] : [],
      };
    },
  };
}

/**
 * True for a name that can be no heading of a list: with a state after a comma, with a digit, "City of Chicago", "Cook County". "County"
 * alone is a heading above counties.
 */
export const isCertainlyName = (text: string): boolean =>
  /[,\d]|^(?:city|town|village|county) of .|.\s(?:county|parish|borough|city|town|township|village|district|utility)$/i.test(
    text,
  );
