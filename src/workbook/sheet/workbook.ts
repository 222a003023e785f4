import { config } from "../../config";
import { Failure } from "../../errors";
import { type SheetTable, type TableSize, writePieces } from "./layout/table-plan";
import { findTables, type TablePlace, tableThatStands } from "./tables/bound-table";
import {
  cellAt,
  firstSelectedArea,
  type Overwriting,
  readSelectedArea,
  type SelectedArea,
  writeFormula,
} from "./cells/formula-writing";
import { copyAside, letGo } from "./tables/copy-aside";
import { createTypedMeanwhile, type TypedMeanwhile } from "./tables/typed-meanwhile";
import { cellNotes, type HasExcelApi, undoGroups } from "./excel-api";
import { excelFailure, isUndoNotSupported } from "./excel-failure";
import {
  describeTable,
  inspectInPlace,
  prepareInPlace,
  type TableHere,
  type TableToReplace,
} from "./tables/in-place";
import {
  type BesideList,
  inspectBeside,
  type ListColumn,
  prepareBeside,
  readListColumn,
  readSelectedValues,
} from "./tables/list-column";
import { type CellNote, writeNotes } from "./tables/notes";
import {
  mustBeGivenUp,
  mustNotExtendTable,
  mustTakeTable,
  type Prepared,
  rangeAt,
} from "./tables/target-place";
import { readAddresses, readSelectedCell, type SelectedCell } from "./cells/selected-cell";
import { showRange } from "./show-range";
import { deletePart, readParts, type SavedPart, writePart } from "./parts/saved-parts";
import { columnWidths, wrappedColumns } from "./layout/table-look";
import { mayWrite } from "./write-access";
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
import { type AreaChange, replaceCells, type ReplaceOptions } from "./cells/replace-cells";

/** A cell, by its sheet's id; rows and columns count from zero. */
export interface CellPosition {
  sheetId: string;
  row: number;
  column: number;
}

/**
 * Where a table goes: its first cell, beside a list, in the place of a table. `mayOverwrite` is the size of the rectangle
 * there whose cells the user has given up, if any.
 */
export type Target = { mayOverwrite: TableSize | null } & (
  | ({ kind: "cell" } & CellPosition)
  | ({ kind: "beside" } & BesideList)
  /** The table stays the same to Excel, with its id. It takes ExcelApi 1.13. */
  | ({ kind: "in-place" } & TableToReplace)
);

/** Or a sheet of its own. */
export type Destination = Target | { kind: "new-sheet"; name: string };

/** What stands where a table would go. */
export interface Place {
  /** The whole rectangle. */
  address: string;
  /** The cells in the way; null when the place is free. */
  filled: string | null;
}

export interface WriteOptions {
  signal?: AbortSignal | undefined;
  onProgress?: ((writtenRows: number) => void) | undefined;
  /** Awaited before each piece. */
  gate?: (() => Promise<void>) | undefined;
  /** On cells of the rows below the header; as far as `hasNotes`. */
  notes?: readonly CellNote[] | undefined;
  /** A table that goes with it, on a new sheet; it is planned when the place of the first one is known. */
  companion?: { sheetName: string; plan(address: string): SheetTable } | undefined;
}

export interface WrittenTable {
  address: string;
  /** Excel's own, which stays when the table is renamed or moved. */
  tableId: string;
  companionAddress?: string | undefined;
}

/**
 * The one door to Excel's sheets. Failures: sheet-refused with Excel's own words, and the other kinds of `excelFailure`;
 * cells-in-the-way, too-large.
 */
export interface Workbook {
  selectedPosition(): Promise<CellPosition>;
  /** Looks at the cells that a table of this size would overwrite. */
  inspect(target: Target, size: TableSize): Promise<Place>;
  /** The selected column of cells, and what it belongs to. Fails with no-list, too. */
  readListColumn(): Promise<ListColumn>;
  /** Fails with table-gone, too. */
  describeTable(tableId: string): Promise<TableHere>;
  /** The values of the selected cells, row by row, as far as they are used. */
  selectedValues(): Promise<unknown[]>;
  /** Writes the plan as an Excel table; a failed or cancelled write leaves the sheet as it was. */
  writeTable(plan: SheetTable, destination: Destination, options?: WriteOptions): Promise<WrittenTable>;
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
  /** Writes a formula into one cell. */
  writeFormula(position: CellPosition, formula: string, overwriting: Overwriting): Promise<void>;
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
  /** See `readOwnFormats`. */
  readOwnFormats(areas: readonly CellArea[]): Promise<Map<string, string> | undefined>;
  /** Calculates these cells, and asks for nothing else. It does not wait for what their formulas ask. */
  calculate(cells: readonly CellArea[]): Promise<void>;
  /** Replaces what cells hold; a failed or cancelled write leaves all as it was. */
  replaceCells(changes: readonly AreaChange[], options?: ReplaceOptions): Promise<void>;
  /** Selects cells and shows them. */
  goToCells(area: CellArea): Promise<void>;
  /** Has every formula of the workbook calculated again. */
  recalculate(): Promise<void>;
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

    inspect: (target, size) =>
      run(async (context) => {
        if (target.kind !== "cell") {
          if (target.kind === "beside") return inspectBeside(context, target, size.columns, hasExcelApi);
          return inspectInPlace(context, target, size, hasExcelApi);
        }
        const area = { row: target.row, column: target.column, ...size };
        const range = rangeAt(context, target.sheetId, area);
        await mustTakeTable(context, target.sheetId, area, hasExcelApi);
        await mustNotExtendTable(context, target.sheetId, area);
        const filled = range.getUsedRangeOrNullObject(true);
        range.load("address");
        filled.load("address");
        await context.sync();
        return { address: range.address, filled: filled.isNullObject ? null : filled.address };
      }),

    readListColumn: () => run((context) => readListColumn(context, hasExcelApi)),
    describeTable: (tableId) => run((context) => describeTable(context, tableId)),

    selectedValues: () => run((context) => readSelectedValues(context)),

    writeTable: (plan, destination, options = {}) =>
      run(async (context) => {
        const size = { rows: plan.rows.length + 1, columns: plan.columns.length };
        const prepared = await prepare(context, destination, size, hasExcelApi);
        const typedMeanwhile = createTypedMeanwhile(context, prepared, plan);
        try {
          await fill(context, prepared.target, plan, options, typedMeanwhile);
          const written = await makeTable(context, prepared, plan);
          const companionAddress = await writeCompanion(context, written.address, plan.rows.length, options);
          if (options.notes && hasNotes())
            await writeNotes(context, prepared.target.getOffsetRange(1, 0), options.notes, options);
          if (prepared.backup) await letGo(context, prepared.backup);
          return { ...written, companionAddress };
        } catch (thrown) {
          throw await typedMeanwhile.takenBack(thrown);
        }
      }),

    hasNotes,
    findTables: (tableIds) => run((context) => findTables(context, tableIds)),
    goTo: (tableId) =>
      run(async (context) => {
        await showRange(context, (await tableThatStands(context, tableId)).getRange());
      }),

    onSelection: (listener) =>
      run(async (context) => {
        const handler = context.workbook.worksheets.onSelectionChanged.add(() => {
          listener();
          return Promise.resolve();
        });
        await context.sync();
        return () =>
          void excel().run(handler.context, async (sameContext) => {
            handler.remove();
            await sameContext.sync();
          });
      }),
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
    readOwnFormats: (areas) => run((context) => readOwnFormats(context, areas)),
    calculate: (areas) => run((context) => calculateCells(context, areas)),
    replaceCells: (changes, options = {}) =>
      runAsOneStep((context) => replaceCells(context, changes, options)),
    goToCells: (area) => run((context) => goToCells(context, area)),

    recalculate: () =>
      run(async (context) => {
        const sheets = context.workbook.worksheets;
        sheets.load("items/id");
        await context.sync();
        for (const sheet of sheets.items) sheet.calculate(true);
        await context.sync();
      }),
    run,
    runAsOneStep,
  };
}

async function prepare(
  context: Excel.RequestContext,
  destination: Destination,
  size: TableSize,
  hasExcelApi: HasExcelApi,
): Promise<Prepared> {
  if (destination.kind === "new-sheet") return prepareNewSheet(context, destination.name, size);
  if (destination.kind === "cell") return prepareCell(context, size, destination, hasExcelApi);
  return destination.kind === "beside"
    ? prepareBeside(context, destination, size.columns, hasExcelApi)
    : prepareInPlace(context, destination, size, hasExcelApi);
}

async function prepareCell(
  context: Excel.RequestContext,
  size: TableSize,
  { mayOverwrite, ...position }: CellPosition & { mayOverwrite: TableSize | null },
  hasExcelApi: HasExcelApi,
): Promise<Prepared> {
  const area = { row: position.row, column: position.column, ...size };
  const target = rangeAt(context, position.sheetId, area);
  await mayWrite(context, target.worksheet);
  await mustTakeTable(context, position.sheetId, area, hasExcelApi);
  await mustNotExtendTable(context, position.sheetId, area);
  const filled = target.getUsedRangeOrNullObject(true);
  const used = target.worksheet.getUsedRangeOrNullObject(true);
  filled.load("address");
  used.load("address");
  await context.sync();
  mustBeGivenUp(filled.isNullObject ? null : filled.address, mayOverwrite, size);
  const backup = await copyAside(context, target);
  return {
    target,
    givenUp: filled.isNullObject ? undefined : backup.range,
    isAlone: used.isNullObject,
    mayWiden: used.isNullObject,
    async undo() {
      const tables = target.getTables(true).load("items/name");
      await context.sync();
      for (const table of tables.items) table.convertToRange();
      target.copyFrom(backup.range, "All");
      await context.sync();
    },
    backup,
  };
}

async function prepareNewSheet(
  context: Excel.RequestContext,
  wantedName: string,
  size: TableSize,
): Promise<Prepared> {
  const sheets = context.workbook.worksheets;
  await mayWrite(context);
  sheets.load("items/name");
  await context.sync();
  const before = await activeSheet(context);
  const taken = sheets.items.map((item) => item.name);
  const sheet = sheets.add(freeSheetName(wantedName, taken));
  // A sheet that Excel refuses is none to be taken back.
  await context.sync();
  return {
    target: sheet.getRangeByIndexes(0, 0, size.rows, size.columns),
    isAlone: true,
    mayWiden: true,
    async undo(keepsSheet) {
      if (keepsSheet) {
        const tables = sheet.tables.load("items/name");
        await context.sync();
        for (const table of tables.items) table.convertToRange();
        sheet.getRangeByIndexes(0, 0, size.rows, size.columns).clear("All");
        return context.sync();
      }
      sheet.delete();
      await context.sync();
      before?.activate();
      // The sheet is gone, whatever is in front.
      await context.sync().catch(() => undefined);
    },
  };
}

/** Null where a chart sheet is in front: Excel gives no worksheet then (OfficeDev/office-js#2444). */
async function activeSheet(context: Excel.RequestContext): Promise<Excel.Worksheet | null> {
  const sheet = context.workbook.worksheets.getActiveWorksheet().load("id");
  return context.sync().then(
    () => sheet,
    () => null,
  );
}

/** A name Excel takes: no `\ / ? * [ ] :`, nothing that can't be shown, at most 31 characters, not taken (case apart). */
export function freeSheetName(wanted: string, taken: readonly string[]): string {
  const clean = wanted.replace(/[\\/?*[\]:\p{Cc}\p{Cs}]/gu, " ");
  // Excel keeps one name for itself.
  const lowered = new Set(["history", ...taken.map((name) => name.toLowerCase())]);
  for (let number = 1; ; number += 1) {
    const ending = number === 1 ? "" : ` ${number}`;
    const name =
      clean
        .replace(/^['\s]+/, "")
        .slice(0, config.sheetNameCharacters - ending.length)
        .replace(/['\s\ud800-\udbff]+$/, "") || "RegData";
    if (!lowered.has((name + ending).toLowerCase())) return name + ending;
  }
}

/** Takes its sheet away again where it fails. */
async function writeCompanion(
  context: Excel.RequestContext,
  address: string,
  rowsBefore: number,
  { companion, onProgress, ...options }: WriteOptions,
): Promise<string | undefined> {
  if (!companion) return undefined;
  const plan = companion.plan(address);
  const size = { rows: plan.rows.length + 1, columns: plan.columns.length };
  const prepared = await prepareNewSheet(context, companion.sheetName, size);
  const typedMeanwhile = createTypedMeanwhile(context, prepared, plan);
  try {
    const progress = { ...options, onProgress: (rows: number) => onProgress?.(rowsBefore + rows) };
    await fill(context, prepared.target, plan, progress, typedMeanwhile);
    return (await makeTable(context, prepared, plan, false)).address;
  } catch (thrown) {
    throw await typedMeanwhile.takenBack(thrown);
  }
}

async function fill(
  context: Excel.RequestContext,
  target: Excel.Range,
  plan: SheetTable,
  { signal, onProgress, gate }: WriteOptions,
  typedMeanwhile: TypedMeanwhile,
): Promise<void> {
  const columns = plan.columns.length;
  const header = target.getRow(0);
  header.numberFormat = [plan.columns.map(() => "@")];
  header.values = [plan.columns.map((column) => column.header)];
  for (const { start, rows } of writePieces(plan.rows, config.writeBytes)) {
    await gate?.();
    if (signal?.aborted) throw new Failure("cancelled");
    const mustBeAsBefore = typedMeanwhile.watch(start + 1, rows.length);
    const piece = target.getCell(start + 1, 0).getAbsoluteResizedRange(rows.length, columns);
    // The format first: Excel would make numbers and dates of texts that look like them.
    piece.numberFormat = rows.map((row) => row.map((cell) => cell.numberFormat));
    piece.values = rows.map((row) => row.map((cell) => cell.value));
    rows.forEach((row, down) =>
      row.forEach(({ link, value }, across) => {
        if (link !== undefined)
          piece.getCell(down, across).hyperlink = { address: link, textToDisplay: String(value) };
      }),
    );
    // One request a piece is the point: Excel on the web takes 5 MB at most.
    // eslint-disable-next-line office-addins/no-context-sync-in-loop
    await context.sync();
    mustBeAsBefore();
    onProgress?.(start + rows.length);
  }
}

async function makeTable(
  context: Excel.RequestContext,
  { target, whole = target, table: existing, isAlone, mayWiden }: Prepared,
  plan: SheetTable,
  isShown = true,
): Promise<WrittenTable> {
  const sheet = target.worksheet;
  const table = existing ?? sheet.tables.add(whole, true);
  table.load("id");
  if (!existing) table.style = "TableStyleMedium2";
  target.format.verticalAlignment = "Top";
  const header = whole.getRow(0);
  header.format.wrapText = true;
  header.format.verticalAlignment = "Top";
  for (const column of wrappedColumns(plan)) target.getColumn(column).format.wrapText = true;
  if (mayWiden) {
    columnWidths(plan).forEach((width, column) => {
      target.getColumn(column).format.columnWidth = width;
    });
    header.format.autofitRows();
  }
  target.load("address,rowIndex");
  await context.sync();
  const written = { address: target.address, tableId: table.id };
  if (isShown) {
    sheet.activate();
    target.getCell(0, 0).select();
  }
  if (isAlone && target.rowIndex === 0) sheet.freezePanes.freezeRows(1);
  // While another workbook is in front, Excel refuses these (excel-add-ins-troubleshooting.md); the table stands.
  await context.sync().catch(() => undefined);
  return written;
}
