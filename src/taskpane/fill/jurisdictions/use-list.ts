import { useMemo, useState } from "react";
import type { Ahj } from "../../../engine/api/schemas";
import type { Session } from "../../../app";
import { asFailure, type Failure } from "../../../errors";
import {
  ahjsOfRows,
  listOfColumn,
  type ListRows,
  readCells,
  resolvedOfRows,
  rowsOfColumn,
} from "../../../workbook/imports/run/list-rows";
import { type ResolvedList, resolveList } from "../../../engine/lookup/search/resolve-list";
import type { ListColumn } from "../../../workbook/sheet/lists/list-column";
import type { PaneApp } from "../../pane-app";
import { type Jurisdictions, useJurisdictions } from "./use-jurisdictions";

/** A list in the sheet, as it was read. */
export interface ListInSheet {
  column: ListColumn;
  rows: ListRows;
  /** The AHJ of each row; null if it has none, or the user has yet to say which one its name means. */
  ahjs: readonly (Ahj | null)[];
}

export interface ListReader {
  /** Null until it has been read. */
  list: ListInSheet | null;
  /** The look-up of the list's entries. It is the list's own, apart from the jurisdictions chosen in the pane. */
  entries: Jurisdictions;
  failure: Failure | undefined;
  /** Reads the selected column and looks its entries up. */
  read(): Promise<void>;
  dismiss(): void;
  /** Shows a row of the list, counted from 1. */
  goToRow(row: number): void;
}

/** A list of jurisdictions in the sheet. */
export function useList(app: PaneApp, session: Session): ListReader {
  const entries = useJurisdictions(session);
  const [found, setFound] = useState<{
    column: ListColumn;
    rows: ListRows;
    resolved: ResolvedList;
  } | null>(null);
  const [failure, setFailure] = useState<Failure>();
  const { named } = entries;
  const list = useMemo(
    () => found && { ...found, ahjs: ahjsOfRows(found.rows, { found: found.resolved.found, named }) },
    [found, named],
  );

  function dismiss() {
    setFound(null);
    setFailure(undefined);
    entries.clear();
  }

  return {
    list,
    entries,
    failure,
    dismiss,
    goToRow(at) {
      if (!found) return;
      const { sheetId, row, column } = found.column;
      const cell = { sheetId, row: row + at - 1, column, rows: 1, columns: 1 };
      app.workbook.goToCells(cell).catch((thrown: unknown) => setFailure(asFailure(thrown)));
    },
    async read() {
      dismiss();
      try {
        const column = await app.workbook.readListColumn();
        const reading = readCells(column);
        const wanted = reading.then((cells) => listOfColumn(column, cells));
        await entries.addList(wanted, async (list, options) => {
          const all = await resolveList(list, session.lookup, options);
          const rows = rowsOfColumn(column, await reading, all);
          const resolved = resolvedOfRows(rows, all);
          setFound({ column, rows, resolved });
          return resolved;
        });
      } catch (thrown) {
        setFailure(asFailure(thrown));
      }
    },
  };
}
