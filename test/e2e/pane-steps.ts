import type { FrameLocator, Locator } from "@playwright/test";

/** The steps in which a person gets around in the pane. */

export type Tab = "Get data" | "In this workbook" | "Source" | "Settings";

/** Opens a tab; the settings have a button beside the tabs. */
export async function openTab({ pane }: { pane: FrameLocator }, name: Tab): Promise<void> {
  await pane.getByRole(name === "Settings" ? "button" : "tab", { name, exact: true }).click();
}

/** Opens a step of Get data, if it is closed. While an import is changed, all steps are open. */
export async function openStep(
  { pane }: { pane: FrameLocator },
  name: "Which places" | "Which questions" | "Where in the workbook" | "Templates",
): Promise<void> {
  // The tab's panel appears before the script of its screen has loaded.
  await pane.getByRole("tabpanel").getByRole("button").first().waitFor();
  const heading = pane.getByRole("button", { name: new RegExp(`^${name}\\b`) });
  const isClosed = (await heading.count()) > 0 && (await heading.getAttribute("aria-expanded")) === "false";
  if (isClosed) await heading.click();
}

/** Opens the choice of jurisdictions for a new table. */
export async function openJurisdictions(workbench: { pane: FrameLocator }): Promise<void> {
  await openStep(workbench, "Which places");
  const ofItsOwn = workbench.pane.getByRole("radio", { name: "chosen here" });
  if ((await ofItsOwn.count()) > 0) await ofItsOwn.check();
}

/** The field in which questions are searched for. */
export async function questionSearch(workbench: { pane: FrameLocator }): Promise<Locator> {
  await openStep(workbench, "Which questions");
  return workbench.pane.getByRole("tabpanel").getByRole("combobox", { name: "Search questions" });
}

/** Inserts the chosen data by one of the other ways that the menu offers: at the selected cell, or as a file. */
export async function insertBy(
  { pane }: { pane: FrameLocator },
  way: "Insert on a new sheet" | "Insert at the selected cell" | "Add columns" | "Save as CSV",
): Promise<void> {
  await pane.getByRole("button", { name: "Other ways to insert" }).click();
  await pane.getByRole("menuitem", { name: way }).click();
}

/** Presses an action in the menu of an import. */
export async function pressMore(
  { pane }: { pane: FrameLocator },
  name: string | RegExp,
  action: "Change…" | "Rename…" | "Forget",
): Promise<void> {
  await pane.getByRole("button", { name: typeof name === "string" ? `More for ${name}` : name }).click();
  await pane.getByRole("menuitem", { name: action }).click();
}

/** Takes the selected column of the sheet as the list beside which the new columns go. */
export async function takeMyList(workbench: { pane: FrameLocator }): Promise<void> {
  await openStep(workbench, "Which places");
  await workbench.pane.getByRole("radio", { name: "in my list" }).check();
  await workbench.pane.getByRole("button", { name: "Use selected cells" }).click();
}

/** Chooses the import that the next one replaces. */
export async function chooseReplaced(workbench: { pane: FrameLocator }, name: RegExp): Promise<void> {
  await openJurisdictions(workbench);
  await openStep(workbench, "Where in the workbook");
  const place = workbench.pane.getByRole("combobox", { name: "Place" });
  const option = place.locator("optgroup option", { hasText: name }).first();
  await option.waitFor({ state: "attached" });
  await place.selectOption((await option.getAttribute("value")) ?? "");
}

/** Chooses a saved collection to be run as it is. */
export async function runCollection(workbench: { pane: FrameLocator }, name: string): Promise<void> {
  await openStep(workbench, "Which questions");
  const lists = workbench.pane.getByRole("combobox", { name: "Category, list or collection" });
  await lists.focus();
  const option = lists.locator('optgroup[label="Saved collections"] option', { hasText: name });
  await option.waitFor({ state: "attached" });
  await lists.selectOption((await option.getAttribute("value")) ?? "");
  await workbench.pane.getByRole("radio", { name: /^Follow this collection/ }).check();
}
