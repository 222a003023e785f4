import {
  importNamespace,
  parseImportXml,
  type SavedImport,
} from "../../src/workbook/imports/saved/saved-import";
import { hasIds } from "../../src/workbook/sheet/layout/table-plan";
import type { SheetFile, TableFile, WorkbookFile } from "../../xlsx/workbook-file";

/** An import that a workbook file remembers. */
export interface FileImport {
  saved: SavedImport;
  /** Null if its table is gone. */
  table: FileTable | null;
}

export interface FileTable {
  sheet: SheetFile;
  table: TableFile;
}

/** The imports of a file, the newest run first. `refused` names the parts that claim to be imports and can't be read as one. */
export function fileImports(file: WorkbookFile): { imports: FileImport[]; refused: string[] } {
  const parts = file.customXmlParts.filter(({ namespace }) => namespace === importNamespace);
  const read = parts.map(({ part, xml }) => ({ part, saved: parseImportXml(xml) }));
  const all = read
    .flatMap(({ saved }) => saved ?? [])
    .sort((one, other) => other.lastRun.atMs - one.lastRun.atMs);
  // Two colleagues may have written the same import at once: the newest run counts.
  const newest = all.filter((saved, place) => all.findIndex(({ id }) => id === saved.id) === place);
  const tables = file.sheets.flatMap((sheet) => sheet.tables.map((table) => ({ sheet, table })));
  const found = tablesOf(newest, tables);
  return {
    imports: newest.map((saved) => ({ saved, table: found.get(saved) ?? null })),
    refused: read.flatMap(({ part, saved }) => (saved ? [] : part)),
  };
}

/**
 * Finds the table of each import; no table belongs to two imports. A table is found by its id if the file has it, and otherwise by its
 * headers, since a table that was copied, or saved by another program, has another id.
 */
function tablesOf(
  imports: readonly SavedImport[],
  tables: readonly FileTable[],
): Map<SavedImport, FileTable> {
  const found = new Map<SavedImport, FileTable>();
  const taken = new Set<FileTable>();
  for (const isOf of [hasId, hasHeadersInOrder, hasMostHeaders]) {
    for (const saved of imports) {
      if (found.has(saved)) continue;
      const own = tables.find((each) => !taken.has(each) && isOf(saved, each));
      if (!own) continue;
      found.set(saved, own);
      taken.add(own);
    }
  }
  return found;
}

function hasId({ tableId }: SavedImport, { table: { id, uid, part } }: FileTable): boolean {
  const bare = (guid: string) => guid.replace(/^\{|\}$/g, "").toLowerCase();
  return bare(tableId) === bare(uid) || tableId === part || tableId === String(id);
}

/** True if the table has all of the import's headers, in their order; the user's own columns may stand between them. */
function hasHeadersInOrder(
  { columns }: SavedImport,
  { table: { columnNames, hasHeaderRow } }: FileTable,
): boolean {
  let matched = 0;
  for (const name of columnNames) if (name === columns[matched]?.header) matched += 1;
  return hasHeaderRow && matched === columns.length && matched > 0;
}

/**
 * True if the table has the columns by which rows are recognized, and more than half of the others, in any order: people move and delete
 * columns.
 */
function hasMostHeaders(
  { columns }: SavedImport,
  { table: { columnNames, hasHeaderRow } }: FileTable,
): boolean {
  const ids = columns.filter(hasIds);
  const others = columns.filter((column) => !hasIds(column));
  const there = new Set(columnNames);
  const isThere = ({ header }: { header: string }) => there.has(header);
  return (
    hasHeaderRow &&
    ids.length > 0 &&
    ids.every(isThere) &&
    (others.length === 0 || others.filter(isThere).length * 2 > others.length)
  );
}
