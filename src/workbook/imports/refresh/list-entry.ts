import type { Ahj } from "../../../engine/api/schemas";
import type { Directory } from "../../../engine/lookup/directory/directory";
import { keyOf, type ListEntry } from "../../../engine/lookup/lists/list-entries";
import type { How } from "../../../engine/lookup/lists/read-code";
import type { Meaning } from "../../../engine/lookup/lists/read-parts";
import type { Lookup } from "../../../engine/lookup/lookup";
import { nameKey } from "../../../engine/lookup/search/plain-name";
import { stateCodeOf } from "../../../engine/lookup/search/state-names";
import type { ExchangeOptions } from "../../../engine/transport/exchange";
import { createRequestBudget } from "../../../engine/transport/request-budget";
import { Failure } from "../../../errors";
import type { RowAhj } from "../../sheet/layout/table-plan";
import type { TableColumns } from "../../sheet/tables/bound-table";
import { listHeadersOf } from "../saved/ahj-headers";
import { type ImportRow } from "../saved/import-rows";
import type { SavedImport } from "../saved/saved-import";
import { askWho } from "./ask-again";

/** An entry of a list beside which an import stands. `decidedId` is the AHJ that its user has decided it means, if there was a doubt. */
type DecidedEntry = ListEntry & { decidedId: number | undefined };

/** The entry that a list has for each row of its table; null for a row whose cell names several. Rows without an entry are left out. */
export type ListEntries = ReadonlyMap<number, DecidedEntry | null>;

/** Reads the list beside which an import stands; there are no entries if it stands beside none, or the list's column is gone. */
export async function listEntries(
  saved: Pick<SavedImport, "listHeader" | "listBeside" | "decided">,
  { columns }: TableColumns,
): Promise<ListEntries> {
  const own = columns.get(saved.listHeader ?? "");
  const entries = new Map<number, DecidedEntry | null>();
  if (!own) return entries;
  const { readListCells } = await import("../../../engine/lookup/lists/read-list");
  const headings = listHeadersOf(saved).filter((header) => columns.has(header));
  const cells = own.values.map((_, row) => headings.map((header) => columns.get(header)?.values[row]));
  const list = await readListCells(cells, { headings });
  const decided = new Map(saved.decided?.map(({ key, ahjId }) => [key, ahjId]));
  for (const entry of list.entries) {
    const row = entry.row - 1;
    const decidedId = decided.get(keyOf(entry.meaning) ?? "");
    // A cell with several codes is certainly nobody's.
    entries.set(row, entries.has(row) ? null : { ...entry, decidedId });
  }
  return entries;
}

/**
 * The rows whose entry certainly names another AHJ than the one of the row's id, as far as the directory knows both. A decision of
 * the user about an entry holds for the rows that have its AHJ.
 */
export async function rowsOfOthers(
  entries: ListEntries,
  rows: readonly ImportRow[],
  directory: Pick<Directory, "byId" | "resolved" | "known">,
): Promise<Set<number>> {
  if (entries.size === 0) return new Set();
  const { successorsOf } = await import("../../../engine/lookup/lists/successors");
  const meaningOf = (row: number) => entries.get(row)?.meaning;
  const codes = rows.flatMap(({ row }) => {
    const meaning = meaningOf(row);
    return meaning?.kind === "geoid" ? [meaning.geoid] : [];
  });
  const successors = successorsOf(codes, directory.known());
  const statesByName = new Map<string, Set<string>>();
  for (const { name, state_code } of directory.known()) {
    const key = nameKey(name);
    statesByName.set(key, (statesByName.get(key) ?? new Set()).add(state_code));
  }
  const isOthers = (row: number, ahjId: number) => {
    const meaning = meaningOf(row);
    const ahj = directory.byId(ahjId);
    if (!meaning || meaning.kind === "none" || entries.get(row)?.decidedId === ahjId) return false;
    if (meaning.kind === "ahj") return meaning.id !== ahjId;
    if (!ahj) return false;
    if (meaning.kind === "geoid") {
      const { geoid } = meaning;
      return !isGeoidOf(ahj, geoid, directory.resolved(geoid), successors.get(geoid)?.geoids);
    }
    return isNameOfOther(ahj, meaning.name, statesByName);
  };
  return new Set(rows.flatMap(({ row, ahj }) => (isOthers(row, ahj.id) ? [row] : [])));
}

/** A row whose entry certainly names this AHJ now, so that the row gets its answers. */
export interface FollowedRow {
  row: number;
  entry: string;
  ahj: RowAhj;
  how: How;
  /** The AHJ whose id the row has; null if it has none. */
  before: RowAhj | null;
}

/** The most requests for the places of a list. A row whose place they do not find is told, and stays as it is. */
const mostRequests = 10;

/**
 * The rows that are to follow their list: those of `others`, and those without an id, as far as their entry names one AHJ for certain, as it
 * would in a formula; with `areDecided`, also as far as the user has decided which one it names. A row of `typedIds` stays, since its new id
 * would take a person's text away. Only `cancelled` is thrown.
 */
export async function followedRows(
  entries: ListEntries,
  {
    rows,
    others,
    typedIds,
    areDecided,
  }: {
    rows: readonly ImportRow[];
    others: ReadonlySet<number>;
    typedIds: ReadonlySet<number>;
    areDecided: boolean;
  },
  lookup: Pick<Lookup, "directory" | "ask">,
  { signal }: Pick<ExchangeOptions, "signal">,
): Promise<FollowedRow[]> {
  const before = new Map(rows.map(({ row, ahj }) => [row, ahj]));
  const open = [...entries].flatMap(([row, entry]) => {
    if (!entry || typedIds.has(row) || (!others.has(row) && before.has(row))) return [];
    const { given, decidedId } = entry;
    const meaning: Meaning =
      areDecided && decidedId !== undefined
        ? { kind: "ahj", id: decidedId, how: "name-chosen" }
        : entry.meaning;
    return meaning.kind === "none" ? [] : [{ row, given, meaning }];
  });
  if (open.length === 0) return [];
  const asking = { signal, budget: createRequestBudget(mostRequests) };
  const meanings = open.map(({ meaning }) => meaning);
  const texts = meanings.flatMap((meaning) => textOf(meaning) ?? []);
  const named = texts.length > 0 ? await lookup.directory.resolve(texts, asking) : new Map<string, never>();
  const byId = await askWho(
    meanings.flatMap((meaning) => (meaning.kind === "ahj" ? [meaning.id] : [])),
    lookup,
    asking,
  );
  return open.flatMap(({ row, given, meaning }) => {
    const ahj = meaning.kind === "ahj" ? byId.get(meaning.id) : named.get(textOf(meaning) ?? "");
    if (!ahj || ahj instanceof Failure || ahj.id === before.get(row)?.id) return [];
    return [{ row, entry: given, ahj, how: meaning.how, before: before.get(row) ?? null }];
  });
}

/** The text that the directory looks up for an entry. */
function textOf(meaning: Meaning): string | undefined {
  return meaning.kind === "geoid" ? meaning.geoid : meaning.kind === "name" ? meaning.name : undefined;
}

/** `successors` are the geoIDs that may stand for an entry that nobody has any more. The user has chosen one if it is the AHJ's. */
function isGeoidOf(
  { id, geoid }: Ahj,
  entry: string,
  resolved: unknown,
  successors: readonly string[] = [],
): boolean {
  const named = typeof resolved === "object" && resolved !== null && "id" in resolved ? resolved.id : null;
  if (named === id || geoid === null) return true;
  // Digits may have lost their leading zero since they were looked up.
  const digits = (text: string) => text.replace(/^0+/, "");
  return digits(geoid) === digits(entry) || (named === null && successors.includes(geoid));
}

/**
 * True if an entry is certainly the name of another AHJ. An entry may have a state behind the name; it then names nobody of another state,
 * so that a suggestion stays accepted: "Dade County, FL" is Miami-Dade, although Georgia has a Dade County.
 */
function isNameOfOther(
  ahj: Ahj,
  entry: string,
  /** The codes of the states that have an AHJ of a name, by `nameKey`. */
  statesByName: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
  const key = nameKey(entry);
  const own = nameKey(ahj.name);
  if (key === own) return false;
  const [, placeName = "", state = ""] =
    /^(.+?)(?:,\s*|\s)([a-z]{2})$/.exec(key) ?? /^(.+),([^,]+)$/.exec(key) ?? [];
  const code = stateCodeOf(state);
  if (nameKey(placeName) !== own) {
    const states = statesByName.get(nameKey(placeName));
    return statesByName.has(key) || (states !== undefined && (code === undefined || states.has(code)));
  }
  return code !== undefined && code !== ahj.state_code;
}
