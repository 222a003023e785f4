import { partsOf } from "../../../lists";
import { Failure } from "../../../errors";
import { cellAddress } from "../layout/cell-address";
import type { Published } from "../layout/table-plan";

/** A note on a cell, by its row and column counted from the first of some range; null takes the note away. */
export interface CellNote {
  row: number;
  column: number;
  text: string | null;
}

/** Where a value is written and when it changed, as a note; null where nothing of it is known. */
export function noteText({ reference, section, updatedAt }: Published): string | null {
  const lines = [reference, section, updatedAt && `Updated ${updatedAt.slice(0, 10)}`];
  return lines.filter((line) => line !== null && line !== "").join("\n") || null;
}

/** How many are written at once: each takes several calls. */
const notesAtOnce = 200;

/**
 * Writes notes on cells of a range, in place of those that are there (ExcelApi 1.18); other cells keep theirs. Where it
 * fails, all notes are as they were.
 */
export async function writeNotes(
  context: Excel.RequestContext,
  range: Excel.Range,
  notes: readonly CellNote[],
  { signal, gate }: { signal?: AbortSignal | undefined; gate?: (() => Promise<void>) | undefined } = {},
): Promise<void> {
  const sheetNotes = range.worksheet.notes;
  range.load("address");
  await context.sync();
  const before: { address: string; content: string | null }[] = [];
  const write = (address: string, note: Excel.Note | null, text: string | null) => {
    if (note && text !== null) note.content = text;
    else if (note) note.delete();
    else if (text !== null) sheetNotes.add(address, text);
  };
  try {
    for (const next of partsOf(notes, notesAtOnce)) {
      await gate?.();
      if (signal?.aborted) throw new Failure("cancelled");
      const part = next.map(({ row, column, text }) => {
        const address = cellAddress(range.address, row, column).replace(/^.*!/s, "");
        return { address, note: sheetNotes.getItemOrNullObject(address).load("content"), text };
      });
      // eslint-disable-next-line office-addins/no-context-sync-in-loop
      await context.sync();
      for (const { address, note, text } of part) {
        const there = note.isNullObject ? null : note;
        before.push({ address, content: there?.content ?? null });
        write(address, there, text);
      }
      // eslint-disable-next-line office-addins/no-context-sync-in-loop
      await context.sync();
    }
  } catch (thrown) {
    await takeBack().catch((cause: unknown) => {
      const detail = "Notes that had been written could not be taken back.";
      throw new Failure("sheet-refused", { detail, isPartlyWritten: true, cause });
    });
    throw thrown;
  }

  async function takeBack() {
    for (const next of partsOf(before, notesAtOnce)) {
      const part = next.map(({ address, content }) => {
        return { address, note: sheetNotes.getItemOrNullObject(address).load("content"), content };
      });
      // eslint-disable-next-line office-addins/no-context-sync-in-loop
      await context.sync();
      for (const { address, note, content } of part) write(address, note.isNullObject ? null : note, content);
      // eslint-disable-next-line office-addins/no-context-sync-in-loop
      await context.sync();
    }
  }
}
