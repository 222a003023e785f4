import type { Session } from "../../../app";
import type { Ahj } from "../../../engine/api/schemas";
import { identifyAhjs } from "../../../engine/lookup/directory/identify";
import { Failure } from "../../../errors";
import { idHeaders, importRows } from "../../../workbook/imports/saved/import-rows";
import type { SavedImport } from "../../../workbook/imports/saved/saved-import";
import { createImportTables } from "../../../workbook/sheet/tables/table-changes";
import type { PaneApp } from "../../pane-app";

/** The jurisdictions of an import's rows, each once, and the number of those that the service does not return. */
export async function jurisdictionsOfImport(
  saved: SavedImport,
  { workbook }: Pick<PaneApp, "workbook">,
  { lookup }: Pick<Session, "lookup">,
): Promise<{ ahjs: Ahj[]; notGiven: number }> {
  const table = await createImportTables(workbook).read(saved.tableId, idHeaders(saved));
  const ids = [...new Set(importRows(saved, table).map(({ ahj }) => ahj.id))];
  const found = await identifyAhjs(ids, { ...lookup, denied: new Map() }, {});
  const ahjs = ids.flatMap((id) => {
    const ahj = found.get(id);
    return ahj && !(ahj instanceof Failure) ? [ahj] : [];
  });
  return { ahjs, notGiven: ids.length - ahjs.length };
}
