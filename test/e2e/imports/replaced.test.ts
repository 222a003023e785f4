import { afterAll, afterEach, describe, expect, it } from "vitest";
import { expectScreenHolds } from "../layout/screen-rule";
import { pasteGeoids, toggleType } from "./import-steps";
import { closeBrowser, openWorkbench, type Workbench } from "../open-workbench";
import { chooseReplaced, insertBy, openStep, openTab } from "../pane-steps";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

const shownScreen = () => workbench.pane.getByRole("tabpanel");
const button = (name: string | RegExp) => shownScreen().getByRole("button", { name });
const fee = 1056;

const chooseType = (id: number) => toggleType(workbench, id);

/** The state that a failed import must leave unchanged. test/sheet covers every step that Excel may refuse. */
const look = (address: string) =>
  workbench.page.evaluate((at) => {
    const { getFormulas, getTexts, tables } = window.workbench;
    return { formulas: getFormulas(at), texts: getTexts(at), tables: tables() };
  }, address);

describe("in place of an earlier import", () => {
  it("is chosen before its table has been read, and no longer once the user chooses another place", async () => {
    workbench = await openWorkbench();
    await pasteGeoids(workbench, ["06001"]);
    await chooseType(fee);
    await workbench.select("B2");
    await insertBy(workbench, "Insert at the selected cell");
    await openStep(workbench, "Where in the workbook");
    const place = workbench.pane.getByRole("combobox", { name: "Place" });
    const earlier = place.locator("optgroup option");
    await earlier.waitFor({ state: "attached" });
    const id = (await earlier.getAttribute("value")) ?? "";

    const cellIsBeingEdited = 5004;
    await workbench.page.evaluate((code) => window.workbench.failNext(code), cellIsBeingEdited);
    await place.selectOption(id);
    expect(await place.inputValue()).toBe(id);
    await button("Replace the import").waitFor();
    await place.selectOption("cell");
    await workbench.select("B6");
    await button("Insert at the selected cell").click();
    await shownScreen()
      .getByRole("button", { name: "Go to table" })
      .and(shownScreen().getByTitle(/^Sheet1!B6:/))
      .waitFor();
    expect((await workbench.tables()).map(({ address }) => address.split(":")[0])).toEqual([
      "Sheet1!B2",
      "Sheet1!B6",
    ]);
    expect(await workbench.problems()).toEqual([]);
  });

  it("says what is lost, leaves the old import as it was until the user confirms, and keeps id and name", async () => {
    workbench = await openWorkbench();
    const screen = shownScreen();
    await pasteGeoids(workbench, ["06001", "06037", "32003"]);
    await chooseType(fee);
    await workbench.select("B2");
    await insertBy(workbench, "Insert at the selected cell");
    await screen.getByText(/3 jurisdictions, 3 values/).waitFor();
    const file = await workbench.page.evaluate(() => JSON.stringify(window.workbench.save()));
    const idIn = (text: string) => [...text.matchAll(/\\"id\\":\\"([0-9a-f-]{36})/g)].map(([, id]) => id);
    expect(idIn(file)).toHaveLength(1);
    await workbench.setFormulas("F2", [["My notes"], ["mine"]]);
    await workbench.setFormulas("H4", [["in the way"]]);
    await workbench.setFormulas("B7", [["below"]]);
    await chooseType(1003);
    await openStep(workbench, "Which places");
    await button(/^Remove .*32003|^Remove Clark County/).click();
    await screen.getByText("2 jurisdictions chosen").waitFor();
    const before = await look("A1:J8");
    const prepare = async () => {
      await chooseReplaced(workbench, /./);
      await screen.getByText(/4 rows × 6 columns in Sheet1!B2:G5 become 3 rows × 7 columns/).waitFor();
      await screen.getByText(/Your own columns in it are lost: My notes\./).waitFor();
      await button("Replace the import").click();
    };
    await prepare();
    await screen.getByText(/The table would fill Sheet1!B2:H4/).waitFor();
    await expectScreenHolds(workbench.page);
    await button("Cancel").click();
    expect(await look("A1:J8")).toEqual(before);

    await prepare();
    await button("Overwrite").click();
    await screen.getByText(/2 jurisdictions, \d values/).waitFor();
    const [headers = [], ...rows] = await workbench.values("B2:H5");
    expect(headers.slice(0, 4)).toEqual(["Name", "State", "Type", "geoID"]);
    expect(rows.map((row) => row[3])).toEqual(["06001", "06037", ""]);
    expect(rows[2]).toEqual(["", "", "", "", "", "", ""]);
    expect(await workbench.values("B7")).toEqual([["below"]]);
    expect(await workbench.tables()).toEqual([{ ...before.tables[0], address: "Sheet1!B2:H4" }]);
    expect(idIn(await workbench.page.evaluate(() => JSON.stringify(window.workbench.save())))).toEqual(
      idIn(file),
    );
    await openTab(workbench, "In this workbook");
    workbench.requests.length = 0;
    await button("Refresh Minimum Permit Fee").click();
    await shownScreen().getByText("Nothing has changed.").waitFor();
    expect(workbench.requests).toEqual(["POST /v1/reports/matrix"]);
    expect(await workbench.problems()).toEqual([]);
  });
});
