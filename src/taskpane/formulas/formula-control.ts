import { createListeners } from "../../async/listeners";
import { onAbort } from "../../async/on-abort";
import { config } from "../../config";
import { asFailure, Failure } from "../../errors";
import {
  countFrozen,
  forgetGhosts,
  type Frozen,
  type OnlyFrozen,
  type SeenFormula,
  type Unfrozen,
} from "../../workbook/cell-formulas/freeze";
import type { FrozenFormula } from "../../workbook/cell-formulas/frozen-formulas";
import { finishFreeze } from "../../workbook/unfinished/finish-freeze";
import { freezeNoted, unfreezeNoted } from "../../workbook/unfinished/noted-freeze";
import type { KeptUnfinished } from "../../workbook/unfinished/unfinished-book";
import type { UnfinishedWork } from "../../workbook/unfinished/unfinished-work";
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
import { asSheetWork, type Telling } from "../sheet-work";

export type FormulaAction = "count" | "refresh" | "retry" | "freeze" | "unfreeze";
export type RunningAction = FormulaAction | "forget";

export type FormulaReport = { scope: FormulaScope } & (
  | { action: "count"; formulas: number; frozen: number; ghosts: number; unreadable: number }
  | { action: "forget"; forgotten: number }
  | ({ action: "refresh" | "retry" } & FormulaRefresh)
  | ({ action: "freeze" } & Frozen)
  | ({ action: "unfreeze"; only?: OnlyFrozen | undefined } & Unfrozen)
);

export type FormulasState =
  | { status: "idle" }
  | { status: "running"; action: RunningAction; progress?: { done: number; total: number } }
  /** Formulas would lose the values that they show; the user decides. */
  | { status: "asking"; action: FormulaAction; losing: number; because: Failure }
  | { status: "done"; report: FormulaReport }
  | { status: "failed"; failure: Failure };

export interface FormulaControl {
  subscribe(listener: () => void): () => void;
  getSnapshot(): FormulasState;
  /** Starts an action. Does nothing while another one runs. `seen` and `only`: see unfreezeFormulas. */
  run(action: FormulaAction, scope: FormulaScope, unfreezing?: Unfreezing): void;
  /** Answers the question of status "asking". */
  decide(mayLose: boolean): void;
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
  const listeners = createListeners();
  let state: FormulasState = { status: "idle" };
  let running: AbortController | null = null;
  let decide: (mayLose: boolean) => void = () => undefined;

  function show(next: FormulasState) {
    state = next;
    listeners.tell();
  }
  const fail = (thrown: unknown) => show({ status: "failed", failure: asFailure(thrown) });

  /** Looks for values that a refresh would lose. Undefined without a connection, when the add-in asks the service nothing. */
  function losingQuestion(action: FormulaAction, telling: Telling): LosingQuestion | undefined {
    const lookup = app.currentSession()?.lookup;
    if (!lookup) return undefined;
    return {
      find: (cells, shown, signal) => losingValue(cells, shown, { workbook, lookup, namespace, signal }),
      mayLose: ({ cells, because }, signal) =>
        new Promise((resolve, reject) => {
          telling.asks(true);
          const release = onAbort(signal, () => reject(new Failure("cancelled")));
          decide = (mayLose) => {
            release();
            telling.asks(false);
            show({ status: "running", action });
            resolve(mayLose);
          };
          show({ status: "asking", action, losing: cells.size, because });
        }),
    };
  }

  async function act(
    action: FormulaAction,
    scope: FormulaScope,
    { signal, telling, unfreezing = {} }: { signal: AbortSignal; telling: Telling; unfreezing?: Unfreezing },
  ): Promise<FormulaReport> {
    const onProgress = (done: number, total: number) =>
      show({ status: "running", action, progress: { done, total } });
    const options = { signal, onProgress, namespace };
    if (action === "unfreeze") {
      const { only } = unfreezing;
      const unfrozen = await unfreezeNoted(app.unfinished, scope, workbook, {
        ...options,
        ...unfreezing,
        calls: app,
      });
      return { action, scope, only, ...unfrozen };
    }
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
        losing: losingQuestion(action, telling),
      };
      return { action, scope, ...(await refreshFormulas(these, dependencies, signal)) };
    }
    const canSeeDataTypes = app.hasExcelApi(dataTypes);
    const frozen = await freezeNoted(app.unfinished, cells, workbook, {
      ...options,
      canSeeDataTypes,
      lackingValue: lackingValueFor(app),
    });
    return { action, scope, ...frozen };
  }

  async function goOnFreezing(
    work: UnfinishedWork & { kind: "freeze" },
    signal: AbortSignal,
  ): Promise<FormulaReport> {
    const frozen = await finishFreeze(app.unfinished, work, workbook, {
      onProgress: (done, total) => show({ status: "running", action: "freeze", progress: { done, total } }),
      signal,
      namespace,
      canSeeSpills: app.hasExcelApi(spills),
      canSeeDataTypes: app.hasExcelApi(dataTypes),
      lackingValue: lackingValueFor(app),
    });
    return { action: "freeze", scope: "workbook", ...frozen };
  }

  async function begin(
    action: RunningAction,
    act: (run: { signal: AbortSignal; telling: Telling }) => Promise<FormulaReport>,
  ) {
    if (running) return;
    const { signal } = (running = new AbortController());
    show({ status: "running", action });
    try {
      const report = await asSheetWork("cells", underWay[action], (telling) => act({ signal, telling }));
      show({ status: "done", report });
    } catch (thrown) {
      fail(thrown);
    } finally {
      running = null;
    }
  }

  return {
    subscribe: listeners.add,
    getSnapshot: () => state,
    run: (action, scope, unfreezing) =>
      void begin(action, (run) => act(action, scope, { ...run, ...(unfreezing && { unfreezing }) })),
    decide: (mayLose) => decide(mayLose),
    forget: (ghosts) =>
      void begin("forget", async () => {
        const forgotten = await forgetGhosts(ghosts, workbook, namespace);
        return { action: "forget", scope: "workbook", forgotten };
      }),
    end({ work, partId }, by) {
      const action = work.kind === "freeze" && by === "finish" ? "freeze" : "unfreeze";
      const only = work.kind === "freeze" ? { atMs: work.frozenAtMs } : { areas: work.areas };
      void begin(action, async (run) => {
        const report =
          work.kind === "freeze" && by === "finish"
            ? await goOnFreezing(work, run.signal)
            : await act("unfreeze", "workbook", { ...run, unfreezing: { only } });
        await app.unfinished.forget(partId);
        return report;
      });
    },
    cancel: () => running?.abort(),
    goTo: (area) => void workbook.goToCells(area).catch(fail),
  };
}

/** Undefined without a connection, when it is not known which values are on record. */
export function lackingValueFor(app: PaneApp): LackingValue | undefined {
  const lookup = app.currentSession()?.lookup;
  const { workbook } = app;
  const { namespace } = config;
  return lookup && ((cells, signal) => lackingValue(cells, { workbook, lookup, namespace, signal }));
}
