import {
  type CommandListener,
  type ICellData,
  ICommandService,
  type IDisposable,
  type IExecutionOptions,
  type Injector,
  type IObjectMatrixPrimitiveType,
  type IRange,
  IUniverInstanceService,
  type IWorkbookData,
  type IWorksheetData,
  LocaleType,
  LogLevel,
  type Nullable,
  Univer,
  UniverInstanceType,
  type Workbook,
  type Worksheet,
  merge,
  mergeWorksheetSnapshotWithDefault,
  toDisposable,
} from "@univerjs/core";
import { FUniver } from "@univerjs/core/facade";
import {
  CalculationMode,
  type FWorkbook,
  SetRangeValuesMutation,
  SetWorksheetColumnCountMutation,
  SetWorksheetRowCountMutation,
  SheetInterceptorService,
  TriggerCalculationController,
  UniverSheetsCorePreset,
} from "@univerjs/preset-sheets-core";
import coreTexts from "@univerjs/preset-sheets-core/locales/en-US";
import { UniverSheetsTablePreset, UniverSheetsTableUIPlugin } from "@univerjs/preset-sheets-table";
import tableTexts from "@univerjs/preset-sheets-table/locales/en-US";
import { UniverSheetsSortPlugin } from "@univerjs/sheets-sort";
import { defaultTheme } from "@univerjs/themes";
import { MAX_COLUMNS, MAX_ROWS, between } from "../address";
import { firstSheetId } from "../guid";
import type { Rect, SheetInfo } from "../spreadsheet";

import "@univerjs/preset-sheets-core/lib/index.css";
import "@univerjs/preset-sheets-table/lib/index.css";

const INITIAL_ROWS = 2_000;
const INITIAL_COLUMNS = 60;
const GROWTH_MARGIN = 50;
/** Excel's, in pixels. */
const ROW_HEIGHT = 20;

/** Univer's words where Excel has others. */
const excelTexts = {
  ui: { ribbon: { start: "Home" } },
  "sheets-ui": {
    rightClick: {
      freeze: "Freeze Panes",
      freezeFirstCol: "Freeze First Column",
      freezeFirstRow: "Freeze Top Row",
      cancelFreeze: "Unfreeze Panes",
    },
  },
  "sheets-table-ui": {
    selectRange: "Create Table",
    confirm: "OK",
    sort: { "sort-asc": "Sort Ascending", "sort-desc": "Sort Descending" },
  },
};

/** Entries of Univer's cell menu that Excel does not have, or that an add-in would hear nothing of. */
const withoutEntries = {
  "sheet.menu.sheet-frozen": { hidden: true },
  "sheet.contextMenu.permission": { hidden: true },
  "sheet.command.add-range-protection-from-toolbar": { hidden: true },
};

export type CellMatrix = IObjectMatrixPrimitiveType<Nullable<ICellData>>;

type RunListener = (
  command: { id: string; params: Record<string, unknown> },
  options: Record<string, unknown>,
) => void;

/** Univer with one workbook in it; every module of the grid works on this. */
export interface Book {
  injector: Injector;
  /** The workbook's id, which is another after `open`. */
  unitId(): string;
  workbook(): Workbook;
  /** Throws when there is no such sheet. */
  sheet(sheetId: string): Worksheet;
  /** Univer's own simpler way to the workbook. */
  facade(): FWorkbook;
  /** Runs a mutation or operation now. `onlyLocal` ones do not trigger a calculation. */
  run(commandId: string, params: object, options?: IExecutionOptions): void;
  onRun(listener: RunListener): void;
  /** The listener may change what is about to run. */
  beforeRun(listener: RunListener): void;
  /** Writes cells; `calculate: false` for what cannot change a value, such as formats. */
  setCells(sheetId: string, cells: CellMatrix, options?: { calculate: boolean }): void;
  /** Makes the sheet large enough to hold the rectangle, within Excel's limits. */
  makeRoom(sheetId: string, rect: Rect): void;
  /** Replaces the workbook. */
  load(data: Partial<IWorkbookData>): void;
}

/** Starts Univer in `container` with an empty workbook of one sheet. */
export function startUniver(container: HTMLElement): Book {
  const univer = new Univer({
    theme: defaultTheme,
    locale: LocaleType.EN_US,
    locales: { [LocaleType.EN_US]: merge({}, coreTexts, tableTexts, excelTexts) },
    logLevel: LogLevel.ERROR,
  });
  const injector = univer.__getInjector();
  const instances = injector.get(IUniverInstanceService);
  let workbook!: Workbook;
  // Before all of Univer's own listeners, which read the cells of a new workbook while it is created.
  instances.getTypeOfUnitAdded$<Workbook>(UniverInstanceType.UNIVER_SHEET).subscribe(({ unit }) => {
    workbook = unit;
  });
  const presets = [
    UniverSheetsCorePreset({
      container,
      formula: { initialFormulaComputing: CalculationMode.NO_CALCULATION },
      menu: withoutEntries,
      // A number that is stored as text has its mark; Excel says no more while the mouse rests there.
      disableTextFormatAlert: true,
      sheets: { disableForceStringAlert: true },
    }),
    UniverSheetsTablePreset(),
  ];
  // Univer hangs a tab with the table's name above the table, which Excel does not.
  const settings = new Map<string, object>([[UniverSheetsTableUIPlugin.pluginName, { hideAnchor: true }]]);
  const registered = new Set<string>();
  // A table's header offers to sort, and leaves it to a plugin of its own.
  for (const entry of [...presets.flatMap((preset) => preset.plugins), UniverSheetsSortPlugin]) {
    const [plugin, config] = Array.isArray(entry) ? entry : [entry, undefined];
    if (registered.has(plugin.pluginName)) continue;
    registered.add(plugin.pluginName);
    univer.registerPlugin(plugin, config ?? settings.get(plugin.pluginName));
  }
  const api = FUniver.newAPI(univer);
  const commands = injector.get(ICommandService);
  univer.createUnit<Partial<IWorkbookData>, Workbook>(UniverInstanceType.UNIVER_SHEET, emptyWorkbook());
  // By itself Univer listens for changes only once it has drawn the sheet, and misses those before.
  injector.get(TriggerCalculationController);
  forgetOldFilterButtons(injector.get(SheetInterceptorService));

  const book: Book = {
    injector,
    facade: () => api.getActiveWorkbook()!,
    unitId: () => workbook.getUnitId(),
    workbook: () => workbook,
    sheet(sheetId) {
      const sheet = workbook.getSheetBySheetId(sheetId);
      if (!sheet) throw new Error(`There is no sheet with the id ${sheetId}.`);
      return sheet;
    },
    run(commandId, params, options) {
      commands.syncExecuteCommand(commandId, { unitId: workbook.getUnitId(), ...params }, options);
    },
    onRun: (listener) => void commands.onCommandExecuted(told(listener)),
    beforeRun: (listener) => void commands.beforeCommandExecuted(told(listener)),
    setCells(subUnitId, cellValue, { calculate } = { calculate: true }) {
      book.run(SetRangeValuesMutation.id, { subUnitId, cellValue }, { onlyLocal: !calculate });
    },
    makeRoom(sheetId, rect) {
      const sheet = book.sheet(sheetId);
      const rows = rect.row + rect.rows;
      const columns = rect.column + rect.columns;
      if (rows > sheet.getRowCount()) {
        const rowCount = Math.min(rows + GROWTH_MARGIN, MAX_ROWS);
        book.run(SetWorksheetRowCountMutation.id, { subUnitId: sheetId, rowCount });
      }
      if (columns > sheet.getColumnCount()) {
        const columnCount = Math.min(columns + GROWTH_MARGIN, MAX_COLUMNS);
        book.run(SetWorksheetColumnCountMutation.id, { subUnitId: sheetId, columnCount });
      }
    },
    load(data) {
      // The old one first: on leaving it would take the popups of the new one with it.
      instances.disposeUnit(workbook.getUnitId());
      univer.createUnit<Partial<IWorkbookData>, Workbook>(UniverInstanceType.UNIVER_SHEET, data);
    },
  };
  return book;
}

/**
 * Whenever a table changes, Univer 0.25.1 has every table's filter buttons change how cells are drawn, and takes back what
 * the last table had changed alone: after 200 tables each cell would be asked 20,000 times.
 */
function forgetOldFilterButtons(service: SheetInterceptorService): void {
  const intercept = service.intercept.bind(service);
  let ofButtons: IDisposable[] = [];
  service.intercept = (point, interceptor) => {
    const registered = intercept(point, interceptor);
    // Nothing else moves a text away from the right edge.
    if (!String(interceptor.handler).includes("rightOffset")) return registered;
    ofButtons.push(registered);
    return toDisposable(() => {
      for (const each of ofButtons) each.dispose();
      ofButtons = [];
    });
  };
}

function told(listener: RunListener): CommandListener {
  return ({ id, params }, options) =>
    listener(
      { id, params: (params ?? {}) as Record<string, unknown> },
      (options ?? {}) as Record<string, unknown>,
    );
}

/** A sheet's data for Univer, with room to start with. */
export function emptySheet({ id, name }: Pick<SheetInfo, "id" | "name">): IWorksheetData {
  const size = { rowCount: INITIAL_ROWS, columnCount: INITIAL_COLUMNS, defaultRowHeight: ROW_HEIGHT };
  return mergeWorksheetSnapshotWithDefault({ id, name, ...size });
}

/** Rows and columns that hold these places, with room to grow, within Excel's limits. */
export function sizeFor(places: readonly { row: number; column: number }[]): {
  rowCount: number;
  columnCount: number;
} {
  let [rows, columns] = [0, 0];
  for (const { row, column } of places) {
    rows = Math.max(rows, row + 1);
    columns = Math.max(columns, column + 1);
  }
  return {
    rowCount: Math.min(Math.max(INITIAL_ROWS, rows + GROWTH_MARGIN), MAX_ROWS),
    columnCount: Math.min(Math.max(INITIAL_COLUMNS, columns + GROWTH_MARGIN), MAX_COLUMNS),
  };
}

function emptyWorkbook(): Partial<IWorkbookData> {
  const sheet = emptySheet({ id: firstSheetId, name: "Sheet1" });
  return { sheetOrder: [sheet.id], sheets: { [sheet.id]: sheet } };
}

/** True if a change of a cell enters a value, even a blank one; false if it only changes the format. */
export function isEntered(change: unknown): boolean {
  if (typeof change !== "object" || change === null) return change === null;
  return ["v", "f", "p", "si"].some((key) => key in change);
}

export function toRange({ row, column, rows, columns }: Rect): IRange {
  return { startRow: row, startColumn: column, endRow: row + rows - 1, endColumn: column + columns - 1 };
}

export function toRect(range: IRange): Rect {
  return between(range.startRow, range.startColumn, range.endRow, range.endColumn);
}
