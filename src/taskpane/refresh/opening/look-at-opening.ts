import type { Session } from "../../../app";
import { config } from "../../../config";
import { asFailure, type Failure } from "../../../errors";
import { lookForChanges } from "../../../workbook/imports/refresh/refresh";
import { createRequestBudget } from "../../../engine/transport/request-budget";
import { createImportBook, type KeptImport } from "../../../workbook/imports/saved/import-book";
import { createImportTables } from "../../../workbook/sheet/tables/table-changes";
import type { PaneApp } from "../../pane-app";

/** The changes that were found when the workbook was opened. */
export interface OpeningNews {
  /** The number of imports whose values the service has confirmed or changed. */
  looked: number;
  /** The number of values that a refresh would change. */
  changes: number;
  changed: number;
  /** The number of imports that take too many requests, or came from another service. */
  skipped: number;
  /** The number of imports for which the service confirmed no value to this key. */
  unanswered: number;
  /** The failure of the first import that could not be asked about. */
  failure: Failure | undefined;
}

/**
 * Asks again for the workbook's imports and counts the values that a refresh would change. Nothing is written. It sends up to
 * `config.openingRequests` requests. Smaller tables go first, and imports that take more than are left are skipped.
 */
export async function lookAtOpening(
  app: Pick<PaneApp, "workbook">,
  session: Session,
  signal: AbortSignal,
): Promise<OpeningNews> {
  const { workbook } = app;
  const tables = createImportTables(workbook);
  const book = createImportBook(workbook);
  const { imports } = await book.list();
  const present = imports
    .filter(({ place }) => place !== null)
    .sort((one, other) => rowsOf(one) - rowsOf(other));
  const news: OpeningNews = {
    looked: 0,
    changed: 0,
    changes: 0,
    skipped: 0,
    unanswered: 0,
    failure: undefined,
  };
  const budget = createRequestBudget(config.openingRequests);
  for (const kept of present) {
    if (kept.saved.service !== session.credentials.baseUrl) {
      news.skipped += 1;
      continue;
    }
    try {
      const dependencies = { ...session, tables, book };
      const { changes, unsure, confirmed } = await lookForChanges(kept.saved, dependencies, {
        signal,
        budget,
      });
      if (confirmed > 0) news.looked += 1;
      else news.unanswered += 1;
      news.changes += changes.length + unsure.length;
      if (changes.length + unsure.length > 0) news.changed += 1;
    } catch (thrown) {
      const failure = asFailure(thrown);
      if (failure.kind === "many-requests") news.skipped += 1;
      else news.failure ??= failure;
    }
  }
  return news;
}

/** The rows of a table, its header among them: figures of the import's own part may be anybody's. */
function rowsOf({ place }: KeptImport): number {
  const [first = 0, last = first] = (place?.address.split("!").pop() ?? "").match(/\d+/g)?.map(Number) ?? [];
  return last - first + 1;
}
