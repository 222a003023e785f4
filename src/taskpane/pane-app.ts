import type { App } from "../app";
import type { Workbook } from "../sheet/workbook";

/** What the pane works with: what formulas share, and the workbook, which they never touch. */
export interface PaneApp extends App {
  workbook: Workbook;
}
