import { SheetFailure } from "../../../sheet-failure";
import { selectedAreas } from "../cells/selected-area";
import { type HasExcelApi, spills } from "../excel-api";
import type { Area } from "../layout/area";
import { cellAddress } from "../layout/cell-address";
import type { TableSize } from "../layout/table-plan";
import { halvesOfRows, readGroups, readRowGroups, type RowGroup } from "../read-groups";
import type { Scalar } from "../values/cell-value";
import { isError, shownValue } from "../values/shown-value";
import { type JoinColumns, joinedColumns } from "./joined-columns";

/** A column of cells that lists jurisdictions, as it was when it was read. */
export interface ListColumn {
  sheetId: string;
  /** The address of the cells that were read, with their sheet's name. */
  address: string;
  /** The row of the first of these cells; rows and columns of the sheet count from zero. */
  row: number;
  column: number;
  values: unknown[];
  /** The value of the cell above; undefined at the top of the sheet or in a table. */
  above: unknown;
  /** The columns that are read together, such as City and State, the list's own among them; undefined if it is alone. */
  together?: ListCells;
  /**
   * The Excel table that the column lies in: its id, the row of its header, its first column, its headers, and the number of rows below the
   * header. Null if it lies in none.
   */
  table: { id: string; row: number; column: number; headers: string[]; rows: number } | null;
}

/** Columns of a list side by side, in the list's rows. */
export interface ListCells {
  address: string;
  column: number;
  /** The number of columns. */
  columns: number;
  /** The values (rows x columns). */
  rows: unknown[][];
  /** The values of the cells above; undefined at the top of the sheet or in a table. */
  above: unknown[] | undefined;
  /** The heading of a column that is read although it was not selected; undefined if there is none. */
  joined?: string;
}

/** The cells that say which jurisdiction each row of a list means. */
export function cellsOfList({ address, column, values, above, together }: ListColumn): ListCells {
  return (
    together ?? {
      address,
      column,
      columns: 1,
      rows: values.map((value) => [value]),
      above: above === undefined ? undefined : [above],
    }
  );
}

/** The list with another of its columns, counted from 0, as its own. */
export function listAt(list: ListColumn, at: number): ListColumn {
  const { together } = list;
  if (!together) return list;
  const column = together.column + at;
  const [first, last] = [0, together.rows.length - 1].map((down) => cellAddress(together.address, down, at));
  return {
    ...list,
    address: `${first}:${last?.split("!").at(-1)}`,
    column,
    values: together.rows.map((row) => row[at]),
    above: together.above?.[at],
  };
}

/**
 * The place of a list's header: in its table's header row, in the first cell of the list, in the cell above, or in a cell that gets the
 * header, blank ("new") or inserted.
 */
export interface ListHeader {
  from: "table" | "list" | "above" | "new" | "inserted";
  text: string;
}

/** A list beside which columns go. */
export interface BesideList {
  list: ListColumn;
  header: ListHeader;
}

/** The number of table rows between a table's header and the list, which may begin further down. */
export function rowsAbove({ list, header }: BesideList): number {
  return header.from === "table" && list.table ? list.row - list.table.row - 1 : 0;
}

/** The area of the new columns, header row included, after the cells for an inserted header are there. */
export function besideArea({ list, header }: BesideList, columns: number): Area {
  const { row, values, table } = list;
  if (table) {
    return { row: table.row, column: table.column + table.headers.length, rows: table.rows + 1, columns };
  }
  const top = header.from === "list" || header.from === "inserted" ? row : row - 1;
  const rows = values.length + (header.from === "list" ? 0 : 1);
  const read = cellsOfList(list);
  return { row: top, column: read.column + read.columns, rows, columns };
}

/** The most columns of a list: a whole table may be selected, but no whole sheet. */
const mostColumns = 50;

/**
 * Reads the selected columns, as far as they are used; the first one stands for the list. One selected cell stands for its column in the
 * block around it. `join` says which columns are read with a single one. Fails with no-list if more than 50 columns, or blank ones alone,
 * are selected, and with no-cells-selected if several areas are.
 */
export async function readListColumn(
  context: Excel.RequestContext,
  hasExcelApi: HasExcelApi,
  join?: JoinColumns,
): Promise<ListColumn> {
  const selected = context.workbook.getSelectedRange().load("rowCount,columnCount");
  const usedIn = (range: Excel.Range) =>
    range.getUsedRangeOrNullObject(true).load("rowIndex,columnIndex,rowCount,columnCount");
  let used = usedIn(selected);
  const sheet = context.workbook.worksheets.getActiveWorksheet().load("id");
  await context.sync();
  if (used.isNullObject) throw new SheetFailure("no-list");
  if (selected.rowCount === 1 && selected.columnCount === 1) {
    used = usedIn(selected.getSurroundingRegion().getIntersection(selected.getEntireColumn()));
    await context.sync();
  }
  if (used.columnCount > mostColumns)
    throw new SheetFailure("no-list", { detail: `More than ${mostColumns} columns are selected.` });
  const tables = used.getTables(false).load("items/id,items/showHeaders");
  await context.sync();
  const [table, other] = tables.items;
  if (other) throw new SheetFailure("no-list", { detail: "The selected cells lie in more than one table." });
  if (table && !table.showHeaders) throw new SheetFailure("no-headers");
  const header = table?.getHeaderRowRange().load("rowIndex,columnIndex,values");
  const body = table?.getDataBodyRange().load("rowIndex,rowCount");
  await context.sync();
  const first = Math.max(used.rowIndex, body?.rowIndex ?? 0);
  const last = Math.min(used.rowIndex + used.rowCount, body ? body.rowIndex + body.rowCount : Infinity) - 1;
  if (last < first) throw new SheetFailure("no-list");
  const isOne = used.columnCount === 1;
  const cell = { row: first, column: used.columnIndex };
  const joined = isOne && join ? await joinedColumns(context, sheet.id, cell, join) : null;
  const { column, columns } = joined ?? { column: used.columnIndex, columns: used.columnCount };
  const size = { rows: last - first + 1, columns };
  const list = sheet.getRangeByIndexes(first, column, size.rows, columns).load("address");
  const above =
    first > 0 && !table ? sheet.getRangeByIndexes(first - 1, column, 1, columns).load("values") : null;
  if (hasExcelApi(spills)) list.load("hasSpill");
  const rows = await readRows(context, list, size);
  // Excel allows no spilled result inside a table: the list would turn into #SPILL!.
  if (hasExcelApi(spills) && list.hasSpill !== false) {
    const detail = "The list is the result of a formula, which can't stand in a table.";
    const nextStep = "Copy it, paste its values beside it, and select those.";
    throw new SheetFailure("no-list", { detail, nextStep });
  }
  const { address } = list;
  const aboveValues = above?.values[0] as unknown[] | undefined;
  const read: ListColumn = {
    sheetId: sheet.id,
    address,
    row: first,
    column,
    values: rows.map(([value]) => value),
    above: aboveValues?.[0],
    table:
      table && header && body
        ? {
            id: table.id,
            row: header.rowIndex,
            column: header.columnIndex,
            headers: (header.values[0] ?? []).map(String),
            rows: body.rowCount,
          }
        : null,
  };
  if (columns === 1) return read;
  const together = { address, column, columns, rows, above: aboveValues };
  return listAt({ ...read, together: joined ? { ...together, joined: joined.joined } : together }, 0);
}

/** The cells that are read at once, because a response of Excel on the web holds at most 5 MB. */
const readCells = 50_000;

/** The values of cells, row after row; for a linked data type, such as Geography, its text. */
export async function readValues(
  context: Excel.RequestContext,
  cells: Excel.Range,
  size: TableSize,
): Promise<unknown[]> {
  return (await readRows(context, cells, size)).flat();
}

/** The values of cells (rows x columns); for a linked data type, such as Geography, its text. */
export async function readRows(
  context: Excel.RequestContext,
  cells: Excel.Range,
  { rows, columns }: TableSize,
): Promise<unknown[][]> {
  const read: Scalar[][] = [];
  const withErrors: RowGroup[] = [];
  // Excel tells nothing of a request whose answer is too long, so everything that callers have queued is sent before.
  await context.sync();
  const partOf = (group: RowGroup) =>
    cells.getCell(group.start, 0).getAbsoluteResizedRange(group.rows, columns);
  await readRowGroups(context, { rows, columns }, readCells, (group) => {
    const part = partOf(group).load("values");
    return () => {
      const values = part.values as Scalar[][];
      for (const row of values) read.push(row);
      if (values.some((row) => row.some(isError))) withErrors.push(group);
    };
  });
  const queueTexts = (group: RowGroup) => {
    const part = partOf(group).load("text");
    return () =>
      part.text.forEach((texts, down) => {
        const at = group.start + down;
        read[at] = (read[at] ?? []).map((value, across) => shownValue({ value, text: texts[across] ?? "" }));
      });
  };
  await readGroups(context, withErrors, { queue: queueTexts, halvesOf: halvesOfRows });
  return read;
}

/** The values of selected cells (rows x columns), with those of a column that is read with them. */
export interface SelectedCells {
  rows: unknown[][];
  /** The number of each row in its sheet, from 1 on. */
  rowNumbers: number[];
  /** The headings above the columns; undefined if they are among the rows, or unknown. */
  headings?: string[] | undefined;
  /** The heading of a column that is read although it was not selected; undefined if there is none. */
  joined?: string;
}

/**
 * Reads the selected cells, as far as they are used. Areas with the same rows stand side by side; other areas follow each other. `join` says
 * which columns are read with a single one.
 */
export async function readSelectedCells(
  context: Excel.RequestContext,
  join?: JoinColumns,
): Promise<SelectedCells> {
  const areas = await selectedAreas(context);
  const used = areas.map((area) =>
    area.getUsedRangeOrNullObject(true).load("rowIndex,columnIndex,rowCount,columnCount"),
  );
  await context.sync();
  const [first, ...others] = areas;
  const haveSameRows =
    first !== undefined &&
    others.length > 0 &&
    others.every(({ rowIndex, rowCount }) => rowIndex === first.rowIndex && rowCount === first.rowCount);
  const [only] = used;
  if (first && used.length === 1 && only && !only.isNullObject && only.columnCount === 1 && join) {
    const sheet = first.worksheet.load("id");
    await context.sync();
    const found = await joinedColumns(
      context,
      sheet.id,
      { row: only.rowIndex, column: only.columnIndex },
      join,
    );
    if (found) {
      const size = { rows: only.rowCount, columns: found.columns };
      const cells = sheet.getRangeByIndexes(only.rowIndex, found.column, size.rows, size.columns);
      return {
        rows: await readRows(context, cells, size),
        rowNumbers: numbersFrom(only.rowIndex, only.rowCount),
        headings: found.headings,
        joined: found.joined,
      };
    }
  }
  if (!haveSameRows) {
    const rows: unknown[][] = [];
    const rowNumbers: number[] = [];
    for (const part of used) {
      if (part.isNullObject) continue;
      const size = { rows: part.rowCount, columns: part.columnCount };
      for (const row of await readRows(context, part, size)) rows.push(row);
      for (const number of numbersFrom(part.rowIndex, part.rowCount)) rowNumbers.push(number);
    }
    return { rows, rowNumbers };
  }
  const filled = used.filter((part) => !part.isNullObject);
  if (filled.length === 0) return { rows: [], rowNumbers: [] };
  const top = Math.min(...filled.map(({ rowIndex }) => rowIndex));
  const rows = Math.max(...filled.map(({ rowIndex, rowCount }) => rowIndex + rowCount)) - top;
  const blocks: unknown[][][] = [];
  const inOrder = filled.sort((one, other) => one.columnIndex - other.columnIndex);
  for (const { columnIndex, columnCount } of inOrder) {
    const cells = first.worksheet.getRangeByIndexes(top, columnIndex, rows, columnCount);
    // Reads the areas one by one, because a response of Excel on the web holds at most 5 MB.
    blocks.push(await readRows(context, cells, { rows, columns: columnCount }));
  }
  return {
    rows: Array.from({ length: rows }, (_, at) => blocks.flatMap((block) => block[at] ?? [])),
    rowNumbers: numbersFrom(top, rows),
  };
}

/** The numbers of rows of a sheet, whose indexes count from zero. */
function numbersFrom(rowIndex: number, rowCount: number): number[] {
  return Array.from({ length: rowCount }, (_, at) => rowIndex + at + 1);
}
