import { resolve } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createService } from "../../../reference-service/service";
import { invitingWorkbook, sampleWorkbook } from "../../../scripts/first-workbook/first-workbook";
import { startWorkbench } from "../../../workbench/workbench-server";
import { closeBrowser, openWorkbench, type Workbench } from "../open-workbench";

const key = "demo-national";
let sample: { url: string; close(): Promise<void> };
let own: { url: string; close(): Promise<void> };
let workbench: Workbench;

beforeAll(async () => {
  const service = createService({ month: "after" });
  const served = {
    port: 0,
    addinDir: resolve("dist"),
    pageDir: resolve("build/workbench"),
    mount: (request: Request) => service.fetch(request),
  };
  sample = await startWorkbench({
    ...served,
    setup: () => sampleWorkbook({ baseUrl: new URL(sample.url).origin, key }),
  });
  own = await startWorkbench({ ...served, setup: invitingWorkbook });
});
afterEach(() => workbench.close());
afterAll(async () => {
  await closeBrowser();
  await Promise.all([sample.close(), own.close()]);
});

/** The texts that the cells of a sheet with formulas show, by formula. */
async function shownByFormulas(address: string): Promise<[formula: string, text: string][]> {
  const texts = (await workbench.texts(address)).flat();
  const formulas = await workbench.page.evaluate((at) => window.workbench.getFormulas(at), address);
  return formulas
    .flat()
    .flatMap((formula, index) =>
      String(formula).startsWith("=") ? [[String(formula), texts[index] ?? ""] as [string, string]] : [],
    );
}
const isEmptyOrError = ([, text]: [string, string]) => text === "" || text.startsWith("#");

describe("the workbook that npm start opens", () => {
  it("shows a value in each formula, and where each answer is written; names and headings follow the cells that the user changes", async () => {
    workbench = await openWorkbench({ url: sample.url });
    const shown = await shownByFormulas("Compare!A1:G20");
    expect(shown.length).toBeGreaterThan(50);
    expect(shown.filter(isEmptyOrError)).toEqual([]);

    await workbench.setFormulas("J8", [['=REGDATA.VALUE($A8, C$6:G$6, "citation")']]);
    for (let row = 9; row <= 15; row += 1)
      await workbench.setFormulas(`J${row}`, [[`=REGDATA.VALUE($A${row}, C$6:G$6, "citation")`]]);
    const citations = await workbench.texts("J8:N15");
    expect(citations.flat().filter((text) => text === "" || text.startsWith("#"))).toEqual([]);

    await workbench.setFormulas("A9", [["48201"]]);
    await workbench.setFormulas("C6", [[1091]]);
    expect(await workbench.texts("B9")).toEqual([["Harris County, TX"]]);
    expect(await workbench.texts("C7")).toEqual([["Design Wind Speed"]]);
    expect(await workbench.problems()).toEqual([]);
  });

  it("shows in the pane where the selected cell's answer is written, without a request for that", async () => {
    workbench = await openWorkbench({ url: sample.url });
    const { pane } = workbench;
    await pane.getByRole("tab", { name: "Source", selected: true }).waitFor();
    const card = pane.getByRole("tabpanel");
    await card
      .getByText(/St\.? Louis County/)
      .first()
      .waitFor();
    await card.getByRole("button", { name: "Copy citation" }).waitFor();
    await workbench.values("Compare!A1:G20");
    const requests = workbench.requests.length;

    // A pane that comes back opens the tab for the selected cell; a user who has been in the pane finds it as it was left.
    const show = (isShown: boolean) =>
      workbench.page.evaluate((to) => window.workbench.pane.show(to), isShown);
    const tabOf = [
      { cell: "Compare!A2", tab: "Get data" },
      { cell: "'Last month'!G3", tab: "Source" },
    ];
    // Ten times, because the check of an earlier selection must not win over the check of this one.
    for (const { cell, tab } of Array.from({ length: 10 }, () => tabOf).flat()) {
      await show(false);
      await workbench.select(cell);
      await show(true);
      await pane.getByRole("tab", { name: tab, selected: true }).waitFor();
    }
    await pane.getByRole("tab", { name: "Get data" }).click();
    await show(false);
    await workbench.select("'Last month'!G4");
    await show(true);
    await pane.getByRole("combobox", { name: "Search jurisdictions" }).waitFor();
    expect(workbench.requests).toHaveLength(requests);
  });

  it("shows the question about its formulas, after the report of its import and whenever Refresh all is pressed again", async () => {
    workbench = await openWorkbench({ url: sample.url });
    const { page, pane } = workbench;
    await page.setViewportSize({ width: 1366, height: 700 });
    await workbench.texts("Compare!C8");
    let isRefused = true;
    await page.route("**/v1/**", (route) =>
      isRefused ? route.fulfill({ status: 401, json: {} }) : route.continue(),
    );
    const refreshAll = () => page.evaluate(() => window.workbench.press("RegData.RefreshAll"));
    await refreshAll();
    const question = pane.getByText(/formulas would show an error/);
    const imports = pane.getByRole("region", { name: "Imports in this workbook" });
    const isInSight = () =>
      question.evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      });
    await imports.getByText("Not refreshed. The table shows its earlier answers.").waitFor();
    await expect.poll(isInSight, { timeout: 15_000 }).toBe(true);
    isRefused = false;
    await imports.getByRole("heading", { name: "Imports" }).scrollIntoViewIfNeeded();
    await refreshAll();
    await imports.getByText(/values changed/).waitFor();
    await expect.poll(isInSight, { timeout: 15_000 }).toBe(true);
    await pane.getByRole("button", { name: "Keep their values" }).click();
    await question.waitFor({ state: "detached" });
  });

  it("has an import of last month, in which Refresh all finds some changes", async () => {
    workbench = await openWorkbench({ url: sample.url });
    const before = await workbench.values("'Last month'!A1:Q9");
    await workbench.page.evaluate(() => window.workbench.press("RegData.RefreshAll"));
    // The formulas are refreshed as well as the import, and the pane says so.
    const screen = workbench.pane.getByRole("region", { name: "Imports in this workbook" });
    await screen.getByText(/values changed/).waitFor();
    const after = await workbench.values("'Last month'!A1:Q9");
    const changed = after.flat().filter((value, index) => value !== before.flat()[index]);
    expect(changed.length).toBeGreaterThanOrEqual(5);
    expect(changed.length).toBeLessThanOrEqual(12);
    const news = screen.getByText(`${changed.length} values changed`);
    await news.waitFor();
    await workbench.pane.getByText(/formulas refreshed/).waitFor();
    const isInSight = await news.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });
    expect(isInSight).toBe(true);

    await workbench.page.evaluate(() => window.workbench.press("RegData.RefreshAll"));
    await screen.getByText("Nothing has changed.").waitFor();

    // This device's memory of the last run of that import is not used for the import of a new workbook.
    workbench = await workbench.reopen();
    await workbench.texts("Compare!C8");
    await workbench.page.evaluate(() => window.workbench.press("RegData.RefreshAll"));
    await screen.getByText(`${changed.length} values changed`).waitFor();
  });

  it("on somebody's own service names no jurisdiction, lists the questions and answers what is typed", async () => {
    workbench = await openWorkbench({ url: own.url });
    const shown = await shownByFormulas("A1:E14");
    expect(shown.filter(isEmptyOrError)).toEqual([]);
    expect(await workbench.texts("A12:B13")).toEqual([
      ["Type ID", "Name"],
      ["1001", "Building Code in Force"],
    ]);
    await workbench.setFormulas("B5", [["06001"]]);
    expect((await workbench.texts("B7:B8")).flat()).toEqual(["Alameda County, CA", "Building Code in Force"]);
    const answered = (await workbench.texts("B9:B10")).flat();
    expect(answered.filter((text) => text === "—" || text.startsWith("#"))).toEqual([]);
  });
});
