import { createRoot } from "react-dom/client";
import type { App } from "../app";
import { createConnections } from "../settings/named-connections";
import { createImportDefaults } from "../settings/import-defaults";
import { createWorkbook } from "../workbook/sheet/workbook";
import { Pane } from "./Pane";
import type { PaneApp } from "./pane-app";

export { press } from "./commands";

/** Shows the task pane in the page's `#pane`. */
export function showPane(
  app: App,
  { isInExcel, excel }: { isInExcel: boolean; excel: () => typeof Excel },
): void {
  const element = document.getElementById("pane");
  if (!element) throw new Error("The page has no #pane");
  const paneApp: PaneApp = {
    ...app,
    workbook: createWorkbook(excel, app.hasExcelApi),
    connections: createConnections(app.storage),
    importDefaults: createImportDefaults(app.storage),
  };
  createRoot(element).render(<Pane app={paneApp} isInExcel={isInExcel} />);
}
