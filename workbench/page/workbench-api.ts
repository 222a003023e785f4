import type { CalculationMode } from "../host/office-document";
import type { FaultTarget } from "../host/session";
import type { Card, CellValue } from "../spreadsheet";

/**
 * `window.workbench`: the interface by which tests, and developers in the console, drive the workbench. The page defines it once it is
 * set up, when the add-in may still be starting.
 */
export interface WorkbenchApi extends CellsApi {
  /** Resolves when the add-in has started and its functions can be called. Rejects if it does not start. */
  readonly ready: Promise<void>;

  /** The workbook as JSON, with everything that its file holds: cells with their values, formats, tables, settings, custom XML. */
  save(): unknown;
  /**
   * Closes the workbook, opens a saved one and restarts the add-in's page. As in Excel, cells keep their saved values, and only cells
   * that were saved with an error are calculated. Resolves when the add-in has started.
   */
  open(saved: unknown): Promise<void>;
  /**
   * Opens the bytes of an .xlsx file in the same way. `name` is the file's name, under which the user saves it later. Rejects with a
   * WorkbookFileError, whose message a user understands, if the file is refused; then nothing has changed.
   */
  openXlsx(bytes: ArrayLike<number>, name?: string): Promise<void>;
  /**
   * The workbook as an .xlsx file. A file that was opened keeps the content that the workbench does not know. Charts, pictures, color
   * scales, filters and protections that were added since are left out. Throws a RangeError if no file can hold the workbook,
   * such as one with a sheet called History.
   */
  saveXlsx(): Uint8Array;
  /** Removes the add-in's page. Its formulas stay in the cells, but nothing calculates them. */
  close(): void;
  /**
   * Starts over as if this page were loaded again: opens an empty workbook, requests the setup from the server again, and fills the
   * workbook by the setup and the page's address. The browser's storage is kept. Resolves when the add-in has started.
   */
  startAgain(): Promise<void>;

  readonly pane: { readonly visible: boolean; show(visible: boolean): void };
  /** Presses a button of the ribbon or of the cells' menu by its id in the manifest. Resolves when its command has completed. */
  press(controlId: string): Promise<void>;

  /** Protects a sheet, or removes its protection. */
  protect(sheetName: string, isProtected: boolean): void;
  /** Sets the calculation mode that the add-in reads. */
  setCalculationMode(mode: CalculationMode): void;

  /**
   * Makes requests of the add-in fail with one of Excel's codes: 5004 a cell is being edited, 5012 the session has timed out, 5102 too
   * many requests, 5103 the request is too large, 5104 the answer is too large, 7000 access denied. After `after` requests (default 0)
   * that succeed, `times` requests (default 1) fail. Only requests to `target` count, by default requests to the workbook (`Excel.run`).
   */
  failNext(code: number, times?: number, target?: FaultTarget, after?: number): void;
  /**
   * Lets `after` requests that set properties succeed, and cuts the next one: half of its steps are carried out, and then the add-in's
   * page is removed. Resolves then.
   */
  endDuring(after?: number): Promise<void>;
  /** Requests of the add-in that the workbench does not model, and errors in the workbench itself. */
  readonly problems: readonly string[];
  /** The number of the add-in's calls that have emptied the user's undo list. */
  readonly undoStackCleared: number;
}

/** Addresses look like `A1:J200`, `Sheet1!B2` or `'My sheet'!A1`. An address without a sheet's name is on the active sheet. */
export interface CellsApi {
  /** Enters rows as a user would: "=…" is a formula, and null leaves its cell as it is. The address may name the first cell only. */
  setFormulas(address: string, rows: (CellValue | null)[][]): void;
  /** Does the same as `setFormulas`, as in Excel. Its name shows the reader that the rows hold constants. */
  setValues(address: string, rows: (CellValue | null)[][]): void;
  /** Numbers, texts and booleans. A blank cell is "", and an error is its text, such as "#N/A". */
  getValues(address: string): CellValue[][];
  /** The texts that the cells display. */
  getTexts(address: string): string[][];
  /** The formulas as typed. A cell without a formula gives its value. */
  getFormulas(address: string): CellValue[][];
  /** The message that Excel shows when the mouse rests on a cell with an error; null if there is no message. */
  errorMessage(address: string): string | null;
  /** The card of the data type in a cell, whether a function returned it there or a formula refers to it; null if there is none. */
  card(address: string): Card | null;
  /** The web address of a cell's link; null if it has no link. */
  link(address: string): string | null;
  /** Selects areas of one sheet, as a user does with Ctrl. Without areas it selects no cells, as if a chart or picture were selected. */
  select(...addresses: string[]): void;
  /** Begins or ends editing the first selected cell, as a user does with F2. Excel refuses the add-in's calls during editing. */
  edit(isEditing: boolean): void;
  /** A cell's fill color; null if it has none. */
  fillColor(address: string): string | null;
  /** Fills cells, as a user does. */
  fill(address: string, color: string): void;
  /** Merges cells, as a user does. */
  merge(address: string): void;
  /** Copies a sheet with its tables, as a user does, and returns the copy's name. */
  copySheet(name: string): string;
  sheets(): { name: string; isHidden: boolean }[];
  tables(): { name: string; style: string; address: string }[];
  /** The charts of the whole workbook as displayed: titles, and labels with their numbers. */
  charts(): { sheet: string; title: string; points: [label: string, value: number][] }[];
  pictures(): { sheet: string; altText: string }[];
  /** The addresses of the ranges that have color scales. */
  colorScales(): string[];
  /** True if the row of this cell is hidden, by a filter or otherwise. */
  isRowHidden(address: string): boolean;
  isColumnHidden(address: string): boolean;
  /** The looks that conditional formats give to a cell. */
  conditionalLook(address: string): { fillColor?: string; fontColor?: string; bold?: boolean };
  /** Resolves when no formula is pending. */
  idle(): Promise<void>;
}

declare global {
  interface Window {
    workbench: WorkbenchApi;
  }
}
