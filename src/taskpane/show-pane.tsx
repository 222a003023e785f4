import { createRoot } from "react-dom/client";
import type { App } from "../app";
import { createWorkbook } from "../sheet/workbook";
import { Pane } from "./Pane";

export { press } from "./commands";

/** Shows the task pane in the page's `#pane`. */
export function showPane(
  app: App,
  { isInExcel, excel }: { isInExcel: boolean; excel: () => typeof Excel },
): void {
  const element = document.getElementById("pane");
  if (!element) throw new Error("The page has no #pane");
  createRoot(element).render(
    <Pane app={{ ...app, workbook: createWorkbook(excel) }} isInExcel={isInExcel} />,
  );
}
