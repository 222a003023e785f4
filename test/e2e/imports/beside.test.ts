import { afterAll, afterEach, describe, expect, it } from "vitest";
import { importCell } from "../../../src/workbook/sheet/values/cell-value";
import { countByPath } from "../../recorded-service";
import { expectScreenHolds } from "../layout/screen-rule";
import { toggleType } from "./import-steps";
import { closeBrowser, openWorkbench, type Workbench } from "../open-workbench";
import { insertBy, openStep, openTab, takeMyList } from "../pane-steps";
import { ahjsOf, sample } from "../sample-answers";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

const shownScreen = () => workbench.pane.getByRole("tabpanel");
const button = (name: string | RegExp) => shownScreen().getByRole("button", { name });
const fee = 1056;

const chooseType = (id: number) => toggleType(workbench, id);

/** The values that the cells must show, for each geoID. */
async function fees(geoids: readonly string[]) {
  const ahjs = await ahjsOf(geoids);
  const { data } = await sample.matrix({ ahj_ids: ahjs.map(({ id }) => id), data_point_type_ids: [fee] });
  const [type] = data.data_point_types;
  return {
    header: `${type?.name} ($)`,
    of: new Map(
      ahjs.map(({ id, geoid }) => {
        const raw = data.rows.find(({ ahj }) => ahj.id === id)?.values[fee]?.value ?? "";
        return [geoid ?? "", { id, raw, value: importCell(raw, type?.unit_of_measure ?? "").value }];
      }),
    ),
  };
}

describe("beside a list in the sheet", () => {
  it("each row gets its answers, names are asked about, and a refresh finds every row", async () => {
    const { header, of } = await fees(["06001", "06037", "13009", "06059", "06073"]);
    const row = (geoid: string, how: string) => [of.get(geoid)?.value, how, of.get(geoid)?.id];
    workbench = await openWorkbench();
    const list = [["County"], [6001], ["'06037"], [""], ["'4899999"], ["Baldwin County"], ["'06037"]];
    await workbench.setFormulas("B3", list);
    await workbench.setFormulas("D5", [["mine"]]);
    await workbench.setFormulas("F5", [["=D5"]]);
    await workbench.setFormulas("A5", [["to the left"]]);
    await workbench.select("H1:H20");
    await chooseType(fee);
    // The office.js on npm has no notes.
    await openStep(workbench, "Where in the workbook");
    const citations = shownScreen().getByRole("combobox", { name: "Citations" });
    await citations.waitFor();
    expect(await citations.locator("option").allTextContents()).toEqual([
      "None",
      "Columns beside",
      "On a Sources sheet",
    ]);
    await takeMyList(workbench);
    await shownScreen()
      .getByText(/^A list is a column of geoIDs or names, or several/)
      .waitFor();

    await workbench.select("B1:B20");
    workbench.requests.length = 0;
    await takeMyList(workbench);
    await shownScreen().getByText("1 leading zero put back, such as 6001 → 06001").waitFor();
    await shownScreen()
      .getByRole("combobox", { name: /Which “Baldwin County”/ })
      .selectOption({ label: "Baldwin County, GA · county · 13009" });
    await button("Add this one").click();
    await shownScreen()
      .getByText("4 of 6 rows in Sheet1!B3:B9 matched, 3 different jurisdictions, 1 blank, 1 not found.", {
        exact: false,
      })
      .waitFor();
    await shownScreen()
      .getByText(/“County” is the header/)
      .waitFor();
    await shownScreen()
      .getByText(/3 jurisdictions × 1 question: 1 request/)
      .waitFor();
    await expectScreenHolds(workbench.page);
    await button("Add columns").click();
    await shownScreen().getByText("Sheet1!D5 is not empty.").waitFor();
    await expectScreenHolds(workbench.page);
    // The question holds the focus.
    const insert = button("Insert new columns");
    expect(await insert.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
    expect(await workbench.tables()).toEqual([]);
    expect(workbench.requests.filter((request) => request.includes("matrix"))).toEqual([]);
    await insert.press("Enter");
    await shownScreen()
      .getByText(/3 jurisdictions, 3 values/)
      .waitFor();
    // A name needs the directory; 4899999 needs its own look-up, which tells it from a denied one.
    expect(countByPath(workbench.requests)).toEqual({
      "GET /v1/ahjs": 66,
      "GET /v1/geoid/{geoid}": 1,
      "POST /v1/reports/matrix": 1,
    });

    expect(await workbench.values("B3:E9")).toEqual([
      ["County", header, "How certain", "AHJ ID"],
      [6001, ...row("06001", "zero put back")],
      ["06037", ...row("06037", "as given")],
      ["", "", "", ""],
      ["4899999", "", "not matched", ""],
      ["Baldwin County", ...row("13009", "name, chosen by hand: Baldwin County, GA")],
      ["06037", ...row("06037", "as given")],
    ]);
    // The cells in the way have moved aside, and so has the reference to them; the column on the left is in the table, too.
    expect(await workbench.values("G5")).toEqual([["mine"]]);
    expect(await workbench.page.evaluate(() => window.workbench.getFormulas("I5"))).toEqual([["=G5"]]);
    expect((await workbench.tables()).map(({ address }) => address)).toEqual(["Sheet1!A3:E9"]);
    expect((await workbench.values("A3"))[0]).toEqual(["Column A"]);
    await shownScreen().getByText("Not found: 1 geoID").click();
    await shownScreen()
      .getByText(/^4899999 \(row 5\): The service knows no jurisdiction/)
      .waitFor();
    await shownScreen().getByText("Blank in your list: 1 cell").click();
    await shownScreen().getByText("Sheet1!B6").waitFor();

    await workbench.page.route("**/v1/reports/matrix", async (route) => {
      const answer = await route.fetch();
      const body = (await answer.text()).replaceAll(`"${of.get("06037")?.raw}"`, '"$9,999"');
      await route.fulfill({ response: answer, body });
    });
    await openTab(workbench, "In this workbook");
    await button("Refresh Minimum Permit Fee").click();
    await shownScreen().getByText("2 values changed.").waitFor();
    expect((await workbench.values("C4:C9")).flat()).toEqual([
      of.get("06001")?.value,
      9_999,
      "",
      "",
      of.get("13009")?.value,
      9_999,
    ]);
    // The jurisdiction stands in two rows.
    await shownScreen()
      .getByText(/^06037, CA, and 1 more/)
      .first()
      .waitFor();

    // A place is put into the blank row, and the code that was not found is mended.
    await workbench.setFormulas("B6", [["'06059"], ["'06073"]]);
    await button("Refresh Minimum Permit Fee").click();
    await shownScreen().getByText("2 places new in your list.").waitFor();
    await expectScreenHolds(workbench.page);
    const now = (geoid: string) =>
      of.get(geoid)?.raw === of.get("06037")?.raw ? 9_999 : of.get(geoid)?.value;
    expect(await workbench.values("B6:E7")).toEqual([
      ["06059", now("06059"), "as given", of.get("06059")?.id],
      ["06073", now("06073"), "as given", of.get("06073")?.id],
    ]);
    await shownScreen().getByText("2 places new in your list", { exact: true }).click();
    await shownScreen().getByText("San Diego County, CA").first().waitFor();
    expect(await workbench.problems()).toEqual([]);
  });

  // test/workbook/sheet/lists covers every obstacle, and every step that Excel may refuse.
  it("without a header gets one in inserted cells, and later columns join its table", async () => {
    const { of, header } = await fees(["06001", "06037"]);
    workbench = await openWorkbench();
    await workbench.setFormulas("A1", [[6037], ["'06001"], [6037], [""], ["below"]]);
    await chooseType(fee);
    await workbench.select("A2:A3");
    await takeMyList(workbench);
    await shownScreen()
      .getByText(/cells are inserted above Sheet1!A2 and everything below moves down/)
      .waitFor();
    await openStep(workbench, "Where in the workbook");
    const certain = shownScreen().getByRole("checkbox", { name: "How certain" });
    await certain.check();
    await button("Add columns").click();
    await shownScreen()
      .getByText(/2 jurisdictions, 2 values/)
      .waitFor();
    const row = (geoid: string, how: string) => [of.get(geoid)?.value, how, of.get(geoid)?.id];
    expect(await workbench.values("A1:D6")).toEqual([
      [6037, "", "", ""],
      ["Jurisdiction", header, "How certain", "AHJ ID"],
      ["06001", ...row("06001", "as given")],
      [6037, ...row("06037", "zero put back")],
      ["", "", "", ""],
      ["below", "", "", ""],
    ]);
    await openStep(workbench, "Where in the workbook");
    await certain.uncheck();

    await openStep(workbench, "Which questions");
    await button("Clear questions").click();
    await chooseType(1003);
    const [before] = await workbench.tables();
    // One cell stands for its column.
    await workbench.select("A3");
    await takeMyList(workbench);
    await shownScreen().getByText("The columns are added to its table.").waitFor();
    // The import that stands there takes the question, unless the user wants another import.
    await button(/^Add this question to/).waitFor();
    await insertBy(workbench, "Add columns");
    await shownScreen()
      .getByText(/2 jurisdictions, 2 values/)
      .waitFor();
    expect(await workbench.tables()).toEqual([{ ...before, address: "Sheet1!A2:F4" }]);
    expect(await workbench.problems()).toEqual([]);
  });

  it("another question joins the table that stands beside a list of plain cells", async () => {
    const { header } = await fees(["06001", "06037"]);
    workbench = await openWorkbench();
    await workbench.setFormulas("A1", [["County"], ["Alameda County, CA"], ["Los Angeles County, CA"]]);
    await chooseType(fee);
    await workbench.select("A2:A3");
    await takeMyList(workbench);
    await openStep(workbench, "Where in the workbook");
    await shownScreen().getByRole("checkbox", { name: "Make my list a table" }).uncheck();
    await button("Add columns").click();
    await shownScreen()
      .getByText(/2 jurisdictions, 2 values/)
      .waitFor();
    await openStep(workbench, "Which questions");
    await button("Clear questions").click();
    await chooseType(1003);
    await workbench.select("A2:A3");
    await takeMyList(workbench);
    await button(/^Add this question to/).click();
    await shownScreen()
      .getByText(/^Added to /)
      .waitFor();
    expect(await workbench.tables()).toMatchObject([{ address: "Sheet1!B1:F3" }]);
    const [headers] = await workbench.values("A1:F1");
    expect(headers?.[0]).toBe("County");
    expect(headers).toContain(header);
    expect(headers?.filter((each) => String(each).startsWith("Electrical Code"))).toHaveLength(1);
    expect(await workbench.problems()).toEqual([]);
  });

  it("long answers are whole in rows whose height nobody has set, those of an added question too", async () => {
    workbench = await openWorkbench();
    const { page, pane } = workbench;
    const list = [["geoID"], ["'06001"], ["'06037"], ["'32003"]];
    await workbench.setFormulas("A1", list);
    await workbench.setFormulas("A8", list);
    // The user makes rows 3 and 10 higher by their lower edges.
    const grid = (await page.locator("canvas[id^=univer-sheet-main-canvas]").boundingBox())!;
    for (const edge of [20 + 3 * 20, 20 + 10 * 20 + 4]) {
      await page.mouse.move(grid.x + 23, grid.y + edge - 1);
      await page.mouse.down();
      await page.mouse.move(grid.x + 23, grid.y + edge + 3, { steps: 4 });
      await page.mouse.up();
    }
    const before = await heights();
    const [low, own] = before;
    expect(own).toBeGreaterThan(low ?? 0);
    expect(before).toEqual([low, own, low, low, own, low]);

    // The answers take two lines or more: Local Amendment Summary.
    await workbench.select("A1:A4");
    await chooseType(1012);
    await takeMyList(workbench);
    await insertBeside();
    const longer = expect.toSatisfy((height: number) => height > 1.5 * (low ?? 0));
    await expect.poll(heights).toEqual([longer, own, longer, low, own, low]);

    await openStep(workbench, "Which questions");
    await button("Clear questions").click();
    await chooseType(1003);
    await workbench.select("A8:A11");
    await takeMyList(workbench);
    await insertBeside();
    expect(await heights()).toEqual([longer, own, longer, low, own, low]);
    await openTab(workbench, "Source");
    await workbench.select("B9");
    const more = pane.getByRole("region", { name: "Add a question" }).getByRole("combobox");
    await more.click();
    await more.fill("amendment summary");
    await pane.getByRole("option", { name: /^Local Amendment Summary/ }).waitFor();
    await more.press("Enter");
    await pane.getByText(/^Added to/).waitFor();
    await expect.poll(heights).toEqual([longer, own, longer, longer, own, longer]);
    expect(await workbench.problems()).toEqual([]);
  });
});

/** Inserts the chosen questions beside the list of three jurisdictions. */
async function insertBeside() {
  await button("Add columns").click();
  await shownScreen()
    .getByText(/3 jurisdictions, 3 values/)
    .waitFor();
}

/** The heights of rows 2 to 4 and 9 to 11 in pixels. */
function heights(): Promise<number[]> {
  return workbench.page.evaluate(() => {
    const { grid } = window.workbench.save() as {
      grid: { activeSheetId: string; workbook: { sheets: Record<string, unknown> } };
    };
    type Rows = Record<number, { h?: number; ah?: number; ia?: number } | undefined>;
    const { rowData } = grid.workbook.sheets[grid.activeSheetId] as { rowData: Rows };
    return [1, 2, 3, 8, 9, 10].map((row) => {
      const { h = 20, ah = h, ia } = rowData[row] ?? {};
      return ia === 0 ? h : ah;
    });
  });
}
