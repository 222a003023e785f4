import { useEffect, useRef, useState } from "react";
import { config } from "../../config";
import type { Failure } from "../../errors";
import { asFailure } from "../../errors";
import {
  freezeFormulas,
  type Frozen,
  listFrozen,
  type SeenFormula,
  type Unfrozen,
  unfreezeFormulas,
} from "../../workbook/cell-formulas/freeze";
import { type FormulaRefresh, refreshFormulas } from "../../workbook/cell-formulas/refresh-formulas";
import { dataTypes, spills } from "../../workbook/sheet/excel-api";
import type { CellArea, FormulaScope } from "../../workbook/sheet/cells/formula-search";
import type { PaneApp } from "../pane-app";
import { asSheetWork } from "../sheet-work";

export type FormulaAction = "count" | "refresh" | "freeze" | "unfreeze";

export type FormulaReport = { scope: FormulaScope } & (
  | { action: "count"; formulas: number; frozen: number; unreadable: number }
  | ({ action: "refresh" } & FormulaRefresh)
  | ({ action: "freeze" } & Frozen)
  | ({ action: "unfreeze" } & Unfrozen)
);

export type FormulasState =
  | { status: "idle" }
  | { status: "running"; action: FormulaAction; progress?: { done: number; total: number } }
  | { status: "done"; report: FormulaReport }
  | { status: "failed"; failure: Failure };

export interface Formulas {
  state: FormulasState;
  /** Nothing, while another one runs. `seen`: see unfreezeFormulas. */
  run(action: FormulaAction, scope: FormulaScope, seen?: readonly SeenFormula[]): void;
  cancel(): void;
  goTo(area: CellArea): void;
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
    seen: readonly SeenFormula[] | undefined,
  ): Promise<FormulaReport> {
    const onProgress = (done: number, total: number) =>
      setState({ status: "running", action, progress: { done, total } });
    const { namespace } = config;
    const options = { signal, onProgress, namespace };
    if (action === "unfreeze") {
      const unfrozen = await unfreezeFormulas(scope, workbook, { ...options, seen, calls: app });
      return { action, scope, ...unfrozen };
    }
    const canSeeSpills = app.hasExcelApi(spills);
    const cells = await workbook.findFormulas(scope, { namespace, canSeeSpills, signal });
    if (action === "count") {
      const { parts, unreadable } = await listFrozen(workbook, namespace);
      const frozen = parts.reduce((sum, { formulas }) => sum + formulas.length, 0);
      return { action, scope, formulas: cells.length, frozen, unreadable };
    }
    if (action === "refresh") {
      return { action, scope, ...(await refreshFormulas(cells, { workbook, calls: app }, signal)) };
    }
    const canSeeDataTypes = app.hasExcelApi(dataTypes);
    return { action, scope, ...(await freezeFormulas(cells, workbook, { ...options, canSeeDataTypes })) };
  }

  async function run(action: FormulaAction, scope: FormulaScope, seen?: readonly SeenFormula[]) {
    if (running.current) return;
    const controller = new AbortController();
    running.current = controller;
    setState({ status: "running", action });
    try {
      const work = () => act(action, scope, controller.signal, seen);
      setState({ status: "done", report: await asSheetWork("refresh", work) });
    } catch (thrown) {
      fail(thrown);
    } finally {
      running.current = null;
    }
  }

  return {
    state,
    run: (action, scope, seen) => void run(action, scope, seen),
    cancel: () => running.current?.abort(),
    goTo: (area) => void workbook.goToCells(area).catch(fail),
  };
}
