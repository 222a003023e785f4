import { afterAll, afterEach, describe, expect, it } from "vitest";
import { formulaValue } from "../../../src/workbook/sheet/values/cell-value";
import { expectScreenHolds } from "../layout/screen-rule";
import { closeBrowser, openWorkbench, sampleClient, type Workbench } from "../open-workbench";
import { openTab } from "../pane-steps";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

const screen = () => workbench.pane.getByRole("tabpanel");
const button = (name: string | RegExp) => screen().getByRole("button", { name });
const formulas = (address: string) =>
  workbench.page.evaluate((at) => window.workbench.getFormulas(at), address);
const selected = (address: string) =>
  expect.poll(() => screen().getByLabel("Selected").textContent()).toBe(address);
const matrices = () => workbench.requests.filter((request) => request === "POST /v1/reports/matrix");

async function answer(geoid: string, typeId: number) {
  const client = sampleClient();
  const { data: ahj } = await client.resolveGeoid({ geoid });
  const { data } = await client.matrix({ ahj_ids: [ahj.id], data_point_type_ids: [typeId] });
  const [type] = data.data_point_types;
  const raw = data.rows[0]?.values[typeId]?.value ?? "";
  return { ahj, type, raw, shown: formulaValue(raw, type?.unit_of_measure ?? "") };
}

describe("the formula builder", () => {
  it("writes a formula by keyboard, sends nothing until asked, and overwrites nothing without asking", async () => {
    const fee = await answer("06001", 1056);
    workbench = await openWorkbench();
    await workbench.setFormulas("A5:A6", [["'06001"], ["'06037"]]);
    await workbench.setFormulas("E2", [["mine"]]);
    await workbench.select("E2");
    await openTab(workbench, "Source");
    await button("Write a formula").click();
    const { keyboard } = workbench.page;
    // The first field has the focus; the search follows, behind its button.
    await expect.poll(() => workbench.pane.locator("button:focus").textContent()).toBe("VALUE");
    await keyboard.press("Tab");
    await keyboard.press("Tab");
    await keyboard.type("alameda county");
    await workbench.pane.getByRole("option", { name: /^Alameda County, CA · county/ }).waitFor();
    await screen()
      .getByText(/^Loading/)
      .waitFor({ state: "hidden" });
    await keyboard.press("ArrowDown");
    await keyboard.press("Enter");
    await screen().getByText("Alameda County, CA (06001)").waitFor();
    const search = screen().getByRole("combobox", { name: "Questions" });
    await search.focus();
    await keyboard.type("1056");
    await workbench.pane.getByRole("option", { name: /\(1056\)$/ }).waitFor();
    await keyboard.press("ArrowDown");
    await keyboard.press("Enter");
    await screen().getByText('=REGDATA.VALUE("06001", 1056)').waitFor();
    await screen().getByText("Its answer was not asked for yet.").waitFor();
    expect(matrices()).toEqual([]);
    await expectScreenHolds(workbench.page);

    workbench.requests.length = 0;
    await button("Ask the service").focus();
    await keyboard.press("Enter");
    await expect.poll(() => screen().getByLabel("Result").textContent()).toBe(fee.raw);
    expect(workbench.requests).toEqual(["POST /v1/reports/matrix"]);

    await screen().getByLabel("Where no value is recorded, show", { exact: true }).fill('no "fee"');
    await button("Insert").click();
    await screen().getByText("Sheet1!E2 is not empty.").waitFor();
    await button("Cancel").click();
    expect(await formulas("E2")).toEqual([["mine"]]);
    // A selection elsewhere changes nothing until the user takes it.
    await button("Change the cell").click();
    await workbench.select("F2");
    await selected("Sheet1!F2");
    await button("Use this cell").click();
    await screen().getByText("Goes into Sheet1!F2").waitFor();
    await button("Insert").click();
    await button("Change the formula").waitFor();
    expect(await formulas("F2")).toEqual([['=REGDATA.VALUE("06001", 1056, , "no ""fee""")']]);
    expect(await workbench.values("F2")).toEqual([[fee.shown]]);
    expect(workbench.requests).toEqual(["POST /v1/reports/matrix"]);

    // The same cell opens with its arguments. Cells are selected first and then taken, except for the formula's own cell.
    await button("Change the formula").click();
    await screen().getByText("Alameda County, CA (06001)").waitFor();
    await button("Select cells for Jurisdictions").click();
    await screen()
      .getByText(/The formula goes into Sheet1!F2/)
      .waitFor();
    await workbench.select("A5:A6");
    await selected("Sheet1!A5:A6");
    await screen().getByText('=REGDATA.VALUE("06001", 1056, , "no ""fee""")').waitFor();
    await button("Use these cells").focus();
    await keyboard.press("Enter");
    await expect.poll(() => screen().getByLabel("Jurisdictions", { exact: true }).inputValue()).toBe("A5:A6");
    await screen().getByLabel("Show", { exact: true }).selectOption("Status");
    await screen().getByText("2 jurisdictions × 1 question; the first answer:").waitFor();
    await workbench.setFormulas("F3", [["mine"]]);
    await screen().getByLabel("Show", { exact: true }).selectOption("Value");
    await screen()
      .getByText(/^Sheet1!F3 is not empty\. .*#SPILL!/)
      .waitFor();
    await workbench.setFormulas("F3", [[""]]);
    await screen().getByLabel("Show", { exact: true }).selectOption("Status");
    await button("Replace the formula").click();
    await screen().getByText("Sheet1!F2", { exact: true }).waitFor();
    expect(await formulas("F2")).toEqual([['=REGDATA.VALUE(A5:A6, 1056, "status", "no ""fee""")']]);
    expect(await workbench.values("F2:F3")).toEqual([["ok"], ["ok"]]);

    // A formula that the builder cannot show whole is left to Excel.
    await workbench.setFormulas("H1", [['=IFERROR(REGDATA.VALUE("06001", 1056), 0)']]);
    await workbench.select("H1");
    await screen().getByText("Sheet1!H1").waitFor();
    await button("Change the formula").click();
    await screen()
      .getByText(/Change it in Excel’s formula bar/)
      .waitFor();
    await button("Close").click();
    await expect.poll(() => workbench.pane.locator("button:focus").textContent()).toBe("Change the formula");
    expect(await workbench.problems()).toEqual([]);
  });

  it("keeps an unfinished formula while the source of another cell is looked at", async () => {
    workbench = await openWorkbench();
    await workbench.setFormulas("A1:B1", [['=REGDATA.VALUE("06001", 1056)', ""]]);
    await workbench.select("B1");
    await openTab(workbench, "Source");
    await button("Write a formula").click();
    await screen().getByRole("combobox", { name: "Function" }).click();
    await workbench.pane.getByRole("option", { name: /^AHJS\b/ }).click();
    await screen().getByRole("combobox", { name: "State" }).selectOption("CA");
    const written = screen().getByText('=REGDATA.AHJS("CA")');
    await written.waitFor();
    await workbench.select("A1");
    // The tab and the ribbon's button lead to the source, however often.
    for (const showSource of [
      () => openTab(workbench, "Source"),
      () => workbench.page.evaluate(() => window.workbench.press("RegData.Source")),
    ]) {
      await showSource();
      await screen().getByText("Sheet1!A1", { exact: true }).waitFor();
      await screen().getByText("A formula is not finished.").waitFor();
      expect(await written.isVisible()).toBe(false);
      expect(await button("Change the formula").count()).toBe(0);
      await button("Continue").click();
      await written.waitFor();
    }
    await openTab(workbench, "Source");
    await button("Discard").click();
    await button("Change the formula").waitFor();
    expect(await screen().getByText("A formula is not finished.").count()).toBe(0);
    expect(await workbench.problems()).toEqual([]);
  });

  it("knows every function with its arguments, and keeps Insert in reach on a small screen", async () => {
    workbench = await openWorkbench();
    await workbench.page.setViewportSize({ width: 1366, height: 700 });
    await workbench.page.evaluate(() => document.getElementById("pane")?.style.setProperty("width", "320px"));
    await openTab(workbench, "Source");
    await button("Write a formula").click();
    const functionList = screen().getByRole("combobox", { name: "Function" });
    const choose = async (name: string) => {
      await functionList.click();
      await workbench.pane.getByRole("option", { name: new RegExp(`^${name}\\b`) }).click();
    };
    await functionList.click();
    const options = await workbench.pane.locator("[role=option]").count();
    await workbench.page.keyboard.press("Escape");
    expect(options).toBe(14);
    await choose("TYPES");
    const categories = screen().getByRole("combobox", { name: "Category" });
    await categories.focus();
    await categories.locator("option", { hasText: "Inspections" }).waitFor({ state: "attached" });
    await categories.selectOption("Inspections");
    await screen().getByText('=REGDATA.TYPES(, "Inspections")').waitFor();
    await choose("AHJS");
    await screen().getByRole("combobox", { name: "State" }).selectOption("CA");
    await screen().getByLabel("With a header row").uncheck();
    await screen().getByText('=REGDATA.AHJS("CA", , FALSE)').waitFor();
    await choose("CHANGED");
    await screen().getByLabel("Changed since", { exact: true }).fill("2026-03-01");
    await screen().getByText('=REGDATA.CHANGED(, , "2026-03-01")').waitFor();
    const { y = 0, height = 0 } = (await button("Insert").boundingBox()) ?? {};
    expect(height).toBeGreaterThan(0);
    expect(y + height).toBeLessThanOrEqual(700);
  });
});
