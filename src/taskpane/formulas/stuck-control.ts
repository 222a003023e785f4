import { config } from "../../config";
import {
  findStuckCells,
  type Repair,
  repairCells,
  type StuckCells,
} from "../../workbook/cell-formulas/stuck-cells";
import type { CellArea, FormulaCell } from "../../workbook/sheet/cells/formula-search";
import { spills } from "../../workbook/sheet/excel-api";
import type { PaneApp } from "../pane-app";
import { createStore } from "zustand/vanilla";
import type { Readable } from "../jobs/jobs";
import { createSlot, type JobTools, type SlotState } from "../jobs/slot";

/** The outcome of a repair. */
interface StuckReport extends Repair {
  /** The number of cells that have their formulas and no longer show #NAME? or #BUSY!. */
  repaired: number;
  /** Stuck cells on protected sheets, where the add-in can't write. */
  onProtected: FormulaCell[];
}

export interface StuckControl {
  /** The cells that the last look has found; null if there were none, or they are being repaired. */
  found: Readable<StuckCells | null>;
  /** The repair that runs, or the last one; its report stays until new stuck cells are found. */
  repairs: Readable<SlotState<"repair", StuckReport>>;
  /** Looks for stuck cells; returns a function that stops it. Failures are not shown, because the user has not asked for the search. */
  look(): () => void;
  /** Looks once more, and enters the formulas of all stuck cells anew. Does nothing while a repair runs. */
  repair(): void;
  goTo(area: CellArea): void;
}

/** The workbook's cells that are stuck at #NAME? or #BUSY!, and their repair. */
export function createStuckControl(app: PaneApp): StuckControl {
  const { workbook } = app;
  const repairs = createSlot<"repair", StuckReport>(app.jobs);
  const found = createStore<StuckCells | null>(() => null);
  let looking: AbortController | undefined;

  const dependencies = { workbook, calls: app };
  const find = (signal: AbortSignal) =>
    findStuckCells(dependencies, {
      namespace: config.namespace,
      canSeeSpills: app.hasExcelApi(spills),
      signal,
    });

  async function repairAll({ tell }: JobTools): Promise<StuckReport> {
    // A repair can't be cancelled, so nothing aborts this signal.
    const { signal } = new AbortController();
    const { cells, onProtected } = await find(signal);
    const total = cells.length;
    const onRepaired = (done: number) => tell({ progress: { done, total } });
    onRepaired(0);
    const repair = await repairCells(cells, dependencies, { signal, onRepaired });
    return { repaired: total - repair.left.length - repair.replaced.length, ...repair, onProtected };
  }

  return {
    found,
    repairs,
    look() {
      looking?.abort();
      if (repairs.isRunning()) return () => undefined;
      const current = (looking = new AbortController());
      find(current.signal).then(
        (stuck) => {
          if (looking !== current) return;
          const isAny = stuck.cells.length + stuck.onProtected.length > 0;
          if (isAny) repairs.dismiss();
          found.setState(isAny ? stuck : null, true);
        },
        () => undefined,
      );
      return () => current.abort();
    },
    repair() {
      if (repairs.isRunning()) return;
      looking?.abort();
      looking = undefined;
      found.setState(null, true);
      void repairs.run(
        "repair",
        { kind: "cells", title: "Stuck formulas are being repaired.", tab: "workbook" },
        repairAll,
      );
    },
    goTo: (area) =>
      void workbook.goToCells(area).catch((thrown: unknown) => {
        found.setState(null, true);
        repairs.fail(thrown);
      }),
  };
}
