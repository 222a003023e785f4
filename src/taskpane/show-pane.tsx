import { createRoot } from "react-dom/client";
import type { App } from "../app";
import { createWorkbook } from "../sheet/workbook";
import { Pane } from "./Pane";
import type { PaneCommands } from "./pane-command";

/** Shows the task pane in the page's `#pane`. */
export function showPane(
  app: App,
  { isInExcel, excel, commands }: { isInExcel: boolean; excel: () => typeof Excel; commands: PaneCommands },
): void {
  const element = document.getElementById("pane");
  if (!element) throw new Error("The page has no #pane");
  createRoot(element).render(
    <Pane app={{ ...app, workbook: createWorkbook(excel) }} isInExcel={isInExcel} commands={commands} />,
  );
}
