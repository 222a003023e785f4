import type { Ahj } from "../../../engine/api/schemas";
import type { Directory } from "../../../engine/lookup/directory/directory";
import { parseCell } from "../../../engine/lookup/search/jurisdiction-list";
import { nameKey } from "../../../engine/lookup/search/plain-name";
import { isStateCode } from "../../../engine/lookup/directory/states";
import type { TableColumns } from "../../sheet/tables/bound-table";
import type { ImportRow } from "../saved/import-rows";
import type { SavedImport } from "../saved/saved-import";

/**
 * The rows beside a list whose entry certainly is another AHJ's by now than the one that their answers are of, as far
 * as the directory knows both. What is uncertain is left out.
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
    const { geoids, ahjIds, names: named } = parseCell(entry);
    const ahj = directory.byId(ahjId);
    const [[geoid], [id], [name]] = [geoids, ahjIds, named];
    if (geoids.length + ahjIds.length + named.length !== 1) return false;
    if (id !== undefined) return id !== ahjId;
    if (!ahj) return false;
    if (geoid !== undefined) return !isGeoidOf(ahj, geoid, directory.resolved(geoid));
    return name !== undefined && isNameOfOther(ahj, name, names);
  };
  return new Set(rows.flatMap(({ row, ahj }) => (isOthers(entries[row], ahj.id) ? [row] : [])));
}

function isGeoidOf({ id, geoid }: Ahj, entry: string, resolved: unknown): boolean {
  const isResolved =
    typeof resolved === "object" && resolved !== null && "id" in resolved && resolved.id === id;
  // Digits may have lost their zero since they were looked up.
  const digits = (text: string) => text.replace(/^0+/, "");
  return isResolved || geoid === null || digits(geoid) === digits(entry);
}

/** `names` are those that AHJs have, by `nameKey`; a list's may have a state behind them. */
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
