import { config } from "../../config";
import type { Failure } from "../../errors";
import {
  countFrozen,
  forgetGhosts,
  freezeFormulas,
  type Frozen,
  type OnlyFrozen,
  type SeenFormula,
  type Unfrozen,
  unfreezeFormulas,
} from "../../workbook/cell-formulas/freeze";
import type { FrozenFormula } from "../../workbook/cell-formulas/frozen-formulas";
import { finishFreeze } from "../../workbook/unfinished/finish-freeze";
import type { KeptUnfinished } from "../../workbook/work-note/unfinished-book";
import type { UnfinishedWork } from "../../workbook/work-note/unfinished-work";
import { inError } from "../../workbook/cell-formulas/in-error";
import {
  type FormulaRefresh,
  type LosingQuestion,
  refreshFormulas,
} from "../../workbook/cell-formulas/refresh-formulas";
import { type LackingValue, lackingValue } from "../../workbook/cell-formulas/lacking-value";
import { losingValue } from "../../workbook/cell-formulas/losing-value";
import { dataTypes, spills } from "../../workbook/sheet/excel-api";
import type { CellArea, FormulaScope } from "../../workbook/sheet/cells/formula-search";
import type { PaneApp } from "../pane-app";
import type { Readable } from "../jobs/jobs";
import { createSlot, type JobTools, type SlotState } from "../jobs/slot";

export type FormulaAction = "count" | "refresh" | "retry" | "freeze" | "unfreeze";
export type RunningAction = FormulaAction | "forget";

export type FormulaReport = { scope: FormulaScope } & (
  | { action: "count"; formulas: number; frozen: number; ghosts: number; unreadable: number }
  | { action: "forget"; forgotten: number }
  /** `old` is the number of answers that formulas show although they are older than wanted, because the service could not be asked. */
  | ({ action: "refresh" | "retry"; old: number } & FormulaRefresh)
  | ({ action: "freeze" } & Frozen)
  | ({ action: "unfreeze"; only?: OnlyFrozen | undefined } & Unfrozen)
);

/** The formulas that would lose the values that they show; the user decides. */
export interface LosingFormulas {
  losing: number;
  because: Failure;
}

export type FormulasState = SlotState<RunningAction, FormulaReport, LosingFormulas, boolean>;

type Tools = JobTools<LosingFormulas, boolean>;

export interface FormulaControl extends Readable<FormulasState> {
  /** Starts an action. Does nothing while another one runs. `seen` and `only`: see unfreezeFormulas. */
  run(action: FormulaAction, scope: FormulaScope, unfreezing?: Unfreezing): void;
  /** Forgets frozen formulas that can't come back. Does nothing while an action runs. */
  forget(ghosts: readonly FrozenFormula[]): void;
  /** Goes on with an interrupted freeze or unfreeze, or brings back the formulas that it had frozen. */
  end(unfinished: KeptUnfinished<FormulaWork>, by: "finish" | "take back"): void;
  cancel(): void;
  goTo(area: CellArea): void;
}

export type FormulaWork = UnfinishedWork & { kind: "freeze" | "unfreeze" };

interface Unfreezing {
  seen?: readonly SeenFormula[] | undefined;
  only?: OnlyFrozen | undefined;
}

/** Sentences about running work for the pane's other tabs. */
const underWay: Record<RunningAction, string> = {
  refresh: "Formulas are being refreshed.",
  retry: "Formulas are being tried again.",
  freeze: "Formulas are being frozen.",
  unfreeze: "Formulas are being brought back.",
  count: "Formulas are being counted.",
  forget: "Frozen formulas are being forgotten.",
};

/** The actions on the formulas of a part of the workbook; one runs at a time. */
export function createFormulaControl(app: PaneApp): FormulaControl {
  const { workbook } = app;
  const { namespace } = config;
  const slot = createSlot<RunningAction, FormulaReport, LosingFormulas, boolean>(app.jobs);

  /** Looks for values that a refresh would lose. Undefined without a connection, when the add-in asks the service nothing. */
  function losingQuestion({ ask }: Tools): LosingQuestion | undefined {
    const lookup = app.currentSession()?.lookup;
    if (!lookup) return undefined;
    return {
      find: (cells, shown, signal) => losingValue(cells, shown, { workbook, lookup, namespace, signal }),
      mayLose: ({ cells, because }) => ask({ losing: cells.size, because }),
    };
  }

  async function act(
    action: FormulaAction,
    scope: FormulaScope,
    { tools, unfreezing = {} }: { tools: Tools; unfreezing?: Unfreezing | undefined },
  ): Promise<FormulaReport> {
    const { signal } = tools;
    const onProgress = (done: number, total: number) => tools.tell({ progress: { done, total } });
    const options = { signal, onProgress, namespace };
    if (action === "unfreeze") {
      const { only } = unfreezing;
      const unfrozen = await app.unfinished.during((note) =>
        unfreezeFormulas(scope, workbook, { ...options, ...unfreezing, note, calls: app }),
      );
      return { action, scope, only, ...unfrozen };
    }
    // On hold, formulas would be calculated anew for nothing.
    if (action === "refresh" || action === "retry") await app.hold.mustBeReleased();
    const canSeeSpills = app.hasExcelApi(spills);
    const cells = await workbook.findFormulas(scope, { namespace, canSeeSpills, signal });
    if (action === "count") {
      return { action, scope, formulas: cells.length, ...(await countFrozen(workbook, namespace, signal)) };
    }
    if (action === "refresh" || action === "retry") {
      const these = action === "retry" ? await inError(workbook, cells, signal) : cells;
      if (scope === "workbook") app.currentSession()?.lookup.recalculating();
      const dependencies = {
        workbook,
        calls: app,
        lackingValue: lackingValueFor(app),
        losing: losingQuestion(tools),
      };
      const refreshed = await refreshFormulas(these, dependencies, signal);
      return { action, scope, ...refreshed, old: app.notices().oldAnswers?.count ?? 0 };
    }
    const canSeeDataTypes = app.hasExcelApi(dataTypes);
    const frozen = await app.unfinished.during((note) =>
      freezeFormulas(cells, workbook, {
        ...options,
        note,
        canSeeDataTypes,
        lackingValue: lackingValueFor(app),
      }),
    );
    return { action, scope, ...frozen };
  }

  async function goOnFreezing(
    work: UnfinishedWork & { kind: "freeze" },
    { signal, tell }: Tools,
  ): Promise<FormulaReport> {
    const frozen = await finishFreeze(app.unfinished, work, workbook, {
      onProgress: (done, total) => tell({ progress: { done, total } }),
      signal,
      namespace,
      canSeeSpills: app.hasExcelApi(spills),
      canSeeDataTypes: app.hasExcelApi(dataTypes),
      lackingValue: lackingValueFor(app),
    });
    return { action: "freeze", scope: "workbook", ...frozen };
  }

  const begin = (action: RunningAction, work: (tools: Tools) => Promise<FormulaReport>) =>
    void slot.run(action, { kind: "cells", title: underWay[action], tab: "workbook" }, work);

  return {
    ...slot,
    run: (action, scope, unfreezing) => begin(action, (tools) => act(action, scope, { tools, unfreezing })),
    forget: (ghosts) =>
      begin("forget", async () => {
        const forgotten = await forgetGhosts(ghosts, workbook, namespace);
        return { action: "forget", scope: "workbook", forgotten };
      }),
    end({ work, partId }, by) {
      const action = work.kind === "freeze" && by === "finish" ? "freeze" : "unfreeze";
      const only = work.kind === "freeze" ? { atMs: work.frozenAtMs } : { areas: work.areas };
      begin(action, async (tools) => {
        const report =
          work.kind === "freeze" && by === "finish"
            ? await goOnFreezing(work, tools)
            : await act("unfreeze", "workbook", { tools, unfreezing: { only } });
        await app.unfinished.forget(partId);
        return report;
      });
    },
    goTo: (area) => void workbook.goToCells(area).catch(slot.fail),
  };
}

/** Undefined without a connection, when it is not known which values are on record. */
export function lackingValueFor(app: PaneApp): LackingValue | undefined {
  const lookup = app.currentSession()?.lookup;
  const { workbook } = app;
  const { namespace } = config;
  return lookup && ((cells, signal) => lackingValue(cells, { workbook, lookup, namespace, signal }));
}
