import { afterAll, afterEach, expect, it } from "vitest";
import { closeBrowser, openWorkbench, type Workbench } from "../open-workbench";
import { openTab } from "../pane-steps";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

it("the pane lists what the workbook uses, goes to the first cell of a place, and writes the list to a sheet", async () => {
  workbench = await openWorkbench();
  const { pane } = workbench;
  await workbench.setFormulas("A1", [["06001"]]);
  await workbench.setFormulas("C3", [['=REGDATA.VALUE(A1,1003)&REGDATA.VALUE("46113",1003)']]);
  await workbench.values("C3");
  await openTab(workbench, "In this workbook");
  const section = pane.getByRole("region", { name: "What this workbook uses" });
  await section.getByRole("button", { name: "Show what it uses" }).click();
  await section
    .getByRole("status")
    .filter({
      hasText: "2 places and 1 question in 1 formula and 0 imports. 1 place is not in the directory.",
    })
    .waitFor();
  const gone = section.getByRole("list", { name: "Gone" });
  expect(await gone.innerText()).toMatch(/^Sheet1!C3 46113: 1 formula\..*46102/);
  await gone.getByRole("button", { name: "Sheet1!C3" }).click();
  await section.getByText("Places: 2").click();
  expect(await section.getByRole("list", { name: "Places" }).innerText()).toContain(
    "Alameda County, CA (06001): 1 formula",
  );
  await section.getByRole("button", { name: "As a sheet" }).click();
  await section.getByRole("status").filter({ hasText: "Written to Uses!A1:J4." }).waitFor();
  const sheet = await workbench.values("Uses!A2:G3");
  expect(sheet.map(([kind, , code, , , where, standing]) => [kind, code, where, standing])).toEqual([
    ["Place", "06001", "Sheet1!C3", "In the directory"],
    ["Place", "46113", "Sheet1!C3", "Not in the directory"],
  ]);
  expect(await workbench.problems()).toEqual([]);
}, 120_000);
