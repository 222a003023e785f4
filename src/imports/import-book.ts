import type { TablePlace } from "../sheet/import-table";
import type { Workbook } from "../sheet/workbook";
import { importNamespace, importXml, parseImportXml, type SavedImport } from "./saved-import";

/** An import that the workbook remembers. */
export interface KeptImport {
  saved: SavedImport;
  /** Of the custom XML part that holds it. */
  partId: string;
  /** Null where its table is gone. */
  place: TablePlace | null;
}

export interface ImportList {
  /** The newest first. */
  imports: KeptImport[];
  /** Parts that are damaged, or of another version of the add-in; they are left as they are. */
  unreadable: number;
}

/** The imports of this workbook, which travel with it. */
export interface ImportBook {
  list(): Promise<ImportList>;
  /** Adds an import, or writes what has become of it in place of what is there. */
  write(saved: SavedImport, partId?: string): Promise<void>;
  /** Its table stays. */
  forget(partId: string): Promise<void>;
}

export function createImportBook(
  workbook: Pick<Workbook, "readParts" | "writePart" | "deletePart" | "findTables">,
): ImportBook {
  return {
    async list() {
      const parts = (await workbook.readParts(importNamespace)).map(({ id, xml }) => ({
        partId: id,
        saved: parseImportXml(xml),
      }));
      const readable = parts.flatMap(({ partId, saved }) => (saved ? [{ partId, saved }] : []));
      const places = await workbook.findTables(readable.map(({ saved }) => saved.tableId));
      const imports = readable
        .map((entry, index) => ({ ...entry, place: places[index] ?? null }))
        .sort((one, other) => other.saved.lastRun.atMs - one.saved.lastRun.atMs);
      return { imports, unreadable: parts.length - readable.length };
    },
    async write(saved, partId) {
      await workbook.writePart(partId ?? null, importXml(saved));
    },
    forget: (partId) => workbook.deletePart(partId),
  };
}
