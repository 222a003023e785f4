/** Where a table goes besides a cell and a new sheet, and notes on its cells: one script on demand. */
export { describeTable, inspectInPlace, prepareInPlace } from "./in-place";
export { writeNotes } from "./notes";
export { inspectBeside, prepareBeside, readListColumn } from "./list-column";
