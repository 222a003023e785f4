import { openTab } from "../pane-steps";
import { pasteGeoids, toggleType } from "./import-steps";
import { openWorkbench, type Workbench } from "../open-workbench";

/** Imports the minimum permit fee of jurisdictions onto a new sheet, with the tab Get data. */
export async function importFees(workbench: Workbench, geoids: readonly string[]): Promise<void> {
  // The pane may have opened on the tab Source.
  await openTab(workbench, "Get data");
  const screen = workbench.pane.getByRole("tabpanel");
  await pasteGeoids(workbench, geoids);
  await toggleType(workbench, 1056);
  await screen.getByRole("button", { name: "Insert on a new sheet" }).click();
  await screen.getByText(new RegExp(`^Inserted: ${geoids.length} jurisdictions?,`)).waitFor();
}

/** The jurisdictions whose fees `importedFile` holds. The second is in the county of demo-county's subscription. */
export const importedGeoids = ["06001", "06073", "32003"];

let imported: Promise<unknown> | undefined;

/** A saved workbook with such an import. A worker makes it once, while no workbench is open. */
export function importedFile(): Promise<unknown> {
  return (imported ??= makeFile());
}

async function makeFile(): Promise<unknown> {
  const workbench = await openWorkbench();
  await importFees(workbench, importedGeoids);
  const file = await workbench.page.evaluate(() => window.workbench.save());
  await workbench.close();
  return file;
}
