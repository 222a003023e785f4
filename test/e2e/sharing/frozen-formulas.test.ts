import { afterAll, afterEach, describe, expect, it } from "vitest";
import { closeBrowser, openWorkbench, type Workbench } from "../open-workbench";
import { openTab } from "../pane-steps";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

const formulasIn = (address: string) =>
  workbench.page.evaluate((at) => window.workbench.getFormulas(at), address);
const press = (name: string) => workbench.pane.getByRole("button", { name, exact: true }).click();
const told = (text: string | RegExp) =>
  workbench.pane.getByRole("status").filter({ hasText: text }).waitFor();

describe("freezing in the workbench", () => {
  it("keeps a result of thousands of rows whole on a slow machine, and brings its formula back", async () => {
    workbench = await openWorkbench();
    // The sheet grows to the rows that the result needs.
    await workbench.setFormulas("Z9000", [["end"]]);
    const states = ["TX", "CA", "NY", "PA", "OH", "IL"].map((state) => `REGDATA.AHJS("${state}")`);
    const formula = `=VSTACK(${states.join(",")})`;
    await workbench.setFormulas("A1", [[formula]]);
    const before = await workbench.values("A1:E8000");
    expect(before.filter(([id]) => id !== "").length).toBeGreaterThan(6_000);
    const machine = await workbench.page.context().newCDPSession(workbench.page);
    await machine.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    await openTab(workbench, "In this workbook");
    await workbench.select("A1");
    await press("Freeze");
    await told("1 formula frozen");
    expect(await workbench.values("A1:E8000")).toEqual(before);
    expect((await formulasIn("A1:E8000")).flat().filter((cell) => String(cell).startsWith("="))).toEqual([]);
    await press("Unfreeze");
    await told("1 formula brought back.");
    expect(await workbench.values("A1:E8000")).toEqual(before);
    expect(await formulasIn("A1")).toEqual([[formula]]);
    await machine.send("Emulation.setCPUThrottlingRate", { rate: 1 });
    expect(await workbench.problems()).toEqual([]);
  }, 240_000);

  it("leaves texts that look like formulas alone, when a workbook is prepared to be shared and unfrozen", async () => {
    workbench = await openWorkbench();
    const text = '=REGDATA.VALUE("06001", 1003)';
    await workbench.setFormulas("A1", [[text], [`'${text}`]]);
    await workbench.values("A1");
    await openTab(workbench, "In this workbook");
    await workbench.select("A2");
    await press("Freeze");
    await told("No REGDATA formulas in the selected cells.");
    await press("Prepare to share…");
    await workbench.pane.getByText("1 formula: updated with the key").waitFor();
    await press("Prepare");
    await told("1 formula frozen");
    await workbench.pane.getByText("1 frozen formula: plain values").waitFor();
    await press("Unfreeze");
    await told("1 formula brought back.");
    expect(await formulasIn("A1:A2")).toEqual([[text], [text]]);
    const [[answer], [stays]] = (await workbench.values("A1:A2")) as [[unknown], [unknown]];
    expect(answer).not.toBe(text);
    expect(stays).toBe(text);
    expect(await workbench.problems()).toEqual([]);
  });
});
