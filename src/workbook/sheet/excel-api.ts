/** The requirement sets ExcelApi that some of the add-in's features need; without them, the add-in does something simpler. */

/** True if this Excel has a requirement set. */
export type HasExcelApi = (version: string) => boolean;

/** The cells into which results spill. */
export const spills = "1.12";
/** Cards, and numbers with a format, as results of formulas. */
export const dataTypes = "1.16";
/** Resizing a table without moving the cells around it. */
export const tableGrows = "1.13";
/** The single ranges of a result that has cells of several sheets. */
export const rangesOfSheets = "1.12";
/** The cells whose formulas name other cells. */
export const dependentCells = "1.13";
/** The cells that are merged. */
export const mergedCells = "1.13";
/** Notes on cells. */
export const cellNotes = "1.18";
/** A single step of undo for everything that an `Excel.run` does. */
export const undoGroups = "1.20";
/** Numbers with a format and properties that formulas can still calculate with. */
export const numbersWithProperties = "1.19";
