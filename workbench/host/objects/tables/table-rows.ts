import { MAX_ROWS } from "../../../address";
import type { CellValue, Rect } from "../../../spreadsheet";
import { HostError, notModelled } from "../../host-error";
import { mustMoveAsTheyAre } from "../cells-that-move";
import { mustNotBeProtected, position } from "../object-model";
import type { Classes, Model, Ref } from "../object-model";
import { body } from "./table-names";
import { mustNotOverlap, mustNotCutBelow, partOf, propertyOfCells, tableOf } from "./table-place";

type Row = (CellValue | null)[];

export const tableRowClasses: Classes<"TableRowCollection" | "TableRow"> = {
  TableRowCollection({ tableId }, model) {
    const count = () => tableOf(tableId, model).rect.rows - 1;
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
        (rect) => ({ ...rect, row: rect.row + 1 + position(index, rect.rows - 1), rows: 1 }),
        model,
      );
    return {
      properties: { Index: { get: () => index }, Values: propertyOfCells(range, "Values", model) },
      objects: { GetRange: range },
      calls: {
        Delete() {
          const { sheetId, rect } = tableOf(tableId, model);
          mustNotBeProtected(sheetId, model);
          mustNotBeFiltered(tableId, model);
          removeRow(tableId, position(index, rect.rows - 1), model);
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

/** True for a table that has only one row below its header, and that row is blank. */
function isBlank(tableId: string, model: Model): boolean {
  const { sheetId, rect } = tableOf(tableId, model);
  return rect.rows === 2 && model.spreadsheet.usedRect(sheetId, true, body(rect)) === null;
}

/** Writes the first row into a blank table's row, because Microsoft's tutorials show no blank row (excel-add-ins-tables.md). */
function fillBlank(tableId: string, [first, ...others]: Row[], model: Model): number {
  const { sheetId, rect } = tableOf(tableId, model);
  if (others.length > 0) insert(tableId, 1, others, model);
  const blank = first?.map((value) => value ?? "") ?? [];
  model.spreadsheet.writeFormulas(sheetId, { ...rect, row: rect.row + 1, rows: 1 }, [blank]);
  return 0;
}

function insert(tableId: string, at: number, rows: Row[], model: Model): number {
  const { spreadsheet } = model;
  const { sheetId, rect } = tableOf(tableId, model);
  const end = { ...rect, row: rect.row + rect.rows, rows: rows.length };
  mustNotCutBelow(tableId, end, model);
  mustNotOverlap(sheetId, end, model, tableId);
  if (spreadsheet.usedRect(sheetId, false, end))
    throw notModelled("TableRowCollection.Add above filled cells");
  const moved = { ...rect, row: rect.row + 1 + at, rows: rect.rows - 1 - at };
  if (moved.rows > 0) mustMoveAsTheyAre(sheetId, moved, model, "TableRowCollection.Add before rows");
  spreadsheet.updateTable(tableId, { rect: { ...rect, rows: rect.rows + rows.length } });
  if (moved.rows > 0)
    spreadsheet.copy(
      { sheetId, rect: moved },
      { sheetId, row: moved.row + rows.length, column: rect.column },
    );
  const added = { ...end, row: rect.row + 1 + at };
  // New rows take the formats of the row above, or at the top of the row that was first.
  const pattern = { ...added, row: at > 0 ? added.row - 1 : added.row + rows.length, rows: 1 };
  rows.forEach((_row, down) =>
    spreadsheet.copy({ sheetId, rect: pattern }, { sheetId, row: added.row + down, column: rect.column }),
  );
  const copied = spreadsheet.read(sheetId, added);
  // Null keeps the formula of a calculated column, which was copied from the pattern row. A copied constant is removed.
  const filled = rows.map((row, down) =>
    row.map((value, across) => {
      const isFormula = String(copied[down]?.[across]?.formula ?? "").startsWith("=");
      return value ?? (isFormula ? null : "");
    }),
  );
  spreadsheet.writeFormulas(sheetId, added, filled);
  return at;
}

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

function removeRow(tableId: string, index: number, model: Model): void {
  const { spreadsheet } = model;
  const { sheetId, rect } = tableOf(tableId, model);
  const row = rect.row + 1 + index;
  const everything = { contents: true, formats: true };
  // Deleting the only row of a table leaves a blank row.
  if (rect.rows === 2)
    return spreadsheet.clear(sheetId, { ...rect, row, rows: 1 }, { contents: true, formats: false });
  const end = rect.row + rect.rows;
  mustNotCutBelow(tableId, { ...rect, row: end, rows: 1 }, model);
  const below: Rect = { ...rect, row: end, rows: MAX_ROWS - end };
  if (spreadsheet.usedRect(sheetId, false, below)) throw notModelled("TableRow.Delete above filled cells");
  const moved = { ...rect, row: row + 1, rows: end - row - 1 };
  if (moved.rows > 0) {
    mustMoveAsTheyAre(sheetId, moved, model, "TableRow.Delete before rows");
    spreadsheet.copy({ sheetId, rect: moved }, { sheetId, row, column: rect.column });
  }
  spreadsheet.clear(sheetId, { ...rect, row: end - 1, rows: 1 }, everything);
  spreadsheet.updateTable(tableId, { rect: { ...rect, rows: rect.rows - 1 } });
}
