import { createStore } from "zustand/vanilla";
import { asFailure, type Failure } from "../../errors";
import { readLastKnown, removeLastKnown, type LastKnown } from "../../workbook/last-known/last-known-book";
import type { PaneApp } from "../pane-app";
import type { Readable } from "../jobs/jobs";
import { createSlot, type SlotState } from "../jobs/slot";
import { type LastKnownReport, storeLastKnown } from "./store-last-known";

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

  return {
    stored,
    work: slot,
    start: () => void read(),
    update: () => run("update", (signal) => storeLastKnown(app, signal)),
    remove: () => run("remove", () => removeLastKnown(workbook).then(() => undefined)),
    end: slot.cancel,
  };
}
