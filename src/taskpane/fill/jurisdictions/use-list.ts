import { useMemo, useState } from "react";
import type { Session } from "../../../app";
import { asFailure, type Failure } from "../../../errors";
import {
  ahjsOfRows,
  entriesToLookUp,
  type ListedAhj,
  type ListRows,
  readColumn,
  resolvedOfRows,
  rowsOfColumn,
} from "../../../workbook/imports/run/list-rows";
import type { ListColumn } from "../../../workbook/sheet/lists/list-column";
import type { PaneApp } from "../../pane-app";
import { type Jurisdictions, useJurisdictions } from "./use-jurisdictions";

/** A list in the sheet, as it was read. */
export interface ListInSheet {
  column: ListColumn;
  rows: ListRows;
  /** The AHJ of each row; null if it has none, or the user has yet to say which one its name means. */
  ahjs: readonly (ListedAhj | null)[];
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
  } | null>(null);
  const [failure, setFailure] = useState<Failure>();
  const { found: taken, leftOut } = entries;
  const list = useMemo(
    () =>
      found && {
        ...found,
        ahjs: ahjsOfRows(
          found.rows,
          taken.filter(({ how }) => !leftOut.has(how)),
        ),
      },
    [found, taken, leftOut],
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
        const reading = readColumn(column);
        await entries.addList(reading, async (_, options) => {
          const read = await reading;
          const { resolveList } = await import("../../../engine/lookup/lists/resolve-list");
          const wanted = { entries: entriesToLookUp(read, column) };
          const all = await resolveList(wanted, session.lookup, options);
          const rows = rowsOfColumn(column, read, all);
          setFound({ column, rows });
          return resolvedOfRows(rows, all);
        });
      } catch (thrown) {
        setFailure(asFailure(thrown));
      }
    },
  };
}
