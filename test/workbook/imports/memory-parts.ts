import { createDigests } from "../../../src/workbook/imports/saved/cell-digests";
import { createImportBook, type ImportBook } from "../../../src/workbook/imports/saved/import-book";
import type { PastRefresh } from "../../../src/workbook/imports/saved/refresh-history";
import type { SavedImport } from "../../../src/workbook/imports/saved/saved-import";
import type { Workbook } from "../../../src/workbook/sheet/workbook";

/** The custom XML parts of a workbook in memory. `refuses` makes Excel refuse to write some parts. */
export function memoryParts(...xml: string[]) {
  const parts = new Map(xml.map((text, index) => [`part ${index}`, text]));
  const excel = { refuses: (_xml: string) => false };
  let count = xml.length;
  const workbook: Pick<Workbook, "readParts" | "readPart" | "writePart" | "deletePart" | "findTables"> = {
    findTables: (tableIds) => Promise.resolve(tableIds.map(() => null)),
    readPart: (id) => Promise.resolve(parts.get(id) ?? null),
    readParts: (namespace) =>
      Promise.resolve(
        [...parts].flatMap(([id, text]) =>
          text.includes(`xmlns="${namespace}"`) ? [{ id, xml: text }] : [],
        ),
      ),
    writePart(id, text) {
      if (excel.refuses(text)) return Promise.reject(new Error("refused"));
      const at = id !== null && parts.has(id) ? id : `part ${(count += 1)}`;
      parts.set(at, text);
      return Promise.resolve(at);
    },
    deletePart: (id) => Promise.resolve(void parts.delete(id)),
  };
  return { ...workbook, excel, parts, texts: () => [...parts.values()] };
}

/** The book of a workbook in memory that remembers an import. */
export async function memoryBook(saved: SavedImport) {
  const parts = memoryParts();
  const book = createImportBook(parts);
  await book.write(saved);
  return { book, parts };
}

/** Has a workbook remember a refresh that has written no cell. */
export async function noteRefresh(book: ImportBook, importId: string, refresh: PastRefresh) {
  const digests = { kept: await book.digests(importId), written: createDigests() };
  return book.during(importId, digests, () => Promise.resolve({ refresh }));
}
