import { insertBy, openJurisdictions, openStep, openTab, runCollection, takeMyList } from "../pane-steps";
import { readFileSync } from "node:fs";
import { afterAll, afterEach, expect, it } from "vitest";
import { manifestSets } from "../../../scripts/office-members";
import { importFees } from "./import-fees";
import { closeBrowser, openWorkbench, type Workbench, workbenchUrl } from "../open-workbench";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

const oldest = manifestSets(readFileSync("manifest.xml", "utf8")).get("ExcelApi") ?? "";

/** Formulas one below the other, each with room for the cells that it spills into. */
const formulas = [
  '=REGDATA.VALUE("06001", 1056)',
  '=REGDATA.MATRIX("06001", 1003)',
  '=REGDATA.CITATION("06001", 1056)',
  '=REGDATA.CARD("06001", 1057)',
  '=REGDATA.CHANGED("06001", 1003, "2026-01-01")',
  '=REGDATA.AHJ("06001", "county")',
  '=REGDATA.AHJS("NV", "clark")',
  '=REGDATA.TYPES("permit fee")',
  "=REGDATA.CATEGORIES()",
  "=REGDATA.UNITS()",
  "=REGDATA.COLLECTIONS()",
  '=REGDATA.COLLECTION("Zoning", "06001")',
];

// The other browser tests run in the newest Excel. test/excel/whole-job.test.ts plays the versions in between in Node.
it("the whole job in the oldest Excel that the manifest admits is done, and leaves nothing behind", async () => {
  workbench = await openWorkbench({ excelApi: oldest, customFunctionsRuntime: "1.3", key: null });
  const { pane, page } = workbench;
  const screen = pane.getByRole("tabpanel");
  // The page lacks newer features of JavaScript, as the oldest browser does: see lackWhatIsNewer.
  expect(await pane.locator("body").evaluate(() => "any" in AbortSignal || "canParse" in URL)).toBe(false);
  const press = (name: string) => screen.getByRole("button", { name, exact: true, disabled: false }).click();
  const shows = (text: string | RegExp) => screen.getByText(text).first().waitFor();

  await pane.getByLabel("Service address").fill(workbenchUrl());
  await pane.getByLabel("API key").fill("demo-west");
  await pane.getByRole("button", { name: "Connect", exact: true }).click();
  await screen.getByRole("button", { name: "Paste a list" }).waitFor();

  const rowOf = (index: number) => 1 + index * 60;
  for (const [index, formula] of formulas.entries())
    await workbench.setFormulas(`H${rowOf(index)}`, [[formula]]);
  const unanswered: string[] = [];
  for (const [index, formula] of formulas.entries()) {
    const [[text = ""] = []] = await workbench.texts(`H${rowOf(index)}`);
    if (text === "" || text.startsWith("#")) unanswered.push(`${formula} shows ${text}`);
  }
  expect(unanswered).toEqual([]);
  expect(await workbench.card(`H${rowOf(3)}`)).toBeNull();

  await importFees(workbench, ["06073", "06037", "32003"]);
  await workbench.select("Sheet1!B2");
  await workbench.setFormulas("Sheet1!C4", [["given up"]]);
  await insertBy(workbench, "Insert at the selected cell");
  await press("Overwrite");
  await shows(/3 jurisdictions, \d values/);
  await workbench.setFormulas("Sheet1!A20", [["geoID"], ["'06073"], ["'32003"]]);
  await workbench.select("Sheet1!A20:A22");
  await takeMyList(workbench);
  await press("Add columns");
  await shows(/2 jurisdictions, \d values/);
  // Tables do not grow in this Excel, so no import can take another's place.
  await openJurisdictions(workbench);
  await openStep(workbench, "Where in the workbook");
  const places = screen.getByRole("combobox", { name: "Place" });
  await places.waitFor();
  expect(await places.locator("optgroup").count()).toBe(0);
  await runCollection(workbench, "Zoning");
  await press("Insert on a new sheet");
  await shows(/3 jurisdictions, \d+ values/);

  await openTab(workbench, "In this workbook");
  await workbench.setFormulas("'Minimum Permit Fee'!E2", [["typed over"]]);
  await press("Refresh all imports");
  await shows("1 edited cell kept");
  await press("Use the service’s value");
  await expect
    .poll(async () => (await workbench.values("'Minimum Permit Fee'!E2"))[0]?.[0])
    .not.toBe("typed over");

  // While a cell is being edited, Excel takes no call: a request waits, and is then done.
  await page.evaluate(() => window.workbench.edit(true));
  await openTab(workbench, "In this workbook");
  await screen.getByLabel("Formulas in").selectOption({ label: "the workbook" });
  await press("Refresh");
  await page.evaluate(() => window.workbench.edit(false));
  await shows(/12 formulas/);
  await press("Freeze");
  await shows("12 formulas frozen: the cells hold plain values now.");
  await press("Unfreeze");
  await shows("12 formulas brought back.");

  await openTab(workbench, "In this workbook");
  await press("Prepare to share…");
  await press("Prepare");
  await shows("RegData never checks");
  expect(await screen.getByRole("list", { name: "Not checked" }).count()).toBe(0);

  const sheets = await page.evaluate(() => window.workbench.sheets());
  const hidden = sheets.filter(({ isHidden }) => isHidden);
  expect([hidden, sheets.map(({ name }) => name)]).toEqual([[], ["Sheet1", "Minimum Permit Fee", "Zoning"]]);
  expect(await workbench.tables()).toHaveLength(4);
  expect(await workbench.problems()).toEqual([]);
});
