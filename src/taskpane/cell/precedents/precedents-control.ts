import { createStore } from "zustand/vanilla";
import type { KeylessSession, Session } from "../../../app";
import type { ListedPrecedents } from "../../../workbook/precedents/precedent-lines";
import type { CellPosition } from "../../../workbook/sheet/workbook";
import type { Readable } from "../../jobs/jobs";
import { createSlot, type SlotState } from "../../jobs/slot";
import type { PaneApp } from "../../pane-app";

/** The cell whose answers are listed. */
export interface ListedCell extends CellPosition {
  /** With the sheet's name. */
  address: string;
}

/** The answers in a cell as they were when the user asked. */
export interface PrecedentsSeen {
  listed: ListedPrecedents;
  summary: string;
}

export interface PrecedentsState {
  look: SlotState<ListedCell, PrecedentsSeen>;
  /** The work that was asked for last. The result is a sentence. */
  work: SlotState<"sheet" | "go", string>;
}

export interface PrecedentsControl extends Readable<PrecedentsState> {
  /** Lists the answers of which a cell is made, in place of the last list. */
  look(cell: ListedCell): void;
  /** Cancels the list or the sheet, whichever is under way. */
  cancel(): void;
  /** Selects a cell. The list stays. */
  goTo(place: CellPosition): void;
  /** Writes the list to a new sheet. */
  writeSheet(): void;
  /** Shows no list any more. */
  dismiss(): void;
}

/** Creates the list of the answers of which a cell is made. */
export function createPrecedentsControl(app: PaneApp, session: Session | KeylessSession): PrecedentsControl {
  const looking = createSlot<ListedCell, PrecedentsSeen>(app.jobs);
  const working = createSlot<"sheet" | "go", string>(app.jobs);
  const store = createStore<PrecedentsState>(() => ({ look: looking.getState(), work: working.getState() }));
  looking.subscribe((look) => store.setState({ look }));
  working.subscribe((work) => store.setState({ work }));
  const loadWork = () => import("./precedents-work");

  return {
    ...store,
    look(cell) {
      working.dismiss();
      const title = "The answers in a cell are being listed.";
      void looking.restart(cell, { kind: "reads", title, tab: "source" }, async (tools) => {
        const { listPrecedents } = await loadWork();
        return listPrecedents(app, session, cell, tools);
      });
    },
    cancel() {
      looking.cancel();
      working.cancel();
    },
    goTo(place) {
      const cell = { ...place, rows: 1, columns: 1 };
      void app.workbook.goToCells(cell).catch((thrown: unknown) => working.fail(thrown, "go"));
    },
    writeSheet() {
      const { look } = store.getState();
      if (look.status !== "done") return;
      const { listed } = look.result;
      const job = { kind: "cells", title: "A sheet of answers is being written.", tab: "source" } as const;
      void working.run("sheet", job, async ({ signal }) => {
        const { writePrecedents } = await loadWork();
        return `Written to ${await writePrecedents(app, listed, signal)}.`;
      });
    },
    dismiss() {
      looking.giveUp();
      looking.dismiss();
      working.dismiss();
    },
  };
}
