import { cellNotes, type HasExcelApi, undoGroups } from "./excel-api";
import { excelFailure, isUndoNotSupported } from "./excel-failure";
import {
  calculateCells,
  directDependents,
  type CellArea,
  type CellContents,
  type FindOptions,
  findFormulas,
  type FormulaCell,
  type FormulaScope,
  goToCells,
  readCellContents,
  readOwnFormats,
  readScope,
  type ScopeNow,
} from "./cells/formula-search";
import type { AreaChange, ReplaceOptions } from "./cells/replace-cells";
import { cellAt, firstSelectedArea, readSelectedArea, type SelectedArea } from "./cells/selected-area";
import { readAddresses, readSelectedCell, type SelectedCell } from "./cells/selected-cell";
import type { FormulaWritten, Overwriting } from "./cells/write-formula";
import { deletePart, readPart, readParts, type SavedPart, writePart } from "./parts/saved-parts";
import { learnDateSystem } from "./date-system";
import { createSharedEvents } from "./shared-events";
import { showRange } from "./show-range";
import {
  describeTable,
  findTables,
  type TableHere,
  type TablePlace,
  tableThatStands,
} from "./tables/bound-table";
import type { JoinColumns } from "./lists/joined-columns";
import { type ListColumn, readListColumn, readSelectedCells, type SelectedCells } from "./lists/list-column";
import { mayWrite } from "./write-access";

/** A cell, by its sheet's id. Row and column count from zero. */
export interface CellPosition {
  sheetId: string;
  row: number;
  column: number;
}

/**
 * The only access to Excel's sheets. Fails with sheet-refused and Excel's own words, with the other kinds of `excelFailure`, with
 * cells-in-the-way, and with too-large.
 */
export interface Workbook {
  selectedPosition(): Promise<CellPosition>;
  /**
   * The selected column of cells, with its table if it has one, and with the columns beside it that `join` asks for. Fails with no-list, too.
   */
  readListColumn(join?: JoinColumns): Promise<ListColumn>;
  /** Describes a table. Fails with table-gone, too. */
  describeTable(tableId: string): Promise<TableHere>;
  /** The values of the selected cells, row by row, as far as they are used, and of the columns beside a single one that `join` asks for. */
  selectedCells(join?: JoinColumns): Promise<SelectedCells>;
  hasExcelApi: HasExcelApi;
  /** True if this Excel and the loaded office.js support notes on cells. */
  hasNotes(): boolean;
  /** The present place of each table; null for a table that is gone. */
  findTables(tableIds: readonly string[]): Promise<(TablePlace | null)[]>;
  /** Shows a table. */
  goTo(tableId: string): Promise<void>;
  /** Calls the listener when other cells are selected. Returns a function that stops it. */
  onSelection(listener: () => void): Promise<() => void>;
  /** The first selected cell. For `canSeeSpills`, see readSelectedCell. */
  selectedCell(canSeeSpills: boolean): Promise<SelectedCell>;
  /** The values of cells by their addresses in a formula of this sheet; null if they can't be read. */
  valuesAt(sheetId: string, addresses: readonly string[]): Promise<(unknown[][] | null)[]>;
  selectedArea(): Promise<SelectedArea>;
  selectCell(position: CellPosition): Promise<void>;
  /** Writes a formula into a cell; see `writeFormula`. */
  writeFormula(position: CellPosition, formula: string, overwriting: Overwriting): Promise<FormulaWritten>;
  /** Recalculates the formula of one cell. */
  calculateCell(position: CellPosition): Promise<void>;
  /** The custom XML parts of a namespace, which the workbook stores beside its cells. */
  readParts(namespace: string): Promise<SavedPart[]>;
  /** The text of the part with this id; null if it is gone. */
  readPart(id: string): Promise<string | null>;
  /** Writes a part in place of the one with this id, or as a new part if that is gone. Returns the part's id. */
  writePart(id: string | null, xml: string): Promise<string>;
  deletePart(id: string): Promise<void>;
  /** The cells whose formulas call the add-in's functions. Fails with cancelled, too. */
  findFormulas(scope: FormulaScope, options: FindOptions): Promise<FormulaCell[]>;
  scopeNow(scope: FormulaScope): Promise<ScopeNow>;
  /** Reads the content of cells, by `cellKey`. */
  readCells<Part extends keyof CellContents>(
    areas: readonly CellArea[],
    parts: readonly Part[],
    signal?: AbortSignal,
  ): Promise<Map<string, Pick<CellContents, Part>>>;
  /** The number formats that numbers have as a data type; see `readOwnFormats`. */
  readOwnFormats(areas: readonly CellArea[]): Promise<Map<string, string> | undefined>;
  /** Calculates these cells only. It does not wait for the answers to their formulas. */
  calculate(cells: readonly CellArea[]): Promise<void>;
  /** The cells whose formulas name one of these cells; null if this Excel can't tell, or not for so many. */
  directDependents(cells: readonly CellArea[]): Promise<CellArea[] | null>;
  /** Replaces the content of cells; a failed or cancelled write leaves all as it was. */
  replaceCells(changes: readonly AreaChange[], options?: ReplaceOptions): Promise<void>;
  /** Selects cells and shows them. */
  goToCells(area: CellArea): Promise<void>;
  /** Runs work that a screen has in its own script: functions of this folder. */
  run<Result>(work: ExcelWork<Result>): Promise<Result>;
  /**
   * Has dates counted as this workbook counts them. Each job that writes or compares dates begins with it, because the user can change the
   * date system, and no date may be written that means another day.
   */
  learnDates(): Promise<void>;
  /**
   * Runs work as a single step of Excel's undo, if Excel can (ExcelApi 1.20). The work may not add, hide or delete a sheet, since that
   * can't be undone. It must bear being done twice: if Excel refuses it for lack of undo, it is done again from the beginning without the
   * single step.
   */
  runAsOneStep<Result>(work: ExcelWork<Result>): Promise<Result>;
  /**
   * The same workbook for a step in the middle of other work, whose requests it uses: an Excel.run inside of another one would be a second
   * connection to Excel.
   */
  within(context: Excel.RequestContext): Workbook;
}

/** Work with Excel's API. */
export type ExcelWork<Result> = (context: Excel.RequestContext) => Promise<Result>;

type Runs = Pick<Workbook, "run" | "runAsOneStep">;

/** `excel` returns Excel's API once the page runs in Excel; `hasExcelApi` tells which of its versions this Excel supports. */
export function createWorkbook(excel: () => typeof Excel, hasExcelApi: HasExcelApi): Workbook {
  // Excel refuses calls while a cell is in edit mode; this option waits instead of failing.
  const delayForCellEdit = true;

  async function run<Result>(work: ExcelWork<Result>): Promise<Result> {
    try {
      return await excel().run({ delayForCellEdit }, work);
    } catch (thrown) {
      throw excelFailure(thrown);
    }
  }

  async function runAsOneStep<Result>(work: ExcelWork<Result>): Promise<Result> {
    if (!hasExcelApi(undoGroups)) return run(work);
    try {
      return await excel().run({ delayForCellEdit, mergeUndoGroup: true }, work);
    } catch (thrown) {
      if (isUndoNotSupported(thrown)) return run(work);
      throw excelFailure(thrown);
    }
  }

  return workbookOn({ run, runAsOneStep }, excel, hasExcelApi);
}

/** Runs work with the requests of other work that is under way. */
function runsWithin(context: Excel.RequestContext): Runs {
  async function run<Result>(work: ExcelWork<Result>): Promise<Result> {
    // Steps of the other work that wait for its next request come first, so that their failure is not taken for one of this work.
    await context.sync();
    try {
      return await work(context);
    } catch (thrown) {
      throw excelFailure(thrown);
    }
  }
  return { run, runAsOneStep: run };
}

function workbookOn(
  { run, runAsOneStep }: Runs,
  excel: () => typeof Excel,
  hasExcelApi: HasExcelApi,
): Workbook {
  const hasNotes = () => hasExcelApi(cellNotes) && "notes" in excel().Worksheet.prototype;

  return {
    selectedPosition: () =>
      run(async (context) => {
        const selected = firstSelectedArea(context);
        const sheet = context.workbook.worksheets.getActiveWorksheet();
        await mayWrite(context, sheet);
        selected.load("rowIndex,columnIndex");
        sheet.load("id");
        await context.sync();
        return { sheetId: sheet.id, row: selected.rowIndex, column: selected.columnIndex };
      }),

    readListColumn: (join) => run((context) => readListColumn(context, hasExcelApi, join)),
    describeTable: (tableId) => run((context) => describeTable(context, tableId)),
    selectedCells: (join) => run((context) => readSelectedCells(context, join)),

    hasExcelApi,
    hasNotes,
    findTables: (tableIds) => run((context) => findTables(context, tableIds)),
    goTo: (tableId) =>
      run(async (context) => {
        await showRange(context, (await tableThatStands(context, tableId)).getRange());
      }),

    onSelection: createSharedEvents((tell) =>
      run(async (context) => {
        const handler = context.workbook.worksheets.onSelectionChanged.add(() => {
          tell();
          return Promise.resolve();
        });
        await context.sync();
        return () =>
          void excel()
            .run(handler.context, async (sameContext) => {
              handler.remove();
              await sameContext.sync();
            })
            // A handler that stays tells nobody, because nobody listens any more.
            .catch(() => undefined);
      }),
    ),
    selectedCell: (canSeeSpills) => run((context) => readSelectedCell(context, canSeeSpills)),
    valuesAt: (sheetId, addresses) => run((context) => readAddresses(context, sheetId, addresses)),
    selectedArea: () => run(readSelectedArea),
    selectCell: (position) =>
      run(async (context) => {
        await showRange(context, cellAt(context, position));
      }),
    // The scripts that write are loaded when somebody writes, so that the pane appears sooner.
    async writeFormula(position, formula, overwriting) {
      const { writeFormula } = await import("./cells/write-formula");
      return runAsOneStep((context) => writeFormula(context, position, formula, overwriting));
    },
    calculateCell: (position) =>
      run(async (context) => {
        cellAt(context, position).calculate();
        await context.sync();
      }),

    readParts: (namespace) => run((context) => readParts(context, namespace)),
    readPart: (id) => run((context) => readPart(context, id)),
    writePart: (id, xml) => run((context) => writePart(context, id, xml)),
    deletePart: (id) => run((context) => deletePart(context, id)),

    findFormulas: (scope, options) => run((context) => findFormulas(context, scope, options)),
    scopeNow: (scope) => run((context) => readScope(context, scope)),
    readCells: (areas, parts, signal) => run((context) => readCellContents(context, areas, parts, signal)),
    readOwnFormats: (areas) => run((context) => readOwnFormats(context, areas)),
    calculate: (areas) => run((context) => calculateCells(context, areas)),
    directDependents: (areas) => run((context) => directDependents(context, areas, hasExcelApi)),
    async replaceCells(changes, options = {}) {
      const { replaceCells } = await import("./cells/replace-cells");
      return runAsOneStep((context) => replaceCells(context, changes, options));
    },
    goToCells: (area) => run((context) => goToCells(context, area)),
    run,
    learnDates: () => run(learnDateSystem),
    runAsOneStep,
    within: (context) => workbookOn(runsWithin(context), excel, hasExcelApi),
  };
}
