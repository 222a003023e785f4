import { afterAll, afterEach, expect, it } from "vitest";
import { expectScreenHolds } from "../layout/screen-rule";
import { importedFile, importedGeoids } from "../imports/import-fees";
import { pasteGeoids, toggleType } from "../imports/import-steps";
import { closeBrowser, inTime, openWorkbench, type Workbench } from "../open-workbench";
import { openTab } from "../pane-steps";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

const shownScreen = () => workbench.pane.getByRole("tabpanel");

/** Ends the add-in's page in the middle of a request that writes, and opens another one on the workbook that it has left. */
async function killDuring(work: () => Promise<void>, after = 0): Promise<void> {
  const { page } = workbench;
  await page.evaluate((others) => {
    const ending = window.workbench.endDuring(others);
    Object.assign(window, { ending });
  }, after);
  await work();
  await inTime(
    page.evaluate(() => (window as unknown as { ending: Promise<void> }).ending),
    "the request that writes, in which the page ends",
  );
  await page.evaluate(() => window.workbench.open(window.workbench.save()));
}

it("a refresh whose page dies in its middle is finished from the message that the next page shows", async () => {
  const file = await importedFile();
  workbench = await openWorkbench();
  const { page, pane } = workbench;
  await page.evaluate((saved) => window.workbench.open(saved), file);
  const [table] = await workbench.tables();
  const before = await workbench.values(table!.address);
  await page.route("**/v1/reports/matrix", async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replaceAll(/"value":"\$[\d,.]+"/g, '"value":"$9,999"');
    await route.fulfill({ response: answer, body });
  });
  await killDuring(async () => {
    await openTab({ pane }, "In this workbook");
    await shownScreen().getByRole("button", { name: "Refresh Minimum Permit Fee" }).click();
  });
  const interrupted = pane.getByText(
    /^A refresh of the import “Minimum Permit Fee” began at .* was interrupted\./,
  );
  await interrupted.waitFor();
  await pane.getByText(/a colleague may be doing it right now/).waitFor();
  expect(JSON.stringify(await page.evaluate(() => window.workbench.save()))).not.toContain("demo-national");
  await shownScreen().waitFor();
  await expectScreenHolds(page);
  await pane.getByRole("button", { name: "Finish" }).focus();
  await page.keyboard.press("Enter");
  await shownScreen()
    .getByText(/values? changed\./)
    .waitFor();
  await interrupted.waitFor({ state: "detached" });
  const after = await workbench.values(table!.address);
  expect(after[0]).toEqual(before[0]);
  const fees = (rows: unknown[][]) => rows.slice(1).map((row) => row[4]);
  expect(fees(after)).toEqual(fees(before).map((fee) => (typeof fee === "number" ? 9_999 : fee)));
  expect(fees(after)).not.toEqual(fees(before));
  expect(await workbench.problems()).toEqual([]);
});

it("an import whose page dies in its middle is taken back from the next page's message, without a key too", async () => {
  workbench = await openWorkbench();
  const { page, pane } = workbench;
  const sheets = await page.evaluate(() => window.workbench.sheets());
  await killDuring(async () => {
    await pasteGeoids(workbench, importedGeoids);
    await toggleType(workbench, 1056);
    await shownScreen().getByRole("button", { name: "Insert on a new sheet" }).click();
  });
  expect(await page.evaluate(() => window.workbench.sheets())).toHaveLength(sheets.length + 1);
  await page.evaluate(() => localStorage.clear());
  await page.evaluate(() => window.workbench.open(window.workbench.save()));
  const interrupted = pane.getByText(/^The import “Minimum Permit Fee” began at .* was interrupted\./);
  await interrupted.waitFor();
  await pane.getByRole("textbox", { name: "API key" }).waitFor();
  await expectScreenHolds(page);
  await pane.getByRole("button", { name: "Take back" }).click();
  await pane.getByText("What was written was taken back.").waitFor();
  await interrupted.waitFor({ state: "detached" });
  expect(await page.evaluate(() => window.workbench.sheets())).toEqual(sheets);
  expect(await workbench.tables()).toEqual([]);
  expect(await workbench.problems()).toEqual([]);
});
