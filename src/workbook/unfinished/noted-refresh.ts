import type { RefreshReport } from "../imports/refresh/plan-refresh";
import { refreshImport, type RefreshOptions, type RefreshOutcome } from "../imports/refresh/refresh";
import { type AnswerChange, type AnswerToRefresh, refreshCell } from "../imports/refresh/refresh-cell";
import { type TakenCells, takeServiceValues } from "../imports/refresh/take-service-values";
import type { NewRow } from "../imports/saved/import-rows";
import type { SavedImport } from "../imports/saved/saved-import";
import type { UnfinishedBook } from "./unfinished-book";

type Book = Pick<UnfinishedBook, "during">;

/** The most new rows that a note lists. If there are more, the user has to fill in their blank names after an interruption. */
const mostNewRows = 20_000;

/** Refreshes an import, with a note in the workbook until it is done. */
export function refreshNoted(
  book: Book,
  saved: SavedImport,
  dependencies: Parameters<typeof refreshImport>[1],
  options: Omit<RefreshOptions, "onWriting" | "onWritten">,
): Promise<RefreshOutcome> {
  const { id: importId, name } = saved;
  const { change } = options;
  return book.during((note) =>
    refreshImport(saved, dependencies, {
      ...options,
      onWritten: () => note.end(),
      onWriting: ({ rows, columns }) =>
        note.begin(
          change
            ? {
                kind: "change",
                importId,
                name,
                types: change.types.map(({ id, name, unit_of_measure }) => ({ id, name, unit_of_measure })),
                typesBefore: saved.types.map(({ id }) => id),
                newAhjs: change.newAhjs.map(rowAhj),
                newColumns: [...columns],
              }
            : { kind: "refresh", importId, name, newRows: notedRows(rows) },
        ),
    }),
  );
}

function notedRows(rows: readonly NewRow[]): NewRow[] {
  if (rows.length > mostNewRows) return [];
  return rows.map(({ ahj, typeId }) => ({ ahj: rowAhj(ahj), typeId }));
}

function rowAhj({ id, name, type, state_code, geoid }: NewRow["ahj"]): NewRow["ahj"] {
  return { id, name, type, state_code, geoid };
}

/** Refreshes one answer of an import, with a note in the workbook until it is done. */
export function refreshCellNoted(
  book: Book,
  saved: SavedImport,
  answer: AnswerToRefresh,
  dependencies: Parameters<typeof refreshCell>[2],
): Promise<AnswerChange> {
  const { id: importId, name } = saved;
  return book.during((note) =>
    refreshCell(saved, answer, dependencies, {
      onWriting: () => note.begin({ kind: "refresh", importId, name, newRows: [] }),
      onWritten: () => note.end(),
    }),
  );
}

/** Makes cells show the service's values again, with a note in the workbook until it is done. */
export function takeServiceValuesNoted(
  book: Book,
  saved: SavedImport,
  taken: TakenCells,
  dependencies: Parameters<typeof takeServiceValues>[2],
): Promise<RefreshReport> {
  const { id: importId, name } = saved;
  return book.during((note) =>
    takeServiceValues(saved, taken, dependencies, {
      onWriting: () => note.begin({ kind: "refresh", importId, name, newRows: [] }),
      onWritten: () => note.end(),
    }),
  );
}
