import { useEffect, useRef, useState } from "react";
import { config } from "../../config";
import type { Failure } from "../../errors";
import { asFailure } from "../../errors";
import {
  type Frozen,
  listFrozen,
  type OnlyFrozen,
  type SeenFormula,
  type Unfrozen,
} from "../../workbook/cell-formulas/freeze";
import { finishFreeze } from "../../workbook/unfinished/finish-freeze";
import { freezeNoted, unfreezeNoted } from "../../workbook/unfinished/noted-freeze";
import type { KeptUnfinished } from "../../workbook/unfinished/unfinished-book";
import type { Work } from "../../workbook/unfinished/unfinished-work";
import { type FormulaRefresh, refreshFormulas } from "../../workbook/cell-formulas/refresh-formulas";
import { type LackingValue, lackingValue } from "../../workbook/cell-formulas/lacking-value";
import { dataTypes, spills } from "../../workbook/sheet/excel-api";
import type { CellArea, FormulaScope } from "../../workbook/sheet/cells/formula-search";
import type { PaneApp } from "../pane-app";
import { asSheetWork } from "../sheet-work";

export type FormulaAction = "count" | "refresh" | "freeze" | "unfreeze";

export type FormulaReport = { scope: FormulaScope } & (
  | { action: "count"; formulas: number; frozen: number; unreadable: number }
  | ({ action: "refresh" } & FormulaRefresh)
  | ({ action: "freeze" } & Frozen)
  | ({ action: "unfreeze"; only?: OnlyFrozen | undefined } & Unfrozen)
);

export type FormulasState =
  | { status: "idle" }
  | { status: "running"; action: FormulaAction; progress?: { done: number; total: number } }
  | { status: "done"; report: FormulaReport }
  | { status: "failed"; failure: Failure };

export interface Formulas {
  state: FormulasState;
  /** Nothing, while another one runs. `seen` and `only`: see unfreezeFormulas. */
  run(action: FormulaAction, scope: FormulaScope, unfreezing?: Unfreezing): void;
  /** Goes on with an interrupted freeze or unfreeze, or brings back what was frozen. */
  end(unfinished: KeptUnfinished<FormulaWork>, by: "finish" | "take back"): void;
  cancel(): void;
  goTo(area: CellArea): void;
}

export type FormulaWork = Work & { kind: "freeze" | "unfreeze" };

interface Unfreezing {
  seen?: readonly SeenFormula[] | undefined;
  only?: OnlyFrozen | undefined;
}

/** What is done with the formulas of a part of the workbook, one thing at a time. */
export function useFormulas(app: PaneApp): Formulas {
  const { workbook } = app;
  const [state, setState] = useState<FormulasState>({ status: "idle" });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const fail = (thrown: unknown) => setState({ status: "failed", failure: asFailure(thrown) });

  async function act(
    action: FormulaAction,
    scope: FormulaScope,
    signal: AbortSignal,
    unfreezing: Unfreezing = {},
  ): Promise<FormulaReport> {
    const onProgress = (done: number, total: number) =>
      setState({ status: "running", action, progress: { done, total } });
    const { namespace } = config;
    const options = { signal, onProgress, namespace };
    if (action === "unfreeze") {
      const { only } = unfreezing;
      const unfrozen = await unfreezeNoted(app.unfinished, scope, workbook, {
        ...{ ...options, ...unfreezing, calls: app },
      });
      return { action, scope, only, ...unfrozen };
    }
    const canSeeSpills = app.hasExcelApi(spills);
    const cells = await workbook.findFormulas(scope, { namespace, canSeeSpills, signal });
    if (action === "count") {
      const { parts, unreadable } = await listFrozen(workbook, namespace);
      const frozen = parts.reduce((sum, { formulas }) => sum + formulas.length, 0);
      return { action, scope, formulas: cells.length, frozen, unreadable };
    }
    if (action === "refresh") {
      const doors = { workbook, calls: app, lackingValue: lackingValueFor(app) };
      return { action, scope, ...(await refreshFormulas(cells, doors, signal)) };
    }
    const canSeeDataTypes = app.hasExcelApi(dataTypes);
    const frozen = await freezeNoted(app.unfinished, cells, workbook, {
      ...{ ...options, canSeeDataTypes, lackingValue: lackingValueFor(app) },
    });
    return { action, scope, ...frozen };
  }

  async function goOnFreezing(work: Work & { kind: "freeze" }, signal: AbortSignal): Promise<FormulaReport> {
    const frozen = await finishFreeze(app.unfinished, work, workbook, {
      onProgress: (done, total) =>
        setState({ status: "running", action: "freeze", progress: { done, total } }),
      ...{ signal, namespace: config.namespace },
      canSeeSpills: app.hasExcelApi(spills),
      canSeeDataTypes: app.hasExcelApi(dataTypes),
      lackingValue: lackingValueFor(app),
    });
    return { action: "freeze", scope: "workbook", ...frozen };
  }

  async function begin(action: FormulaAction, act: (signal: AbortSignal) => Promise<FormulaReport>) {
    if (running.current) return;
    const controller = new AbortController();
    running.current = controller;
    setState({ status: "running", action });
    try {
      const work = () => act(controller.signal);
      setState({ status: "done", report: await asSheetWork("refresh", work) });
    } catch (thrown) {
      fail(thrown);
    } finally {
      running.current = null;
    }
  }

  return {
    state,
    run: (action, scope, unfreezing) =>
      void begin(action, (signal) => act(action, scope, signal, unfreezing)),
    end({ work, partId }, by) {
      const action = work.kind === "freeze" && by === "finish" ? "freeze" : "unfreeze";
      const only = work.kind === "freeze" ? { atMs: work.frozenAtMs } : { areas: work.areas };
      void begin(action, async (signal) => {
        const report =
          work.kind === "freeze" && by === "finish"
            ? await goOnFreezing(work, signal)
            : await act("unfreeze", "workbook", signal, { only });
        await app.unfinished.forget(partId);
        return report;
      });
    },
    cancel: () => running.current?.abort(),
    goTo: (area) => void workbook.goToCells(area).catch(fail),
  };
}

/** Undefined without a connection: then nothing is known of what is recorded. */
export function lackingValueFor(app: PaneApp): LackingValue | undefined {
  const lookup = app.currentSession()?.lookup;
  const { workbook } = app;
  const { namespace } = config;
  return lookup && ((cells, signal) => lackingValue(cells, { workbook, lookup, namespace, signal }));
}
