import { createStore } from "zustand/vanilla";
import type { Session } from "../../../app";
import type { Ahj, DataPointType } from "../../../engine/api/schemas";
import { Failure } from "../../../errors";
import {
  entriesToLookUp,
  resolvedOfRows,
  rowsOfColumn,
  selectedList,
} from "../../../workbook/imports/run/list-rows";
import type { PaneApp } from "../../pane-app";
import type { Readable } from "../../jobs/jobs";
import {
  createJurisdictionsControl,
  type JurisdictionsControl,
} from "../jurisdictions/jurisdictions-control";
import { readJurisdictions } from "../jurisdictions/list/read-jurisdictions";
import { nothingAsked } from "./asked-questions";
import { type Draft, type DraftAction, draftAfter, emptyDraft } from "./draft";

/** A draft that a screen changes, with the look-ups of its jurisdictions. */
export interface DraftControl extends Readable<Draft> {
  change(action: DraftAction): void;
  /** The jurisdictions of a table of its own. */
  where: JurisdictionsControl;
  /** The jurisdictions of the list in the sheet. */
  listed: JurisdictionsControl;
  /** Reads the selected columns as the list, and looks its entries up. */
  readList(): Promise<void>;
  /** Shows a row of the list, counted from 1. */
  goToRow(row: number): void;
  /** Chooses what another screen wants. */
  want(wanted: WantedImport): void;
}

/** The data that another screen wants. Each wish is a new object. */
export interface WantedImport {
  ahjs?: readonly Ahj[];
  types?: readonly DataPointType[];
  /** True if the selected cells are to become jurisdictions. */
  isSelectedList?: boolean;
  /** An import to insert again: it takes the place of the current choices. Its entries are looked up. */
  again?: { name: string; entries: readonly string[] };
}

/**
 * Creates the draft of a screen.
 *
 * @example
 * const control = createDraftControl(app, session);
 * control.change({ type: "ask", questions: { types: [fee], collection: null } });
 */
export function createDraftControl(
  app: Pick<PaneApp, "workbook" | "jobs">,
  session: Session,
  initial: Draft = emptyDraft,
): DraftControl {
  const draft = createStore<Draft>(() => initial);
  const change = (action: DraftAction) => draft.setState(draftAfter(draft.getState(), action), true);
  const where = createJurisdictionsControl(session, app.jobs, (action) => change({ type: "where", action }));
  const listed = createJurisdictionsControl(session, app.jobs, (action) =>
    change({ type: "listed", action }),
  );

  async function readList() {
    change({ type: "list", list: null });
    listed.clear();
    const reading = selectedList(app.workbook);
    const list = reading.then(({ read }) => read);
    await listed.addList(list, async (_, options) => {
      const { column, read } = await reading;
      const { resolveList } = await import("../../../engine/lookup/lists/resolve-list");
      const all = await resolveList({ entries: entriesToLookUp(read, column) }, session.lookup, options);
      if (options.signal.aborted) throw new Failure("cancelled");
      const rows = rowsOfColumn(column, read, all);
      change({ type: "list", list: { column, rows } });
      return resolvedOfRows(rows, all);
    });
  }

  return {
    ...draft,
    ...{ change, where, listed, readList },
    goToRow(at) {
      const { list } = draft.getState();
      if (!list) return;
      const { sheetId, row, column } = list.column;
      const cell = { sheetId, row: row + at - 1, column, rows: 1, columns: 1 };
      app.workbook.goToCells(cell).catch(listed.fail);
    },
    want({ ahjs = [], types = [], again, isSelectedList = false }) {
      if (isSelectedList) {
        change({ type: "put", isBeside: true });
        change({ type: "ask", questions: nothingAsked });
        return void readList();
      }
      if (!again) return change({ type: "want", ahjs, types });
      where.clear();
      change({ type: "again", name: again.name, types });
      const { list, resolve } = readJurisdictions({ text: again.entries.join("\n") }, session);
      void where.addList(list, resolve);
    },
  };
}
