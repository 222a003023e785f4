import { afterAll, afterEach, expect, it } from "vitest";
import { closeBrowser, openWorkbench, type Workbench } from "../open-workbench";
import { expectScreenHolds } from "../layout/screen-rule";
import { openTab } from "../pane-steps";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

it("a workbook is put on hold by name, says so on every tab, asks nothing, and is released", async () => {
  workbench = await openWorkbench();
  const { pane } = workbench;
  await workbench.setFormulas("A1", [['=REGDATA.VALUE("06001",1056)']]);
  expect(await workbench.values("A1")).toEqual([[30]]);
  await openTab(workbench, "In this workbook");
  await pane.getByRole("button", { name: "Prepare to share…" }).click();
  const section = pane.getByRole("region", { name: "Hold the values" });
  await section.getByRole("textbox", { name: "Your name" }).fill("Anna");
  await section.getByRole("button", { name: "Put on hold" }).click();
  await section.getByRole("status").filter({ hasText: "On hold. 1 answer of formulas kept" }).waitFor();
  await pane.getByText(/^1 answer of .* included/).waitFor();
  const bar = pane.getByText(/^On hold since .*, by “Anna”: the values stay/);
  await bar.waitFor();
  await pane.getByRole("button", { name: "Back" }).click();
  await expectScreenHolds(workbench.page);
  workbench.requests.length = 0;

  await workbench.setFormulas("A2", [['=REGDATA.VALUE("06001",1003)']]);
  expect(await workbench.values("A2")).toEqual([["#N/A"]]);
  expect(workbench.requests).toEqual([]);
  await openTab(workbench, "Source");
  await bar.waitFor();
  await pane.getByRole("button", { name: "Release" }).click();
  await bar.waitFor({ state: "detached" });
  await workbench.setFormulas("A2", [['=REGDATA.VALUE("06001",1003)']]);
  expect(await workbench.values("A2")).not.toEqual([["#N/A"]]);
  expect(await workbench.problems()).toEqual([]);
}, 120_000);
