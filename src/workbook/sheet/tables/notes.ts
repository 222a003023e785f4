import type { NotesChannel } from "../swap/notes";
import { type Found, type Place, swap } from "../swap/swap";

/** The text for a note on a cell. A null text removes the note. */
export interface CellNote {
  text: string | null;
  /** The text that the add-in wrote last: null if it wrote none, undefined if that is not known. */
  written?: string | null | undefined;
  /** True if the user has given up what note the cell has. */
  isGivenUp?: boolean;
}

/** A note on a cell whose row and column count from the first cell of a range. */
export type PlacedNote = CellNote & Place;

/** The addresses of cells with a note that the add-in may not have written. */
export interface NotesOfOthers {
  /** Notes that differ from what the add-in is known to have written last. They were left. */
  kept: string[];
  /** Notes for which it is not known what the add-in wrote last. They were replaced, because they could name the wrong source. */
  replaced: string[];
}

export interface NoteOptions {
  signal?: AbortSignal | undefined;
  gate?: (() => Promise<void>) | undefined;
}

/** Finds the present places of cells for notes. */
type FindNotes<Note, At extends Place> = (
  notes: readonly Note[],
) => Promise<Found<Note, string | null, At> & { channel: NotesChannel }>;

/**
 * Writes notes on cells (ExcelApi 1.18). Other cells keep their notes, and so does a cell whose note somebody has edited. If it fails, notes
 * that still show what was written get their earlier text back.
 */
export async function writeNotes<Note extends CellNote, At extends Place = Place>(
  context: Excel.RequestContext,
  find: FindNotes<Note, At>,
  notes: readonly Note[],
  { signal, gate }: NoteOptions = {},
): Promise<NotesOfOthers> {
  const addresses = new Map<Note, string>();
  const isOthers = ({ text, written, isGivenUp }: CellNote, has: string | null) =>
    has !== null && has !== text && has !== written && isGivenUp !== true;
  const { done, left } = await swap<Note, string | null, At>(
    context,
    async (open) => {
      const found = await find(open);
      for (const [index, note] of open.entries()) {
        const place = found.places[index];
        if (place) addresses.set(note, found.channel.addressOf(place));
      }
      return found;
    },
    notes,
    {
      ...{ signal, gate },
      next: (note, has) =>
        has === note.text || (isOthers(note, has) && note.written !== undefined) ? undefined : note.text,
    },
  );
  return {
    kept: left.filter(({ cell, has }) => isOthers(cell, has)).map(({ address }) => address),
    replaced: done
      .filter(({ cell, before }) => isOthers(cell, before))
      .map(({ cell }) => addresses.get(cell) ?? ""),
  };
}
