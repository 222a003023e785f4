import type { CalculationMode } from "../host/office-document";
import type { FaultTarget } from "../host/session";
import type { Card, CellValue } from "../spreadsheet";

/**
 * `window.workbench`: what a test, or a developer in the console, does with the workbench. It is there when the
 * page has been set up; the add-in may still be starting then.
 */
export interface WorkbenchApi extends CellsApi {
  /** Resolves when the add-in has started and its functions can be called; rejects when it does not start. */
  readonly ready: Promise<void>;

  /** Everything that travels in the file: cells with their values, formats, tables, settings, custom XML. JSON. */
  save(): unknown;
  /**
   * Closes the workbook and opens another. As in Excel, saved values stay and only cells saved in an error are
   * calculated. The add-in's page starts anew; resolves when it has.
   */
  open(saved: unknown): Promise<void>;
  /**
   * The same with the bytes of an .xlsx file. Rejects with a WorkbookFileError, whose message a user understands, where it is
   * refused; then nothing has changed. `name` is that of the file, by which the user saves it.
   */
  openXlsx(bytes: ArrayLike<number>, name?: string): Promise<void>;
  /**
   * The workbook as an .xlsx file. A file that was opened keeps all that the workbench does not know. Charts, pictures,
   * color scales, filters, names and protections that were made since are left out. Throws a RangeError for a workbook that no
   * file can hold, such as one with a sheet called History.
   */
  saveXlsx(): Uint8Array;
  /** Ends the add-in: its page is gone. Its cells stay, and nothing answers them. */
  close(): void;
  /**
   * Begins again as this page itself does, with an empty workbook and what the page's address and the server, asked
   * anew, say to start with; what the browser has stored is left as it is. Resolves when the add-in has started.
   */
  startAgain(): Promise<void>;

  readonly pane: { readonly visible: boolean; show(visible: boolean): void };
  /** Presses a button of the ribbon or of the cells' menu by its id in the manifest; resolves when its command has completed. */
  press(controlId: string): Promise<void>;

  /** Protects a sheet, or ends that. */
  protect(sheetName: string, isProtected: boolean): void;
  /** Sets the calculation mode that the add-in reads. */
  setCalculationMode(mode: CalculationMode): void;

  /**
   * Lets the next requests of the add-in fail as Excel would: 5004 a cell is being edited, 5012 the session has
   * timed out, 5102 too many requests, 5103 the request is too large, 5104 the answer is, 7000 access denied.
   * Once, for `Excel.run` and its like, and beginning with the next, unless told otherwise.
   */
  failNext(code: number, times?: number, target?: FaultTarget, after?: number): void;
  /**
   * After `after` other requests that set something, the next one is cut: half of its steps are carried out, and the add-in's page is
   * gone. Resolves then.
   */
  endDuring(after?: number): Promise<void>;
  /** Requests of the add-in that the workbench does not model, and errors in the workbench itself. */
  readonly problems: readonly string[];
  /** How often a call of the add-in has emptied the list of what the user could undo. */
  readonly undoStackCleared: number;
}

/** Addresses are such as `A1:J200`, `Sheet1!B2` or `'My sheet'!A1`; without a sheet's name, of the active sheet. */
export interface CellsApi {
  /** Enters rows as a user would: "=…" is a formula, null leaves its cell. The address may be the first cell only. */
  setFormulas(address: string, rows: (CellValue | null)[][]): void;
  /** The same as `setFormulas`, as in Excel; says that constants are meant. */
  setValues(address: string, rows: (CellValue | null)[][]): void;
  /** Numbers, texts, true and false; "" is blank; an error is its text, such as "#N/A". */
  getValues(address: string): CellValue[][];
  /** As displayed. */
  getTexts(address: string): string[][];
  /** Formulas as typed; in cells without one, the value. */
  getFormulas(address: string): CellValue[][];
  /** The message that Excel shows when the mouse rests on a cell in error; null when there is none. */
  errorMessage(address: string): string | null;
  /**
   * Excel's card of the data type in a cell, which is a function's result or was handed on by formulas; null when
   * there is none.
   */
  card(address: string): Card | null;
  /** The web address that a cell leads to; null when it leads nowhere. */
  link(address: string): string | null;
  /** Selects these areas of one sheet, as a user does with Ctrl; without any, what a chart or a picture is to the add-in. */
  select(...addresses: string[]): void;
  /** Begins to edit the first selected cell, as a user does with F2, or ends that: Excel takes no call meanwhile. */
  edit(isEditing: boolean): void;
  /** How a cell is filled; null where it is not. */
  fillColor(address: string): string | null;
  /** Fills cells, as a user does. */
  fill(address: string, color: string): void;
  /** Merges cells, as a user does. */
  merge(address: string): void;
  /** Copies a sheet with its tables, as a user does; gives the copy's name. */
  copySheet(name: string): string;
  sheets(): { name: string; isHidden: boolean }[];
  tables(): { name: string; style: string; address: string }[];
  /** Charts of the whole workbook as they are seen: titles, and labels with their numbers. */
  charts(): { sheet: string; title: string; points: [label: string, value: number][] }[];
  pictures(): { sheet: string; altText: string }[];
  /** The addresses of the cells that color scales color. */
  colorScales(): string[];
  /** A filter hides the row of this cell. */
  isRowHidden(address: string): boolean;
  /** Resolves when no formula is pending. */
  idle(): Promise<void>;
}

declare global {
  interface Window {
    workbench: WorkbenchApi;
  }
}
