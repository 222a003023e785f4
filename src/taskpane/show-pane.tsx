import { createRoot } from "react-dom/client";
import type { App } from "../app";
import { Pane } from "./Pane";
import { createPaneApp } from "./pane-app";

export { press } from "./commands";

/** Shows the task pane in the page's `#pane`. */
export function showPane(app: App, isInExcel: boolean): void {
  const element = document.getElementById("pane");
  if (!element) throw new Error("The page has no #pane");
  const paneApp = createPaneApp(app, () => Excel);
  if (isInExcel) void paneApp.workbook.learnDates().catch(() => undefined);
  createRoot(element).render(<Pane app={paneApp} isInExcel={isInExcel} />);
}
