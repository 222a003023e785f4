import { placeImport } from "../imports/run/place-import";
import type { SheetTable } from "../sheet/layout/table-plan";
import { writeTable, type WriteOptions, type WrittenTable } from "../sheet/tables/write-table";
import type { UnfinishedBook } from "./unfinished-book";
import { type TableUnderWay, tableUnderWay } from "./unfinished-work";
import type { ImportEnd } from "../imports/run/import-types";

/** Runs an import, with a note in the workbook until the workbook remembers the import. */
export function placeNoted(
  book: Pick<UnfinishedBook, "during">,
  ...[order, destination, dependencies, options]: Parameters<typeof placeImport>
): Promise<ImportEnd> {
  const tables: TableUnderWay[] = [];
  return book.during(async (note) => {
    const placed = await placeImport(order, destination, dependencies, {
      ...options,
      async onWriting(importId, place, plan, within) {
        tables.push(await tableUnderWay(place, plan));
        const { kind } = destination;
        const work = { kind: "import", importId, name: order.sheetName, destination: kind } as const;
        return note.begin({ ...work, tables: [...tables] }, within);
      },
    });
    if (placed.status === "failed") note.failed(placed.failure);
    return placed;
  });
}

/** Writes a table that is not an import to a new sheet, with a note in the workbook until the table is complete. */
export function writeSheetNoted(
  book: Pick<UnfinishedBook, "during">,
  workbook: Parameters<typeof writeTable>[0],
  plan: SheetTable,
  { name, ...options }: WriteOptions & { name: string },
): Promise<WrittenTable> {
  const destination = { kind: "new-sheet" as const, name };
  return book.during((note) =>
    writeTable(workbook, plan, destination, {
      ...options,
      async onWriting(place, table, within) {
        const tables = [await tableUnderWay(place, table)];
        const work = { kind: "import", importId: "", name, destination: destination.kind, tables } as const;
        return note.begin(work, within);
      },
    }),
  );
}
