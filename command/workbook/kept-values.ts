import type { CellArea } from "../../src/workbook/sheet/cells/formula-search";
import type { BookContents, CellContents } from "../../workbench/book-contents";
import type { CellValue } from "../../workbench/spreadsheet";

/** Gives these formulas the values that their cells had before, because nothing calculates here. */
export function withKeptValues(
  now: BookContents,
  before: BookContents,
  formulas: readonly CellArea[],
): BookContents {
  return {
    ...now,
    sheets: now.sheets.map((sheet) => {
      const own = formulas.filter(({ sheetId }) => sheetId === sheet.id);
      if (own.length === 0) return sheet;
      const values = new Map<string, CellValue>();
      for (const { row, column, value } of before.sheets.find(({ id }) => id === sheet.id)?.cells ?? [])
        values.set(placeOf(row, column), value);
      const areas = new Map(own.map((area) => [placeOf(area.row, area.column), area]));
      return {
        ...sheet,
        cells: sheet.cells.map((cell): CellContents => {
          const area = areas.get(placeOf(cell.row, cell.column));
          if (!area || cell.formula === undefined) return cell;
          const rows = Array.from({ length: area.rows }, (_, down) =>
            Array.from(
              { length: area.columns },
              (__, across) => values.get(placeOf(area.row + down, area.column + across)) ?? "",
            ),
          );
          const value = rows[0]?.[0] ?? "";
          return area.rows * area.columns > 1 ? { ...cell, value, spill: rows } : { ...cell, value };
        }),
      };
    }),
  };
}

const placeOf = (row: number, column: number) => `${row} ${column}`;
