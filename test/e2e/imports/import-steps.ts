import type { Workbench } from "../open-workbench";

/** What a user does on the tabs Matrix and Collection before an import. */

/** Pastes a list of geoIDs, all of which are found; with those chosen before, `chosen` are chosen then. */
export async function pasteGeoids(
  { pane }: Workbench,
  geoids: readonly string[],
  chosen = geoids.length,
): Promise<void> {
  const screen = pane.getByRole("tabpanel");
  await screen.getByRole("button", { name: "Paste a list" }).click();
  await screen.getByRole("textbox").last().fill(geoids.join("\n"));
  await screen.getByRole("button", { name: "Add the list" }).click();
  await screen.getByText(new RegExp(`^${chosen} jurisdictions? chosen$`)).waitFor();
}

/** Takes geoIDs from cells of the active sheet, where they are left; `first` is such as "A1". */
export async function takeGeoids(workbench: Workbench, geoids: readonly string[], first = "A1") {
  const [column = "", row = ""] = first.split(/(?=\d)(?<=\D)/);
  await workbench.setFormulas(
    first,
    geoids.map((geoid) => [`'${geoid}`]),
  );
  await workbench.select(`${first}:${column}${Number(row) + geoids.length - 1}`);
  const screen = workbench.pane.getByRole("tabpanel");
  await screen.getByRole("button", { name: "Take selected cells" }).click();
  await screen.getByText(new RegExp(`^${geoids.length} jurisdictions? chosen$`)).waitFor();
}

/** Chooses a type by its id, or chooses it no longer. */
export async function toggleType({ pane }: Workbench, id: number): Promise<void> {
  const search = pane.getByRole("tabpanel").getByRole("combobox", { name: "Search data point types" });
  await search.click();
  await search.fill(String(id));
  await pane.getByRole("menuitemcheckbox", { name: new RegExp(`\\(${id}\\)$`) }).click();
  await search.press("Escape");
}

/** Chooses the types of a category. */
export async function addTypesIn({ pane }: Workbench, category: string): Promise<void> {
  const screen = pane.getByRole("tabpanel");
  const lists = screen.getByRole("combobox", { name: "By category or list" });
  await lists.focus();
  const option = lists.locator("option", { hasText: new RegExp(`^${category} \\(\\d+\\)$`) });
  await option.waitFor({ state: "attached" });
  await lists.selectOption({ label: (await option.textContent()) ?? "" });
  await screen.getByRole("button", { name: /^Add \d+ types?$/ }).click();
}
