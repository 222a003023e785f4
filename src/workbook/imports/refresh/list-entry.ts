import type { Ahj } from "../../../engine/api/schemas";
import type { Directory } from "../../../engine/lookup/directory/directory";
import { meaningOfCell } from "../../../engine/lookup/lists/read-parts";
import { nameKey } from "../../../engine/lookup/search/plain-name";
import { isStateCode } from "../../../engine/lookup/directory/states";
import type { TableColumns } from "../../sheet/tables/bound-table";
import type { ImportRow } from "../saved/import-rows";
import type { SavedImport } from "../saved/saved-import";

/**
 * The rows beside a list whose entry now certainly names another AHJ than the one that the row's answers belong to, as far as the directory
 * knows both. Uncertain rows are left out.
 */
export function rowsOfOthers(
  { listHeader }: Pick<SavedImport, "listHeader">,
  { columns }: TableColumns,
  rows: readonly ImportRow[],
  directory: Pick<Directory, "byId" | "resolved" | "known">,
): Set<number> {
  const entries = columns.get(listHeader ?? "")?.values;
  if (!entries) return new Set();
  const names = new Set(directory.known().map(({ name }) => nameKey(name)));
  const isOthers = (entry: unknown, ahjId: number) => {
    const meaning = meaningOfCell(entry);
    const ahj = directory.byId(ahjId);
    if (!meaning || meaning.kind === "none") return false;
    if (meaning.kind === "ahj") return meaning.id !== ahjId;
    if (!ahj) return false;
    if (meaning.kind === "geoid") return !isGeoidOf(ahj, meaning.geoid, directory.resolved(meaning.geoid));
    return isNameOfOther(ahj, meaning.name, names);
  };
  return new Set(rows.flatMap(({ row, ahj }) => (isOthers(entries[row], ahj.id) ? [row] : [])));
}

function isGeoidOf({ id, geoid }: Ahj, entry: string, resolved: unknown): boolean {
  const isResolved =
    typeof resolved === "object" && resolved !== null && "id" in resolved && resolved.id === id;
  // Digits may have lost their leading zero since they were looked up.
  const digits = (text: string) => text.replace(/^0+/, "");
  return isResolved || geoid === null || digits(geoid) === digits(entry);
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
