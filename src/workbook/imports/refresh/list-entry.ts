import type { Ahj } from "../../../engine/api/schemas";
import type { Directory } from "../../../engine/lookup/directory/directory";
import type { Meaning } from "../../../engine/lookup/lists/read-parts";
import { nameKey } from "../../../engine/lookup/search/plain-name";
import { isStateCode } from "../../../engine/lookup/directory/states";
import type { TableColumns } from "../../sheet/tables/bound-table";
import type { ImportRow } from "../saved/import-rows";
import type { SavedImport } from "../saved/saved-import";

/**
 * The rows beside a list whose entry now certainly names another AHJ than the one that the row's answers belong to, as far as the directory
 * knows both. Uncertain rows are left out.
 */
export async function rowsOfOthers(
  { listHeader }: Pick<SavedImport, "listHeader">,
  { columns }: TableColumns,
  rows: readonly ImportRow[],
  directory: Pick<Directory, "byId" | "resolved" | "known">,
): Promise<Set<number>> {
  const entries = columns.get(listHeader ?? "")?.values;
  if (!entries) return new Set();
  const [{ readListCells }, { successorsOf }] = await Promise.all([
    import("../../../engine/lookup/lists/read-list"),
    import("../../../engine/lookup/lists/successors"),
  ]);
  const cells = rows.map(({ row }) => [entries[row]]);
  const list = await readListCells(cells, { heading: listHeader ?? "" });
  const meanings = new Map<number | undefined, Meaning | null>();
  for (const { row, meaning } of list.entries) {
    const own = rows[row - 1]?.row;
    // A cell with several codes is certainly nobody's.
    meanings.set(own, meanings.has(own) ? null : meaning);
  }
  const codes = [...meanings.values()].flatMap((meaning) =>
    meaning?.kind === "geoid" ? [meaning.geoid] : [],
  );
  const successors = successorsOf(codes, directory.known());
  const names = new Set(directory.known().map(({ name }) => nameKey(name)));
  const isOthers = (row: number, ahjId: number) => {
    const meaning = meanings.get(row);
    const ahj = directory.byId(ahjId);
    if (!meaning || meaning.kind === "none") return false;
    if (meaning.kind === "ahj") return meaning.id !== ahjId;
    if (!ahj) return false;
    if (meaning.kind === "geoid") {
      const { geoid } = meaning;
      return !isGeoidOf(ahj, geoid, directory.resolved(geoid), successors.get(geoid)?.geoids);
    }
    return isNameOfOther(ahj, meaning.name, names);
  };
  return new Set(rows.flatMap(({ row, ahj }) => (isOthers(row, ahj.id) ? [row] : [])));
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
 * True if an entry is certainly the name of another AHJ. `names` holds the names of all AHJs, by `nameKey`. An entry may have a state
 * behind the name.
 */
function isNameOfOther(ahj: Ahj, entry: string, names: ReadonlySet<string>): boolean {
  const key = nameKey(entry);
  const own = nameKey(ahj.name);
  if (key === own) return false;
  const [, placeName = "", state = ""] =
    /^(.+?)(?:,\s*|\s)([a-z]{2})$/.exec(key) ?? /^(.+),([^,]+)$/.exec(key) ?? [];
  if (nameKey(placeName) !== own) return names.has(key) || names.has(nameKey(placeName));
  const code = state.toUpperCase();
  return isStateCode(code) && code !== ahj.state_code;
}
