import { cellAddress } from "../layout/cell-address";
import type { CellFill } from "../swap/fills";
import type { MarkKind } from "./cell-marks";
import { type KeyedCell, keyedRows } from "./keyed-cells";
import {
  existingTable,
  followRows,
  type FoundTable,
  listTables,
  readTableColumns,
  type TableCell,
  type TableColumns,
  type TableRows,
} from "./bound-table";
import { showRange } from "../show-range";
import type { EditOptions, EditOutcome, TableEdit } from "./table-edit";
import { deleteSheets, findLeftCopies, type LeftCopy, showSheet } from "./left-copies";
import type { Workbook } from "../workbook";
import { mayChange } from "../write-access";

/** A cell to be marked, and the reason. */
export interface CellToMark extends TableCell {
  kind: MarkKind;
}

/** Marked cells, with the fills that they had before. */
export interface Marks {
  read: TableRows;
  cells: (CellToMark & { color: string; before: CellFill })[];
}

/** The work of the Imports screen on tables. It is loaded with that screen's script. Fails with the workbook's kinds and table-gone. */
export interface ImportTables {
  /** All tables of the workbook that show their headers. */
  list(): Promise<FoundTable[]>;
  /** Fails if the table can't be written, because its sheet is protected, the workbook is read-only, or the script for it can't be loaded. */
  mayWrite(tableId: string): Promise<void>;
  /** Reads the columns with these headers; their formulas, too, if `hasFormulas`. */
  read(tableId: string, headers: readonly string[], hasFormulas?: boolean): Promise<TableColumns>;
  /** Edits a table; see `editTable`. */
  edit(tableId: string, edit: TableEdit, options?: EditOptions): Promise<EditOutcome>;
  /** The present addresses of cells; undefined for a cell that is gone. */
  addresses(
    tableId: string,
    read: TableRows,
    cells: readonly (TableCell | undefined)[],
  ): Promise<(string | undefined)[]>;
  /** True if Excel calculates formulas only when the user tells it to. */
  isManual(): Promise<boolean>;
  /** Shows a cell in its present place, or the table if the cell is gone. */
  goTo(tableId: string, read: TableRows, cell: TableCell): Promise<void>;
  /** Fills cells in their present places. */
  mark(tableId: string, read: TableRows, cells: readonly CellToMark[]): Promise<Marks>;
  /** Gives marked cells their earlier fills. Returns the number of cells that were not found; their marks stay. */
  unmark(tableId: string, marks: Marks): Promise<number>;
  /** Hidden sheets with copies that were left in the workbook. */
  leftCopies(): Promise<LeftCopy[]>;
  showSheet(sheetId: string): Promise<boolean>;
  deleteSheets(sheetIds: readonly string[]): Promise<void>;
}

/** True if an edit changes nothing, so that Excel need not be asked. */
export function isNothing({
  newIds,
  updates,
  newRows,
  newColumns,
  goneColumns,
  newHeaders = [],
}: TableEdit): boolean {
  const ids = newIds?.updates ?? [];
  return [ids, updates, newRows, newColumns, goneColumns, newHeaders].every(({ length }) => length === 0);
}

const loadEdit = () => import("./table-edit");

export function createImportTables({
  run,
  learnDates,
  runAsOneStep,
  hasNotes,
}: Pick<Workbook, "run" | "learnDates" | "runAsOneStep" | "hasNotes">): ImportTables {
  // The scripts that write are loaded when somebody writes, so that the screens appear sooner.
  return {
    list: () => run(listTables),
    async mayWrite(tableId) {
      // The script is loaded before anything is asked for, so that no request is in vain.
      await loadEdit();
      await run(async (context) => mayChange(context, (await existingTable(context, tableId)).worksheet));
    },
    read: async (tableId, headers, hasFormulas) => {
      await learnDates();
      return run((context) => readTableColumns(context, tableId, headers, hasFormulas));
    },

    async edit(tableId, edit, options = {}) {
      if (isNothing(edit))
        return {
          changedCells: [],
          missingCells: [],
          missingColumns: [],
          changedColumns: [],
          notesOfOthers: { kept: [], replaced: [] },
        };
      const { editTable } = await loadEdit();
      return run((context) => editTable(context, tableId, edit, { ...options, hasNotes: hasNotes() }));
    },

    addresses: (tableId, read, cells) =>
      run(async (context) => {
        const whole = (await existingTable(context, tableId)).getRange().load("address");
        const { find } = await followRows(context, tableId, read);
        return cells.map((cell) => {
          const place = cell && find(cell);
          return place ? cellAddress(whole.address, place.row + 1, place.column) : undefined;
        });
      }),

    isManual: () =>
      run(async (context) => {
        const application = context.workbook.application.load("calculationMode");
        await context.sync();
        return application.calculationMode === "Manual";
      }),

    goTo: (tableId, read, cell) =>
      run(async (context) => {
        const table = await existingTable(context, tableId);
        const place = (await followRows(context, tableId, read)).find(cell);
        const range = place ? table.getDataBodyRange().getCell(place.row, place.column) : table.getRange();
        await showRange(context, range);
      }),

    async mark(tableId, read, cells) {
      const { fillsIn, markCells } = await import("./cell-marks");
      return runAsOneStep(async (context) => {
        const find = fillsIn<ReturnType<typeof inRows<CellToMark>>[number]>({
          context,
          tableId,
          ids: read.ids,
        });
        const marked = await markCells(context, find, inRows(read, cells));
        return {
          read,
          cells: marked.map(({ asRead, color, before }) => ({ ...asRead, color, before })),
        };
      });
    },

    async unmark(tableId, { read, cells }) {
      const { fillsIn, unmarkCells } = await import("./cell-marks");
      return runAsOneStep((context) =>
        unmarkCells(context, fillsIn({ context, tableId, ids: read.ids }), inRows(read, cells)),
      );
    },

    leftCopies: () => run(findLeftCopies),
    showSheet: (sheetId) => run((context) => showSheet(context, sheetId)),
    deleteSheets: (sheetIds) => run((context) => deleteSheets(context, sheetIds)),
  };
}

/** Cells with the keys of their rows, by which they are found again. */
function inRows<Cell extends TableCell>(
  { keys }: TableRows,
  cells: readonly Cell[],
): (Cell & KeyedCell & { asRead: Cell })[] {
  const rows = keyedRows(keys);
  return cells.flatMap((cell) => {
    const row = rows[cell.row];
    return row ? [{ ...cell, ...row, asRead: cell }] : [];
  });
}
