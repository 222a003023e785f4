import type { Workbench } from "../open-workbench";
import { openJurisdictions, openStep, questionSearch } from "../pane-steps";

/** The steps in which a person chooses under Get data before an import. */

/** Pastes a list of geoIDs, all of which are found; `chosen` is how many jurisdictions are chosen afterwards, earlier ones included. */
export async function pasteGeoids(
  workbench: Workbench,
  geoids: readonly string[],
  chosen = geoids.length,
): Promise<void> {
  await openJurisdictions(workbench);
  const screen = workbench.pane.getByRole("tabpanel");
  await screen.getByRole("button", { name: "Paste a list" }).click();
  await screen.getByRole("textbox", { name: "Names or geoIDs, one per line" }).fill(geoids.join("\n"));
  await screen.getByRole("button", { name: "Add the list" }).click();
  await screen.getByText(new RegExp(`^${chosen} jurisdictions? chosen$`)).waitFor();
}

/** Writes geoIDs into cells of the active sheet and takes them from there; they stay. `first` is the first cell, such as "A1". */
export async function takeGeoids(workbench: Workbench, geoids: readonly string[], first = "A1") {
  const [column = "", row = ""] = first.split(/(?=\d)(?<=\D)/);
  await workbench.setFormulas(
    first,
    geoids.map((geoid) => [`'${geoid}`]),
  );
  await openJurisdictions(workbench);
  await workbench.select(`${first}:${column}${Number(row) + geoids.length - 1}`);
  const screen = workbench.pane.getByRole("tabpanel");
  await screen.getByRole("button", { name: "Use selected cells" }).click();
  await screen.getByText(new RegExp(`^${geoids.length} jurisdictions? chosen$`)).waitFor();
}

/** Chooses a type by its id, or unchooses it. */
export async function toggleType(workbench: Workbench, id: number): Promise<void> {
  const search = await questionSearch(workbench);
  await search.click();
  await search.fill(String(id));
  await workbench.pane.getByRole("menuitemcheckbox", { name: new RegExp(`\\(${id}\\)$`) }).click();
  await search.press("Escape");
}

/** Chooses the types of a category. */
export async function addTypesIn(workbench: Workbench, category: string): Promise<void> {
  await openStep(workbench, "Which questions");
  const screen = workbench.pane.getByRole("tabpanel");
  const lists = screen.getByRole("combobox", { name: "Category, list or collection" });
  await lists.focus();
  const option = lists.locator("option", { hasText: new RegExp(`^${category} \\(\\d+\\)$`) });
  await option.waitFor({ state: "attached" });
  await lists.selectOption({ label: (await option.textContent()) ?? "" });
  await screen.getByRole("button", { name: /^Add \d+ questions?$/ }).click();
}
