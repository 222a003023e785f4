import { useCallback, useEffect, useRef, useState } from "react";
import { config } from "../../config";
import { asFailure, type Failure } from "../../errors";
import { listFrozen } from "../../workbook/cell-formulas/freeze";
import { spills } from "../../workbook/sheet/excel-api";
import type { FormulaCell } from "../../workbook/sheet/cells/formula-search";
import { collectValues } from "../../workbook/travelling/collect";
import {
  readTravelling,
  removeTravelling,
  type Travelling,
  writeTravelling,
} from "../../workbook/travelling/travelling-book";
import type { PaneApp } from "../pane-app";
import { asSheetWork } from "../sheet-work";
import { useLoad } from "../ui/use-load";

/** What became of letting values travel. */
export interface TravellingReport {
  answers: number;
  /** How many of them fit into the workbook; null where all do, and were written. */
  fit: number | null;
  /** See `Collected`. */
  notKept: number;
  left: readonly FormulaCell[];
  /** Formulas that are frozen in this workbook: none of their answers is among these. */
  frozen: number;
  /** Whether they are all that it has. */
  isAllFrozen: boolean;
}

export interface TravellingState {
  /** Undefined until it is read. */
  travelling: Travelling | undefined;
  isRunning: boolean;
  report: TravellingReport | undefined;
  failure: Failure | undefined;
  update(): void;
  remove(): void;
}

/** What travels with the workbook, and what the author does about it: one thing at a time. */
export function useTravelling(app: PaneApp): TravellingState {
  const { workbook } = app;
  const loaded = useLoad(useCallback(() => readTravelling(workbook), [workbook]));
  const [report, setReport] = useState<TravellingReport>();
  const [failure, setFailure] = useState<Failure>();
  const [isRunning, setIsRunning] = useState(false);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  async function run(work: (signal: AbortSignal) => Promise<TravellingReport | undefined>) {
    if (running.current) return;
    const { signal } = (running.current = new AbortController());
    setIsRunning(true);
    setFailure(undefined);
    setReport(undefined);
    try {
      setReport(await asSheetWork("share", "Values are being saved in the workbook.", () => work(signal)));
      loaded.retry();
    } catch (thrown) {
      setFailure(asFailure(thrown));
    } finally {
      running.current = null;
      setIsRunning(false);
    }
  }

  async function update(signal: AbortSignal): Promise<TravellingReport> {
    const { namespace } = config;
    const { lookup } = await app.session();
    const canSeeSpills = app.hasExcelApi(spills);
    const cells = await workbook.findFormulas("workbook", { namespace, canSeeSpills, signal });
    const { values, ...rest } = await collectValues(cells, { workbook, lookup, namespace, signal });
    const answers = values.answers.length;
    const isNothing = answers + values.ahjs.length === 0;
    const { parts } = await listFrozen(workbook, namespace);
    const frozen = parts.reduce((sum, { formulas }) => sum + formulas.length, 0);
    const refused = isNothing ? { fit: 0 } : await writeTravelling(workbook, values);
    const isAllFrozen = cells.length === 0 && frozen > 0;
    return { answers, fit: refused && refused.fit, ...rest, frozen, isAllFrozen };
  }

  return {
    travelling: loaded.value,
    isRunning,
    report,
    failure: failure ?? loaded.failure,
    update: () => void run(update),
    remove: () => void run(() => removeTravelling(workbook).then(() => undefined)),
  };
}
