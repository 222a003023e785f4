import { afterAll, afterEach, describe, expect, it } from "vitest";
import { closeBrowser, openWorkbench, type Workbench } from "../open-workbench";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

const screen = () => workbench.pane.getByRole("tabpanel");
const press = (id: string) => workbench.page.evaluate((control) => window.workbench.press(control), id);
const hidePane = () => workbench.page.evaluate(() => window.workbench.pane.show(false));
const isPaneShown = () => workbench.page.evaluate(() => window.workbench.pane.visible);
const chosenTab = () => workbench.pane.getByRole("tab", { selected: true }).textContent();

describe("the ribbon and the cells' menu", () => {
  it("show the pane and do there what their labels say, the pane closed or open, and do nothing by themselves once connected", async () => {
    workbench = await openWorkbench({ key: null });
    await press("RegData.Freeze");
    await workbench.pane.getByText("Connect to your data service").waitFor();
    await workbench.pane.getByLabel("Service address").fill(new URL(workbench.page.url()).origin);
    await workbench.pane.getByLabel("API key").fill("demo-national");
    await workbench.pane.getByRole("button", { name: "Connect" }).click();
    await workbench.pane.getByRole("tab", { name: "In this workbook" }).waitFor();
    expect(await chosenTab()).toBe("Get data");
    await workbench.setFormulas("A1:A2", [
      ['=REGDATA.VALUE("06001", 1056)'],
      ['=REGDATA.VALUE("06037", 1056)'],
    ]);
    await workbench.values("A1:A2");
    const labels = await workbench.page
      .getByRole("group", { name: "RegData" })
      .getByRole("button")
      .allTextContents();
    expect(labels).toEqual(["RegData", "Refresh all", "Freeze", "Source", "Formula", "Help"]);

    await hidePane();
    await workbench.select("A2");
    await press("RegData.CellSource");
    expect(await isPaneShown()).toBe(true);
    await screen().getByText("Los Angeles County, CA").waitFor();
    expect(await chosenTab()).toBe("Source");

    workbench.requests.length = 0;
    await press("RegData.RefreshThese");
    await screen().getByText("1 formula refreshed. Nothing has changed.").waitFor();
    expect(workbench.requests).toHaveLength(1);

    // Without an import, the command refreshes the formulas.
    await press("RegData.RefreshAll");
    await screen().getByText("2 formulas refreshed. Nothing has changed.").waitFor();
    expect(await chosenTab()).toBe("In this workbook");

    // While one command is under way, another is refused with a message.
    let goOn = () => {};
    const held = new Promise<void>((resolve) => (goOn = resolve));
    await workbench.page.route("**/v1/reports/matrix", async (route) => {
      await held;
      await route.continue();
    });
    await press("RegData.RefreshThese");
    await press("RegData.Freeze");
    await screen()
      .getByText(
        "Freeze was not started, because something else is still running. Choose it again when that is done.",
      )
      .waitFor();
    goOn();
    await screen().getByText("1 formula refreshed. Nothing has changed.").waitFor();
    await workbench.page.unroute("**/v1/reports/matrix");

    await workbench.select("A1");
    await press("RegData.FreezeThese");
    await screen().getByText("1 formula frozen: the cells hold plain values now.").waitFor();
    await workbench.select("A2");
    await press("RegData.Freeze");
    await screen().getByText("1 formula frozen: the cells hold plain values now.").waitFor();
    const inCells = await workbench.page.evaluate(() => window.workbench.getFormulas("A1:A2"));
    expect(inCells.flat().filter((formula) => String(formula).startsWith("="))).toEqual([]);

    await hidePane();
    await press("RegData.Source");
    await screen()
      .getByText(/^Frozen /)
      .waitFor();

    // Whatever the cell holds, the command writes a formula; a formula of the add-in's it changes.
    await workbench.setFormulas("C1", [["=REGDATA.CITATION(B1, 1003)"]]);
    await hidePane();
    await workbench.select("C1");
    await press("RegData.Formula");
    await screen().getByText("Change the formula").waitFor();
    await workbench.select("C2");
    await press("RegData.Formula");
    expect(await screen().getByText("=REGDATA.CITATION(B1, 1003)").count()).toBe(1);
    await screen().getByRole("button", { name: "Close" }).click();
    await workbench.pane.getByRole("tab", { name: "Get data" }).click();
    await screen().getByRole("button", { name: "Write a formula: VALUE, CITATION…" }).click();
    await screen().getByText("Write a formula").waitFor();
    expect(await chosenTab()).toBe("Source");
    await hidePane();
    await workbench.page.locator("[data-control='RegData.OpenPane']").click();
    expect(await isPaneShown()).toBe(true);
    const [help] = await Promise.all([workbench.page.context().waitForEvent("page"), press("RegData.Help")]);
    await help.waitForURL(/help\/help\.html/);
    await help.close();

    // The command is pressed before the pane's script has loaded.
    workbench = await workbench.reopen();
    await press("RegData.Source");
    await workbench.pane.getByRole("tab", { name: "Source", selected: true }).waitFor();
    expect(await workbench.problems()).toEqual([]);
  });
});
