import { afterAll, afterEach, describe, expect, it } from "vitest";
import { expectAxeClean } from "../axe";
import { closeBrowser, openWorkbench, type Workbench } from "../open-workbench";
import { openStep, openTab, runCollection } from "../pane-steps";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

const shownScreen = () => workbench.pane.getByRole("tabpanel");
const button = (name: string | RegExp) => shownScreen().getByRole("button", { name });
const options = () => workbench.pane.getByRole("option");

async function search(text: string) {
  const field = shownScreen().getByRole("combobox", { name: "Search jurisdictions" });
  // A click on the open list's field closes it.
  if ((await field.getAttribute("aria-expanded")) !== "true") await field.click();
  await field.fill(text);
}

async function paste(list: string) {
  await button("Paste a list").click();
  await shownScreen().getByLabel("Names or geoIDs, one a line").fill(list);
  await button("Add the list").click();
}

async function expectNoViolations() {
  await expectAxeClean(workbench.page, "[role=tabpanel]:not([hidden])");
}

async function narrow() {
  await workbench.page.evaluate(() => {
    const pane = document.getElementById("pane");
    if (pane) pane.style.width = "320px";
  });
}

async function expectNoSidewaysScroll() {
  const widths = await shownScreen().evaluate((panel) => [panel.clientWidth, panel.scrollWidth] as const);
  expect(widths[0]).toBeLessThanOrEqual(320);
  expect(widths[1]).toBeLessThanOrEqual(widths[0]);
}

const details = () => workbench.requests.filter((request) => /GET \/v1\/ahjs\/\d+$/.test(request));

describe("choosing jurisdictions", () => {
  it("by county, where the geoID tells it and where it does not; from lists, by keyboard and at 320 pixels", async () => {
    workbench = await openWorkbench();
    await search("washington township brown ks");
    await options()
      .filter({ hasText: "Sample Washington Township, Brown County, KS · city · 2001390001" })
      .waitFor();
    expect(details()).toEqual([]);
    await search("sample hillburg ca");
    await options()
      .filter({ hasText: /Sample Hillburg, \w[\w ]+ County, CA · city · 0690098/ })
      .waitFor();
    await options()
      .filter({ hasText: /Sample Hillburg, \w[\w ]+ County, CA · city · 0690295/ })
      .click();
    expect(details()).toHaveLength(5);
    await shownScreen().getByText("1 jurisdiction chosen").waitFor();

    await narrow();
    await paste(
      "6001\nTravis County, TX\nBaldwin County\nOrleans County\nahj:10243\nNowhere County\n48999\n6001.5",
    );
    const list = shownScreen().getByRole("list");
    await list.filter({ hasText: "6001 → 06001" }).waitFor();
    await list.filter({ hasText: "Nowhere County (row 6): Nothing was found." }).waitFor();
    await list.filter({ hasText: "48999 (row 7): The service knows no jurisdiction" }).waitFor();
    await list.filter({ hasText: "6001.5" }).last().waitFor();
    await shownScreen().getByText("1 name found").click();
    await list.filter({ hasText: "Travis County, TX: Travis County, TX (county, 48453)" }).waitFor();
    await shownScreen().getByText("3 jurisdictions chosen").waitFor();
    await expectNoViolations();
    await expectNoSidewaysScroll();

    const question = shownScreen().getByRole("combobox", { name: /Which “Baldwin County”\?/ });
    expect(await question.locator("option").allTextContents()).toEqual([
      "Choose one",
      "Baldwin County, AL · county · 01003",
      "Baldwin County, GA · county · 13009",
    ]);
    await question.selectOption({ label: "Baldwin County, GA · county · 13009" });
    await button("Add this one").focus();
    await workbench.page.keyboard.press("Enter");
    await button("Remove Baldwin County, GA").waitFor();
    await shownScreen()
      .getByRole("combobox", { name: /Which “Orleans County”\?/ })
      .waitFor();
    await button("Skip").focus();
    await workbench.page.keyboard.press("Enter");
    await list.filter({ hasText: "Orleans County (row 4): Several have this name." }).waitFor();
    const focused = await button("Use selected cells").evaluate(
      (node) => node === node.ownerDocument.activeElement,
    );
    expect(focused).toBe(true);
    await shownScreen().getByText("4 jurisdictions chosen").waitFor();
  });

  it("by state, without the whole directory; from the selected cells, with the chosen state deciding between namesakes", async () => {
    workbench = await openWorkbench();
    await shownScreen().getByRole("combobox", { name: "State", exact: true }).selectOption("CA");
    workbench.requests.length = 0;
    await button("Add all jurisdictions of CA").click();
    await shownScreen().getByText("501 jurisdictions chosen").waitFor();
    // The first page, which tells how many there are, and the state's two.
    expect(workbench.requests.filter((request) => request.includes("/v1/ahjs"))).toHaveLength(3);
    await search("orange");
    await options().filter({ hasText: "06059" }).waitFor();
    await shownScreen()
      .getByText(/Loading/)
      .waitFor({ state: "hidden" });
    await button("Add all 501 jurisdictions of CA").waitFor();

    await button("Clear jurisdictions").click();
    await workbench.setFormulas("A1", [[6001], ["Orleans County"], ["'48453"]]);
    await workbench.select("A1:A3");
    await shownScreen().getByRole("combobox", { name: "State", exact: true }).selectOption("VT");
    await button("Use selected cells").click();
    await button("Remove Orleans County, VT").waitFor();
    await shownScreen().getByText("3 jurisdictions chosen").waitFor();
  });
});

describe("choosing types", () => {
  it("by category, from a published list, and from a selection that is kept", async () => {
    workbench = await openWorkbench();
    await narrow();
    // A catalogue that has lost a type of the published list.
    await workbench.page.route("**/v1/data-points/types*", async (route) => {
      const answer = (await (await route.fetch()).json()) as { data: { items: { id: number }[] } };
      answer.data.items = answer.data.items.filter(({ id }) => id !== 1002);
      await route.fulfill({ json: answer });
    });
    const lists = () => shownScreen().getByRole("combobox", { name: "Category, list or collection" });
    await openStep(workbench, "What");
    await lists().focus();
    await lists().locator("option", { hasText: "Code Adoption (17)" }).waitFor({ state: "attached" });
    await lists().selectOption({ label: "Code Adoption (17)" });
    await button("Add 17 questions").click();
    await shownScreen().getByText("17 questions chosen").waitFor();
    await button("All of them are chosen").waitFor();
    await lists().selectOption({ label: "Commercial solar (46)" });
    await button(/^Add \d\d questions$/).click();
    await button("Clear questions").click();
    await lists().selectOption({ label: "Residential solar (53)" });
    await button("Add 52 questions").click();
    await shownScreen().getByText("52 questions chosen").waitFor();
    await shownScreen()
      .getByText(/service does not have 1 question of this list/)
      .waitFor();
    await shownScreen().getByRole("listitem").filter({ hasText: "question 1002" }).waitFor();

    await button("Save this selection…").click();
    await shownScreen().getByLabel("Name of the selection").fill("My list");
    await expectNoViolations();
    await expectNoSidewaysScroll();
    await shownScreen().getByRole("button", { name: "Save", exact: true }).click();
    await button("Delete this selection").waitFor();

    workbench = await workbench.reopen();
    await openStep(workbench, "What");
    await lists().focus();
    await lists().selectOption({ label: "My list (52)" });
    await button("Add 52 questions").click();
    await shownScreen().getByText("52 questions chosen").waitFor();
    await button("Delete this selection").click();
    await lists().locator("option", { hasText: "My list" }).waitFor({ state: "detached" });
  });
});

describe("a collection", () => {
  it("shows what it selects", async () => {
    workbench = await openWorkbench();
    await openTab(workbench, "Get data");
    await runCollection(workbench, "Residential solar");
    await shownScreen()
      .getByText(/^It lists \d+ questions$/)
      .click();
    await shownScreen().getByText("Residential Code in Force (1002)").waitFor();
    await expectNoViolations();
  });
});
