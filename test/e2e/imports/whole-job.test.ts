import {
  chooseReplaced,
  insertBy,
  openJurisdictions,
  openTab,
  runCollection,
  takeMyList,
} from "../pane-steps";
import { readFileSync } from "node:fs";
import { afterAll, afterEach, expect, it } from "vitest";
import { manifestSets } from "../../../scripts/office-members";
import { importFees } from "./import-fees";
import { toggleType } from "./import-steps";
import {
  closeBrowser,
  openWorkbench,
  type OpenOptions,
  type Workbench,
  workbenchUrl,
} from "../open-workbench";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

const oldest = manifestSets(readFileSync("manifest.xml", "utf8")).get("ExcelApi") ?? "";

/** In Node every combination is played, and every request refused once: test/excel/whole-job.test.ts. */
const excels: [OpenOptions & { excelApi: string }, canReplace: boolean][] = [
  [{ excelApi: oldest, customFunctionsRuntime: "1.3" }, false],
  [{ excelApi: "1.15", customFunctionsRuntime: "1.4" }, true],
  [{ excelApi: "1.20", customFunctionsRuntime: "1.4", undo: "desktop", isPaced: true }, true],
];

/** One below the other, each with room for what it spills. */
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

it.each(excels)("the whole job in %j is done, and leaves nothing behind", async (excel, canReplace) => {
  workbench = await openWorkbench({ ...excel, key: null });
  const { pane, page } = workbench;
  const screen = pane.getByRole("tabpanel");
  // The job is done in the oldest browser, too: see lackWhatIsNewer.
  expect(await pane.locator("body").evaluate(() => "any" in AbortSignal || "canParse" in URL)).toBe(false);
  const press = (name: string) => screen.getByRole("button", { name, exact: true, disabled: false }).click();
  const shows = (text: string | RegExp) => screen.getByText(text).first().waitFor();

  await pane.getByLabel("Service address").fill(workbenchUrl());
  await pane.getByLabel("API key").fill("demo-national");
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
  const hasCards = excel.customFunctionsRuntime === "1.4" && excel.excelApi === "1.20";
  expect((await workbench.card(`H${rowOf(3)}`)) !== null).toBe(hasCards);

  await importFees(workbench, ["06073", "06037", "32003"]);
  await workbench.select("Sheet1!B2");
  await workbench.setFormulas("Sheet1!C4", [["given up"]]);
  await insertBy(workbench, "Insert at the selected cell");
  await press("Overwrite");
  await shows(/3 jurisdictions with \d values in Sheet1!B2:G5/);
  await workbench.setFormulas("Sheet1!A20", [["geoID"], ["'06073"], ["'32003"]]);
  await workbench.select("Sheet1!A20:A22");
  await takeMyList(workbench);
  await press("Add columns");
  await shows(/2 jurisdictions with \d values in Sheet1!B20:C22/);
  if (canReplace) {
    await toggleType(workbench, 1003);
    await chooseReplaced(workbench, /./);
    await press("Replace the import");
    await shows(/3 jurisdictions with \d values/);
  }
  await openJurisdictions(workbench);
  await runCollection(workbench, "Zoning");
  // Half-way one is refused, and leaves nothing.
  const before = await page.evaluate(() => [window.workbench.sheets(), window.workbench.tables()]);
  await page.evaluate(() => window.workbench.failNext(7000, 1, "workbook", 5));
  await press("Insert on a new sheet");
  await shows(/Excel does not allow this here/);
  expect(await page.evaluate(() => [window.workbench.sheets(), window.workbench.tables()])).toEqual(before);
  await press("Insert on a new sheet");
  await shows(/3 jurisdictions with \d+ values/);

  await openTab(workbench, "In this workbook");
  await workbench.setFormulas("'Minimum Permit Fee'!E2", [["typed over"]]);
  await press("Refresh all");
  await shows("You edited this cell");
  await press("Highlight changes");
  await press("Remove highlights");
  await press("Use the service’s value");
  await expect
    .poll(async () => (await workbench.values("'Minimum Permit Fee'!E2"))[0]?.[0])
    .not.toBe("typed over");

  // While a cell is being edited, Excel takes no call: what is asked waits, and is then done.
  await page.evaluate(() => window.workbench.edit(true));
  await openTab(workbench, "In this workbook");
  await screen.getByLabel("Formulas in").selectOption({ label: "the workbook" });
  await press("Refresh");
  await page.evaluate(() => window.workbench.edit(false));
  await shows(/12 formulas/);
  await press("Freeze");
  // The last office.js on npm can't read data types (no Range.valuesAsJson): dates of their own format stay formulas.
  const frozen = hasCards ? 11 : 12;
  await shows(`${frozen} formulas frozen: the cells hold plain values now.`);
  await press("Unfreeze");
  await shows(`${frozen} formulas brought back.`);

  await openTab(workbench, "In this workbook");
  await press("Prepare to share…");
  await press("Prepare");
  await shows("RegData never checks");
  expect(await screen.getByRole("list", { name: "Not checked" }).count()).toBe(0);

  const sheets = await page.evaluate(() => window.workbench.sheets());
  const hidden = sheets.filter(({ isHidden }) => isHidden);
  expect([hidden, sheets.map(({ name }) => name)]).toEqual([
    [],
    ["Sheet1", "Minimum Permit Fee", "3 jurisdictions, Zoning"],
  ]);
  expect(await workbench.tables()).toHaveLength(4);
  expect(await workbench.problems()).toEqual([]);
});
