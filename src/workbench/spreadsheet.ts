/**
 * What the host (office.js's protocol, Rich API, custom functions) asks of a spreadsheet. `grid/` implements
 * it on Univer, whose workbook is the only model: nothing here keeps cells of its own.
 * Rows and columns count from zero. All reads and writes are synchronous.
 */
export interface Rect {
  row: number;
  column: number;
  rows: number;
  columns: number;
}

/** A cell's value as Excel's `range.values` gives it: "" when blank, errors as their text ("#N/A"). */
export type CellValue = string | number | boolean;

export interface CellView {
  value: CellValue;
  /** As typed, `=…`, in a formula cell; else the value. */
  formula: CellValue;
  /** As displayed. */
  text: string;
  numberFormat: string;
}

export interface SheetInfo {
  id: string;
  name: string;
}

export interface TableInfo {
  id: string;
  name: string;
  sheetId: string;
  /** Header row and body together. */
  rect: Rect;
  /** An Excel table style's name, such as TableStyleMedium2. */
  style: string;
}

/** Style properties that a range can be given. */
export interface RangeStyle {
  bold?: boolean;
  italic?: boolean;
  wrapText?: boolean;
  fontColor?: string;
  fillColor?: string;
  horizontalAlignment?: string;
  verticalAlignment?: string;
}

/** What the add-in's functions.json says of one function, with the manifest's namespace in front of its name. */
export interface FunctionDefinition {
  id: string;
  /** Full name, such as REGDATA.VALUE. */
  name: string;
  description: string;
  parameters: {
    name: string;
    description: string;
    optional: boolean;
    dimensionality: "scalar" | "matrix";
    repeating: boolean;
  }[];
  cancelable: boolean;
}

/**
 * One evaluation of a custom function. An omitted argument is null, a blank cell 0, an error its text; a range is
 * an array of rows. A range for a scalar parameter becomes one call for each of its cells.
 */
export interface FunctionCall {
  id: number;
  functionId: string;
  args: unknown[];
  /** The calling cell, such as Sheet1!A1. */
  address: string;
}

/** How a call ended: a scalar or rows of scalars; an error's text ("#N/A") and message are a value too. */
export type FunctionResult = FunctionScalar | FunctionScalar[][];
export type FunctionScalar = CellValue | null | { error: string; message: string };

export interface SpreadsheetEvents {
  /** Contents were edited by the user or written by a script; results of formulas and formats do not count. */
  changed: { sheetId: string; rect: Rect };
  selected: { sheetId: string; rect: Rect };
  activated: { sheetId: string };
  added: { sheetId: string };
  deleted: { sheetId: string };
}

export interface Spreadsheet {
  sheets(): SheetInfo[];
  activeSheet(): SheetInfo;
  /** A name that is taken is refused with an Error; without a name, Excel's next "SheetN". */
  addSheet(name?: string): SheetInfo;
  deleteSheet(sheetId: string): void;
  renameSheet(sheetId: string, name: string): void;
  activateSheet(sheetId: string): void;

  selection(): { sheetId: string; rect: Rect };
  select(sheetId: string, rect: Rect): void;

  read(sheetId: string, rect: Rect): CellView[][];
  /**
   * A null cell stays as it is; "" clears. Texts are taken as typed: "=…" is a formula, "06001", "4-12-7" and "50%"
   * become numbers, unless the cell's format is "@" by then or an apostrophe leads.
   */
  writeFormulas(sheetId: string, rect: Rect, rows: (CellValue | null)[][]): void;
  writeNumberFormats(sheetId: string, rect: Rect, rows: (string | null)[][]): void;
  clear(sheetId: string, rect: Rect, what: "all" | "contents" | "formats"): void;
  /** The smallest rectangle that holds every used cell; null on an empty sheet. */
  usedRect(sheetId: string, valuesOnly: boolean): Rect | null;

  applyStyle(sheetId: string, rect: Rect, style: RangeStyle): void;
  readStyle(sheetId: string, row: number, column: number): RangeStyle;
  /** Pixels. */
  columnWidth(sheetId: string, column: number): number;
  setColumnWidth(sheetId: string, column: number, columns: number, width: number): void;
  setRowHeight(sheetId: string, row: number, rows: number, height: number): void;
  autofitColumns(sheetId: string, rect: Rect): void;
  autofitRows(sheetId: string, rect: Rect): void;
  freeze(sheetId: string, rows: number, columns: number): void;

  tables(): TableInfo[];
  /** Refused with an Error when it overlaps another table or the name is taken. */
  addTable(sheetId: string, rect: Rect, name?: string): TableInfo;
  updateTable(tableId: string, change: Partial<Pick<TableInfo, "name" | "rect" | "style">>): void;
  /** Removes the table; with its cells unless `keepCells`. */
  deleteTable(tableId: string, keepCells: boolean): void;

  /**
   * Registers the add-in's functions. While a call is pending its cell shows #BUSY!. `call` receives what one
   * calculation asks for, together; `cancel` those calls whose cells no longer want an answer.
   */
  registerFunctions(
    definitions: FunctionDefinition[],
    bridge: { call(calls: FunctionCall[]): void; cancel(ids: number[]): void },
  ): void;
  /** Ends calls; cells, dependants and spills follow. */
  settle(results: { id: number; result: FunctionResult }[]): void;
  /** Calculates every formula of one sheet, or of all, again; custom functions are called anew. */
  recalculate(sheetId?: string): void;
  /** Resolves when no call is pending and the calculation has come to rest. */
  idle(): Promise<void>;
  /** The message behind a cell's error; null when there is none. */
  errorMessage(sheetId: string, row: number, column: number): string | null;

  on<Name extends keyof SpreadsheetEvents>(
    name: Name,
    listener: (event: SpreadsheetEvents[Name]) => void,
  ): () => void;

  /** What would travel in the file: sheets, cells with their saved values, formats, tables. JSON. */
  save(): unknown;
  /** Replaces the workbook. Saved values stay; only cells saved in an error are calculated again, as in Excel. */
  open(saved: unknown): void;
}
