import type { BookContents } from "./book-contents";
import type { Drawings } from "./drawings";
import type { SheetFilters } from "./sheet-filters";
import type { StripShift } from "./line-shift";

/**
 * Everything that the host (office.js's protocol, Rich API, custom functions) asks of a spreadsheet. `grid/` implements
 * it on Univer, whose workbook is the only model: nothing here keeps cells of its own.
 * Rows and columns count from zero. All reads and writes are synchronous. Excel's rules about names and places
 * are the host's to apply: a spreadsheet does as it is told.
 */
export interface Rect {
  row: number;
  column: number;
  rows: number;
  columns: number;
}

/** A cell's value as Excel's `range.values` gives it: "" when blank, errors as their text ("#N/A"). */
export type CellValue = string | number | boolean;

/** The error that a cell shows while it waits for an answer. */
export const PENDING = "#BUSY!";

/** A cell that shows one of these holds an error; there is no other mark for it. */
export const errorTexts: ReadonlySet<string> = new Set([
  ...["#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A", "#SPILL!", "#CALC!"],
  PENDING,
]);

export interface CellView {
  value: CellValue;
  /** As typed, `=…`, in a formula cell; else the value. */
  formula: CellValue;
  /** As displayed. */
  text: string;
  numberFormat: string;
}

/** The formula that a cell holds; undefined for a text that looks like one, which is both value and formula. */
export function formulaIn({ formula, value }: Partial<CellView>): string | undefined {
  return typeof formula === "string" && formula.startsWith("=") && formula !== value ? formula : undefined;
}

export interface SheetInfo {
  id: string;
  name: string;
  /** It has no tab. */
  isHidden: boolean;
}

export interface DefinedName {
  name: string;
  /** With its leading "=". */
  formula: string;
  comment: string;
  /** Null where it is of the whole workbook. */
  sheetId: string | null;
  /** True if Excel's lists leave it out. */
  isHidden?: boolean;
}

export interface TableInfo {
  id: string;
  name: string;
  sheetId: string;
  /** Header row, body and totals row together. */
  rect: Rect;
  /** One of `tableStyles`. */
  style: string;
  /** The user has switched its header row off. */
  hidesHeaders?: boolean;
  /** Its last row is a totals row. */
  showsTotals?: boolean;
}

/** The table styles that can be shown, by Excel's names: one of each kind in black and each color of the theme. */
export const tableStyles = ["Light", "Medium"].flatMap((kind) =>
  Array.from({ length: 7 }, (_, index) => `TableStyle${kind}${index + 1}`),
);

export const horizontalAlignments = ["General", "Left", "Center", "Right", "Justify"] as const;
export const verticalAlignments = ["Top", "Center", "Bottom", "Justify", "Distributed"] as const;

/** Looks that a range can be given; Excel's names and `#RRGGBB`. */
export interface RangeStyle extends FinerLook {
  bold?: boolean;
  italic?: boolean;
  /** Null for the sheet's own. */
  fontColor?: string | null;
  wrapText?: boolean;
  /** Null for none. */
  fillColor?: string | null;
  horizontalAlignment?: (typeof horizontalAlignments)[number];
  verticalAlignment?: (typeof verticalAlignments)[number];
  /** 0 to 250. */
  indentLevel?: number;
}

/** Looks that a cell has only if it was given them. Files are written without them. */
export interface FinerLook {
  fontName?: string;
  /** In points. */
  fontSize?: number;
  underline?: (typeof underlines)[number];
  strikethrough?: boolean;
  /** Degrees from -90 to 90; 180 stands for letters below each other. */
  textOrientation?: number;
  borders?: Partial<Record<BorderSide, CellBorder>>;
  /** The style that the cell was given last; it is not shown. */
  styleName?: string;
  /** A word of `Excel.FillPattern`, which is not shown. */
  fillPattern?: string;
  patternColor?: string;
}

export const underlines = ["None", "Single", "Double"] as const;
export const borderSides = ["top", "bottom", "left", "right"] as const;
export type BorderSide = (typeof borderSides)[number];
export const borderStyles = ["Continuous", "Dash", "DashDot", "DashDotDot", "Dot", "Double"] as const;
export interface CellBorder {
  style: (typeof borderStyles)[number];
  color: string;
}

/** Looks of a cell that can be read. */
export interface CellLook extends FinerLook {
  fillColor: string | null;
  fontColor: string | null;
  bold: boolean;
  italic: boolean;
  wrapText: boolean;
  horizontalAlignment: (typeof horizontalAlignments)[number];
  verticalAlignment: (typeof verticalAlignments)[number];
  indentLevel: number;
}

/** One function as the add-in's functions.json describes it, with the manifest's namespace in front of its name. */
export interface FunctionDefinition {
  id: string;
  /** Full name, such as REGDATA.VALUE. */
  name: string;
  description: string;
  parameters: FunctionParameter[];
  /** Its arguments and results may be data types. */
  usesDataTypes: boolean;
  /** It gives results again and again, until its cell wants no more. */
  isStreaming?: boolean;
  /** It is called anew whenever anything is entered in the workbook. */
  isVolatile?: boolean;
  /** It is told in which cell its formula stands. */
  needsAddress?: boolean;
  /** It is told where its arguments stand. */
  needsParameterAddresses?: boolean;
}

export interface FunctionParameter {
  name: string;
  description: string;
  optional: boolean;
  dimensionality: "scalar" | "matrix";
  /** The values that it takes. Default: any. */
  type?: "any" | "boolean" | "number" | "string";
  /** The last one may stand for any number of arguments. */
  repeating?: boolean;
}

/** An argument's value: a data type as a whole where the function uses them. */
export type FunctionArgument = CellValue | DataType;

/** A value, rows of values, or null where it is omitted. */
export type BoundArgument = FunctionArgument | FunctionArgument[][] | null;

/**
 * One evaluation of a custom function. An omitted argument is null, a blank cell 0; a range is an array of
 * rows; no argument is an error. A range for a scalar parameter becomes one call for each of its cells. A repeating parameter
 * is an array of such arguments.
 */
export interface FunctionCall {
  id: number;
  functionId: string;
  args: (BoundArgument | BoundArgument[])[];
  /** Where the formula stands, such as Prices!F6, if the function is told. */
  address?: string;
  /** Where each argument stands, null for one that is no reference, if the function is told. */
  parameterAddresses?: (string | null)[];
}

/** The end of a call: a scalar, or rows of scalars, all of one length and not empty. An error's text ("#N/A") and message are a value. */
export type FunctionResult = FunctionScalar | FunctionScalar[][];
export type FunctionScalar = CellValue | null | { error: string; message: string } | DataType;

/** A value and how it is shown: `text` instead of it, or by `numberFormat` where the cell's own is General. */
export interface ShownValue {
  value: CellValue;
  numberFormat?: string;
  text?: string;
}

/** One of Excel's data types. Formulas that calculate see its value; those that hand it on keep it whole. */
export interface DataType extends ShownValue {
  /** As the function returned it. */
  object: unknown;
  card?: {
    title: ShownValue;
    subtitle?: ShownValue;
    /** By name; a sublabel follows the value. */
    fields: Record<string, ShownValue & { sublabel?: string }>;
    provider?: string;
  };
}

/** The card of a data type as displayed. */
export interface Card {
  title: string;
  subtitle?: string;
  /** Texts by the fields' names, in their order on the card. */
  fields: Record<string, string>;
  /** Who provides the data. */
  provider?: string;
}

/** Who answers the calls of custom functions. */
export interface FunctionRunner {
  /** Receives what one calculation asks for, together. */
  call(calls: FunctionCall[]): void;
  /** These calls' cells no longer want an answer. */
  cancel(ids: number[]): void;
}

/** A change is what the user or a script entered; results of formulas and formats are none. */
export type SpreadsheetEvent =
  | { kind: "changed"; sheetId: string; rect: Rect }
  | { kind: "selected"; sheetId: string; rects: Rect[] }
  | { kind: "added" | "activated" | "deleted"; sheetId: string }
  /** Not for the tables of a deleted sheet. */
  | { kind: "table-added" | "table-deleted"; sheetId: string; tableId: string; tableName: string }
  /** The user has clicked a cell with the left button, so many points from its upper left corner. */
  | { kind: "clicked"; sheetId: string; row: number; column: number; offsetX: number; offsetY: number }
  /** Formulas have been calculated: their cells. */
  | { kind: "calculated"; sheetId: string; rects(): Rect[] }
  /** Cells were inserted or deleted: what stood in a rectangle stands where `follow` says; null where it is gone. */
  | { kind: "moved"; sheetId: string; follow(rect: Rect): Rect | null };

export interface Spreadsheet {
  sheets(): SheetInfo[];
  addSheet(name: string): SheetInfo;
  deleteSheet(sheetId: string): void;
  /** As long as no formula names it. */
  renameSheet(sheetId: string, name: string): void;
  /** The sheet gets this place in the order of the tabs, counted from zero. */
  moveSheet(sheetId: string, position: number): void;
  activateSheet(sheetId: string): void;
  hideSheet(sheetId: string, isHidden: boolean): void;

  /** The selected areas of the active sheet; none while a chart or a picture is selected. */
  selection(): { sheetId: string; rects: Rect[] };
  /** No area stands for a chart or a picture. */
  select(sheetId: string, rects: Rect[]): void;

  /** Begins to edit the first selected cell, as a user does with F2, or ends that. */
  edit(isEditing: boolean): void;
  /** Undefined while no cell is being edited; else resolves when none is. */
  editingEnds(): Promise<void> | undefined;

  read(sheetId: string, rect: Rect): CellView[][];
  /**
   * A null cell stays as it is; "" clears. Texts are taken as typed: "=…" is a formula, "06001", "4-12-7" and "50%"
   * become numbers, unless the cell's format is "@" by then or an apostrophe leads.
   */
  writeFormulas(sheetId: string, rect: Rect, rows: (CellValue | null)[][]): void;
  writeNumberFormats(sheetId: string, rect: Rect, rows: (string | null)[][]): void;
  clear(sheetId: string, rect: Rect, what: { contents: boolean; formats: boolean }): void;
  /** Contents, formats or both (default), of blank cells too; formulas as they stand there. */
  copy(
    from: { sheetId: string; rect: Rect },
    to: { sheetId: string; row: number; column: number },
    what?: { contents: boolean; formats: boolean },
  ): void;
  /** Each cell keeps what it shows, without its formula or the one that spills into it: as by Paste Values on the cells themselves. */
  keepValues(sheetId: string, rect: Rect): void;
  /** Each row of the rectangle gets what stood in the row that `order` names in its place, counted from the first: contents and looks. */
  reorderRows(sheetId: string, rect: Rect, order: readonly number[]): void;
  /** The same of columns. */
  reorderColumns(sheetId: string, rect: Rect, order: readonly number[]): void;
  /**
   * Inserts blank whole columns before this one. They look like the column before them; cells, tables, merged areas and the
   * references of formulas follow.
   */
  insertColumns(sheetId: string, column: number, count: number): void;
  /** Deletes whole columns; the same follow, and a reference to nothing else is #REF! then. */
  deleteColumns(sheetId: string, column: number, count: number): void;
  /**
   * Moves the cells of a strip from a line to the sheet's end: down or right, or up or left over cells that are lost. Tables and merged
   * areas that lie wholly in the strip, names and the references of formulas follow; a table or merged area that holds the line grows.
   */
  moveCells(sheetId: string, shift: StripShift): void;
  /** The cell whose formula spills into this one; null where none does, and for that cell itself in a cell alone. */
  spillParent(sheetId: string, row: number, column: number): { row: number; column: number } | null;
  /** Where the formula of this cell spills to, with the cell itself; null where it does not. */
  spillOf(sheetId: string, row: number, column: number): Rect | null;
  /** The smallest rectangle that holds every used cell of `within`; null when there is none. */
  usedRect(sheetId: string, valuesOnly: boolean, within: Rect): Rect | null;

  /** As the user does it, over cells of which the first alone holds something. */
  merge(sheetId: string, rect: Rect): void;
  /** Areas of merged cells that the rectangle touches become single cells. */
  unmerge(sheetId: string, rect: Rect): void;
  /** Every area of merged cells. Only the first cell of each holds something. */
  merged(sheetId: string): Rect[];

  /** The cell leads to a web address, or behind "#" to cells of the workbook, and looks so. Null: it leads nowhere, and keeps its look. */
  setLink(
    sheetId: string,
    row: number,
    column: number,
    address: string | null,
    screenTip?: string | undefined,
  ): void;
  /** The text that is shown at a link while the pointer rests there; null without one. */
  linkTip(sheetId: string, row: number, column: number): string | null;
  link(sheetId: string, row: number, column: number): string | null;

  applyStyle(sheetId: string, rect: Rect, style: RangeStyle): void;
  /** A cell's own looks, whatever a table's style adds; null where it has no color of its own. */
  look(sheetId: string, row: number, column: number): CellLook;
  /** In pixels. */
  setColumnWidth(sheetId: string, column: number, columns: number, width: number): void;
  columnWidth(sheetId: string, column: number): number;
  /** In pixels. */
  setRowHeight(sheetId: string, row: number, rows: number, height: number): void;
  rowHeight(sheetId: string, row: number): number;
  autofitColumns(sheetId: string, rect: Rect): void;
  autofitRows(sheetId: string, rect: Rect): void;
  /** So many rows and columns stay in sight; what was frozen before no longer does. */
  freeze(sheetId: string, frozen: { rows: number; columns: number }): void;
  frozen(sheetId: string): { rows: number; columns: number };

  /** True if days are counted from 1904: the workbook's date system. */
  uses1904(): boolean;

  /** The names that the workbook defines. */
  names(): DefinedName[];
  addName(name: DefinedName): void;
  deleteName(name: Pick<DefinedName, "name" | "sheetId">): void;

  tables(): TableInfo[];
  /** Its id, unless one is given, is new. */
  addTable(table: Omit<TableInfo, "id"> & { id?: string }): TableInfo;
  updateTable(
    tableId: string,
    change: Partial<Pick<TableInfo, "name" | "rect" | "style" | "hidesHeaders" | "showsTotals">>,
  ): void;
  /** Its cells stay. */
  deleteTable(tableId: string): void;
  /** Hides the rows whose text in this column, counted from the table's first, is none of these; null: shows them again. */
  filterTable(tableId: string, column: number, texts: readonly string[] | null): void;
  /** The values that `filterTable` was given; null when the column is not filtered by values. */
  tableFilter(tableId: string, column: number): readonly string[] | null;
  /** Filters of sheets over cells that are no table. */
  readonly sheetFilters: SheetFilters;
  /** A filter hides the row, or somebody has hidden it. Its cells are there all the same. */
  isRowHidden(sheetId: string, row: number): boolean;
  /** A filter hides the row: that of a table or of the sheet. */
  isRowFiltered(sheetId: string, row: number): boolean;
  isColumnHidden(sheetId: string, column: number): boolean;
  /** Hides whole rows, or shows those that were hidden in this way again. Filters hide theirs all the same. */
  hideRows(sheetId: string, row: number, rows: number, isHidden: boolean): void;
  hideColumns(sheetId: string, column: number, columns: number, isHidden: boolean): void;

  /** Charts, shapes and color scales that lie over the cells. They are saved with the cells. */
  readonly drawings: Drawings;

  /** Makes the add-in's functions known. While a call is pending its cell shows PENDING. */
  registerFunctions(definitions: FunctionDefinition[], runner: FunctionRunner): void;
  /** Shows 0 in the cells of these calls until they end. */
  showZero(calls: readonly number[]): void;
  /** Ends calls; cells, dependents and spills follow. */
  settle(results: { id: number; result: FunctionResult }[]): void;
  /** Calculates every formula of a sheet, or of these cells, again; custom functions are called anew. */
  recalculate(sheetId: string, within?: Rect): void;
  /** Resolves when the calculation has come to rest; calls may be pending. */
  calculated(): Promise<void>;
  /** Resolves when no call is pending and the calculation has come to rest. */
  idle(): Promise<void>;
  /** The message behind a cell's error; null when there is none. */
  errorMessage(sheetId: string, row: number, column: number): string | null;
  /** The card of the data type that a cell shows; null when there is none. It is saved with the cell. */
  card(sheetId: string, row: number, column: number): Card | null;

  /** Gives the way to stop listening. */
  on(listener: (event: SpreadsheetEvent) => void): () => void;

  /** Everything that the file keeps: sheets, cells with their saved values, formats, tables. JSON. */
  save(): unknown;
  /** Replaces the workbook. Saved values stay; only cells saved in an error are calculated again, as in Excel. */
  open(saved: unknown): void;
  /** All that a file of another kind would carry, drawings apart. */
  contents(): BookContents;
  /** Replaces the workbook by such a file's, in the same way as `open`. */
  openContents(contents: BookContents): void;
}
