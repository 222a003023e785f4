import { cellAddress } from "../layout/cell-address";
import { Failure } from "../../../errors";
import type { CellFill } from "../swap/fills";
import type { Place, QueueCheck, Swapped } from "../swap/swap";
import { markCells, type MarkKind, unmarkCells } from "./cell-marks";
import { queueStanding } from "./checked-writes";
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
import { editTable, type EditOptions, type EditOutcome, type TableEdit } from "./table-edit";
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
  /** Fails if the table can't be written, because its sheet is protected or the workbook is read-only. */
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
  updates,
  newRows,
  newColumns,
  goneColumns,
  newHeaders = [],
}: TableEdit): boolean {
  return updates.length + newRows.length + newColumns.length + goneColumns.length + newHeaders.length === 0;
}

export function createImportTables({
  run,
  learnDates,
  runAsOneStep,
  hasNotes,
}: Pick<Workbook, "run" | "learnDates" | "runAsOneStep" | "hasNotes">): ImportTables {
  return {
    list: () => run(listTables),
    mayWrite: (tableId) =>
      run(async (context) => mayChange(context, (await existingTable(context, tableId)).worksheet)),
    read: async (tableId, headers, hasFormulas) => {
      await learnDates();
      return run((context) => readTableColumns(context, tableId, headers, hasFormulas));
    },

    edit: (tableId, edit, options = {}) =>
      run(async (context) => {
        if (isNothing(edit))
          return { changedCells: [], changedColumns: [], notesOfOthers: { kept: [], replaced: [] } };
        return editTable(context, tableId, edit, { ...options, hasNotes: hasNotes() });
      }),

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

    mark: (tableId, read, cells) =>
      runAsOneStep(async (context) => {
        const marked: Marks["cells"] = [];
        await whereverTheyStand(context, tableId, { read, cells }, async (table, placed, queueCheck) => {
          const outcome = await markCells(context, table, placed, queueCheck);
          for (const { asRead, color, before } of outcome.marked) marked.push({ ...asRead, color, before });
          return { moved: outcome.moved, lost: [] };
        });
        return { read, cells: marked };
      }),

    unmark: (tableId, marks) =>
      runAsOneStep((context) =>
        whereverTheyStand(context, tableId, marks, (table, placed, queueCheck) =>
          unmarkCells(context, table, placed, queueCheck),
        ),
      ),

    leftCopies: () => run(findLeftCopies),
    showSheet: (sheetId) => run((context) => showSheet(context, sheetId)),
    deleteSheets: (sheetIds) => run((context) => deleteSheets(context, sheetIds)),
  };
}

/** A limit on the tries. Rows may move while cells are filled, but hardly this often. */
const mostTries = 10;

type Placed<Cell> = Cell & Place & { asRead: Cell };

/**
 * Does work on cells in their present places, and repeats it for those that `work` returns because their rows have moved meanwhile. Returns
 * the number of cells that were not found, or not for certain.
 */
async function whereverTheyStand<Cell extends TableCell>(
  context: Excel.RequestContext,
  tableId: string,
  { read, cells }: { read: TableRows; cells: readonly Cell[] },
  work: (
    table: Excel.Table,
    placed: Placed<Cell>[],
    queueCheck: QueueCheck<Placed<Cell>>,
  ) => Promise<Pick<Swapped<Placed<Cell>, unknown>, "moved" | "lost">>,
): Promise<number> {
  let open = cells;
  let notFound = 0;
  for (let tries = 0; open.length > 0; tries += 1) {
    if (tries === mostTries)
      throw new Failure("sheet-refused", {
        detail: "Rows of the table kept moving while its cells were filled.",
      });
    const table = await existingTable(context, tableId);
    await mayChange(context, table.worksheet);
    const { find } = await followRows(context, tableId, read);
    const placed = open.flatMap((asRead) => {
      const place = find(asRead);
      return place ? [{ ...asRead, ...place, asRead }] : [];
    });
    notFound += open.length - placed.length;
    const { moved, lost } = await work(table, placed, (part) =>
      queueStanding(
        table,
        read.ids,
        part.map(({ row, column, asRead }) => ({
          row,
          column,
          header: asRead.header,
          key: read.keys[asRead.row],
        })),
      ),
    );
    notFound += lost.length;
    open = moved.map(({ asRead }) => asRead);
  }
  return notFound;
}
