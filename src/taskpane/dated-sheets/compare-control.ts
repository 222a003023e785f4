import { createStore } from "zustand/vanilla";
import type { KeylessSession, Session } from "../../app";
import type {
  DatedComparison,
  DatedDifference,
  DifferenceKind,
} from "../../workbook/dated-sheets/compare-dated";
import type { DatedSheet } from "../../workbook/dated-sheets/dated-sheets";
import type { RuleChange } from "../../workbook/imports/refresh/same-rule";
import type { Readable } from "../jobs/jobs";
import { createSlot, type SlotState } from "../jobs/slot";
import { createLatest } from "../latest";
import type { PaneApp } from "../pane-app";

/** One of the times that are compared: a dated sheet, or the workbook as it is now. */
export type Side = DatedSheet | "now";

/** The differences between two times. */
export interface Compared {
  comparison: DatedComparison;
  /** The differences of each kind, those of one rule joined. */
  rules: Record<DifferenceKind, RuleChange<DatedDifference>[]>;
  summary: string;
}

export interface CompareState {
  /** The workbook's dated sheets, the newest first; undefined until they are read. */
  sheets: readonly DatedSheet[] | undefined;
  compare: SlotState<"compare", Compared>;
  /** The writing of the sheet of differences. The result is a sentence. */
  work: SlotState<"sheet", string>;
}

export interface CompareControl extends Readable<CompareState> {
  /** Looks which dated sheets there are. */
  look(): void;
  compare(sides: { before: Side; now: Side }): void;
  cancel(): void;
  /** Writes the differences to a new sheet. */
  writeSheet(): void;
}

const loadWork = () => import("./dated-work");

/** Creates the comparison of dated sheets with each other and with the workbook as it is. */
export function createCompareControl(app: PaneApp, session: Session | KeylessSession): CompareControl {
  const comparing = createSlot<"compare", Compared>(app.jobs);
  const working = createSlot<"sheet", string>(app.jobs);
  const begin = createLatest();
  const store = createStore<CompareState>(() => ({
    ...{ sheets: undefined, compare: comparing.getState(), work: working.getState() },
  }));
  comparing.subscribe((compare) => store.setState({ compare }));
  working.subscribe((work) => store.setState({ work }));

  async function look() {
    const isLatest = begin();
    const sheets = await (await loadWork()).datedSheets(app);
    if (isLatest()) store.setState({ sheets });
  }

  return {
    ...store,
    look: () => void look().catch((thrown: unknown) => comparing.fail(thrown, "compare")),
    compare(sides) {
      working.dismiss();
      const job = { kind: "reads", title: "Dated sheets are being compared.", tab: "workbook" } as const;
      void comparing.run("compare", job, async (tools) =>
        (await loadWork()).compareSides(sides, app, session, tools),
      );
    },
    cancel: comparing.cancel,
    writeSheet() {
      const { compare } = store.getState();
      if (compare.status !== "done") return;
      const { result } = compare;
      const title = "A sheet of differences is being written.";
      void working.run("sheet", { kind: "cells", title }, async () => {
        const { writeDifferences } = await loadWork();
        return `Written to ${await writeDifferences(app, result)}.`;
      });
    },
  };
}
