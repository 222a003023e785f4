import { createRoot } from "react-dom/client";
import type { App } from "../app";
import { Pane } from "./Pane";

/** Shows the task pane in the page's `#pane`. */
export function showPane(app: App, { isInExcel }: { isInExcel: boolean }) {
  const element = document.getElementById("pane");
  if (!element) throw new Error("The page has no #pane");
  createRoot(element).render(<Pane app={app} isInExcel={isInExcel} />);
}
