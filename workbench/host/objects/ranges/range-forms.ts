import { translateFormulaToA1, translateFormulaToR1C1 } from "@borgar/fx";
import { formatAddress, MAX_COLUMNS, MAX_ROWS } from "../../../address";
import { type CellView, errorTexts, formulaIn } from "../../../spreadsheet";
import { HostError } from "../../host-error";
import type { Family } from "../object-model";
import { bounded, isUnbounded } from "../range-format";

/** Other forms of what cells hold, and the shape of a range. */
export const rangeFormFamily: Family<"Range" | "RangeAreas"> = {
  Range({ sheetId, rect }, model) {
    const anchor = (down: number, across: number) =>
      formatAddress(null, { row: rect.row + down, column: rect.column + across, rows: 1, columns: 1 });
    const read = (part: (cell: CellView, anchor: string) => unknown) => () =>
      isUnbounded(rect)
        ? null
        : model.spreadsheet
            .read(sheetId, rect)
            .map((cells, down) => cells.map((cell, across) => part(cell, anchor(down, across))));
    return {
      properties: {
        FormulasR1C1: {
          get: read((cell, at) => {
            const formula = formulaIn(cell);
            return formula === undefined ? cell.value : translateFormulaToR1C1(formula, at);
          }),
          set(value) {
            const rows = Array.isArray(value) ? (value as unknown[]) : [[value]];
            const fits =
              rows.length === bounded(rect).rows &&
              rows.every((row) => Array.isArray(row) && row.length === rect.columns);
            if (!fits) throw new HostError("InvalidArgument", "the range has another shape");
            const entries = (rows as (string | number | boolean | null)[][]).map((row, down) =>
              row.map((entry, across) =>
                typeof entry === "string" && entry.startsWith("=")
                  ? translateFormulaToA1(entry, anchor(down, across))
                  : entry,
              ),
            );
            model.spreadsheet.writeFormulas(sheetId, rect, entries);
          },
        },
        ValueTypes: { get: read(({ value }) => valueType(value)) },
        IsEntireRow: { get: () => rect.columns === MAX_COLUMNS },
        IsEntireColumn: { get: () => rect.rows === MAX_ROWS },
      },
    };
  },
  RangeAreas: ({ rects }) => ({
    properties: {
      // "Returns -1 if the cell count exceeds 2^31-1" (RangeAreas.cellCount in @types/office-js).
      CellCount: {
        get() {
          const count = rects.reduce((sum, { rows, columns }) => sum + rows * columns, 0);
          return count > 2 ** 31 - 1 ? -1 : count;
        },
      },
      IsEntireRow: { get: () => rects.every(({ columns }) => columns === MAX_COLUMNS) },
      IsEntireColumn: { get: () => rects.every(({ rows }) => rows === MAX_ROWS) },
    },
  }),
};

/** `Excel.RangeValueType`. */
function valueType(value: CellView["value"]): string {
  if (value === "") return "Empty";
  if (typeof value === "number") return "Double";
  if (typeof value === "boolean") return "Boolean";
  return errorTexts.has(value) ? "Error" : "String";
}
