import { afterEach, describe, expect, it } from "vitest";
import { openStep, openTab } from "../pane-steps";
import { expectScreenHolds } from "../layout/screen-rule";
import { tableFile } from "../../xlsx/table-file";
import type { CellValue } from "../../../workbench/spreadsheet";
import { openWorkbench, type Workbench } from "../open-workbench";

let workbench: Workbench;
afterEach(() => workbench.close());

const projects = [
  ["Project", "City", "State", "Elec. code", "permit fee $", "review (days)", "Notes"],
  ["Roof", "Clark County", "NV", "", "", "", "call first"],
  ["Field", "Lane County", "Oregon", "", "I asked: 90", "", ""],
  ["Barn", "Baldwin County", "AL", "", "", "", ""],
];

/** Opens a workbook with a table, and goes from its list of places, which begins at an address, to its columns. */
async function columnsOf(rows: CellValue[][], list: string, matched: RegExp) {
  const { pane } = workbench;
  await workbench.openXlsx(tableFile("Mine", rows), "mine.xlsx");
  await openTab(workbench, "Get data");
  await openStep(workbench, "Which places");
  await pane.getByRole("radio", { name: "in my list" }).check();
  await workbench.select(list);
  await pane.getByRole("button", { name: "Use selected cells" }).click();
  await pane.getByText(matched).waitFor();
  await openStep(workbench, "Which questions");
  return pane.getByRole("region", { name: "Your columns" });
}

describe("a table of one's own", () => {
  it("gets the answers that its headers mean, in its own columns, and a refresh finds them again", async () => {
    workbench = await openWorkbench();
    const { pane } = workbench;
    const mine = await columnsOf(projects, "B2", /^All 3 rows of .* matched/);
    await mine.getByRole("group", { name: "Elec. code" }).getByText("has all words of the header").waitFor();
    const isChosen = (header: string) => mine.getByRole("checkbox", { name: header }).isChecked();
    expect(await Promise.all(["Elec. code", "permit fee $", "review (days)", "Notes"].map(isChosen))).toEqual(
      [...[true, false, true, false]],
    );
    // A column with something in it is the user's to choose.
    await mine.getByRole("checkbox", { name: "permit fee $" }).check();
    await pane.getByRole("button", { name: "Fill 3 columns" }).click();
    await pane.getByText(/^Filled in “.*”: /).waitFor();
    const rows = await workbench.values("A1:H4");
    expect(rows[0]).toEqual([...projects[0]!, "AHJ ID"]);
    expect(rows.slice(1).map((row) => row[3])).toEqual([
      expect.stringMatching(/NEC|NFPA/),
      expect.stringMatching(/NEC|NFPA/),
      expect.stringMatching(/NEC|NFPA/),
    ]);
    expect([rows[2]![4], rows[1]![6]]).toEqual(["I asked: 90", "call first"]);
    await pane.getByText("I asked: 90").first().waitFor();
    await expectScreenHolds(workbench.page);
    await openTab(workbench, "In this workbook");
    await pane
      .getByRole("button", { name: /^Refresh (?!all)/ })
      .first()
      .click();
    await pane.getByText(/Nothing has changed/).waitFor();
    expect(await workbench.values("A1:H4")).toEqual(rows);
  });

  it("is compared with the service, and changed only when the user asks for it", async () => {
    workbench = await openWorkbench();
    const own = [
      ["County", "State", "Minimum permit fee ($)", "Elec. code"],
      ["Clark County", "NV", 1, ""],
      ["Lane County", "OR", 2, "my own words"],
      ["Nowhere", "AL", 3, ""],
    ];
    const mine = await columnsOf(own, "A2", /^2 of 3 rows/);
    await mine.getByRole("checkbox", { name: "Minimum permit fee ($)" }).check();
    await mine.getByRole("checkbox", { name: "Elec. code" }).check();
    await mine.getByRole("button", { name: "Compare what stands there" }).click();
    await mine
      .getByText(
        "0 cells equal, 2 different, 1 for which the service has no value, 1 blank, 1 row whose place is not clear.",
      )
      .waitFor();
    expect(await workbench.values("A1:D4")).toEqual(own);
    const differ = mine.getByRole("list", { name: "Differ" }).getByRole("listitem");
    expect(await differ.count()).toBe(3);
    await expectScreenHolds(workbench.page);
    await mine.getByRole("button", { name: "As a sheet" }).click();
    await mine.getByText(/^Written to Differences/).waitFor();
    await mine.getByRole("button", { name: "Highlight them" }).click();
    await mine.getByRole("button", { name: "Remove highlights" }).click();
    await mine.getByRole("button", { name: "Highlight them" }).waitFor();
    await mine.getByRole("button", { name: "Use the service’s 2 values" }).click();
    await mine.getByText("2 replaced. Compare again to see what is left.").waitFor();
    const [clark, lane, nowhere] = (await workbench.values("Sheet1!A2:D4")) as unknown[][];
    expect(nowhere).toEqual(own[3]);
    // A cell for which the service has no value stays the user's.
    expect([clark![2], clark![3], lane![2]]).toEqual([expect.any(Number), "", 2]);
    expect(clark![2]).not.toBe(1);
    expect(lane![3]).toMatch(/NEC|NFPA/);
    await mine.getByRole("button", { name: "Compare what stands there" }).click();
    await mine.getByText(/^2 cells equal, 1 for which the service has no value, 1 blank/).waitFor();
  });

  it("becomes live formulas, which Excel calculates anew when a place is changed", async () => {
    workbench = await openWorkbench();
    const { pane } = workbench;
    const own = [
      ["County", "State", "Minimum permit fee ($)"],
      ["Clark County", "NV", 1],
      ["Alameda County", "CA", 2],
    ];
    const mine = await columnsOf(own, "A2", /^All 2 rows/);
    await mine.getByRole("checkbox", { name: "Minimum permit fee ($)" }).check();
    await mine.getByRole("button", { name: "Compare what stands there" }).click();
    await mine.getByRole("button", { name: "Turn 2 cells into live formulas" }).click();
    await mine.getByText("2 cells became formulas.").waitFor();
    await expectScreenHolds(workbench.page);
    const live = '=REGDATA.VALUE("ahj:"&[@[AHJ ID]],1056)';
    const formulas = () => workbench.page.evaluate(() => window.workbench.getFormulas("C2:C3"));
    expect(await formulas()).toEqual([[live], [live]]);
    expect(await workbench.values("C2:C3")).toEqual([[95], [30]]);
    const [clark] = (await workbench.values("D2:D3")) as [unknown[], unknown[]];
    await workbench.setFormulas("D3", [[clark[0] as number]]);
    await expect.poll(() => workbench.values("C2:C3")).toEqual([[95], [95]]);
    // The file names the table, and opens with the same formulas.
    await workbench.openXlsx(await workbench.saveXlsx(), "mine.xlsx");
    expect(await formulas()).toEqual([[live], [live]]);
    await workbench.select("C3");
    await openTab(workbench, "Source");
    await pane.getByText("Clark County, NV").first().waitFor();
  });
});
