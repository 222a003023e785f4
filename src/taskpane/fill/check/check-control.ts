import { createStore } from "zustand/vanilla";
import type { Session } from "../../../app";
import type { CheckedColumns } from "../../../workbook/imports/check/check-columns";
import type { EditedCell } from "../../../workbook/imports/refresh/compare-answers";
import type { FillOrder } from "../../../workbook/imports/run/fill-table";
import { createImportBook } from "../../../workbook/imports/saved/import-book";
import type { TableCell } from "../../../workbook/sheet/tables/bound-table";
import { createImportTables, type Marks } from "../../../workbook/sheet/tables/table-changes";
import type { JobOrder, Readable } from "../../jobs/jobs";
import { createSlot, type JobTools, type SlotState } from "../../jobs/slot";
import { mustHaveFoundAll } from "../../refresh/marks-left";
import { plural } from "../../ui/labels";
import type { PaneApp } from "../../pane-app";

/** The comparison of the user's own cells with the service, and what was done about it since. */
export interface CheckState {
  check: SlotState<FillOrder, CheckedColumns>;
  /** The work on cells that was asked for last. The result is a sentence. */
  work: SlotState<CellWork, string>;
  /** The marks of cells; null if none are marked. */
  marks: Marks | null;
}

type CellWork = "mark" | "unmark" | "answers" | "live" | "sheet" | "go";

export interface CheckControl extends Readable<CheckState> {
  /** Compares; nothing is changed. */
  check(order: FillOrder): void;
  /** Ends the comparison, or the work on cells, which is then undone. */
  cancel(): void;
  goTo(cell: TableCell): void;
  mark(): void;
  unmark(): void;
  /** Puts the service's answers into these cells. A cell that holds something else by then is left. */
  put(cells: readonly EditedCell[]): void;
  /** Puts formulas in place of the cells with an answer. A cell that holds something else by then is left. */
  makeLive(): void;
  /** Writes all cells that do not show what the service says to a new sheet. */
  writeSheet(): void;
  /** Forgets the comparison. Marks stay until `unmark`. */
  dismiss(): void;
}

const sheetName = "Differences";

/** The code that only a comparison needs, which is loaded with the first one. */
const checkWork = () => import("./check-work");

/** Creates the check of a screen. */
export function createCheckControl(app: PaneApp, session: Session): CheckControl {
  const { workbook } = app;
  const tables = createImportTables(workbook);
  const dependencies = { ...session, tables, book: createImportBook(workbook) };
  const checking = createSlot<FillOrder, CheckedColumns>(app.jobs);
  const working = createSlot<CellWork, string>(app.jobs);
  const store = createStore<CheckState>(() => ({
    check: checking.getState(),
    work: working.getState(),
    marks: null,
  }));
  checking.subscribe((check) => store.setState({ check }));
  working.subscribe((work) => store.setState({ work }));

  /** Does work on the cells of the comparison that is shown. */
  function act(
    work: CellWork,
    job: JobOrder,
    run: (checked: CheckedColumns, tableId: string, tools: JobTools) => Promise<string>,
  ) {
    const { check } = store.getState();
    if (check.status !== "done") return;
    void working.run(work, job, (tools) => run(check.result, check.order.tableId, tools));
  }
  const onCells = (title: string): JobOrder => ({ kind: "imports", title });

  return {
    ...store,
    check(order) {
      working.dismiss();
      const job = {
        kind: "reads",
        title: "Your cells are being compared with the service.",
        tab: "data",
      } as const;
      void checking.run(order, job, async ({ signal, tell }) => {
        const { checkColumns } = await checkWork();
        return checkColumns(order, dependencies, {
          signal,
          onProgress: (progress) => tell({ progress, waitingUntilMs: undefined }),
          onWait: (waitingUntilMs) => tell({ waitingUntilMs }),
        });
      });
    },
    cancel() {
      checking.cancel();
      working.cancel();
    },
    goTo: (cell) =>
      act("go", { kind: "reads", title: "A cell is being shown." }, async ({ report }, tableId) => {
        await tables.goTo(tableId, report.read, cell);
        return "";
      }),
    mark: () =>
      act(
        "mark",
        onCells("Cells are being highlighted."),
        async ({ report, differing, otherForm }, tableId) => {
          // Cells that are highlighted would get their highlight back as their own fill.
          if (store.getState().marks) return "";
          const cells = [...differing, ...otherForm].map(({ place }) => ({
            ...place,
            kind: "edited" as const,
          }));
          store.setState({ marks: await tables.mark(tableId, report.read, cells) });
          return "";
        },
      ),
    unmark: () =>
      act("unmark", onCells("Highlights are being removed."), async (_, tableId) => {
        const { marks } = store.getState();
        const left = marks ? await tables.unmark(tableId, marks) : 0;
        store.setState({ marks: null });
        mustHaveFoundAll(left);
        return "";
      }),
    put: (cells) =>
      act("answers", onCells("Cells are being replaced."), async ({ report }, tableId, { signal }) => {
        await tables.mayWrite(tableId);
        const { updateOver } = await checkWork();
        const updates = cells.map(updateOver);
        const edit = {
          ...{ read: report.read, updates, newRows: [], newColumns: [], goneColumns: [] },
          columns: [...new Set(updates.map(({ header }) => header))],
        };
        const { changedCells, missingCells } = await tables.edit(tableId, edit, { signal });
        const left = changedCells.length + missingCells.length;
        const done = `${(cells.length - left).toLocaleString()} replaced.`;
        return left > 0
          ? `${done} ${left.toLocaleString()} changed meanwhile and stayed.`
          : `${done} Compare again to see what is left.`;
      }),
    makeLive: () =>
      act("live", onCells("Cells are becoming formulas."), async ({ live }, tableId, { signal, tell }) => {
        await tables.mayWrite(tableId);
        let [done, left] = [0, 0];
        for (const edit of live.edits()) {
          const before = done;
          const onWritten = (cells: number) =>
            tell({ progress: { phase: "writing", done: before + cells, total: live.cells } });
          const { changedCells, missingCells } = await tables.edit(tableId, edit, { signal, onWritten });
          const leftHere = changedCells.length + missingCells.length;
          left += leftHere;
          done += edit.updates.length - leftHere;
        }
        const stayed = left > 0 ? ` ${left.toLocaleString()} changed meanwhile and stayed.` : "";
        return `${plural(done, "cell")} became ${done === 1 ? "a formula" : "formulas"}.${stayed}`;
      }),
    writeSheet: () =>
      act(
        "sheet",
        { kind: "cells", title: "A sheet of differences is being written." },
        async ({ report }, tableId) => {
          // The sheet tells of the cells alone: that rows were understood is no news.
          const told = { ...report, followed: [] };
          const { planChanges, reportedCells, writeSheetNoted } = await checkWork();
          const addresses = await tables.addresses(tableId, report.read, reportedCells(told));
          const { address } = await writeSheetNoted(app.unfinished, workbook, planChanges(told, addresses), {
            name: sheetName,
          });
          return `Written to ${address}.`;
        },
      ),
    dismiss() {
      checking.giveUp();
      checking.dismiss();
      working.dismiss();
    },
  };
}
