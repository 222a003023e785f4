import { createListeners } from "../../async/listeners";
import { config } from "../../config";
import { asFailure, type Failure } from "../../errors";
import { listFrozen } from "../../workbook/cell-formulas/frozen-formulas";
import { spills } from "../../workbook/sheet/excel-api";
import type { FormulaCell } from "../../workbook/sheet/cells/formula-search";
import { collectValues } from "../../workbook/last-known/collect";
import {
  readLastKnown,
  removeLastKnown,
  type LastKnown,
  writeLastKnown,
} from "../../workbook/last-known/last-known-book";
import type { PaneApp } from "../pane-app";
import { asSheetWork } from "../sheet-work";

/** The outcome of storing values in the workbook for colleagues. */
export interface LastKnownReport {
  answers: number;
  /** The number of answers that fit into the workbook; null if all fit and were written. */
  fit: number | null;
  /** See `Collected`. */
  notKept: number;
  left: readonly FormulaCell[];
  /** The number of frozen formulas in this workbook. Their answers are not among the stored ones. */
  frozen: number;
  /** True if all of the workbook's formulas are frozen. */
  isAllFrozen: boolean;
}

export interface LastKnownState {
  /** Undefined until they are read, and if they could not be read. */
  lastKnown: LastKnown | undefined;
  isRunning: boolean;
  report: LastKnownReport | undefined;
  failure: Failure | undefined;
}

export interface LastKnownControl {
  subscribe(listener: () => void): () => void;
  getSnapshot(): LastKnownState;
  /** Reads the values that the workbook has. */
  start(): void;
  update(): void;
  remove(): void;
  /** Cancels the work when the screen is left. */
  end(): void;
}

/** The values that travel with the workbook, and the author's actions on them; one runs at a time. */
export function createLastKnownControl(app: PaneApp): LastKnownControl {
  const { workbook } = app;
  const listeners = createListeners();
  let state: LastKnownState = {
    lastKnown: undefined,
    isRunning: false,
    report: undefined,
    failure: undefined,
  };
  let running: AbortController | undefined;

  function show(change: Partial<LastKnownState>) {
    state = { ...state, ...change };
    listeners.tell();
  }

  const read = () =>
    readLastKnown(workbook).then(
      (lastKnown) => show({ lastKnown }),
      (thrown: unknown) => show({ lastKnown: undefined, failure: asFailure(thrown) }),
    );

  async function run(work: (signal: AbortSignal) => Promise<LastKnownReport | undefined>) {
    if (running) return;
    const { signal } = (running = new AbortController());
    show({ isRunning: true, failure: undefined, report: undefined });
    try {
      const report = await asSheetWork("share", "Values are being saved in the workbook.", () =>
        work(signal),
      );
      await read();
      show({ report });
    } catch (thrown) {
      show({ failure: asFailure(thrown) });
    }
    running = undefined;
    show({ isRunning: false });
  }

  async function update(signal: AbortSignal): Promise<LastKnownReport> {
    const { namespace } = config;
    const { lookup } = await app.session();
    const canSeeSpills = app.hasExcelApi(spills);
    const cells = await workbook.findFormulas("workbook", { namespace, canSeeSpills, signal });
    const { values, ...rest } = await collectValues(cells, { workbook, lookup, namespace, signal });
    const answers = values.answers.length;
    const isNothing = answers + values.ahjs.length === 0;
    const { parts } = await listFrozen(workbook, namespace);
    const frozen = parts.reduce((sum, { formulas }) => sum + formulas.length, 0);
    const refused = isNothing ? { fit: 0 } : await writeLastKnown(workbook, values);
    const isAllFrozen = cells.length === 0 && frozen > 0;
    return { answers, fit: refused && refused.fit, ...rest, frozen, isAllFrozen };
  }

  return {
    subscribe: listeners.add,
    getSnapshot: () => state,
    start: () => void read(),
    update: () => void run(update),
    remove: () => void run(() => removeLastKnown(workbook).then(() => undefined)),
    end: () => running?.abort(),
  };
}
