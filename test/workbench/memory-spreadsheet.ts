import { intersect } from "../../src/workbench/address";
import type {
  CellValue,
  FunctionCall,
  FunctionResult,
  Rect,
  Spreadsheet,
  SpreadsheetEvents,
  TableInfo,
} from "../../src/workbench/spreadsheet";

export interface MemorySpreadsheet extends Spreadsheet {
  /** What the host did to it, in order. */
  readonly log: string[];
  readonly settled: { id: number; result: FunctionResult }[];
  emit<Name extends keyof SpreadsheetEvents>(name: Name, event: SpreadsheetEvents[Name]): void;
}

/** Cells in a map, without calculation: enough of a spreadsheet to see what the host makes of requests. */
export function createMemorySpreadsheet(): MemorySpreadsheet {
  const sheets = [{ id: "sheet-1", name: "Sheet1" }];
  const cells = new Map<string, CellValue>();
  const formats = new Map<string, string>();
  const tables: TableInfo[] = [];
  const log: string[] = [];
  const settled: { id: number; result: FunctionResult }[] = [];
  const listeners: { name: string; listener: (event: never) => void }[] = [];
  let active = "sheet-1";
  let selection: { sheetId: string; rect: Rect } = { sheetId: "sheet-1", rect: rect(0, 0, 1, 1) };

  const key = (sheetId: string, row: number, column: number) => `${sheetId} ${row} ${column}`;
  const each = <T>({ row, column, rows, columns }: Rect, visit: (row: number, column: number) => T): T[][] =>
    Array.from({ length: rows }, (_, down) =>
      Array.from({ length: columns }, (_, across) => visit(row + down, column + across)),
    );
  const emit = (name: string, event: unknown) => {
    for (const entry of listeners.filter((candidate) => candidate.name === name))
      entry.listener(event as never);
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
    emit,
    sheets: () => sheets.map((sheet) => ({ ...sheet })),
    activeSheet: () => sheets.find(({ id }) => id === active)!,
    addSheet(name = `Sheet${sheets.length + 1}`) {
      if (sheets.some((sheet) => sheet.name === name)) throw new Error(`${name} is taken`);
      const sheet = { id: `sheet-${sheets.length + 1}`, name };
      sheets.push(sheet);
      emit("added", { sheetId: sheet.id });
      return sheet;
    },
    deleteSheet: (sheetId) =>
      void sheets.splice(
        sheets.findIndex(({ id }) => id === sheetId),
        1,
      ),
    renameSheet: (sheetId, name) => void (sheets.find(({ id }) => id === sheetId)!.name = name),
    activateSheet(sheetId) {
      active = sheetId;
      emit("activated", { sheetId });
    },
    selection: () => selection,
    select(sheetId, selected) {
      selection = { sheetId, rect: selected };
      emit("selected", selection);
    },
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
      emit("changed", { sheetId, rect: area });
    },
    writeNumberFormats(sheetId, area, rows) {
      each(area, (row, column) => {
        const value = rows[row - area.row]![column - area.column];
        if (value !== null && value !== undefined) formats.set(key(sheetId, row, column), value);
      });
    },
    clear: note("clear"),
    usedRect(sheetId) {
      const places = [...cells]
        .filter(([place, value]) => place.startsWith(`${sheetId} `) && value !== "")
        .map(([place]) => place.split(" ").slice(1).map(Number) as [number, number]);
      if (places.length === 0) return null;
      const least = (index: 0 | 1) =>
        places.reduce((value, place) => Math.min(value, place[index]), Infinity);
      const most = (index: 0 | 1) => places.reduce((value, place) => Math.max(value, place[index]), 0);
      const [top, left] = [least(0), least(1)];
      return rect(top, left, most(0) - top + 1, most(1) - left + 1);
    },
    applyStyle: note("applyStyle"),
    readStyle: () => ({}),
    columnWidth: () => 64,
    setColumnWidth: note("setColumnWidth"),
    setRowHeight: note("setRowHeight"),
    autofitColumns: note("autofitColumns"),
    autofitRows: note("autofitRows"),
    freeze: note("freeze"),
    tables: () => tables.map((table) => ({ ...table })),
    addTable(sheetId, area) {
      if (tables.some((table) => intersect(table.rect, area))) throw new Error("tables overlap");
      const id = `table-${tables.length + 1}`;
      const table = {
        id,
        name: `Table${tables.length + 1}`,
        sheetId,
        rect: area,
        style: "TableStyleMedium2",
      };
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
    registerFunctions: unused,
    settle: (results) => void settled.push(...results),
    recalculate: note("recalculate"),
    idle: unused,
    errorMessage: () => null,
    on(name, listener) {
      const entry = { name, listener };
      listeners.push(entry);
      return () => void listeners.splice(listeners.indexOf(entry), 1);
    },
    save: unused,
    open: unused,
  } satisfies MemorySpreadsheet;
}

export function rect(row: number, column: number, rows: number, columns: number): Rect {
  return { row, column, rows, columns };
}

export function call(id: number, functionId: string, args: unknown[] = []): FunctionCall {
  return { id, functionId, args, address: "Sheet1!A1" };
}
