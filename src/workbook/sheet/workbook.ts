import { cellNotes, type HasExcelApi, spills, undoGroups } from "./excel-api";
import { excelFailure, isUndoNotSupported } from "./excel-failure";
import {
  calculateCells,
  type CellArea,
  type CellContents,
  type FindOptions,
  findFormulas,
  type FormulaCell,
  type FormulaScope,
  goToCells,
  readContents,
  readOwnFormats,
  readScope,
  type ScopeNow,
} from "./cells/formula-search";
import {
  cellAt,
  firstSelectedArea,
  type FormulaWritten,
  type Overwriting,
  readSelectedArea,
  type SelectedArea,
  writeFormula,
} from "./cells/formula-writing";
import { type PlainCells, readPlainCells } from "./cells/plain-cells";
import { type AreaChange, replaceCells, type ReplaceOptions } from "./cells/replace-cells";
import { readAddresses, readSelectedCell, type SelectedCell } from "./cells/selected-cell";
import { deletePart, readParts, type SavedPart, writePart } from "./parts/saved-parts";
import { createSharedEvents } from "./shared-events";
import { showRange } from "./show-range";
import {
  describeTable,
  findTables,
  type TableHere,
  type TablePlace,
  tableThatStands,
} from "./tables/bound-table";
import { type ListColumn, readListColumn, readSelectedValues } from "./lists/list-column";
import { mayWrite } from "./write-access";

/** A cell, by its sheet's id; rows and columns count from zero. */
export interface CellPosition {
  sheetId: string;
  row: number;
  column: number;
}

/**
 * The one door to Excel's sheets. Failures: sheet-refused with Excel's own words, and the other kinds of `excelFailure`;
 * cells-in-the-way, too-large.
 */
export interface Workbook {
  selectedPosition(): Promise<CellPosition>;
  /** The selected column of cells, and what it belongs to. Fails with no-list, too. */
  readListColumn(): Promise<ListColumn>;
  /** Fails with table-gone, too. */
  describeTable(tableId: string): Promise<TableHere>;
  /** The values of the selected cells, row by row, as far as they are used. */
  selectedValues(): Promise<unknown[]>;
  hasExcelApi: HasExcelApi;
  /** Whether this Excel, and the office.js that is loaded, know notes on cells. */
  hasNotes(): boolean;
  /** Where each of the tables stands; null where it is gone. */
  findTables(tableIds: readonly string[]): Promise<(TablePlace | null)[]>;
  /** Shows a table. */
  goTo(tableId: string): Promise<void>;
  /** Calls back when other cells are selected; returns how to stop. */
  onSelection(listener: () => void): Promise<() => void>;
  /** The first selected cell. `canSeeSpills`: see readSelectedCell. */
  selectedCell(canSeeSpills: boolean): Promise<SelectedCell>;
  /** The values of cells by their addresses in a formula of this sheet; null where they can't be had. */
  valuesAt(sheetId: string, addresses: readonly string[]): Promise<(unknown[][] | null)[]>;
  selectedArea(): Promise<SelectedArea>;
  selectCell(position: CellPosition): Promise<void>;
  /** See `writeFormula`. */
  writeFormula(position: CellPosition, formula: string, overwriting: Overwriting): Promise<FormulaWritten>;
  /** Has the formula of one cell calculated again. */
  calculateCell(position: CellPosition): Promise<void>;
  /** What the workbook carries beside its cells, by namespace. */
  readParts(namespace: string): Promise<SavedPart[]>;
  /** Writes a part, in place of the one with this id where that is still there; gives its id. */
  writePart(id: string | null, xml: string): Promise<string>;
  deletePart(id: string): Promise<void>;
  /** The cells whose formulas call the add-in's functions. Fails with cancelled, too. */
  findFormulas(scope: FormulaScope, options: FindOptions): Promise<FormulaCell[]>;
  scopeNow(scope: FormulaScope): Promise<ScopeNow>;
  /** Reads cells, by `cellKey`. */
  readCells<Part extends keyof CellContents>(
    areas: readonly CellArea[],
    parts: readonly Part[],
    signal?: AbortSignal,
  ): Promise<Map<string, Pick<CellContents, Part>>>;
  /** The constants of a whole sheet; null where more of it is used than `most` cells. */
  readPlainCells(sheetId: string, most: number, signal?: AbortSignal): Promise<PlainCells | null>;
  /** See `readOwnFormats`. */
  readOwnFormats(areas: readonly CellArea[]): Promise<Map<string, string> | undefined>;
  /** Calculates these cells, and asks for nothing else. It does not wait for what their formulas ask. */
  calculate(cells: readonly CellArea[]): Promise<void>;
  /** Replaces what cells hold; a failed or cancelled write leaves all as it was. */
  replaceCells(changes: readonly AreaChange[], options?: ReplaceOptions): Promise<void>;
  /** Selects cells and shows them. */
  goToCells(area: CellArea): Promise<void>;
  /** Does what a screen brings along in its own script: functions of this folder. */
  run<Result>(work: Work<Result>): Promise<Result>;
  /**
   * The same as one step of Excel's undo, where Excel can (ExcelApi 1.20). Only for work that adds, hides and deletes no
   * sheet, since that can't be undone; and it may be done twice: what Excel refuses for want of undo is done again
   * without it, from the beginning.
   */
  runAsOneStep<Result>(work: Work<Result>): Promise<Result>;
}

/** What is done with Excel's API. */
export type Work<Result> = (context: Excel.RequestContext) => Promise<Result>;

/** `excel` gives Excel's API once the page runs in Excel; `hasExcelApi` tells what of it this Excel has. */
export function createWorkbook(excel: () => typeof Excel, hasExcelApi: HasExcelApi): Workbook {
  // Excel takes no call while a cell is being edited; this waits for its end instead of failing.
  const delayForCellEdit = true;

  async function run<Result>(work: Work<Result>): Promise<Result> {
    try {
      return await excel().run({ delayForCellEdit }, work);
    } catch (thrown) {
      throw excelFailure(thrown);
    }
  }

  async function runAsOneStep<Result>(work: Work<Result>): Promise<Result> {
    if (!hasExcelApi(undoGroups)) return run(work);
    try {
      return await excel().run({ delayForCellEdit, mergeUndoGroup: true }, work);
    } catch (thrown) {
      if (isUndoNotSupported(thrown)) return run(work);
      throw excelFailure(thrown);
    }
  }

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

    readListColumn: () => run((context) => readListColumn(context, hasExcelApi)),
    describeTable: (tableId) => run((context) => describeTable(context, tableId)),
    selectedValues: () => run((context) => readSelectedValues(context)),

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
          void excel().run(handler.context, async (sameContext) => {
            handler.remove();
            await sameContext.sync();
          });
      }),
    ),
    selectedCell: (canSeeSpills) => run((context) => readSelectedCell(context, canSeeSpills)),
    valuesAt: (sheetId, addresses) => run((context) => readAddresses(context, sheetId, addresses)),
    selectedArea: () => run(readSelectedArea),
    selectCell: (position) =>
      run(async (context) => {
        await showRange(context, cellAt(context, position));
      }),
    writeFormula: (position, formula, overwriting) =>
      runAsOneStep((context) => writeFormula(context, position, formula, overwriting)),
    calculateCell: (position) =>
      run(async (context) => {
        cellAt(context, position).calculate();
        await context.sync();
      }),

    readParts: (namespace) => run((context) => readParts(context, namespace)),
    writePart: (id, xml) => run((context) => writePart(context, id, xml)),
    deletePart: (id) => run((context) => deletePart(context, id)),

    findFormulas: (scope, options) => run((context) => findFormulas(context, scope, options)),
    scopeNow: (scope) => run((context) => readScope(context, scope)),
    readCells: (areas, parts, signal) => run((context) => readContents(context, areas, parts, signal)),
    readPlainCells: (sheetId, most, signal) =>
      run((context) => readPlainCells(context, sheetId, { most, canSeeSpills: hasExcelApi(spills), signal })),
    readOwnFormats: (areas) => run((context) => readOwnFormats(context, areas)),
    calculate: (areas) => run((context) => calculateCells(context, areas)),
    replaceCells: (changes, options = {}) =>
      runAsOneStep((context) => replaceCells(context, changes, options)),
    goToCells: (area) => run((context) => goToCells(context, area)),
    run,
    runAsOneStep,
  };
}
