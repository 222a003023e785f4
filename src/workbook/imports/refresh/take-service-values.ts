import { serviceCellKey, createDigests, digestOf, editedDigest, shownBy } from "../saved/cell-digests";
import type { SavedImport } from "../saved/saved-import";
import { createSnapshots } from "../saved/snapshots";
import { type EditedCell, updateOver } from "./compare-answers";
import { isAmong, type RefreshReport } from "./plan-refresh";
import type { RefreshDependencies } from "./refresh";
import { refreshUnderWay } from "./refresh-under-way";
import type { Note } from "../../work-note/unfinished-book";

/** Cells that somebody has typed into, and the report of the refresh that found them. */
export interface TakenCells {
  report: RefreshReport;
  cells: readonly EditedCell[];
}

/**
 * Makes cells that somebody has typed into show the service's answers of the last refresh, wherever they stand now. The service is asked
 * nothing. Cells that show another text by now are left as they are. Returns the updated report.
 */
export async function takeServiceValues(
  saved: SavedImport,
  { report, cells }: TakenCells,
  { tables, documents, book }: Pick<RefreshDependencies, "tables" | "documents" | "book">,
  note?: Note,
): Promise<RefreshReport> {
  await tables.mayWrite(saved.tableId);
  const kept = await book.digests(saved.id);
  const from = kept.stateId;
  const written = createDigests();
  for (const cell of cells) {
    const key = serviceCellKey(cell);
    written.set(key, editedDigest, digestOf(key, shownBy(cell.update.cell)));
  }
  await note?.begin(refreshUnderWay(saved));
  const { changedCells, missingCells, notesOfOthers } = await book.during(
    saved.id,
    { kept, written },
    async () => {
      const outcome = await tables.edit(saved.tableId, {
        read: report.read,
        newRows: [],
        newColumns: [],
        goneColumns: [],
        columns: saved.columns.map(({ header }) => header),
        updates: cells.map(updateOver),
      });
      const isLeft = isAmong([...outcome.changedCells, ...outcome.missingCells]);
      for (const cell of cells) {
        // Other rows of an AHJ share the digest of what describes it.
        if (cell.type && isLeft(cell.place)) written.set(serviceCellKey(cell), editedDigest, editedDigest);
      }
      return outcome;
    },
  );
  await note?.end();
  await createSnapshots(documents).changeStateId(saved.id, { from, to: kept.stateId });
  const isLeft = isAmong([...changedCells, ...missingCells]);
  return {
    ...report,
    edited: report.edited.filter((cell) => !cells.includes(cell) || isLeft(cell.place)),
    changedMeanwhile: [...report.changedMeanwhile, ...changedCells],
    notesOfOthers: {
      kept: [...report.notesOfOthers.kept, ...notesOfOthers.kept],
      replaced: [...report.notesOfOthers.replaced, ...notesOfOthers.replaced],
    },
  };
}
