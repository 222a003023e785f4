import type { App } from "../app";
import { createImportDefaults, type ImportDefaults } from "../settings/import-defaults";
import type { KeptItem } from "../settings/kept-item";
import { createConnections, type NamedConnection } from "../settings/named-connections";
import { createWorkbook, type Workbook } from "../workbook/sheet/workbook";

/** The app, with the parts that only the pane works with: they come in its script, after the formulas' answers. */
export interface PaneApp extends App {
  workbook: Workbook;
  connections: KeptItem<readonly NamedConnection[]>;
  importDefaults: KeptItem<ImportDefaults | null>;
}

export function createPaneApp(app: App, excel: () => typeof Excel): PaneApp {
  return {
    ...app,
    workbook: createWorkbook(excel, app.hasExcelApi),
    connections: createConnections(app.storage),
    importDefaults: createImportDefaults(app.storage),
  };
}
