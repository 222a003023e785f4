import { MAX_COLUMNS, MAX_ROWS } from "../../../address";
import { HostError, notModelled } from "../../host-error";
import { truth, type Family } from "../object-model";

const POINTS_PER_PIXEL = 0.75;

/** "The maximum row height is 409 points" (Excel specifications and limits). */
const MOST_POINTS = 409;

/** Rows and columns that are hidden by hand, and the heights of rows. */
export const hiddenLineFamily: Family<"Range" | "RangeFormat"> = {
  Range({ sheetId, rect }, model) {
    const { spreadsheet } = model;
    const { row, column, rows, columns } = rect;
    return {
      properties: {
        // Null where some rows are hidden (Range.rowHidden in @types/office-js).
        RowHidden: {
          get: () => common(lines(row, rows), (line) => spreadsheet.isRowHidden(sheetId, line)),
          set(value) {
            const isHidden = truth(value);
            // Excel's Unhide shows rows of a filter, too, until it is applied again, which the workbench does not play.
            if (!isHidden && lines(row, rows).some((line) => spreadsheet.isRowFiltered(sheetId, line)))
              throw notModelled("setting Range.RowHidden of filtered rows");
            lines(row, rows);
            spreadsheet.hideRows(sheetId, row, rows, isHidden);
          },
        },
        ColumnHidden: {
          get: () => common(lines(column, columns), (line) => spreadsheet.isColumnHidden(sheetId, line)),
          set(value) {
            lines(column, columns);
            spreadsheet.hideColumns(sheetId, column, columns, truth(value));
          },
        },
      },
    };
  },
  RangeFormat({ sheetId, areas }, model) {
    const { spreadsheet } = model;
    return {
      properties: {
        RowHeight: {
          // Null where the rows differ (RangeFormat.rowHeight in @types/office-js).
          get: () =>
            common(
              areas.flatMap((area) => lines(area.row, area.rows)),
              (line) => spreadsheet.rowHeight(sheetId, line) * POINTS_PER_PIXEL,
            ),
          set(points) {
            if (typeof points !== "number" || points < 0 || points > MOST_POINTS)
              throw new HostError("InvalidArgument", `a row of ${String(points)} points`);
            for (const area of areas) {
              lines(area.row, area.rows);
              spreadsheet.setRowHeight(sheetId, area.row, area.rows, points / POINTS_PER_PIXEL);
            }
          },
        },
      },
    };
  },
};

/** The numbers of lines. A whole sheet has more than the workbench looks at one by one. */
function lines(first: number, count: number): number[] {
  if (count === MAX_ROWS || count === MAX_COLUMNS) throw notModelled("rows or columns of a whole sheet");
  return Array.from({ length: count }, (_, index) => first + index);
}

/** The value that all lines have; null if they differ. */
function common<Value>(all: readonly number[], read: (line: number) => Value): Value | null {
  const values = new Set(all.map(read));
  return values.size === 1 ? ([...values][0] ?? null) : null;
}
