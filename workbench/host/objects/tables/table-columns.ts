import type { CellValue, Rect, TableInfo } from "../../../spreadsheet";
import { HostError } from "../../host-error";
import { mustNotBeProtected, position, text } from "../object-model";
import type { Classes, Model, Ref } from "../object-model";
import { intersect } from "../../../address";
import { formulaAt } from "./table-rows";
import { body, columnNames, header, nameColumns, totals } from "./table-names";
import { moveColumns, partOf, propertyOfCells, tableOf } from "./table-place";

/**
 * Fills columns of tables in which formulas were just written. If all rows of a column are blank or have formulas then, Excel puts the lowest
 * of the written formulas into each of them, also where others were written or had been (OfficeDev/office-js#5909, #6745).
 */
export function fillColumns(sheetId: string, written: Rect, { spreadsheet }: Model): void {
  for (const table of spreadsheet.tables()) {
    const rows = table.sheetId === sheetId ? body(table) : null;
    const touched = rows && intersect(rows, written);
    if (!rows || !touched) continue;
    for (let column = touched.column; column < touched.column + touched.columns; column += 1) {
      const whole = { ...rows, column, columns: 1 };
      const formulas = spreadsheet.read(sheetId, whole).map(([cell]) => cell?.formula ?? "");
      const isFormula = (content: CellValue) => typeof content === "string" && content.startsWith("=");
      if (!formulas.every((content) => content === "" || isFormula(content))) continue;
      const below = touched.row + touched.rows - rows.row;
      const lowest = formulas.slice(0, below).findLastIndex(isFormula);
      const formula = formulas[lowest];
      if (typeof formula !== "string" || lowest < touched.row - rows.row) continue;
      const filled = formulas.map((content, down) => {
        const same = formulaAt(formula, rows.row + lowest, rows.row + down);
        return [content === same ? null : same];
      });
      if (filled.some(([cell]) => cell !== null)) spreadsheet.writeFormulas(sheetId, whole, filled);
    }
  }
}

export const tableColumnClasses: Classes<"TableColumnCollection" | "TableColumn"> = {
  TableColumnCollection({ tableId }, model) {
    const names = () => columnNames(tableOf(tableId, model), model);
    const count = () => tableOf(tableId, model).rect.columns;
    const column = (index: number): Ref<"TableColumn"> => ({ type: "TableColumn", tableId, index });
    return {
      items: () => names().map((_name, index) => column(index)),
      item(key) {
        // Excel finds a column by its name in any case, as Microsoft's own samples do (office-js-snippets, get-data-from-table).
        const wanted = typeof key === "string" ? key.toLowerCase() : null;
        const index = names().findIndex((name, at) => wanted === name.toLowerCase() || key === at + 1);
        return index < 0 ? null : column(index);
      },
      properties: { Count: { get: count } },
      calls: { GetCount: count },
      objects: {
        GetItemAt: (index) => column(position(index, count())),
        Add(index, values, name) {
          const isAtEnd = index === undefined || index === null || index === -1;
          const at = isAtEnd ? count() : position(index, count() + 1);
          insertColumn(tableId, at, values, name, model);
          return column(at);
        },
      },
    };
  },

  TableColumn({ tableId, index }, model) {
    const range = () =>
      partOf(
        tableId,
        ({ rect }) => ({ ...rect, column: rect.column + position(index, rect.columns), columns: 1 }),
        model,
      );
    const part = (cut: (table: TableInfo) => Rect) => (): Ref<"Range"> => {
      const { rect } = range();
      return { ...range(), rect: cut({ ...tableOf(tableId, model), rect }) };
    };
    const headerCell = part(({ rect }) => header(rect));
    return {
      id: index + 1,
      properties: {
        Id: { get: () => index + 1 },
        Index: { get: () => index },
        Name: {
          get: () => columnNames(tableOf(tableId, model), model)[index],
          set(wanted) {
            const { sheetId } = tableOf(tableId, model);
            mustNotBeProtected(sheetId, model);
            const others = columnNames(tableOf(tableId, model), model).filter((_name, at) => at !== index);
            // A user who types a taken name gets "Name2". Microsoft does not document the API here: the strict assumption.
            if (others.some((name) => name.toLowerCase() === text(wanted).toLowerCase()))
              throw new HostError("InvalidArgument", `a column ${text(wanted)} exists already`);
            model.spreadsheet.writeFormulas(sheetId, headerCell().rect, [[`'${text(wanted)}`]]);
          },
        },
        // The values include the header (excel-add-ins-tables.md, "Add a column that contains static values").
        Values: propertyOfCells(range, "Values", model),
      },
      links: { Filter: () => ({ type: "Filter", tableId, index }) },
      objects: {
        GetRange: range,
        GetHeaderRowRange: headerCell,
        GetDataBodyRange: part(body),
        GetTotalRowRange: part(totals),
      },
      calls: {
        Delete() {
          const { sheetId, rect } = tableOf(tableId, model);
          mustNotBeProtected(sheetId, model);
          if (rect.columns === 1)
            throw new HostError("InvalidOperation", "the only column of a table can't be deleted");
          moveColumns(tableId, index, -1, model);
        },
      },
    };
  },
};

/** The values for a new column, its header first; null if the add-in gave none. Throws a HostError if they don't fit the table. */
function columnValues(values: unknown, rows: number): (CellValue | null)[][] | null {
  if (values === undefined || values === null) return null;
  const fits =
    Array.isArray(values) &&
    values.length === rows &&
    values.every((row) => Array.isArray(row) && row.length === 1);
  if (!fits)
    throw new HostError("InvalidArgument", `a column of the table has ${rows} cells, its header first`);
  return values as (CellValue | null)[][];
}

/** Inserts a column at the index `at` of a table. The columns from there on, and what stands beside the table's rows, move right. */
function insertColumn(tableId: string, at: number, values: unknown, name: unknown, model: Model): void {
  const { spreadsheet } = model;
  const { sheetId, rect } = tableOf(tableId, model);
  mustNotBeProtected(sheetId, model);
  const wanted = columnValues(values, rect.rows);
  moveColumns(tableId, at, 1, model);
  const added = { ...rect, column: rect.column + at, columns: 1 };
  const before = { ...added, column: added.column - 1 };
  if (at > 0) {
    // A new column takes the formats of the one before it.
    spreadsheet.copy({ sheetId, rect: before }, { sheetId, row: rect.row, column: added.column });
    spreadsheet.clear(sheetId, added, { contents: true, formats: false });
  }
  const title = typeof name === "string" ? name : (wanted?.[0]?.[0] ?? "");
  if (wanted) spreadsheet.writeFormulas(sheetId, added, wanted);
  spreadsheet.writeFormulas(sheetId, header(added), [[title]]);
  nameColumns(tableOf(tableId, model), model);
}
