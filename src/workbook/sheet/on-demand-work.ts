/**
 * Where a table goes besides a cell and a new sheet, notes on its cells, what is read of cells that the user or a formula
 * points at, and what the workbook carries beside them: one script on demand.
 */
export { describeTable, inspectInPlace, prepareInPlace } from "./tables/in-place";
export { writeNotes } from "./tables/notes";
export { inspectBeside, prepareBeside, readListColumn, readSelectedValues } from "./tables/list-column";
export { deletePart, readParts, writePart } from "./parts/saved-parts";
export { readAddresses, readSelectedCell } from "./cells/selected-cell";
