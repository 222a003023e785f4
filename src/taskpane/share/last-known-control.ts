import { createStore } from "zustand/vanilla";
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
import type { Readable } from "../jobs/jobs";
import { createSlot, type SlotState } from "../jobs/slot";

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

/** The values that the workbook has, as they were read last. */
export interface StoredValues {
  /** Undefined until they are read, and if they could not be read. */
  lastKnown: LastKnown | undefined;
  /** The reason why they could not be read. */
  failure: Failure | undefined;
}

export interface LastKnownControl {
  stored: Readable<StoredValues>;
  /** The work that runs, or its outcome; there is no report of values that were removed. */
  work: Readable<SlotState<"update" | "remove", LastKnownReport | undefined>>;
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
  const stored = createStore<StoredValues>(() => ({ lastKnown: undefined, failure: undefined }));
  const slot = createSlot<"update" | "remove", LastKnownReport | undefined>(app.jobs);

  const read = () =>
    readLastKnown(workbook).then(
      (lastKnown) => stored.setState({ lastKnown, failure: undefined }),
      (thrown: unknown) => stored.setState({ lastKnown: undefined, failure: asFailure(thrown) }),
    );

  const run = (
    order: "update" | "remove",
    work: (signal: AbortSignal) => Promise<LastKnownReport | undefined>,
  ) =>
    void slot.run(
      order,
      { kind: "workbook", title: "Values are being saved in the workbook.", tab: "workbook" },
      async ({ signal }) => {
        const report = await work(signal);
        await read();
        return report;
      },
    );

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
    stored,
    work: slot,
    start: () => void read(),
    update: () => run("update", update),
    remove: () => run("remove", () => removeLastKnown(workbook).then(() => undefined)),
    end: slot.cancel,
  };
}
