import { afterAll, afterEach, expect, it } from "vitest";
import { closeBrowser, openWorkbench, type Workbench } from "../open-workbench";
import { openTab } from "../pane-steps";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

it("a sum is followed to its answers: the pane lists them, those without a value first, goes to them and back, and writes them to a sheet", async () => {
  workbench = await openWorkbench();
  const { pane } = workbench;
  await workbench.setFormulas("A1", [
    ['=REGDATA.VALUE("06001",1056)'],
    ['=IFERROR(REGDATA.VALUE("4899999",1056),0)'],
    ["250"],
    ["=SUM(A1:A3)"],
    ["=A4*1.1"],
  ]);
  await workbench.values("A1:A5");
  await openTab(workbench, "Source");
  await workbench.select("A5");
  workbench.requests.length = 0;
  const section = pane.getByRole("region", { name: "Answers in a calculation" });
  await section.getByRole("button", { name: "List its answers" }).click();
  await section
    .getByRole("status")
    .filter({ hasText: "2 answers: 1 has no value. 1 typed number: Sheet1!A3." })
    .waitFor();
  expect(await section.getByRole("list").allInnerTexts()).toEqual([
    expect.stringMatching(/^Sheet1!A2 4899999: Minimum Permit Fee/),
    expect.stringMatching(/^Sheet1!A1 Alameda County, CA: Minimum Permit Fee: \$30\n.*retrieved /s),
    "Sheet1!A3 250",
  ]);

  // The list stays while its cells are looked at.
  await section.getByRole("button", { name: "Sheet1!A1" }).click();
  await pane.getByText("Alameda County, CA (county, 06001)").waitFor();
  await section.getByRole("heading", { name: "Answers in Sheet1!A5" }).waitFor();
  await openTab(workbench, "In this workbook");
  await openTab(workbench, "Source");
  await section.getByRole("button", { name: "Back to the cell" }).click();
  await section.getByRole("button", { name: "List its answers again" }).waitFor();

  await section.getByRole("button", { name: "As a sheet" }).click();
  await section.getByRole("status").filter({ hasText: "Written to Answers!A1:L5." }).waitFor();
  const sheet = await workbench.values("Answers!A1:L5");
  expect(sheet.map((row) => [row[0], row[10]])).toEqual([
    ["Cell", "Standing"],
    ["Sheet1!A5", "Made of the cells below"],
    ["Sheet1!A2", "No value"],
    ["Sheet1!A1", "Current"],
    ["Sheet1!A3", "Typed number"],
  ]);
  expect(workbench.requests).toEqual([]);
  await section.getByRole("button", { name: "Close the list" }).click();
  await section.getByRole("heading").waitFor({ state: "detached" });
  expect(await workbench.problems()).toEqual([]);
}, 120_000);
