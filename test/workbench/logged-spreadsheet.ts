import { contains, union } from "../../workbench/address";
import { shiftedRect } from "../../workbench/line-shift";
import { plainStyle } from "../../workbench/book-contents";
import { createDrawings } from "../../workbench/drawings";
import { createSheetFilters } from "../../workbench/sheet-filters";
import type {
  CellValue,
  DefinedName,
  FunctionCall,
  FunctionResult,
  Rect,
  Spreadsheet,
  SpreadsheetEvent,
  TableInfo,
} from "../../workbench/spreadsheet";

export interface LoggedSpreadsheet extends Spreadsheet {
  /** The host's changes to the spreadsheet, in order. */
  readonly log: string[];
  /** The workbook's defined names; a test may add any. */
  readonly defined: DefinedName[];
  readonly settled: { id: number; result: FunctionResult }[];
  emit(event: SpreadsheetEvent): void;
}

/** A spreadsheet of cells in a map, without calculation: enough to see how the host carries out requests. */
export function createLoggedSpreadsheet(): LoggedSpreadsheet {
  const sheets = [{ id: "sheet-1", name: "Sheet1", isHidden: false }];
  const cells = new Map<string, CellValue>();
  const formats = new Map<string, string>();
  const tables: TableInfo[] = [];
  const names: DefinedName[] = [];
  const log: string[] = [];
  const settled: { id: number; result: FunctionResult }[] = [];
  const listeners = new Set<(event: SpreadsheetEvent) => void>();
  let selection: { sheetId: string; rects: Rect[] } = { sheetId: "sheet-1", rects: [rect(0, 0, 1, 1)] };

  const key = (sheetId: string, row: number, column: number) => `${sheetId} ${row} ${column}`;
  const each = <T>({ row, column, rows, columns }: Rect, visit: (row: number, column: number) => T): T[][] =>
    Array.from({ length: rows }, (_, down) =>
      Array.from({ length: columns }, (_, across) => visit(row + down, column + across)),
    );
  const emit = (event: SpreadsheetEvent) => {
    for (const listener of listeners) listener(event);
  };
  const unused = (): never => {
    throw new Error("not part of this spreadsheet");
  };
  const note =
    (name: string) =>
    (...args: unknown[]) =>
      void log.push(`${name} ${JSON.stringify(args)}`);

  return {
    log,
    settled,
    defined: names,
    emit,
    sheets: () => sheets.map((sheet) => ({ ...sheet })),
    addSheet(name) {
      const sheet = { id: `sheet-${sheets.length + 1}`, name, isHidden: false };
      sheets.push(sheet);
      return sheet;
    },
    deleteSheet: (sheetId) =>
      void sheets.splice(
        sheets.findIndex(({ id }) => id === sheetId),
        1,
      ),
    renameSheet: note("renameSheet"),
    activateSheet(sheetId) {
      selection = { sheetId, rects: [rect(0, 0, 1, 1)] };
      emit({ kind: "activated", sheetId });
    },
    selection: () => selection,
    select(sheetId, selected) {
      selection = { sheetId, rects: selected };
      emit({ kind: "selected", ...selection });
    },
    edit: note("edit"),
    uses1904: () => false,
    editingEnds: () => undefined,
    read: (sheetId, area) =>
      each(area, (row, column) => {
        const formula = cells.get(key(sheetId, row, column)) ?? "";
        const numberFormat = formats.get(key(sheetId, row, column)) ?? "General";
        return { value: formula, formula, text: String(formula), numberFormat };
      }),
    writeFormulas(sheetId, area, rows) {
      note("writeFormulas")(sheetId, area);
      each(area, (row, column) => {
        const value = rows[row - area.row]![column - area.column];
        if (value !== null && value !== undefined) cells.set(key(sheetId, row, column), value);
      });
      emit({ kind: "changed", sheetId, rect: area });
    },
    writeNumberFormats(sheetId, area, rows) {
      each(area, (row, column) => {
        const value = rows[row - area.row]![column - area.column];
        if (value !== null && value !== undefined) formats.set(key(sheetId, row, column), value);
      });
    },
    clear: note("clear"),
    copy: note("copy"),
    keepValues: note("keepValues"),
    reorderRows: note("reorderRows"),
    insertColumns: note("insertColumns"),
    deleteColumns: note("deleteColumns"),
    moveCells(sheetId, shift) {
      note("moveCells")(sheetId, shift);
      for (const table of tables)
        if (table.sheetId === sheetId) table.rect = shiftedRect(table.rect, shift) ?? table.rect;
    },
    hideSheet(sheetId, isHidden) {
      for (const sheet of sheets) if (sheet.id === sheetId) sheet.isHidden = isHidden;
    },
    spillParent: () => null,
    spillOf: () => null,
    usedRect(sheetId, _valuesOnly, within) {
      let used: Rect | null = null;
      for (const [place, value] of cells) {
        const [sheet, row, column] = place.split(" ");
        if (sheet === sheetId && value !== "" && contains(within, Number(row), Number(column)))
          used = union(used, rect(Number(row), Number(column), 1, 1));
      }
      return used;
    },
    merge: note("merge"),
    unmerge: note("unmerge"),
    merged: () => [],
    setLink: note("setLink"),
    link: () => null,
    applyStyle: note("applyStyle"),
    look: () => plainStyle,
    setColumnWidth: note("setColumnWidth"),
    autofitColumns: note("autofitColumns"),
    autofitRows: note("autofitRows"),
    freeze: note("freeze"),
    columnWidth: () => 64,
    frozen: () => ({ rows: 0, columns: 0 }),
    moveSheet: note("moveSheet"),
    names: () => names,
    addName: (name) => void names.push(name),
    deleteName: note("deleteName"),
    tables: () => tables.map((table) => ({ ...table })),
    addTable(wanted) {
      const table = { id: `table-${tables.length + 1}`, ...wanted };
      tables.push(table);
      return table;
    },
    updateTable: (tableId, change) =>
      void Object.assign(
        tables.find(({ id }) => id === tableId)!,
        change,
      ),
    deleteTable: (tableId) =>
      void tables.splice(
        tables.findIndex(({ id }) => id === tableId),
        1,
      ),
    filterTable: note("filterTable"),
    tableFilter: () => null,
    isRowHidden: () => false,
    linkTip: () => null,
    reorderColumns: note("reorderColumns"),
    isRowFiltered: () => false,
    isColumnHidden: () => false,
    hideRows: note("hideRows"),
    hideColumns: note("hideColumns"),
    setRowHeight: note("setRowHeight"),
    rowHeight: () => 20,
    sheetFilters: createSheetFilters(),
    drawings: createDrawings(),
    registerFunctions: unused,
    showZero: (calls) => void log.push(`zero ${calls.join(" ")}`),
    settle: (results) => void settled.push(...results),
    recalculate: note("recalculate"),
    calculated: async () => note("calculated")(),
    idle: unused,
    errorMessage: () => null,
    card: () => null,
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    save: unused,
    open: unused,
    contents: unused,
    openContents: unused,
  } satisfies LoggedSpreadsheet;
}

export function rect(row: number, column: number, rows: number, columns: number): Rect {
  return { row, column, rows, columns };
}

export function call(id: number, functionId: string, args: FunctionCall["args"] = []): FunctionCall {
  return { id, functionId, args };
}
