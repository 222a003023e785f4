import { createStore } from "zustand/vanilla";
import type { Session } from "../../app";
import type { BookUses, UsePlace } from "../../workbook/uses/plan-uses";
import type { Readable } from "../jobs/jobs";
import { createSlot, type SlotState } from "../jobs/slot";
import type { PaneApp } from "../pane-app";

/** The uses of the workbook as they were when the user asked. */
export interface UsesSeen {
  uses: BookUses;
  summary: string;
}

export interface UsesState {
  look: SlotState<"look", UsesSeen>;
  /** The work that was asked for last. The result is a sentence. */
  work: SlotState<"sheet" | "go", string>;
}

export interface UsesControl extends Readable<UsesState> {
  /** Reads what the workbook uses and looks it up. With `isUnbounded`, in as many requests as that takes. */
  look(isUnbounded?: boolean): void;
  cancel(): void;
  /** Selects a cell, or shows a table. */
  goTo(place: UsePlace): void;
  /** Writes the list to a new sheet. */
  writeSheet(): void;
}

/** Creates the list of what the workbook uses. Without a session nothing is looked up. */
export function createUsesControl(app: PaneApp, session: Session | null): UsesControl {
  const { workbook } = app;
  const looking = createSlot<"look", UsesSeen>(app.jobs);
  const working = createSlot<"sheet" | "go", string>(app.jobs);
  const store = createStore<UsesState>(() => ({ look: looking.getState(), work: working.getState() }));
  looking.subscribe((look) => store.setState({ look }));
  working.subscribe((work) => store.setState({ work }));
  const loadWork = () => import("./uses-work");

  return {
    ...store,
    look(isUnbounded = false) {
      working.dismiss();
      const title = "The workbook’s places and questions are being read.";
      void looking.run("look", { kind: "reads", title, tab: "workbook" }, async (tools) => {
        const { lookForUses } = await loadWork();
        return lookForUses(app, session, tools, isUnbounded);
      });
    },
    cancel: looking.cancel,
    goTo(place) {
      const going = "cell" in place ? workbook.goToCells(place.cell) : workbook.goTo(place.tableId);
      void going.catch((thrown: unknown) => working.fail(thrown, "go"));
    },
    writeSheet() {
      const { look } = store.getState();
      if (look.status !== "done") return;
      const { uses } = look.result;
      void working.run("sheet", { kind: "cells", title: "A sheet of uses is being written." }, async () => {
        const { writeUses } = await loadWork();
        return `Written to ${await writeUses(app, uses)}.`;
      });
    },
  };
}
