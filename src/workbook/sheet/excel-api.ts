/** The requirement sets ExcelApi that some of the add-in's features ask for; without them there is a fallback. */

/** Whether this Excel has a requirement set. */
export type HasExcelApi = (version: string) => boolean;

/** Where results spill to. */
export const spills = "1.12";
/** Cards, and numbers with a format, as results of formulas. */
export const dataTypes = "1.16";
/** A table that is resized, without moving the cells around it. */
export const tableGrows = "1.13";
/** Which cells are merged. */
export const mergedCells = "1.13";
/** Notes on cells. */
export const cellNotes = "1.18";
/** One step of undo for all that an `Excel.run` does. */
export const undoGroups = "1.20";
/** Numbers with a format and properties that can still be calculated with. */
export const numbersWithProperties = "1.19";
