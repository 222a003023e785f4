import type { Ahj } from "../../../engine/api/schemas";
import { Failure } from "../../../errors";
import type { SavedImport } from "../../../workbook/imports/saved/saved-import";
import { type FilteredRows, filterRows } from "../../../workbook/sheet/tables/row-filter";
import type { PaneApp } from "../../pane-app";

/** Sets Excel's own filter so that an import's table shows only the rows of these jurisdictions. */
export function filterImport(
  { tableId, columns }: SavedImport,
  found: readonly Ahj[],
  { workbook }: Pick<PaneApp, "workbook">,
): Promise<FilteredRows> {
  const header = columns.find(({ content }) => content.of === "ahj" && content.field === "id")?.header;
  if (header === undefined) return Promise.reject(new Failure("table-gone"));
  const ids = new Set(found.map(({ id }) => id));
  return filterRows(workbook, tableId, header, (value) => value !== "" && ids.has(Number(value)));
}
