import { afterAll, afterEach, describe, expect, it } from "vitest";
import { importedFile, importedGeoids as geoids } from "./import-fees";
import { pasteGeoids, toggleType } from "./import-steps";
import { closeBrowser, openWorkbench, type Workbench } from "../open-workbench";
import { openTab, pressMore } from "../pane-steps";
import { ahjsOf, sample } from "../sample-answers";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

const ahjs = await ahjsOf(geoids);
const { data } = await sample.matrix({
  ahj_ids: ahjs.map(({ id }) => id),
  data_point_type_ids: [1056, 1003],
});
const [fee, code] = [1056, 1003].map(
  (id) => data.data_point_types.find((type) => type.id === id)?.name ?? "",
);

const shownScreen = () => workbench.pane.getByRole("tabpanel");
const sheet = "'Minimum Permit Fee'";
const press = (name: string) => shownScreen().getByRole("button", { name, exact: true }).click();
const matrices = () => workbench.requests.filter((request) => request.includes("/reports/matrix")).length;
const shows = (text: string | RegExp) => shownScreen().getByText(text).waitFor();

// test/workbook/sheet/tables covers rows and columns that a user moves meanwhile.
describe("a refreshed import", () => {
  it("can be changed where its sheet is not protected: columns come and go, rows come; its copies are taken in", async () => {
    const file = await importedFile();
    workbench = await openWorkbench();
    await workbench.page.evaluate((saved) => window.workbench.open(saved), file);
    await openTab(workbench, "In this workbook");
    const protect = (isProtected: boolean) =>
      workbench.page.evaluate((is) => window.workbench.protect("Minimum Permit Fee", is), isProtected);

    await pressMore(workbench, "Minimum Permit Fee", "Change…");
    await shows("No changes yet.");
    await toggleType(workbench, 1003);
    await shows("1 question added. Your own columns stay.");
    await press("Cancel the change of Minimum Permit Fee");
    const more = shownScreen().getByRole("button", { name: "More for Minimum Permit Fee" });
    expect(await more.evaluate((node) => node === node.ownerDocument.activeElement)).toBe(true);
    await pressMore(workbench, "Minimum Permit Fee", "Change…");
    await shows("No changes yet.");
    await toggleType(workbench, 1003);
    await pasteGeoids(workbench, ["06075"], 1);
    await shows("1 question added; 1 jurisdiction added. Your own columns stay.");
    // The choices were shown twice within a minute.
    expect(workbench.requests.filter((request) => request.includes("/collections"))).toHaveLength(1);
    // Excel refuses the write after all answers have come: the table is unchanged, and so are the choices.
    const untouched = await workbench.values(`${sheet}!A1:H6`);
    await workbench.page.route("**/v1/reports/matrix", async (route) => {
      await protect(true);
      await route.continue();
    });
    await press("Apply");
    await shows(/Excel does not allow this here/);
    expect(await workbench.values(`${sheet}!A1:H6`)).toEqual(untouched);
    await workbench.page.unroute("**/v1/reports/matrix");
    await protect(false);

    workbench.requests.length = 0;
    await press("Apply");
    await shows("1 row added at the end.");
    expect(matrices()).toBe(1);
    const [headers, ...rows] = await workbench.values(`${sheet}!A1:G5`);
    expect(headers?.slice(4)).toEqual([`${fee} ($)`, code, "AHJ ID"]);
    const shown = (id: number) => data.rows.find(({ ahj }) => ahj.id === id)?.values[1003]?.value ?? "";
    expect(rows.slice(0, 3).map((row) => row[5])).toEqual(ahjs.map(({ id }) => shown(id)));
    expect([rows[3]?.[1], rows[3]?.[3]]).toEqual(["CA", "06075"]);
    await shows(/4 rows, /);

    await toggleType(workbench, 1056);
    await shows(
      `the columns of ${fee} deleted. Your own columns stay. A slicer, pivot table, chart or name that uses a deleted column loses it: look for these before you apply.`,
    );
    await press("Apply");
    const headersOfAnswers = async () => (await workbench.values(`${sheet}!E1:G1`))[0];
    await expect.poll(headersOfAnswers).toEqual([code, "AHJ ID", ""]);
    await shows("Nothing has changed.");
    expect((await workbench.tables()).map(({ address }) => address)).toEqual([`${sheet}!A1:F5`]);

    await protect(true);
    workbench.requests.length = 0;
    await press("Refresh Minimum Permit Fee");
    await shows(/The sheet “Minimum Permit Fee” is protected/);
    expect(workbench.requests).toEqual([]);
    await protect(false);

    // A colleague copies the import's sheet, and the workbook calculates only by hand.
    const copy = await workbench.page.evaluate(() => window.workbench.copySheet("Minimum Permit Fee"));
    await openTab(workbench, "Get data");
    await openTab(workbench, "In this workbook");
    await shows(`A copy of Minimum Permit Fee is at '${copy}'!A1:F5`);
    await press("Make it an import");
    await shownScreen().getByText("Minimum Permit Fee (copy)", { exact: true }).waitFor();
    await shownScreen()
      .getByText(/A copy of/)
      .waitFor({ state: "detached" });
    await workbench.setFormulas(`'${copy}'!E2`, [["mine"]]);
    await workbench.setFormulas("Sheet1!A1", [["=RAND()"]]);
    const [[before] = []] = await workbench.values("Sheet1!A1");
    await workbench.page.evaluate(() => window.workbench.setCalculationMode("Manual"));
    await press("Refresh all");
    await shows(/F9/);
    // Before it became an import, nothing kept track of the copy's values.
    await shows("1 value changed or edited.");
    expect(await workbench.values(`'${copy}'!A1:F5`)).toEqual(await workbench.values(`${sheet}!A1:F5`));
    expect((await workbench.values("Sheet1!A1"))[0]?.[0]).not.toBe(before);
    expect(matrices()).toBe(2);
    expect(await workbench.problems()).toEqual([]);
  });
});
