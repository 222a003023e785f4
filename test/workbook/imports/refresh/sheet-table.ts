import { rowsRead } from "../../../../src/workbook/sheet/layout/row-keys";
import type { TablePlan } from "../../../../src/workbook/sheet/layout/table-plan";
import { movedRows, type TableColumns } from "../../../../src/workbook/sheet/tables/bound-table";
import type { TableEdit } from "../../../../src/workbook/sheet/tables/table-edit";

/** A table as it stands in a sheet: its headers, and rows of the values that the cells show. */
export interface SheetTable {
  headers: string[];
  rows: unknown[][];
}

export function asInSheet({ columns, rows }: TablePlan): SheetTable {
  return {
    headers: columns.map(({ header }) => header),
    rows: rows.map((row) =>
      row.map(({ value }) => (typeof value === "string" ? value.replace(/^'/, "") : value)),
    ),
  };
}

/** The tables' interface to a table in memory; `meanwhile` runs between the reading and the writing. */
export function tablesWith(table: SheetTable, meanwhile: () => void = () => undefined) {
  const readNow = (headers: readonly string[]): TableColumns => {
    const columns: TableColumns["columns"] = new Map();
    table.headers.forEach((header, place) => {
      if (!headers.includes(header)) return;
      columns.set(header, { values: table.rows.map((row) => row[place]), numberFormats: [] });
    });
    return { rowCount: table.rows.length, headers: table.headers, columns };
  };
  return {
    mayWrite: () => Promise.resolve(),
    read: (_: string, headers: readonly string[]) => Promise.resolve(readNow(headers)),
    edit: (_: string, { read, newIds, newRows, newColumns, columns, goneColumns, updates }: TableEdit) => {
      meanwhile();
      for (const { row, header, cell } of newIds?.updates ?? [])
        table.rows[row]![table.headers.indexOf(header)] = cell.value;
      const rowsNow = movedRows(read.keys, rowsRead(readNow(read.ids), read.ids).keys);
      const rowCount = table.rows.length;
      for (const ids of newRows)
        table.rows.push(table.headers.map((header) => ids[read.ids.indexOf(header)] ?? ""));
      const withoutIds = columns.filter((header) => !read.ids.includes(header));
      const at = 1 + Math.max(...withoutIds.map((header) => table.headers.indexOf(header)));
      table.headers.splice(at, 0, ...newColumns);
      for (const row of table.rows) row.splice(at, 0, ...newColumns.map(() => ""));
      for (const { row, header, cell } of updates) {
        const rowNow = row < read.keys.length ? rowsNow[row] : rowCount + row - read.keys.length;
        const cells = rowNow === undefined ? [] : (table.rows[rowNow] ?? []);
        const { value } = cell;
        cells[table.headers.indexOf(header)] = typeof value === "string" ? value.replace(/^'/, "") : value;
      }
      for (const { header } of goneColumns) {
        const place = table.headers.indexOf(header);
        for (const cells of [table.headers, ...table.rows]) cells.splice(place, 1);
      }
      return Promise.resolve(nothingChanged);
    },
  };
}

/** The result of an edit during which nobody changed a cell. */
export const nothingChanged = {
  changedCells: [],
  missingCells: [],
  missingColumns: [],
  changedColumns: [],
  notesOfOthers: { kept: [], replaced: [] },
};
