import type { App } from "../app";
import type { NamedConnection } from "../settings/named-connections";
import type { ImportDefaults } from "../settings/import-defaults";
import type { KeptItem } from "../settings/kept-item";
import type { Workbook } from "../workbook/sheet/workbook";

/** What the pane works with: what formulas share, and what they never touch. */
export interface PaneApp extends App {
  workbook: Workbook;
  connections: KeptItem<readonly NamedConnection[]>;
  importDefaults: KeptItem<ImportDefaults | null>;
}
