import { afterAll, afterEach, describe, expect, it } from "vitest";
import { expectScreenHolds } from "../layout/screen-rule";
import { closeBrowser, openWorkbench, type Workbench } from "../open-workbench";
import { openTab } from "../pane-steps";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

const screen = () => workbench.pane.getByRole("tabpanel");
const button = (name: string | RegExp) => screen().getByRole("button", { name });

describe("=REGDATA.FIND in the workbook", () => {
  it("is written with the builder from conditions in cells, spills, and Source knows its cells", async () => {
    workbench = await openWorkbench();
    await workbench.setFormulas("A1:C2", [
      [1057, "at most", 100],
      [1003, "has a value", null],
    ]);
    await workbench.select("E1");
    await openTab(workbench, "Source");
    await button("Write a formula").click();
    await screen().getByLabel("Function").click();
    await workbench.pane.getByRole("option", { name: /^FIND/ }).click();
    await screen()
      .getByText("Choose where to look and the cells with the conditions, or select cells.")
      .waitFor();
    await screen().getByLabel("Where", { exact: true }).selectOption("NV");
    await button("Select cells for Conditions").click();
    await workbench.select("A1:C2");
    await button("Use these cells").click();
    await screen().getByText('=REGDATA.FIND("NV", A1:C2)').waitFor();
    await expectScreenHolds(workbench.page);
    await button("Insert").click();
    await button("Change the formula").waitFor();

    const rows = await workbench.values("E1:G3");
    expect(rows[0]).toEqual([expect.stringMatching(/^Found \d+ \(\d+ not known\)$/), "State", "geoID"]);
    expect(rows[1]).toEqual([expect.any(String), "NV", expect.stringMatching(/^\d+$|^ahj:/)]);
    await workbench.select("E2");
    await screen().getByText(String(rows[1]?.[0])).first().waitFor();
  });
});
