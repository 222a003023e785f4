import { countValues, newsOf, ruleLines } from "../../src/workbook/imports/refresh/change-lists";
import {
  lineTexts,
  placedLines,
  type PlacedLine,
  reportedCells,
} from "../../src/workbook/imports/refresh/changes-sheet";
import type { WrittenDatedSheet } from "../../src/workbook/dated-sheets/dated-sheets";
import type { RenamedColumn } from "../../src/workbook/imports/refresh/renamed-columns";
import type { RuleChange } from "../../src/workbook/imports/refresh/same-rule";
import { createSavedImportsControl } from "../../src/taskpane/refresh/saved-imports-control";
import { createImportTables } from "../../src/workbook/sheet/tables/table-changes";
import type { RefreshReport } from "../../src/workbook/imports/refresh/plan-refresh";
import type { CellChange, SheetFile, WorkbookFile } from "../../xlsx/workbook-file";
import { uncheckedSentences } from "../../src/workbook/imports/refresh/unchecked";
import { addin } from "../addin";
import type { CommandIo } from "../command-io";
import type { Connected } from "../command-connection";
import { sentenceOf } from "../failure-exit";
import { printableLine } from "../output/printable";
import type { Progress } from "../output/progress";
import { editBook, type EditChoices, type Edited } from "../workbook/edit-book";
import type { BookInNode } from "../workbook/excel-in-node";
import { mustBeReleased } from "../workbook/must-be-released";

/** One import's result, as `--json` prints it. */
export interface RefreshedImport {
  name: string;
  /** A sentence; null if the import was refreshed. */
  failure: string | null;
  /** The changes, one for each value: texts by the names of the columns of the pane's sheet of changes. */
  changes: Record<string, string>[];
  changed: number;
  entered: number;
  left: number;
  notRefreshed: number;
  /** The jurisdictions that could not be checked, in sentences. */
  unchecked: string[];
  /** The columns that were not refreshed because somebody has changed their headers: header before and now. */
  renamedColumns: RenamedColumn[];
}

/** A result with the lines that are printed of it, and whether the workbook has anything new by it. */
export type Refreshed = RefreshedImport & { rules: RuleChange<PlacedLine>[]; isWritten: boolean };

export interface RefreshOptions extends EditChoices {
  /** Answers that were fetched after this time are not asked for again. */
  sinceMs: number;
  "other-service"?: boolean | undefined;
  "keep-renamed"?: boolean | undefined;
  /** True if a dated sheet first keeps what the imports show. */
  snapshot?: boolean | undefined;
}

/** The result of a refresh of a workbook. */
export interface RefreshedBook {
  imports: Refreshed[];
  /** The dated sheet that was written with the refresh; null if none was. */
  snapshot: WrittenDatedSheet | null;
}

/** Refreshes one workbook. Fails if the workbook could not be read or written; a failed import has its failure in the result. */
export async function refreshBook(
  given: string,
  connected: Connected,
  options: RefreshOptions,
  io: Pick<CommandIo, "signal" | "fileSteps">,
  progress: Progress,
): Promise<Edited<RefreshedBook>> {
  try {
    return await editBook(given, connected.app, options, io, async (book) => {
      await mustBeReleased(book);
      const { imports, dated } = await refreshImports(book, connected, options, io, (text, done, total) =>
        progress.show(`${printableLine(given, 40)}: ${text}`, done, total),
      );
      // A refresh that has failed altogether leaves the file as it is, and no dated sheet in it.
      const isRefreshed = imports.some(({ failure }) => failure === null);
      const snapshot = isRefreshed ? dated : null;
      const hasChanged = imports.some(({ isWritten }) => isWritten) || typeof snapshot?.address === "string";
      return {
        ...{ result: { imports, snapshot }, finish: calculateOthers },
        changed: hasChanged ? book.contents() : null,
      };
    });
  } finally {
    progress.end();
  }
}

/** The results without what only their printed lines need. */
export function withoutLines(imports: readonly Refreshed[]): RefreshedImport[] {
  return imports.map(({ isWritten: _, rules: __, ...refreshed }) => refreshed);
}

/**
 * Marks formulas that may depend on changed cells, so that Excel calculates them when it opens the file; until then they show their old
 * results. If the file has formulas of ours, the others are marked one by one: if Excel calculated the whole workbook, it would call ours
 * as well, and a colleague without a key would lose the answers that they show. Excel still calls our formulas that depend on a marked
 * cell.
 */
export function calculateOthers(file: WorkbookFile): void {
  const ours = new Map<SheetFile, Set<string>>();
  for (const { sheet, row, column } of file.customFunctions(addin.namespace))
    ours.set(sheet, (ours.get(sheet) ?? new Set()).add(`${row} ${column}`));
  for (const sheet of file.sheets) {
    if (!sheet.mayHaveFormulas) continue;
    const others: CellChange[] = [];
    for (const { row, column, formula } of sheet.cells())
      if (formula && !formula.calculatesOnOpening && !ours.get(sheet)?.has(`${row} ${column}`))
        others.push({ row, column, calculateOnOpening: true });
    if (others.length === 0) continue;
    if (ours.size === 0) return file.calculateOnOpening();
    sheet.setCells(others);
  }
}

/** Does what the pane's "Refresh all imports" does, by the same code. */
async function refreshImports(
  { app }: BookInNode,
  { session }: Connected,
  {
    "other-service": mayDiffer = false,
    "keep-renamed": keepsRenamed = false,
    snapshot: keepsValues = false,
    sinceMs,
  }: RefreshOptions,
  { signal }: Pick<CommandIo, "signal">,
  onProgress: (text: string, done: number, total: number) => void,
): Promise<{ imports: Refreshed[]; dated: WrittenDatedSheet | null }> {
  const control = createSavedImportsControl(app, session, { sinceMs });
  const tables = createImportTables(app.workbook);
  const rested = () =>
    new Promise<void>((resolve) => {
      const look = () => {
        const { isRefreshing, refreshes, dated } = control.getState();
        if (dated.status === "running" && dated.job.progress)
          onProgress("keeping a dated sheet", dated.job.progress.done, dated.job.progress.total);
        for (const refresh of refreshes.values())
          if (refresh.status === "running" && refresh.job.progress) {
            const { phase, done, total } = refresh.job.progress;
            onProgress(phase === "writing" ? "writing" : "asking the service", done, total);
          }
        if (isRefreshing) return;
        forget();
        resolve();
      };
      const forget = control.subscribe(look);
    });
  signal.addEventListener("abort", control.cancel, { once: true });
  try {
    let resting = rested();
    control.refreshPresent({ keepsValues });
    await resting;
    const { dated } = control.getState();
    // Nothing was refreshed then, and nothing is written.
    if (dated.status === "failed") throw dated.failure;
    if (mayDiffer && control.getState().otherService.length > 0) {
      resting = rested();
      control.refreshOthers();
      await resting;
    }
    const followed = new Set<string>();
    for (const kept of keepsRenamed ? (control.getState().list?.imports ?? []) : []) {
      const before = control.getState().refreshes.get(kept.saved.id);
      if (before?.status !== "done" || before.report.renamedColumns.length === 0) continue;
      followed.add(kept.saved.id);
      resting = rested();
      control.followRenamed(kept, before.report, before.report.renamedColumns);
      await resting;
    }
    const { list, refreshes, failure, otherService } = control.getState();
    if (failure) throw failure;
    const results: Refreshed[] = [];
    for (const { saved } of list?.imports ?? []) {
      const refreshed = refreshes.get(saved.id);
      const isOther = otherService.some((kept) => kept.saved.id === saved.id);
      if (refreshed?.status === "done") {
        const addresses = await tables.addresses(
          saved.tableId,
          refreshed.report.read,
          reportedCells(refreshed.report),
        );
        const result = refreshedImport(saved.name, refreshed.report, addresses);
        results.push({ ...result, isWritten: result.isWritten || followed.has(saved.id) });
      } else {
        const sentence = isOther
          ? `It came from another service, ${saved.service}. Refresh it with --other-service.`
          : refreshed?.status === "failed"
            ? sentenceOf(refreshed.failure)
            : "Its table is no longer in the workbook.";
        results.push({ ...nothing, name: saved.name, failure: sentence });
      }
    }
    return { imports: results, dated: dated.status === "done" ? dated.written : null };
  } finally {
    signal.removeEventListener("abort", control.cancel);
  }
}

const nothing = {
  ...{ changes: [], changed: 0, entered: 0, left: 0, notRefreshed: 0, unchecked: [], renamedColumns: [] },
  ...{ rules: [], isWritten: false },
};

function refreshedImport(
  name: string,
  report: RefreshReport,
  addresses: readonly (string | undefined)[],
): Refreshed {
  const lines = placedLines(report, addresses);
  return {
    name,
    failure: null,
    rules: ruleLines(lines),
    changes: lines.map(lineTexts),
    changed: countValues(report),
    entered: report.entered.length,
    left: report.left.length,
    notRefreshed: report.notRefreshed.length,
    unchecked: uncheckedSentences(report),
    renamedColumns: report.renamedColumns,
    // Cells that were left as they are, and jurisdictions that could not be checked, are told but change nothing.
    isWritten: newsOf(report).length > 0 || report.replaced.length + report.newRows > 0,
  };
}
