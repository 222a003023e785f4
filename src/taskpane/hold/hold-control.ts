import { cancelled } from "../../errors";
import { unlessCancelled } from "../../workbook/cell-formulas/settle";
import { type Hold, personName, removeHold, writeHold } from "../../workbook/sheet/parts/hold-name";
import type { Readable } from "../jobs/jobs";
import { createSlot, type SlotState } from "../jobs/slot";
import type { PaneApp } from "../pane-app";
import { type LastKnownReport, storeLastKnown } from "../share/store-last-known";

/** The answers of formulas that travel with the held workbook; null without a key, which keeps none. There is none of a release. */
export type HoldReport = LastKnownReport | null | undefined;

export interface HoldControl extends Readable<SlotState<"hold" | "release", HoldReport>> {
  /** Puts the workbook on hold, under the name that the user gives, which may be empty. */
  hold(by: string): void;
  release(): void;
  cancel(): void;
}

const minuteMs = 60_000;

export function createHoldControl(app: PaneApp): HoldControl {
  const { workbook } = app;
  const slot = createSlot<"hold" | "release", HoldReport>(app.jobs);

  async function hold(by: string, signal: AbortSignal): Promise<HoldReport> {
    // Answers that formulas still wait for are to be held, too.
    await unlessCancelled(app.idle(), signal);
    const report = app.currentSession() ? await storeLastKnown(app, signal) : null;
    if (signal.aborted) throw cancelled;
    const next: Hold = { sinceMs: Math.floor(Date.now() / minuteMs) * minuteMs, by: personName(by) };
    app.setHold(await workbook.run((context) => writeHold(context, next)));
    return report;
  }

  async function release(): Promise<undefined> {
    await workbook.run(removeHold);
    app.setHold(null);
  }

  return {
    ...slot,
    hold(by) {
      const title = "The workbook is being put on hold.";
      void slot.run("hold", { kind: "workbook", title, tab: "workbook" }, ({ signal }) => hold(by, signal));
    },
    release() {
      void slot.run("release", { kind: "workbook", title: "The workbook is being released." }, release);
    },
  };
}
