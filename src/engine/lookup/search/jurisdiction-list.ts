import { inTurns } from "../../../async/in-turns";
import { ahjIdIn } from "../asked-names";
import { geoidOfCell, geoidOfPastedWord } from "../directory/geoid";
import { isStateCode } from "../directory/states";
import { nameKey } from "./plain-name";

/** A list of jurisdictions as it was read: each entry once, in the order of the list. */
export interface JurisdictionList {
  geoids: string[];
  /** The geoIDs that were given a zero, as they stood there. */
  repaired: { given: string; geoid: string }[];
  /** Given as `ahj:` and an id. */
  ahjIds: number[];
  /** Names, with a state behind a comma where one was given. */
  names: string[];
  /** What can be neither a geoID nor a name. */
  unreadable: string[];
  /** What stood there before, for each further time. */
  doubles: string[];
  /** GeoIDs, `ahj:` with an id, and names, in the order of the list, each with the line or cell where it stands first, from 1 on. */
  rows: ReadonlyMap<string, number>;
  /** None or one: the words above a list of ids alone, where they can be no jurisdiction. As a name it would take the whole directory to look up. */
  headers: string[];
}

/**
 * Reads a pasted list: geoIDs, `ahj:` with an id, or names, one a line or cell; geoIDs may also stand behind each
 * other, with commas or blanks between. Lost zeros come back: digits may have been a number in the sheet they come from.
 */
export async function parsePastedList(text: string): Promise<JurisdictionList> {
  const reader = createReader();
  await inTurns(text.split(/\r\n|\r|\n/), reader.readLine);
  return reader.list();
}

/** Reads cells. Lost zeros come back, to numbers and to digits given as text. */
export async function parseCellList(cells: readonly unknown[]): Promise<JurisdictionList> {
  const reader = createReader();
  await inTurns(cells, reader.readCell);
  return reader.list();
}

/** The same of one cell alone. */
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
  /** A name without a state: the next cell may hold it. */
  let openName = "";
  let openRow = 0;
  /** Whether the first name came before anything else. */
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

  /** Takes the words where each of them is a geoID or an AHJ id. */
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
        beginsWithName && others.length === 0 && geoids.size + ahjIds.size > 0 && !certainlyName.test(first);
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

/** A state behind a comma, a digit, "City of Chicago", "Cook County"; "County" alone is what stands above counties. */
const certainlyName =
  /[,\d]|^(?:city|town|village|county) of .|.\s(?:county|parish|borough|city|town|township|village|district|utility)$/i;
