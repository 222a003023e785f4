import { afterAll, afterEach, expect, it } from "vitest";
import { expectScreenHolds } from "../layout/screen-rule";
import { closeBrowser, openWorkbench, type Workbench } from "../open-workbench";
import { openTab } from "../pane-steps";
import { importFees } from "./import-fees";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

it("the pane keeps the values on a dated sheet, refreshes, and compares the sheet with the workbook by place and question", async () => {
  workbench = await openWorkbench();
  const { pane, page } = workbench;
  await importFees(workbench, ["06001", "06037", "32003"]);
  const [{ address } = { address: "" }] = await workbench.tables();
  const sheet = address.split("!")[0] ?? "";
  const fees = async () => (await workbench.values(`${sheet}!E2:E4`)).flat();
  const before = await fees();
  // The service raises the fee of one county, and a person has typed over another.
  await page.route(/\/v1\/(reports\/matrix|data-points)/, async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replaceAll(`"$${String(before[0])}"`, '"$9,999"');
    await route.fulfill({ response: answer, body });
  });
  await workbench.setFormulas(`${sheet}!E3`, [["mine"]]);

  await openTab(workbench, "In this workbook");
  const screen = pane.getByRole("region", { name: "Imports in this workbook" });
  await screen.getByText("Dated sheets", { exact: true }).click();
  await screen.getByText("No dated sheets yet to compare with.").waitFor();
  await screen.getByRole("button", { name: "Keep a dated sheet, then refresh" }).click();
  await screen
    .getByRole("status")
    .filter({ hasText: /3 answers kept at 'Values \d{4}-\d\d-\d\d'!A1:L4\./ })
    .waitFor();
  await screen.getByText("1 value changed.").waitFor();
  expect(await fees()).toEqual([9_999, "mine", before[2]]);
  const kept = (await workbench.tables()).find(({ address: at }) => at.startsWith("'Values"))!;
  const rows = await workbench.values(kept.address);
  const value = rows[0]!.indexOf("Value");
  const standing = rows[0]!.indexOf("Standing");
  expect(rows.slice(1).map((row) => [row[value], row[standing]])).toEqual([
    [before[0], ""],
    ["mine", "edited"],
    [before[2], ""],
  ]);

  await screen.getByRole("combobox", { name: "With" }).waitFor();
  await screen.getByRole("button", { name: "Compare", exact: true }).click();
  await screen.getByRole("status").filter({ hasText: "1 value changed; 2 answers the same." }).waitFor();
  const changed = screen.getByRole("list", { name: "Changed", exact: true });
  expect(await changed.innerText()).toMatch(/Alameda County, CA · Minimum Permit Fee: \$[\d,]+.* → \$9,999/);
  await expectScreenHolds(page);
  await screen.getByRole("button", { name: "As a sheet", exact: true }).click();
  await screen
    .getByRole("status")
    .filter({ hasText: /Written to 'Compared .*'!A1:P2\./ })
    .waitFor();
  expect(await workbench.problems()).toEqual([]);
}, 120_000);
