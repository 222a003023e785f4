import { config } from "../../../config";
import type { OwnColumn } from "../../sheet/layout/table-plan";
import type { TableColumn, TableColumns, TableRows } from "../../sheet/tables/bound-table";
import type { CellUpdate, TableEdit } from "../../sheet/tables/table-edit";

/** Cells of the user's own columns that can become formulas, which then show what the service says at the time. */
export interface LiveCells {
  /** Gives the edits, one for each column. They are made one after the other: the first one adds the ids that the formulas name. */
  edits(): TableEdit[];
  /** The number of cells that become formulas. */
  cells: number;
  /** The headers of columns that stay as they are, because formulas of the user's in other rows would be lost. */
  keptColumns: string[];
}

/** The ids of the AHJs in a table's rows. */
export interface RowIds {
  /** The header of the column that has them. */
  header: string;
  /** The rows, as they are found once the ids are there. */
  read: TableRows;
  /** The ids that are to be written first; absent if the column is there. */
  added?: Pick<TableEdit, "newIds" | "newColumns"> | undefined;
}

/**
 * Plans formulas in place of what stands in the user's own columns. `isAnswered` tells whether the service has a value for a cell; other cells
 * stay as they are, and so do blank ones. Each row gets the same text, which names its place by the id in the row: Excel puts the lowest
 * formula of a column into all of its rows if none of them holds anything else (rule A35 of docs/excel-rules.md).
 */
export function planLiveCells(
  table: TableColumns,
  into: readonly OwnColumn[],
  ids: RowIds,
  isAnswered: (row: number, header: string) => boolean,
): LiveCells {
  const keptColumns: string[] = [];
  const columns: { header: string; column: TableColumn; formula: string; rows: number[] }[] = [];
  for (const { header, typeId } of into) {
    const column = table.columns.get(header);
    if (!column) continue;
    const formula = `=${config.namespace}.VALUE("ahj:"&[@[${ids.header}]],${typeId})`;
    const rows = Array.from({ length: table.rowCount }, (_, row) => row).filter((row) => {
      const isBlank = column.values[row] === "" && !column.formulas?.has(row);
      return !isBlank && column.formulas?.get(row) !== formula && isAnswered(row, header);
    });
    if (rows.length === 0) continue;
    const turned = new Set(rows);
    const others = [...(column.formulas ?? [])].filter(([row, each]) => !turned.has(row) && each !== formula);
    if (others.length > 0) keptColumns.push(header);
    else columns.push({ header, column, formula, rows });
  }
  return {
    keptColumns,
    cells: columns.reduce((sum, { rows }) => sum + rows.length, 0),
    edits: () =>
      columns.map(({ header, column, formula, rows }, index) => ({
        ...{ read: ids.read, newRows: [], newColumns: [], goneColumns: [], columns: [header] },
        ...(index === 0 && ids.added),
        updates: rows.map((row) => formulaCell(column, { row, header, formula })),
      })),
  };
}

function formulaCell(
  { values, formulas, numberFormats }: TableColumn,
  { row, header, formula }: { row: number; header: string; formula: string },
): CellUpdate {
  const shown = values[row];
  const own = formulas?.get(row);
  const format = numberFormats[row] ?? "General";
  return {
    ...{ row, header, shown, formula: own, typed: own ?? String(shown) },
    // In a cell for texts, Excel would take the formula for one.
    cell: { value: formula, numberFormat: format === "@" ? "General" : format },
  };
}
