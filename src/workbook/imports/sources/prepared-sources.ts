import * as z from "../../../zod";
import { Failure } from "../../../errors";
import { tableGrows } from "../../sheet/excel-api";
import type { SheetTable } from "../../sheet/layout/table-plan";
import { createPartStorage } from "../../sheet/parts/part-storage";
import { boundedText, naturalNumber } from "../../sheet/parts/stored-values";
import type { ImportTables } from "../../sheet/tables/table-changes";
import type { Contents } from "../../sheet/tables/target-place";
import { inspectTarget, type TableTarget } from "../../sheet/tables/write-table";
import type { Workbook } from "../../sheet/workbook";
import { writeSheetNoted } from "../../work-note/noted-tables";
import type { UnfinishedBook } from "../../work-note/unfinished-book";
import { isSourcesSheet, sourcesHeaders } from "./sources-sheet";

/** The table of the Sources sheet that was prepared last, and what it held then. The workbook keeps it in a custom XML part. */
interface KeptSheet {
  tableId: string;
  contents: Contents;
}

export const sourcesNamespace = "urn:regdata:sources";
const stored = z.object({
  version: z.literal(1),
  tableId: boundedText,
  contents: z.object({ rows: naturalNumber, columns: naturalNumber, fingerprint: boundedText }),
}) satisfies z.ZodMiniType<KeptSheet>;

/** The reasons for which a table can't be replaced, but stays where it is. */
const standing: readonly string[] = ["table-gone", "no-headers", "cells-in-the-way", "not-permitted"];

/**
 * Writes the Sources sheet of a workbook that is prepared to be shared. It takes the place of the one that was prepared last, if that holds
 * exactly what was written. If somebody has edited that, it stays, and the sources go to a further sheet. Fails as `writeTable` does.
 */
export async function writePreparedSources(
  unfinished: Pick<UnfinishedBook, "during">,
  workbook: Workbook,
  plan: SheetTable,
  {
    tables,
    ...options
  }: {
    tables: Pick<ImportTables, "list">;
    signal: AbortSignal;
    onProgress: (writtenRows: number) => void;
  },
): Promise<{
  address: string;
  /** The addresses of Sources sheets that stay beside the new one. */
  earlier: string[];
}> {
  const replaced = await replaceable(workbook, plan);
  const { address, tableId } = await writeSheetNoted(unfinished, workbook, plan, {
    ...options,
    name: "Sources",
    replaced,
    onWritten: (written, within) => keep(within, written.tableId, plan),
  });
  if (replaced) return { address, earlier: [] };
  const others = (await tables.list()).filter((table) => table.tableId !== tableId && isSourcesSheet(table));
  return { address, earlier: others.map((table) => table.address) };
}

/** The sheet that was prepared last, as a place for this plan; undefined if it is gone, edited, or lacks the room. */
async function replaceable(workbook: Workbook, plan: SheetTable): Promise<Replaced | undefined> {
  const json = await createPartStorage(workbook, sourcesNamespace).getItem();
  const { data: kept } = stored.safeParse(json === null ? null : JSON.parse(json));
  if (!kept || !workbook.hasExcelApi(tableGrows)) return undefined;
  const target = placeOf(kept.tableId, kept.contents);
  try {
    // The check comes second, so that the contents that are given up are not later than those that were checked.
    const { filled, contents } = await inspectTarget(workbook, target, sizeOf(plan));
    const { contents: now } = await inspectTarget(workbook, target, kept.contents);
    const isAsWritten = now.fingerprint === kept.contents.fingerprint;
    return isAsWritten && filled === null ? { ...target, contents } : undefined;
  } catch (thrown) {
    if (thrown instanceof Failure && standing.includes(thrown.kind)) return undefined;
    throw thrown;
  }
}

/** Notes what the table of the Sources sheet holds, right after it was written. */
async function keep(workbook: Workbook, tableId: string, plan: SheetTable): Promise<void> {
  const size = sizeOf(plan);
  const { contents } = await inspectTarget(workbook, placeOf(tableId, size), size);
  const kept = { version: 1, tableId, contents };
  await createPartStorage(workbook, sourcesNamespace).setItem(sourcesNamespace, JSON.stringify(kept));
}

type Replaced = TableTarget & { kind: "in-place" };

const placeOf = (tableId: string, { rows }: { rows: number }): Replaced => {
  return { kind: "in-place", tableId, rows, headers: sourcesHeaders, mayOverwrite: null };
};

const sizeOf = ({ rows, columns }: SheetTable) => ({ rows: rows.length + 1, columns: columns.length });
