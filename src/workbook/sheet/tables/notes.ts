import { notesOf } from "../swap/notes";
import { type QueueCheck, swap } from "../swap/swap";

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
  queueCheck?: QueueCheck<Note> | undefined;
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
  range.load("address");
  await context.sync();
  const channel = notesOf(range);
  const isOthers = ({ text, written }: CellNote, has: string | null) =>
    has !== null && has !== text && has !== written && !mayReplace;
  const { done, left, moved } = await swap(context, channel, notes, {
    ...{ signal, gate, queueCheck },
    next: (note, has) =>
      has === note.text || (isOthers(note, has) && note.written !== undefined) ? undefined : note.text,
  });
  const addressOf = ({ cell }: { cell: Note }) => channel.addressOf(cell);
  return {
    kept: left.filter(({ cell, has }) => isOthers(cell, has)).map(addressOf),
    replaced: done.filter(({ cell, before }) => isOthers(cell, before)).map(addressOf),
    moved,
  };
}
