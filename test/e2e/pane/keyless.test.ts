import { afterAll, afterEach, expect, it } from "vitest";
import { importedFile, importedGeoids } from "../imports/import-fees";
import { expectScreenHolds } from "../layout/screen-rule";
import { closeBrowser, openWorkbench, type Workbench, workbenchUrl } from "../open-workbench";
import { openTab } from "../pane-steps";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

const shown = () => workbench.pane.getByRole("tabpanel");
const button = (name: string | RegExp) => workbench.pane.getByRole("button", { name });

it("without a key, the pane shows and changes what the workbook holds, without a request", async () => {
  workbench = await openWorkbench({ key: null });
  await workbench.page.evaluate((saved) => window.workbench.open(saved), await importedFile());
  const { pane } = workbench;
  await workbench.setFormulas("Sheet1!A1:A2", [
    [`=REGDATA.VALUE("${importedGeoids[0]}", 1056)`],
    [`=REGDATA.VALUE("${importedGeoids[0]}", 1003)`],
  ]);
  await pane.getByText("2 formulas are without an answer. Connect to ask the service.").waitFor();
  workbench.requests.length = 0;
  await button("Continue without a key").click();

  const imports = pane.getByRole("region", { name: "Imports in this workbook" });
  await imports.getByText("Connect to refresh.").waitFor();
  expect(await pane.getByRole("button", { name: /^(Refresh .*|Change .*|Retry.*)$/ }).count()).toBe(1);
  await imports.getByText("Summary", { exact: true }).click();
  await imports.getByRole("list", { name: /^Summary of/ }).waitFor();
  await imports.getByText("History", { exact: true }).click();
  await expectScreenHolds(workbench.page);

  const [table] = await workbench.tables();
  const [sheet = "", area = ""] = table!.address.split("!");
  const headers = (await workbench.values(table!.address))[0]!;
  const column = String.fromCharCode(65 + headers.findIndex((header) => /Fee/.test(String(header))));
  await workbench.select(`${sheet}!${column}2`);
  expect(area).toMatch(/^A1:/);
  await openTab(workbench, "Source");
  const [name, state] = (await workbench.values(`${sheet}!A2:B2`))[0]!;
  await shown().getByText(`${name}, ${state}`).waitFor();
  await shown().getByText("Minimum Permit Fee", { exact: true }).waitFor();
  await shown().getByText("This is what the row of the table says. Connect to ask the service.").waitFor();
  await expectScreenHolds(workbench.page);
  await workbench.select("Sheet1!A1");
  await shown()
    .getByText(/RegData is not connected/)
    .waitFor();

  await openTab(workbench, "In this workbook");
  await button("Prepare to share…").click();
  await button(/^Prepare$/).click();
  await pane.getByText("This device keeps no key to look for.").waitFor();
  await expectScreenHolds(workbench.page);
  await openTab(workbench, "Settings");
  await pane.getByRole("region", { name: "Formulas" }).waitFor();
  await button("Connect…").click();
  expect(workbench.requests).toEqual([]);

  await pane.getByLabel("Service address").fill(workbenchUrl());
  await pane.getByLabel("API key").fill("demo-national");
  await button(/^Connect$/).click();
  await openTab(workbench, "In this workbook");
  await button(/^Refresh Minimum/).waitFor();
  expect(await workbench.problems()).toEqual([]);
});
