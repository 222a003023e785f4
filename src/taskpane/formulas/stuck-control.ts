import { createListeners } from "../../async/listeners";
import { config } from "../../config";
import { asFailure, type Failure } from "../../errors";
import { findStuckCells, repairCells, type StuckCells } from "../../workbook/cell-formulas/stuck-cells";
import type { CellArea, FormulaCell } from "../../workbook/sheet/cells/formula-search";
import { spills } from "../../workbook/sheet/excel-api";
import type { PaneApp } from "../pane-app";
import { asSheetWork } from "../sheet-work";

/** The outcome of a repair. */
interface StuckReport {
  /** The number of cells that no longer show #NAME? or #BUSY!. */
  repaired: number;
  /** Cells that still show #NAME? or #BUSY!, although their formulas were entered anew. */
  left: FormulaCell[];
  /** Stuck cells on protected sheets, where the add-in can't write. */
  onProtected: FormulaCell[];
}

export type StuckState =
  | { status: "unknown" }
  | { status: "found"; stuck: StuckCells }
  | { status: "repairing"; done: number; total: number }
  | { status: "done"; report: StuckReport }
  | { status: "failed"; failure: Failure };

export interface StuckControl {
  subscribe(listener: () => void): () => void;
  getSnapshot(): StuckState;
  /** Looks for stuck cells; returns a function that stops it. Failures are not shown, because the user has not asked for the search. */
  look(): () => void;
  /** Looks once more, and enters the formulas of all stuck cells anew. Does nothing while a repair runs. */
  repair(): void;
  goTo(area: CellArea): void;
}

/** The workbook's cells that are stuck at #NAME? or #BUSY!, and their repair. */
export function createStuckControl(app: PaneApp): StuckControl {
  const { workbook } = app;
  const listeners = createListeners();
  let state: StuckState = { status: "unknown" };
  let looking: AbortController | undefined;
  let isRepairing = false;

  function show(next: StuckState) {
    state = next;
    listeners.tell();
  }
  const dependencies = { workbook, calls: app };
  const find = (signal: AbortSignal) =>
    findStuckCells(dependencies, {
      namespace: config.namespace,
      canSeeSpills: app.hasExcelApi(spills),
      signal,
    });

  async function repairAll(): Promise<StuckReport> {
    // A repair can't be cancelled, so nothing aborts this signal.
    const { signal } = new AbortController();
    const { cells, onProtected } = await find(signal);
    show({ status: "repairing", done: 0, total: cells.length });
    const left = await repairCells(cells, dependencies, {
      signal,
      onRepaired: (done) => show({ status: "repairing", done, total: cells.length }),
    });
    return { repaired: cells.length - left.length, left, onProtected };
  }

  return {
    subscribe: listeners.add,
    getSnapshot: () => state,
    look() {
      looking?.abort();
      if (isRepairing) return () => undefined;
      const current = (looking = new AbortController());
      find(current.signal).then(
        (stuck) => {
          const isAny = stuck.cells.length + stuck.onProtected.length > 0;
          // A report of a repair stays until new stuck cells are found.
          if (looking === current && (isAny || state.status === "found"))
            show(isAny ? { status: "found", stuck } : { status: "unknown" });
        },
        () => undefined,
      );
      return () => current.abort();
    },
    repair() {
      if (isRepairing) return;
      isRepairing = true;
      looking?.abort();
      looking = undefined;
      show({ status: "repairing", done: 0, total: 0 });
      asSheetWork("cells", "Stuck formulas are being repaired.", repairAll)
        .then(
          (report) => show({ status: "done", report }),
          (thrown: unknown) => show({ status: "failed", failure: asFailure(thrown) }),
        )
        .finally(() => (isRepairing = false));
    },
    goTo: (area) =>
      void workbook
        .goToCells(area)
        .catch((thrown: unknown) => show({ status: "failed", failure: asFailure(thrown) })),
  };
}
