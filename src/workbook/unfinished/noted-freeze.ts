import { freezeFormulas, type Frozen, type Unfrozen, unfreezeFormulas } from "../cell-formulas/freeze";
import type { UnfinishedBook } from "./unfinished-book";

type Book = Pick<UnfinishedBook, "during">;

/** The most areas that a note lists. Formulas in further areas stay frozen and listed until the user unfreezes again. */
const mostAreas = 500;

/** Freezes formulas, with a note in the workbook until all of them are frozen. */
export function freezeNoted(
  book: Book,
  ...[cells, workbook, options]: Parameters<typeof freezeFormulas>
): Promise<Frozen> {
  return book.during((note) =>
    freezeFormulas(cells, workbook, {
      ...options,
      onWriting: ({ atMs, formulas }) => note.begin({ kind: "freeze", frozenAtMs: atMs, formulas }),
    }),
  );
}

/** Brings formulas back, with a note in the workbook until all of them are back. */
export function unfreezeNoted(
  book: Book,
  ...[scope, workbook, options]: Parameters<typeof unfreezeFormulas>
): Promise<Unfrozen> {
  return book.during((note) =>
    unfreezeFormulas(scope, workbook, {
      ...options,
      onWriting: ({ areas, formulas }) =>
        note.begin({ kind: "unfreeze", areas: areas && areas.slice(0, mostAreas), formulas }),
    }),
  );
}
