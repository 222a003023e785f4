import { isWithinAge } from "../../cache/age";
import type { DocumentCache } from "../../cache/answer-cache";
import * as z from "../../../zod";
import { createListeners } from "../../../async/listeners";
import { config } from "../../../config";
import { readDocument } from "../kept-document";
import type { MatrixLimit } from "./request-plan";

/** The number of cells that a matrix may have. The service's answers show it, because docs/interface.md, "Left open", names no limit. */
export interface MatrixSize {
  /** Reads the size that an earlier session has learned. */
  recall(): Promise<void>;
  limit(): MatrixLimit;
  /** Notes that the service answers a matrix of this many cells, so that the next one may be twice as large. */
  accepted(cells: number): void;
  /** Notes how long this many cells took. If it was too long, matrices grow no further. */
  took(cells: number, ms: number): void;
  /** Notes that the service refused this many cells for their number. */
  refused(cells: number): void;
  /** Calls `listener` whenever more may be asked for than before. Returns a function that removes the listener. */
  onGrowth(listener: () => void): () => void;
}

const storedSize = z.object({
  cells: z.int().check(z.between(1)),
  refusedCells: z.nullable(z.int()),
});
const documentName = "matrix-size";
const fewCells = 1_000;

export function createMatrixSize(documents: DocumentCache): MatrixSize {
  let cells: number = config.matrixCells;
  /** The smallest number of cells that was refused. */
  let refusedCells: number | null = null;
  let refusedAtMs = 0;
  let recalled: Promise<void> | undefined;
  const growth = createListeners();

  async function readKept() {
    const kept = await readDocument(documents, documentName, storedSize);
    if (!kept) return;
    ({ cells, refusedCells } = kept.content);
    refusedAtMs = kept.fetchedAtMs;
  }

  function keep() {
    documents.write(documentName, { fetchedAtMs: Date.now(), content: { cells, refusedCells } });
  }

  function refuse(smallest: number) {
    refusedCells = Math.min(smallest, refusedCells ?? Infinity);
    refusedAtMs = Date.now();
  }

  const mostCells = () => {
    if (refusedCells === null || !isWithinAge(refusedAtMs, config.directoryAgeMs))
      return config.mostMatrixCells;
    // Doubling must not lead back to the refused number.
    let most = cells;
    while (most * 2 < refusedCells) most *= 2;
    return Math.min(most, config.mostMatrixCells);
  };

  return {
    recall: () => (recalled ??= readKept()),
    limit: () => ({ cells, mostCells: Math.max(cells, mostCells()) }),
    accepted(accepted) {
      if (accepted <= cells / 2 || cells >= mostCells()) return;
      cells = Math.min(cells * 2, mostCells());
      keep();
      growth.tell();
    },
    took(slow, ms) {
      if (ms <= config.growWithinMs || slow <= config.matrixCells) return;
      refuse(slow + 1);
      cells = Math.min(cells, slow);
      keep();
    },
    onGrowth: growth.add,
    refused(refused) {
      // A service that refuses so few cells counts something else, such as AHJs.
      if (refused < fewCells) return;
      refuse(refused);
      cells = Math.min(cells, Math.ceil(refused / 2));
      keep();
    },
  };
}
