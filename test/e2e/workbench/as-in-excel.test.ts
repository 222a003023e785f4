import { afterAll, afterEach, expect, it } from "vitest";
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

it("the menu of cells has the add-in's entries, by mouse and by keyboard, and nothing of panes or protection", async () => {
  workbench = await openWorkbench();
  await workbench.setFormulas("A1", [['=REGDATA.VALUE("06001", 1056)']]);
  await workbench.values("A1");
  const { keyboard, mouse } = workbench.page;
  const { x, y } = await cellAt(0, 0);
  await mouse.click(x, y, { button: "right" });
  await menu().getByRole("button", { name: "RegData" }).hover();
  const labels = () => submenu().getByRole("button").allTextContents();
  await expect
    .poll(labels)
    .toEqual([
      "Source of this cell",
      "Turn into jurisdictions",
      "Refresh these formulas",
      "Freeze these formulas",
    ]);
  const others = await menu().getByRole("button").allTextContents();
  expect(others.filter((text) => /freeze|protect/i.test(text))).toEqual([]);
  await submenu().getByRole("button", { name: "Source of this cell" }).click();
  await screen().getByText("Alameda County, CA").waitFor();

  await mouse.click(x, y);
  const focused = () => workbench.page.evaluate(() => document.activeElement?.textContent);
  await keyboard.press("Shift+F10");
  await expect.poll(focused).toBe("Copy");
  await keyboard.press("ArrowUp");
  expect(await focused()).toBe("RegData");
  await keyboard.press("ArrowRight");
  await expect.poll(focused).toBe("Source of this cell");
  await keyboard.press("ArrowDown");
  await expect.poll(focused).toBe("Turn into jurisdictions");
  await keyboard.press("ArrowDown");
  await expect.poll(focused).toBe("Refresh these formulas");
  await keyboard.press("Enter");
  await screen().getByText("1 formula refreshed. Nothing has changed.").waitFor();

  await mouse.click(x, y);
  await keyboard.press("Shift+F10");
  await expect.poll(focused).toBe("Copy");
  await keyboard.press("Escape");
  await expect.poll(() => menu().isVisible()).toBe(false);
  await keyboard.type("42");
  await keyboard.press("Enter");
  expect(await workbench.values("A1")).toEqual([[42]]);
});

it("a table is sorted from its header, and a refresh finds its rows where they stand then", async () => {
  workbench = await openWorkbench();
  await importFees(workbench, ["06001", "06037", "32003"]);
  const [{ address } = { address: "" }] = await workbench.tables();
  const before = await workbench.values(address);
  const header = before[0]!.indexOf("Name");
  const { right, y } = await cellAt(0, header);
  await workbench.page.mouse.click(right - 10, y);
  await workbench.page.getByText("Sort Descending").click();
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

it("a cell shows its card or its error where the mouse rests; Ctrl+T makes a table; the formula bar suggests functions", async () => {
  workbench = await openWorkbench();
  const { page } = workbench;
  await workbench.setFormulas("A1", [
    ['=REGDATA.CARD("06001", 1057)'],
    ["'06001"],
    ['=REGDATA.VALUE("x", 1057)'],
    [""],
    ["Place"],
    ["Oakland"],
  ]);
  await workbench.values("A1:A3");
  const rest = async (row: number) => {
    const { x, y } = await cellAt(row, 0);
    for (const step of [0, 1]) await page.mouse.move(x + step, y + step);
  };
  await rest(0);
  const card = page.getByText("Re-Inspection Fee");
  await card.first().waitFor();
  await rest(1);
  await expect.poll(() => card.count()).toBe(0);
  expect(await page.getByText(/forceStringInfo|stored as text/).count()).toBe(0);
  await rest(2);
  await page.getByText(/"x" is neither a geoID nor a name/).waitFor();

  const place = await cellAt(5, 0);
  await page.mouse.click(place.x, place.y);
  await page.keyboard.press("Control+t");
  await page.getByRole("button", { name: "OK" }).click();
  await expect
    .poll(() => workbench.tables())
    .toEqual([{ name: "Table1", style: "TableStyleMedium2", address: "Sheet1!A5:A6" }]);

  const empty = await cellAt(0, 3);
  await page.mouse.click(empty.x, empty.y);
  await page.keyboard.type("=REGDATA.");
  const names = ["AHJ", "AHJS", "CARD", "CATEGORIES", "CHANGED", "CITATION"];
  for (const name of [...names, "COLLECTION", "COLLECTIONS", "MATRIX", "TYPES", "UNITS", "VALUE"])
    await page.getByText(`REGDATA.${name}`, { exact: true }).first().waitFor();
});
