import type { SheetTable } from "../sheet/layout/table-plan";
import {
  type TableTarget,
  writeTable,
  type WriteOptions,
  type WrittenTable,
} from "../sheet/tables/write-table";
import type { Note, UnfinishedBook } from "./unfinished-book";
import { type TableUnderWay, tableUnderWay, type UnfinishedWork } from "./unfinished-work";

type TablesUnderWay = UnfinishedWork & { kind: "import" };

/** Writes an import's note, and adds each further table to it, right before the first write of the table. */
export function notingTables(
  note: Note,
  work: Omit<TablesUnderWay, "kind" | "tables">,
): NonNullable<WriteOptions["onWriting"]> {
  const tables: TableUnderWay[] = [];
  return async (place, plan, within) => {
    tables.push(await tableUnderWay(place, plan));
    await note.begin({ kind: "import", ...work, tables: [...tables] }, within);
  };
}

/**
 * Writes a table that is not an import to a new sheet, or in place of the table `replaced`, with a note in the workbook until the table is
 * complete.
 */
export function writeSheetNoted(
  book: Pick<UnfinishedBook, "during">,
  workbook: Parameters<typeof writeTable>[0],
  plan: SheetTable,
  {
    name,
    replaced,
    ...options
  }: WriteOptions & { name: string; replaced?: (TableTarget & { kind: "in-place" }) | undefined },
): Promise<WrittenTable> {
  const destination = replaced ?? { kind: "new-sheet" as const, name };
  const work = { importId: "", name, destination: destination.kind };
  return book.during((note) =>
    writeTable(workbook, plan, destination, { ...options, onWriting: notingTables(note, work) }),
  );
}
