import { pasteGeoids, toggleType } from "./import-steps";
import type { Workbench } from "./open-workbench";

/** Imports the minimum permit fee of jurisdictions onto a new sheet, by the tab Matrix. */
export async function importFees(workbench: Workbench, geoids: readonly string[]): Promise<void> {
  const screen = workbench.pane.getByRole("tabpanel");
  await pasteGeoids(workbench, geoids);
  await toggleType(workbench, 1056);
  await screen.getByRole("button", { name: "Insert on a new sheet" }).click();
  await screen.getByText(new RegExp(`^${geoids.length} jurisdictions? with`)).waitFor();
}
