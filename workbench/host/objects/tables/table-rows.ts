import { type CellValue, formulaIn } from "../../../spreadsheet";
import { sharedFormula, sharedFormulaAt } from "../../../../xlsx/formulas/shared-formula";
import { HostError } from "../../host-error";
import { mustNotBeProtected, position } from "../object-model";
import type { Classes, Model, Ref } from "../object-model";
import { moveRows } from "../range-object";
import { body } from "./table-names";
import { partOf, propertyOfCells, tableOf } from "./table-place";

type Row = (CellValue | null)[];

export const tableRowClasses: Classes<"TableRowCollection" | "TableRow"> = {
  TableRowCollection({ tableId }, model) {
    const count = () => body(tableOf(tableId, model)).rows;
    const row = (index: number): Ref<"TableRow"> => ({ type: "TableRow", tableId, index });
    return {
      items: () => Array.from({ length: count() }, (_, index) => row(index)),
      properties: { Count: { get: count } },
      calls: { GetCount: count },
      objects: {
        GetItemAt: (index) => row(position(index, count())),
        Add(index, values) {
          const { sheetId, rect } = tableOf(tableId, model);
          mustNotBeProtected(sheetId, model);
          const rows = rowsOf(values, rect.columns);
          const isAtEnd = index === undefined || index === null || index === -1;
          const at = isAtEnd ? count() : position(index, count() + 1);
          return row(
            isBlank(tableId, model) ? fillBlank(tableId, rows, model) : insert(tableId, at, rows, model),
          );
        },
      },
    };
  },

  TableRow({ tableId, index }, model) {
    const range = () =>
      partOf(
        tableId,
        (table) => {
          const rows = body(table);
          return { ...rows, row: rows.row + position(index, rows.rows), rows: 1 };
        },
        model,
      );
    return {
      properties: { Index: { get: () => index }, Values: propertyOfCells(range, "Values", model) },
      objects: { GetRange: range },
      calls: {
        Delete() {
          const table = tableOf(tableId, model);
          mustNotBeProtected(table.sheetId, model);
          mustNotBeFiltered(tableId, model);
          removeRow(tableId, position(index, body(table).rows), model);
        },
      },
    };
  },
};

/** Reads rows of the table's width. Without values, one blank row. */
function rowsOf(values: unknown, columns: number): Row[] {
  if (values === undefined || values === null) return [Array<CellValue>(columns).fill("")];
  const rows = Array.isArray(values) ? (values as Row[]) : [[values as CellValue]];
  if (rows.length === 0 || rows.some((row) => !Array.isArray(row) || row.length !== columns))
    throw new HostError("InvalidArgument", `the table has ${columns} columns`);
  return rows;
}

/** True for a table whose body is one row, and that row is blank. */
function isBlank(tableId: string, model: Model): boolean {
  const table = tableOf(tableId, model);
  const rows = body(table);
  return rows.rows === 1 && model.spreadsheet.usedRect(table.sheetId, true, rows) === null;
}

/** Writes the first row into a blank table's row, because Microsoft's tutorials show no blank row (excel-add-ins-tables.md). */
function fillBlank(tableId: string, [first, ...others]: Row[], model: Model): number {
  const { sheetId, rect } = tableOf(tableId, model);
  if (others.length > 0) insert(tableId, 1, others, model);
  const blank = first?.map((value) => value ?? "") ?? [];
  model.spreadsheet.writeFormulas(sheetId, { ...rect, row: rect.row + 1, rows: 1 }, [blank]);
  return 0;
}

/** Rows at the end of the body come above the totals row. Cells below the table move down. */
function insert(tableId: string, at: number, rows: Row[], model: Model): number {
  const { spreadsheet } = model;
  const { sheetId, rect } = tableOf(tableId, model);
  const added = { ...rect, row: rect.row + 1 + at, rows: rows.length };
  moveRows(sheetId, added, { by: rows.length }, model);
  spreadsheet.updateTable(tableId, { rect: { ...rect, rows: rect.rows + rows.length } });
  // New rows take the formats of the row above, or at the top of the row that was first.
  const pattern = { ...added, row: at > 0 ? added.row - 1 : added.row + rows.length, rows: 1 };
  rows.forEach((_row, down) =>
    spreadsheet.copy({ sheetId, rect: pattern }, { sheetId, row: added.row + down, column: rect.column }),
  );
  const copied = spreadsheet.read(sheetId, added);
  // Null fills a calculated column: the pattern row's formula, for the new row. A copied constant is removed.
  const filled = rows.map((row, down) =>
    row.map((value, across) => {
      const formula = formulaIn(copied[down]?.[across] ?? {});
      return value ?? (formula === undefined ? "" : formulaAt(formula, pattern.row, added.row + down));
    }),
  );
  spreadsheet.writeFormulas(sheetId, added, filled);
  return at;
}

/** The formula of a row, in another one: its relative references go along. */
export const formulaAt = (formula: string, row: number, to: number) =>
  sharedFormulaAt(sharedFormula(formula, row, 0), to, 0);

/**
 * Throws InsertDeleteConflict while a filter is on, because Excel then deletes no rows (TableRowCollection.deleteRows in
 * @types/office-js). Microsoft does not document TableRow.delete here: the strict assumption.
 */
function mustNotBeFiltered(tableId: string, model: Model): void {
  const { columns } = tableOf(tableId, model).rect;
  for (let column = 0; column < columns; column += 1)
    if (model.spreadsheet.tableFilter(tableId, column))
      throw new HostError("InsertDeleteConflict", "the table is filtered");
}

/** Cells below the table move up. */
function removeRow(tableId: string, index: number, model: Model): void {
  const table = tableOf(tableId, model);
  const { sheetId, rect } = table;
  const row = { ...rect, row: rect.row + 1 + index, rows: 1 };
  // Deleting the only row of a table leaves a blank row.
  if (body(table).rows === 1)
    return model.spreadsheet.clear(sheetId, row, { contents: true, formats: false });
  moveRows(sheetId, { ...row, row: row.row + 1 }, { by: -1 }, model);
  model.spreadsheet.updateTable(tableId, { rect: { ...rect, rows: rect.rows - 1 } });
}
