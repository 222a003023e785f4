import { afterAll, afterEach, describe, expect, it } from "vitest";
import { importFees } from "../imports/import-fees";
import { closeBrowser, openWorkbench, type Workbench } from "../open-workbench";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

const screen = () => workbench.pane.getByRole("tabpanel");
const menu = () => workbench.page.locator(".univer-popup[class*=univer-popup-enter]");
const submenu = () => workbench.page.locator("[data-u-context-menu-submenu]");

interface SavedSheet {
  columnData?: Record<number, { w?: number } | undefined>;
  rowData?: Record<number, { h?: number; ah?: number } | undefined>;
}

/** A cell's rectangle on the page, since the grid is a canvas. Rows and columns count from zero. */
async function cellAt(row: number, column: number) {
  const canvas = (await workbench.page.locator("canvas[id^=univer-sheet-main-canvas]").boundingBox())!;
  const sheet = await workbench.page.evaluate(() => {
    const { grid } = window.workbench.save() as {
      grid: { activeSheetId: string; workbook: { sheets: Record<string, unknown> } };
    };
    return grid.workbook.sheets[grid.activeSheetId] as SavedSheet;
  });
  const width = (at: number) => sheet.columnData?.[at]?.w ?? 88;
  const height = (at: number) => sheet.rowData?.[at]?.h ?? sheet.rowData?.[at]?.ah ?? 20;
  const before = (count: number, size: (at: number) => number) =>
    Array.from({ length: count }, (_, at) => size(at)).reduce((sum, one) => sum + one, 0);
  const left = canvas.x + 46 + before(column, width);
  const top = canvas.y + 20 + before(row, height);
  return { x: left + 20, y: top + 8, right: left + width(column) };
}

async function openWithFormula() {
  workbench = await openWorkbench();
  await workbench.setFormulas("A1", [['=REGDATA.VALUE("06001", 1056)']]);
  await workbench.values("A1");
}

describe("the menu of cells", () => {
  it("has the add-in's entries, which a right-click and a click choose", async () => {
    await openWithFormula();
    const { x, y } = await cellAt(0, 0);
    await workbench.page.mouse.click(x, y, { button: "right" });
    await menu().getByRole("button", { name: "RegData" }).hover();
    const labels = () => submenu().getByRole("button").allTextContents();
    await expect
      .poll(labels)
      .toEqual(["Source of this cell", "Refresh these formulas", "Freeze these formulas"]);
    await submenu().getByRole("button", { name: "Source of this cell" }).click();
    await screen().getByText("Alameda County, CA").waitFor();
  });

  it("opens with Shift+F10, is walked through with the arrows, and Escape leaves it", async () => {
    await openWithFormula();
    const { keyboard } = workbench.page;
    const { x, y } = await cellAt(0, 0);
    await workbench.page.mouse.click(x, y);
    const focused = () => workbench.page.evaluate(() => document.activeElement?.textContent);
    await keyboard.press("Shift+F10");
    await expect.poll(focused).toBe("Copy");
    await keyboard.press("ArrowUp");
    expect(await focused()).toBe("RegData");
    await keyboard.press("ArrowRight");
    await expect.poll(focused).toBe("Source of this cell");
    await keyboard.press("ArrowDown");
    await expect.poll(focused).toBe("Refresh these formulas");
    await keyboard.press("Enter");
    await screen().getByText("1 formula refreshed. Nothing has changed.").waitFor();

    await workbench.page.mouse.click(x, y);
    await keyboard.press("Shift+F10");
    await expect.poll(focused).toBe("Copy");
    await keyboard.press("Escape");
    await expect.poll(() => menu().isVisible()).toBe(false);
    await keyboard.type("42");
    await keyboard.press("Enter");
    expect(await workbench.values("A1")).toEqual([[42]]);
  });

  it("does not offer to freeze panes or to protect cells, which are no matter of a cell's", async () => {
    await openWithFormula();
    const { x, y } = await cellAt(0, 0);
    await workbench.page.mouse.click(x, y, { button: "right" });
    await menu().getByRole("button", { name: "RegData" }).waitFor();
    expect(
      (await menu().getByRole("button").allTextContents()).filter((text) => /freeze|protect/i.test(text)),
    ).toEqual([]);
  });
});

describe("a table", () => {
  it("is sorted from its header, and a refresh finds its rows where they stand then", async () => {
    workbench = await openWorkbench();
    await importFees(workbench, ["06001", "06037", "32003"]);
    const [{ address } = { address: "" }] = await workbench.tables();
    const before = await workbench.values(address);
    const header = before[0]!.indexOf("Name");
    await sortByHeader(header, "Sort Descending");
    const names = () => workbench.values(address).then((rows) => rows.slice(1).map((row) => row[header]));
    expect(await names()).toEqual(["Los Angeles County", "Clark County", "Alameda County"]);
    const whole = (rows: unknown[][]) =>
      rows
        .slice(1)
        .map((row) => row.join("|"))
        .sort();
    expect(whole(await workbench.values(address))).toEqual(whole(before));

    await workbench.page.evaluate(() => window.workbench.press("RegData.RefreshAll"));
    await screen().getByText("Nothing has changed.").first().waitFor();
    expect(await names()).toEqual(["Los Angeles County", "Clark County", "Alameda County"]);
    expect(await workbench.problems()).toEqual([]);
  });

  it("is made of the cells around the selected one by Ctrl+T", async () => {
    workbench = await openWorkbench();
    await workbench.setFormulas("A1", [
      ["Place", "kW"],
      ["Oakland", 7],
      ["Reno", 9],
    ]);
    const { x, y } = await cellAt(1, 0);
    await workbench.page.mouse.click(x, y);
    await workbench.page.keyboard.press("Control+t");
    await workbench.page.getByRole("button", { name: "OK" }).click();
    await expect
      .poll(() => workbench.tables())
      .toEqual([{ name: "Table1", style: "TableStyleMedium2", address: "Sheet1!A1:B3" }]);
  });
});

/** Opens the menu of a column's header of the table at A1, and chooses how to sort. */
async function sortByHeader(column: number, choice: string): Promise<void> {
  const { right, y } = await cellAt(0, column);
  await workbench.page.mouse.click(right - 10, y);
  await workbench.page.getByText(choice).click();
}

describe("a cell that the mouse rests on", () => {
  it("shows its card and no complaint about a number that is stored as text", async () => {
    workbench = await openWorkbench();
    await workbench.setFormulas("A1", [['=REGDATA.CARD("06001", 1057)'], ["'06001"]]);
    await workbench.values("A1");
    const { page } = workbench;
    const { x, y } = await cellAt(0, 0);
    await page.mouse.move(x, y);
    const card = page.getByText("Re-Inspection Fee");
    await card.first().waitFor();
    expect(await page.getByText(/forceStringInfo|stored as text/).count()).toBe(0);
    const geoid = await cellAt(1, 0);
    await page.mouse.move(geoid.x, geoid.y);
    await expect.poll(() => card.count()).toBe(0);
    expect(await page.getByText(/forceStringInfo|stored as text/).count()).toBe(0);
  });
});

describe("the formula bar", () => {
  it("suggests all of the add-in's functions", async () => {
    workbench = await openWorkbench();
    const { x, y } = await cellAt(0, 0);
    await workbench.page.mouse.click(x, y);
    await workbench.page.keyboard.type("=REGDATA.");
    const names = ["AHJ", "AHJS", "CARD", "CATEGORIES", "CHANGED", "CITATION"];
    for (const name of [...names, "COLLECTION", "COLLECTIONS", "MATRIX", "TYPES", "UNITS", "VALUE"])
      await workbench.page.getByText(`REGDATA.${name}`, { exact: true }).first().waitFor();
  });
});
