import { afterAll, afterEach, describe, expect, it } from "vitest";
import { expectScreenHolds } from "../layout/screen-rule";
import { closeBrowser, openWorkbench, type Workbench } from "../open-workbench";
import { openStep, runCollection } from "../pane-steps";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

const shownScreen = () => workbench.pane.getByRole("tabpanel");
const button = (name: string | RegExp) => shownScreen().getByRole("button", { name });
const shows = (text: string | RegExp) => shownScreen().getByText(text).waitFor();
const press = (key: string) => workbench.page.keyboard.press(key);

// test/engine/lookup/search covers how each kind of name is found; test/taskpane/fill covers pasted lists.
it("jurisdictions are chosen by county, from lists with questions, and by state, by keyboard", async () => {
  workbench = await openWorkbench();
  const field = shownScreen().getByRole("combobox", { name: "Search jurisdictions" });
  await field.click();
  await field.fill("sample hillburg ca");
  const hillburg = (geoid: string) =>
    workbench.pane
      .getByRole("option")
      .filter({ hasText: new RegExp(`Sample Hillburg, \\w[\\w ]+ County, CA · city · ${geoid}`) });
  await hillburg("0690098").waitFor();
  await hillburg("0690295").click();
  // Only places whose geoID does not contain their county are asked for it.
  expect(workbench.requests.filter((request) => /GET \/v1\/ahjs\/\d+$/.test(request))).toHaveLength(5);
  await shows("1 jurisdiction chosen");

  await button("Paste a list").click();
  await shownScreen()
    .getByLabel("Names or geoIDs, one per line")
    .fill(
      "6001\nTravis County, TX\nBaldwin County\nOrleans County\nahj:10243\nNowhere County\n4899999\n6001.5",
    );
  await button("Add the list").click();
  const list = shownScreen().getByRole("list");
  await shownScreen().getByText("1 leading zero put back, such as 6001 → 06001").waitFor();
  await list.filter({ hasText: "Nowhere County (row 6): Nothing was found." }).waitFor();
  await list.filter({ hasText: "4899999 (row 7): The service knows no jurisdiction" }).waitFor();
  await list.filter({ hasText: "6001.5" }).last().waitFor();
  await shownScreen().getByText("1 name found").click();
  await list.filter({ hasText: "Travis County, TX: Travis County, TX (county, 48453)" }).waitFor();
  await shows("3 jurisdictions chosen");
  await expectScreenHolds(workbench.page);

  const question = shownScreen().getByRole("combobox", { name: /Which “Baldwin County”\?/ });
  expect(await question.locator("option").allTextContents()).toEqual([
    "Choose one",
    "Baldwin County, AL · county · 01003",
    "Baldwin County, GA · county · 13009",
  ]);
  await question.selectOption({ label: "Baldwin County, GA · county · 13009" });
  await button("Add this one").focus();
  await press("Enter");
  await button("Remove Baldwin County, GA").waitFor();
  await shownScreen()
    .getByRole("combobox", { name: /Which “Orleans County”\?/ })
    .waitFor();
  await button("Skip").focus();
  await press("Enter");
  await list.filter({ hasText: "Orleans County (row 4): Skipped." }).waitFor();
  const taking = button("Use selected cells");
  expect(await taking.evaluate((node) => node === node.ownerDocument.activeElement)).toBe(true);
  await shows("4 jurisdictions chosen");

  await button("Clear jurisdictions").click();
  const state = shownScreen().getByRole("combobox", { name: "State", exact: true });
  await state.selectOption("CA");
  await button(/^Add all .*jurisdictions of CA$/).click();
  await shows("501 jurisdictions chosen");
  await button("Clear jurisdictions").click();
  // The chosen state decides between namesakes.
  await workbench.setFormulas("A1", [[6001], ["Orleans County"], ["'48453"]]);
  await workbench.select("A1:A3");
  await state.selectOption("VT");
  await taking.click();
  await button("Remove Orleans County, VT").waitFor();
  await shows("3 jurisdictions chosen");
});

describe("questions", () => {
  it("are chosen by category, from a published list, and from a saved selection; a collection shows its own", async () => {
    workbench = await openWorkbench();
    // The catalogue lacks a type of the published list.
    await workbench.page.route("**/v1/data-points/types*", async (route) => {
      const answer = (await (await route.fetch()).json()) as {
        data: { items: { id: number }[]; pagination: { total: number } };
      };
      answer.data.items = answer.data.items.filter(({ id }) => id !== 1002);
      answer.data.pagination.total = answer.data.items.length;
      await route.fulfill({ json: answer });
    });
    const lists = shownScreen().getByRole("combobox", { name: "Category, list or collection" });
    await openStep(workbench, "Which questions");
    await lists.focus();
    await lists.locator("option", { hasText: "Code Adoption (17)" }).waitFor({ state: "attached" });
    await lists.selectOption({ label: "Code Adoption (17)" });
    await button("Add 17 questions").click();
    await shows("17 questions chosen");
    await button("All of them are chosen").waitFor();
    await button("Clear questions").click();
    await lists.selectOption({ label: "Residential solar (53)" });
    await button("Add 52 questions").click();
    await shows("52 questions chosen");
    await shows(/service does not have 1 question of this list/);
    await shownScreen().getByRole("listitem").filter({ hasText: "question 1002" }).waitFor();

    await button("Save this selection…").click();
    await shownScreen().getByLabel("Name of the selection").fill("My list");
    await expectScreenHolds(workbench.page);
    await shownScreen().getByRole("button", { name: "Save", exact: true }).click();
    await button("Delete this selection").waitFor();

    workbench = await workbench.reopen();
    await openStep(workbench, "Which questions");
    await lists.focus();
    await lists.selectOption({ label: "My list (52)" });
    await button("Add 52 questions").click();
    await shows("52 questions chosen");
    await button("Delete this selection").click();
    await lists.locator("option", { hasText: "My list" }).waitFor({ state: "detached" });

    await runCollection(workbench, "Residential solar");
    await shownScreen()
      .getByText(/^It lists \d+ questions$/)
      .click();
    await shows("Electrical Code in Force (1003)");
    await expectScreenHolds(workbench.page);
  });
});
