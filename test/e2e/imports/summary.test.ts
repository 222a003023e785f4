import { afterAll, afterEach, describe, expect, it } from "vitest";
import { expectScreenHolds } from "../layout/screen-rule";
import { pasteGeoids, toggleType } from "./import-steps";
import { closeBrowser, openWorkbench, type Workbench } from "../open-workbench";
import { openTab } from "../pane-steps";
import { ahjsOf, sample } from "../sample-answers";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

// test/workbook/imports/summary/import-pictures.test.ts covers what is counted.
const geoids = ["06001", "06037", "06059", "06073", "32003"];

describe("the summary of an import", () => {
  it("tells what the table shows, question by question, and asks nothing", async () => {
    workbench = await openWorkbench({ colorScheme: "dark" });
    const screen = workbench.pane.getByRole("tabpanel");
    await pasteGeoids(workbench, geoids);
    for (const id of [1056, 1003]) await toggleType(workbench, id);
    await screen.getByRole("button", { name: "Insert on a new sheet" }).click();
    await screen.getByText(/Inserted: 5 jurisdictions/).waitFor();
    await openTab(workbench, "In this workbook");
    workbench.requests.length = 0;
    const summary = screen.getByText("Summary", { exact: true });
    await summary.click();
    const questions = screen
      .getByRole("list", { name: "Summary of Minimum Permit Fee and 1 more" })
      .locator("> li");
    await expect.poll(() => questions.count()).toBe(2);
    const [fees = "", codes = ""] = await questions.allTextContents();
    expect(fees).toMatch(/\d with a value, \d none/);
    expect(fees).toMatch(/Smallest\$\d.*Largest\$\d/);
    expect(codes).toMatch(/NEC 2020/);
    expect(workbench.requests).toEqual([]);
    await expectScreenHolds(workbench.page);
    expect(await workbench.problems()).toEqual([]);
  });

  it("goes into the workbook: charts, a color scale, the sheet by state and what is missing", async () => {
    workbench = await openWorkbench();
    const { page } = workbench;
    const screen = workbench.pane.getByRole("tabpanel");
    await pasteGeoids(workbench, geoids);
    for (const id of [1056, 1003]) await toggleType(workbench, id);
    await screen.getByRole("button", { name: "Insert on a new sheet" }).click();
    await screen.getByText(/Inserted: 5 jurisdictions/).waitFor();
    const [imported] = await workbench.tables();
    await openTab(workbench, "In this workbook");
    await screen.getByText("Summary", { exact: true }).click();
    workbench.requests.length = 0;

    const press = async (name: string | RegExp) => {
      await screen.getByRole("button", { name }).click();
      await screen.getByRole("button", { name, disabled: false }).waitFor();
    };
    const scale = screen.getByRole("button", { name: /^Color scale: / });
    await scale.click();
    await expect.poll(() => scale.getAttribute("aria-pressed")).toBe("true");
    const [colored = ""] = await page.evaluate(() => window.workbench.colorScales());
    expect(colored).toMatch(/!E2:E6$/);
    await scale.click();
    await expect.poll(() => page.evaluate(() => window.workbench.colorScales())).toEqual([]);

    await screen
      .getByRole("button", { name: /^Medians by state: / })
      .first()
      .click();
    await screen.getByText(/^Inserted beside /).waitFor();
    const [chart] = await page.evaluate(() => window.workbench.charts());
    expect(chart?.title).toMatch(/: median by state$/);
    expect(chart?.points.map(([label]) => label)).toEqual(["CA", "NV"]);
    // The chart is drawn, with its title.
    await page.getByRole("img", { name: chart?.title }).waitFor();

    // The table holds counties of two states only: the map opens with these states, not with the whole country.
    await screen.getByText("Map", { exact: true }).first().click();
    const state = screen.getByRole("combobox", { name: "State" });
    const names = () => state.getByRole("option").allTextContents();
    await expect.poll(names).toEqual(["All", "CA and NV", "CA", "NV"]);
    expect(await state.locator("option:checked").textContent()).toBe("CA and NV");

    await press("Summary as a sheet");
    await screen.getByText(/^Written to Summary!/).waitFor();
    expect((await workbench.values("Summary!A1:D2"))[0]).toEqual([
      ...["Question", "State", "Jurisdictions", "With a value"],
    ]);
    await press("Missing as a sheet");
    await screen.getByText(/^(Written to Missing!|Nothing is missing)/).waitFor();
    expect((await workbench.tables()).map(({ address }) => address)).toContain(imported?.address);
    expect(workbench.requests).toEqual([]);
    await expectScreenHolds(page);
    expect(await workbench.problems()).toEqual([]);
  });

  it("is offered right after the import as far as values are missing, below steps that say the whole choice", async () => {
    const ids = [1056, 1066, 1140, 1150];
    const ahjs = await ahjsOf(geoids);
    const { data } = await sample.matrix({
      ahj_ids: ahjs.map(({ id }) => id),
      data_point_type_ids: ids,
    });
    const missing = data.rows.flatMap(({ ahj, values }) =>
      ids.flatMap((id) => ((values[id]?.value ?? null) === null ? [`${ahj.id} ${id}`] : [])),
    );
    expect(missing.length).toBeGreaterThan(0);
    workbench = await openWorkbench();
    await workbench.page.evaluate(() => (document.getElementById("pane")!.style.width = "320px"));
    const screen = workbench.pane.getByRole("tabpanel");
    await pasteGeoids(workbench, geoids);
    for (const id of ids) await toggleType(workbench, id);
    for (const [title, summary] of [
      ["Which places", /^5 jurisdictions: Alameda County, CA …$/],
      ["Which questions", /^4 questions: Minimum Permit Fee …$/],
      ["Where in the workbook", /^a new sheet, a row per jurisdiction$/],
    ] as const) {
      const boxOf = (text: string | RegExp) =>
        screen.getByRole("heading").getByText(text, { exact: true }).boundingBox();
      const [above, below] = [await boxOf(title), await boxOf(summary)];
      expect(below?.x).toBe(above?.x);
      expect(below?.y).toBeGreaterThanOrEqual((above?.y ?? 0) + (above?.height ?? 0));
    }
    await screen.getByRole("button", { name: "Insert on a new sheet" }).click();
    await screen.getByText(`Without a value: ${missing.length} cell`).waitFor();
    workbench.requests.length = 0;
    await screen.getByRole("button", { name: "Missing as a sheet" }).click();
    await screen.getByText(`Written to Missing!A1:G${missing.length + 1}.`).waitFor();
    const [, ...rows] = await workbench.values(`Missing!A1:G${missing.length + 1}`);
    expect(rows.map((row) => `${String(row[3])} ${String(row[5])}`).toSorted()).toEqual(missing.toSorted());
    expect(workbench.requests).toEqual([]);
    await expectScreenHolds(workbench.page);
  });
});
