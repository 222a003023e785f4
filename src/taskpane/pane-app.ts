import type { App } from "../app";
import { createImportDefaults, type ImportDefaults } from "../settings/choices/import-defaults";
import type { KeptItem } from "../settings/kept-item";
import { createConnections, type NamedConnection } from "../settings/named-connections";
import { createJobs, type Jobs } from "./jobs/jobs";
import { createUnfinishedBook, type UnfinishedBook } from "../workbook/work-note/unfinished-book";
import { createWorkbook, type Workbook } from "../workbook/sheet/workbook";

/** The app with the parts that only the pane uses. They are in the pane's script, which loads after the formulas' answers. */
export interface PaneApp extends App {
  workbook: Workbook;
  connections: KeptItem<readonly NamedConnection[]>;
  importDefaults: KeptItem<ImportDefaults | null>;
  /** Notes on interrupted work in this workbook; the work of this runtime is noted here, too. */
  unfinished: UnfinishedBook;
  /** The running work of all screens. */
  jobs: Jobs;
}

export function createPaneApp(app: App, excel: () => typeof Excel): PaneApp {
  const workbook = createWorkbook(excel, app.hasExcelApi);
  return {
    ...app,
    workbook,
    unfinished: createUnfinishedBook(workbook),
    jobs: createJobs(),
    connections: createConnections(app.storage),
    importDefaults: createImportDefaults(app.storage),
  };
}
