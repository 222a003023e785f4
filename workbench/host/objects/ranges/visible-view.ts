import type { CellView } from "../../../spreadsheet";
import { formatAddress } from "../../../address";
import { notModelled } from "../../host-error";
import { found, integer, type Family } from "../object-model";
import { bounded } from "../range-format";
import { findSheet, rangeAt } from "../range-object";

/** The rows of a range that no filter hides. They stay as they were when the view was made. */
export const visibleViewFamily: Family<"Range" | "RangeView" | "RangeViewCollection"> = {
  Range: ({ sheetId, rect }, model) => ({
    objects: {
      GetVisibleView() {
        const { row, rows } = bounded(rect);
        if (
          Array.from({ length: rect.columns }, (_, across) => rect.column + across).some((column) =>
            model.spreadsheet.isColumnHidden(sheetId, column),
          )
        )
          throw notModelled("Range.GetVisibleView of hidden columns");
        const all = Array.from({ length: rows }, (_, down) => row + down);
        const shown = all.filter((each) => !model.spreadsheet.isRowHidden(sheetId, each));
        return { type: "RangeView", sheetId, rect, rows: shown };
      },
    },
  }),
  RangeView({ sheetId, rect, rows }, model) {
    const read = (part: (cell: CellView) => unknown) => () =>
      rows.map((row) =>
        model.spreadsheet.read(sheetId, { ...rect, row, rows: 1 })[0]!.map((cell) => part(cell)),
      );
    return {
      properties: {
        Values: { get: read(({ value }) => value) },
        Formulas: { get: read(({ formula }) => formula) },
        Text: { get: read(({ text }) => text) },
        NumberFormat: { get: read(({ numberFormat }) => numberFormat) },
        RowCount: { get: () => rows.length },
        ColumnCount: { get: () => rect.columns },
        Index: { get: () => 0 },
        CellAddresses: {
          get() {
            const { name } = found(findSheet(model, sheetId));
            return rows.map((row) =>
              Array.from({ length: rect.columns }, (_, across) =>
                formatAddress(name, { row, column: rect.column + across, rows: 1, columns: 1 }),
              ),
            );
          },
        },
      },
      links: { Rows: () => ({ type: "RangeViewCollection", sheetId, rect, rows }) },
      objects: { GetRange: () => rangeAt(sheetId, rect) },
    };
  },
  RangeViewCollection: ({ sheetId, rect, rows }) => ({
    items: () => rows.map((row) => ({ type: "RangeView", sheetId, rect, rows: [row] })),
    calls: { GetCount: () => rows.length },
    objects: {
      GetItemAt: (index) => ({ type: "RangeView", sheetId, rect, rows: [found(rows[integer(index)])] }),
    },
  }),
};
