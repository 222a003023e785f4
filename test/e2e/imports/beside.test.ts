import { afterAll, afterEach, describe, expect, it } from "vitest";
import { importCell } from "../../../src/workbook/sheet/values/cell-value";
import { countByPath } from "../../recorded-service";
import { expectScreenHolds } from "../layout/screen-rule";
import { toggleType } from "./import-steps";
import { closeBrowser, openWorkbench, type Workbench } from "../open-workbench";
import { openStep, openTab, takeMyList } from "../pane-steps";
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
    const { header, of } = await fees(["06001", "06037", "13009"]);
    const row = (geoid: string) => [of.get(geoid)?.value, of.get(geoid)?.id];
    workbench = await openWorkbench();
    const list = [["County"], [6001], ["'06037"], [""], ["'4899999"], ["Baldwin County"], ["'06037"]];
    await workbench.setFormulas("B3", list);
    await workbench.setFormulas("D5", [["mine"]]);
    await workbench.setFormulas("F5", [["=D5"]]);
    await workbench.setFormulas("A5", [["to the left"]]);
    await workbench.select("B1:C20");
    await chooseType(fee);
    // The office.js on npm has no notes.
    await openStep(workbench, "How");
    const citations = shownScreen().getByRole("combobox", { name: "Citations" });
    await citations.waitFor();
    expect(await citations.locator("option").allTextContents()).toEqual([
      "None",
      "Columns beside",
      "On a Sources sheet",
    ]);
    await takeMyList(workbench);
    await shownScreen().getByText("A list is one column of geoIDs or names.").waitFor();

    await workbench.select("B1:B20");
    workbench.requests.length = 0;
    await takeMyList(workbench);
    await shownScreen().getByText("1 leading zero put back, such as 6001 → 06001").waitFor();
    await shownScreen()
      .getByRole("combobox", { name: /Which “Baldwin County”/ })
      .selectOption({ label: "Baldwin County, GA · county · 13009" });
    await button("Add this one").click();
    await shownScreen()
      .getByText("4 of 6 rows in Sheet1!B3:B9 matched, 3 different jurisdictions, 1 blank, 1 not found.")
      .waitFor();
    await shownScreen()
      .getByText(/“County” is the header/)
      .waitFor();
    await shownScreen()
      .getByText(/3 jurisdictions × 1 question: 7 rows × 2 columns, 1 request/)
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
      .getByText(/3 jurisdictions with 3 values in Sheet1!C3:D9/)
      .waitFor();
    // A name needs the directory; 4899999 needs its own look-up, which tells it from a denied one.
    expect(countByPath(workbench.requests)).toEqual({
      "GET /v1/ahjs": 66,
      "GET /v1/geoid/{geoid}": 1,
      "POST /v1/reports/matrix": 1,
    });

    expect(await workbench.values("B3:D9")).toEqual([
      ["County", header, "AHJ ID"],
      [6001, ...row("06001")],
      ["06037", ...row("06037")],
      ["", "", ""],
      ["4899999", "", ""],
      ["Baldwin County", ...row("13009")],
      ["06037", ...row("06037")],
    ]);
    // The cells in the way have moved aside, and so has the reference to them; the column on the left is in the table, too.
    expect(await workbench.values("F5")).toEqual([["mine"]]);
    expect(await workbench.page.evaluate(() => window.workbench.getFormulas("H5"))).toEqual([["=F5"]]);
    expect((await workbench.tables()).map(({ address }) => address)).toEqual(["Sheet1!A3:D9"]);
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
    await shownScreen()
      .getByText(/^06037, CA: /)
      .first()
      .waitFor();
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
    await openStep(workbench, "How");
    const certain = shownScreen().getByRole("checkbox", { name: "How certain" });
    await certain.check();
    await button("Add columns").click();
    await shownScreen()
      .getByText(/2 jurisdictions with 2 values in Sheet1!B2:D4/)
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
    await openStep(workbench, "How");
    await certain.uncheck();

    await openStep(workbench, "What");
    await button("Clear questions").click();
    await chooseType(1003);
    const [before] = await workbench.tables();
    await workbench.select("A3");
    await takeMyList(workbench);
    await shownScreen().getByText("The columns are added to its table.").waitFor();
    await button("Add columns").click();
    await shownScreen()
      .getByText(/1 jurisdiction with 1 value in Sheet1!E2:F4/)
      .waitFor();
    expect(await workbench.tables()).toEqual([{ ...before, address: "Sheet1!A2:F4" }]);
    expect(await workbench.problems()).toEqual([]);
  });
});
