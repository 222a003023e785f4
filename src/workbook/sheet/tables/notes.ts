import { partsOf } from "../../../lists";
import { Failure } from "../../../errors";
import { cellAddress } from "../layout/cell-address";

/** A note on a cell, whose row and column count from the first cell of a range. A null text removes the note. */
export interface CellNote {
  row: number;
  column: number;
  text: string | null;
  /** The text that the add-in wrote last: null if it wrote none, undefined if that is not known. */
  written?: string | null | undefined;
}

/** The addresses of cells with a note that the add-in may not have written. */
export interface NotesOfOthers {
  /** Notes that differ from what the add-in is known to have written last. They were left. */
  kept: string[];
  /** Notes for which it is not known what the add-in wrote last. They were replaced, because they could name the wrong source. */
  replaced: string[];
}

export interface NoteOptions<Note extends CellNote> {
  signal?: AbortSignal | undefined;
  gate?: (() => Promise<void>) | undefined;
  /** True if the user has given up all notes of the range. */
  mayReplace?: boolean;
  /** Queues a check that the rows of notes are still the expected ones. Call the returned function after the sync. */
  queueCheck?: (notes: readonly Note[]) => () => boolean[];
}

/** The notes that are written at once; each takes several calls. */
const notesAtOnce = 200;

/** A note as it was, and as it was written. */
interface WrittenNote {
  address: string;
  before: string | null;
  text: string | null;
}

/**
 * Writes notes on cells of a range (ExcelApi 1.18). Other cells keep their notes, and so does a cell whose note somebody has edited. If it
 * fails, notes that still show what was written get their earlier text back. `moved` holds the notes whose row had moved by then.
 */
export async function writeNotes<Note extends CellNote>(
  context: Excel.RequestContext,
  range: Excel.Range,
  notes: readonly Note[],
  { signal, gate, mayReplace = false, queueCheck }: NoteOptions<Note> = {},
): Promise<NotesOfOthers & { moved: Note[] }> {
  const sheetNotes = range.worksheet.notes;
  range.load("address");
  await context.sync();
  const done: WrittenNote[] = [];
  const outcome: NotesOfOthers & { moved: Note[] } = { kept: [], replaced: [], moved: [] };
  try {
    for (const next of partsOf(notes, notesAtOnce)) {
      await gate?.();
      if (signal?.aborted) throw new Failure("cancelled");
      const part = next.map((note) => {
        const whole = cellAddress(range.address, note.row, note.column);
        const address = whole.replace(/^.*!/s, "");
        return { ...note, whole, address, there: sheetNotes.getItemOrNullObject(address).load("content") };
      });
      // eslint-disable-next-line office-addins/no-context-sync-in-loop
      await context.sync();
      const check = queueCheck?.(next);
      const writing: WrittenNote[] = [];
      for (const { whole, address, there, text, written } of part) {
        const before = there.isNullObject ? null : there.content;
        const isOthers = before !== null && before !== written && before !== text && !mayReplace;
        if (before === text) continue;
        if (isOthers && written !== undefined) outcome.kept.push(whole);
        else {
          if (isOthers) outcome.replaced.push(whole);
          writing.push({ address, before, text });
          write(address, there, text);
        }
      }
      // eslint-disable-next-line office-addins/no-context-sync-in-loop
      await context.sync();
      done.push(...writing);
      const isHere = check?.() ?? [];
      const moved = new Set(part.filter((_, index) => isHere[index] === false).map(({ address }) => address));
      outcome.moved.push(...next.filter((_, index) => isHere[index] === false));
      await takeBack(writing.filter(({ address }) => moved.has(address)));
    }
    return outcome;
  } catch (thrown) {
    await takeBack(done).catch((cause: unknown) => {
      const detail = "Notes that had been written could not be taken back.";
      throw new Failure("sheet-refused", { detail, isPartlyWritten: true, cause });
    });
    throw thrown;
  }

  function write(address: string, there: Excel.Note, text: string | null) {
    if (there.isNullObject) {
      if (text !== null) sheetNotes.add(address, text);
    } else if (text === null) there.delete();
    else there.content = text;
  }

  /** Gives cells their earlier notes, if they still show what was written. */
  async function takeBack(written: readonly WrittenNote[]) {
    for (const next of partsOf(written, notesAtOnce)) {
      const part = next.map((note) => ({
        ...note,
        there: sheetNotes.getItemOrNullObject(note.address).load("content"),
      }));
      // eslint-disable-next-line office-addins/no-context-sync-in-loop
      await context.sync();
      for (const { address, there, before, text } of part)
        if ((there.isNullObject ? null : there.content) === text) write(address, there, before);
      // eslint-disable-next-line office-addins/no-context-sync-in-loop
      await context.sync();
    }
  }
}
