import { createRoot } from "react-dom/client";
import type { App } from "../app";
import { createWorkbook } from "../sheet/workbook";
import { Pane } from "./Pane";

/** Shows the task pane in the page's `#pane`. */
export function showPane(
  app: App,
  { isInExcel, excel }: { isInExcel: boolean; excel: () => typeof Excel },
): void {
  const element = document.getElementById("pane");
  if (!element) throw new Error("The page has no #pane");
  createRoot(element).render(
    <Pane app={{ ...app, workbook: createWorkbook(excel, app.hasExcelApi) }} isInExcel={isInExcel} />,
  );
}
