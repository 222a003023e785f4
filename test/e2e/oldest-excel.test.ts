import { readFileSync } from "node:fs";
import { afterAll, afterEach, expect, it } from "vitest";
import { manifestSets } from "../../scripts/office-apis/requirement-sets";
import { importFees } from "./import-fees";
import { closeBrowser, openWorkbench, type Workbench } from "./open-workbench";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

const oldest = manifestSets(readFileSync("manifest.xml", "utf8")).get("ExcelApi") ?? "";

it("the oldest Excel that the manifest admits does all that it can, and is asked for nothing that it lacks", async () => {
  workbench = await openWorkbench({ excelApi: oldest });
  const screen = workbench.pane.getByRole("tabpanel");
  const openTab = (name: string) => workbench.pane.getByRole("tab", { name, exact: true }).click();
  const press = (name: string) => screen.getByRole("button", { name, exact: true }).click();
  const shows = (text: string | RegExp) => screen.getByText(text).first().waitFor();

  await workbench.setFormulas("A1", [['=REGDATA.VALUE("06001", 1056)']]);
  const fee = await workbench.values("A1");
  await importFees(workbench, ["06073", "06037", "32003"]);
  await openTab("Imports");
  await press("Refresh RegData matrix");
  await shows("Nothing has changed.");

  await openTab("Cell");
  await workbench.select("Sheet1!A1");
  await screen.locator('dt:text-is("As published") + dd').waitFor();

  await openTab("Formulas");
  await screen.getByLabel("Formulas in").selectOption({ label: "the workbook" });
  await press("Refresh");
  await shows(/1 formula/);
  await press("Freeze");
  await shows("1 formula frozen: the cells hold plain values now.");
  expect(await workbench.values("Sheet1!A1")).toEqual(fee);
  await press("Unfreeze");
  await shows("1 formula brought back.");

  await openTab("Imports");
  await press("Prepare to share…");
  await press("Prepare");
  const left = screen.getByRole("list", { name: "Not looked into" }).getByRole("listitem");
  await left.first().waitFor();
  expect(await left.allTextContents()).toEqual(["notes", "comments"]);
  expect(await workbench.problems()).toEqual([]);
});
