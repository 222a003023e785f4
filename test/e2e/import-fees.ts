import type { Workbench } from "./open-workbench";

/** Imports the minimum permit fee of three jurisdictions onto a new sheet, by the tab Matrix. */
export async function importFees({ pane }: Workbench, geoids: readonly string[]): Promise<void> {
  const screen = pane.getByRole("tabpanel");
  await screen.getByRole("button", { name: "Paste a list" }).click();
  await screen.getByRole("textbox").last().fill(geoids.join("\n"));
  await screen.getByRole("button", { name: "Add the list" }).click();
  await screen.getByText("3 jurisdictions chosen").waitFor();
  const search = screen.getByRole("combobox", { name: "Search data point types" });
  await search.click();
  await search.fill("1056");
  await pane.getByRole("menuitemcheckbox", { name: /\(1056\)/ }).click();
  await search.press("Escape");
  await screen.getByRole("button", { name: "Insert on a new sheet" }).click();
  await screen.getByText(/3 jurisdictions with/).waitFor();
}
