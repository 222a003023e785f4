import { afterAll, afterEach, describe, expect, it } from "vitest";
import { expectAxeClean } from "../axe";
import { importedFile, importedGeoids as geoids } from "./import-fees";
import { pasteGeoids, toggleType } from "./import-steps";
import { closeBrowser, type OpenOptions, openWorkbench, type Workbench } from "../open-workbench";
import { insertBy, openTab } from "../pane-steps";
import { ahjsOf, sample } from "../sample-answers";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

const ahjs = await ahjsOf(geoids);
const { data } = await sample.matrix({
  ahj_ids: ahjs.map(({ id }) => id),
  data_point_type_ids: [1056, 1003],
});
const raw = (id: number) => data.rows.find(({ ahj }) => ahj.id === id)?.values[1056]?.value ?? "";
const [fee, code] = [1056, 1003].map(
  (id) => data.data_point_types.find((type) => type.id === id)?.name ?? "",
);

const shownScreen = () => workbench.pane.getByRole("tabpanel");

const sheet = "'Minimum Permit Fee'";
const fillOf = (address: string) =>
  workbench.page.evaluate((at) => window.workbench.fillColor(at), `${sheet}!${address}`);
const press = (name: string) => shownScreen().getByRole("button", { name, exact: true }).click();
const matrices = () => workbench.requests.filter((request) => request.includes("/reports/matrix")).length;

/** A workbook with the minimum permit fee of three counties, at the tab Imports. */
async function openImported(options?: OpenOptions) {
  const file = await importedFile();
  workbench = await openWorkbench(options);
  await workbench.page.evaluate((saved) => window.workbench.open(saved), file);
  await openTab(workbench, "In this workbook");
}

describe("a refreshed import", () => {
  it("marks what changed, exports it, and takes the marks away", async () => {
    await openImported();
    await workbench.page.evaluate((at) => window.workbench.fill(at, "#C6E0B4"), `${sheet}!E2`);
    await workbench.setFormulas(`${sheet}!E3`, [["mine"]]);
    const answers = /\/v1\/(reports\/matrix|data-points)/;
    await workbench.page.route(answers, async (route) => {
      const answer = await route.fetch();
      const body = (await answer.text()).replaceAll(`"${raw(ahjs[0]?.id ?? 0)}"`, '"$9,999"');
      await route.fulfill({ response: answer, body });
    });
    await press("Refresh Minimum Permit Fee");
    await shownScreen().getByText("1 value changed.").waitFor();
    await shownScreen()
      .getByText(/E3, .*, CA: /)
      .waitFor();
    await press("Highlight changes");
    await shownScreen().getByRole("button", { name: "Remove highlights" }).waitFor();
    expect([await fillOf("E2"), await fillOf("E3"), await fillOf("E4")]).toEqual([
      "#FFF2CC",
      "#DDEBF7",
      null,
    ]);

    // Somebody sorts the table: the cell of the first county is the last one now.
    const rows = (await workbench.values(`${sheet}!A2:F4`)).slice(0, 3);
    await workbench.setFormulas(`${sheet}!A2:F4`, rows.toReversed());
    await shownScreen().getByRole("list", { name: "What changed" }).getByRole("button").first().click();
    await openTab(workbench, "Source");
    await shownScreen().getByText(`${sheet}!E4`).waitFor();
    await openTab(workbench, "In this workbook");
    await workbench.setFormulas(`${sheet}!A2:F4`, rows);

    await press("Remove highlights");
    await shownScreen().getByRole("button", { name: "Highlight changes" }).waitFor();
    expect([await fillOf("E2"), await fillOf("E3")]).toEqual(["#C6E0B4", null]);

    // A colleague sorts the table while the service is asked, whose answer is another by now.
    await workbench.page.unroute(answers);
    await workbench.page.route(answers, async (route) => {
      if (route.request().url().includes("/reports/matrix")) {
        const now = await workbench.values(`${sheet}!A2:F4`);
        await workbench.setFormulas(`${sheet}!A2:F4`, now.toReversed());
      }
      const answer = await route.fetch();
      const body = (await answer.text()).replaceAll(`"${raw(ahjs[0]?.id ?? 0)}"`, '"$7,777"');
      await route.fulfill({ response: answer, body });
    });
    await press("Refresh Minimum Permit Fee");
    const refreshed = rows.toReversed().map((row) => row.map((value) => (value === 9_999 ? 7_777 : value)));
    await expect.poll(() => workbench.values(`${sheet}!A2:F4`)).toEqual(refreshed);
    await shownScreen().getByText("1 value changed.").waitFor();

    await press("Export as a sheet");
    await expect.poll(async () => (await workbench.tables()).length).toBe(2);
    const [, exported] = await workbench.tables();
    const [headers, change, edited] = await workbench.values(exported?.address ?? "");
    expect(headers?.slice(0, 6)).toEqual(["Cell", "Jurisdiction", "Question", "What", "Before", "Now"]);
    expect(change?.slice(0, 6)).toEqual([
      `${sheet}!E4`,
      `${ahjs[0]?.name}, CA`,
      fee,
      "changed",
      "$9,999",
      "$7,777",
    ]);
    expect(edited?.slice(3, 5)).toEqual(["edited, left as it is", "mine"]);
    expect(exported?.address).toMatch(/^Changes!/);
    await expectAxeClean(workbench.page);
    expect(await workbench.problems()).toEqual([]);
  });

  it("can be changed where its sheet is not protected: columns come and go, rows come; its copies are taken in", async () => {
    await openImported();
    const protect = (isProtected: boolean) =>
      workbench.page.evaluate((is) => window.workbench.protect("Minimum Permit Fee", is), isProtected);

    await press("Change Minimum Permit Fee");
    await shownScreen().getByText("No changes yet.").waitFor();
    await toggleType(workbench, 1003);
    await pasteGeoids(workbench, ["06075"], 1);
    await shownScreen().getByText("1 question added; 1 jurisdiction added. Your own columns stay.").waitFor();
    // Excel refuses the write when all has been asked for: the table is as it was, and so is what was chosen.
    const untouched = await workbench.values(`${sheet}!A1:H6`);
    await workbench.page.route("**/v1/reports/matrix", async (route) => {
      await protect(true);
      await route.continue();
    });
    await press("Apply");
    await shownScreen()
      .getByText(/Excel does not allow this here/)
      .waitFor();
    expect(await workbench.values(`${sheet}!A1:H6`)).toEqual(untouched);
    expect((await workbench.tables()).map(({ address }) => address)).toEqual([`${sheet}!A1:F4`]);
    await workbench.page.unroute("**/v1/reports/matrix");
    await protect(false);

    workbench.requests.length = 0;
    await press("Apply");
    await shownScreen().getByText("1 row added at the end.").waitFor();
    expect(matrices()).toBe(1);
    await shownScreen().getByText("No changes yet.").waitFor();
    const [headers, ...rows] = await workbench.values(`${sheet}!A1:G5`);
    expect(headers?.slice(4)).toEqual([`${fee} ($)`, code, "AHJ ID"]);
    const shown = (id: number) => data.rows.find(({ ahj }) => ahj.id === id)?.values[1003]?.value ?? "";
    expect(rows.slice(0, 3).map((row) => row[5])).toEqual(ahjs.map(({ id }) => shown(id)));
    expect([rows[3]?.[1], rows[3]?.[3]]).toEqual(["CA", "06075"]);
    await shownScreen()
      .getByText(/4 rows, /)
      .waitFor();

    await toggleType(workbench, 1056);
    await shownScreen().getByText(`the columns of ${fee} deleted. Your own columns stay.`).waitFor();
    await press("Apply");
    await expect
      .poll(async () => (await workbench.values(`${sheet}!E1:G1`))[0])
      .toEqual([code, "AHJ ID", ""]);
    await shownScreen().getByText("Nothing has changed.").waitFor();
    expect((await workbench.tables()).map(({ address }) => address)).toEqual([`${sheet}!A1:F5`]);
    workbench.requests.length = 0;
    await press("Refresh Minimum Permit Fee");
    // The words of before stand there until it has begun.
    await expect.poll(matrices).toBe(1);
    await shownScreen().getByText("Nothing has changed.").waitFor();

    await protect(true);
    workbench.requests.length = 0;
    await press("Refresh Minimum Permit Fee");
    await shownScreen()
      .getByText(/The sheet “Minimum Permit Fee” is protected/)
      .waitFor();
    expect(workbench.requests).toEqual([]);
    await protect(false);

    // A colleague copies its sheet; formulas are calculated by hand.
    workbench.requests.length = 0;
    const copy = await workbench.page.evaluate(() => window.workbench.copySheet("Minimum Permit Fee"));
    await openTab(workbench, "Get data");
    await openTab(workbench, "In this workbook");
    await shownScreen().getByText(`A copy of Minimum Permit Fee is at '${copy}'!A1:F5`).waitFor();
    await press("Make it an import");
    await shownScreen().getByText("Minimum Permit Fee (copy)", { exact: true }).waitFor();
    await shownScreen()
      .getByText(/A copy of/)
      .waitFor({ state: "detached" });

    await workbench.setFormulas(`'${copy}'!E2`, [["mine"]]);
    await workbench.setFormulas("Sheet1!A1", [["=RAND()"]]);
    const [[before] = []] = await workbench.values("Sheet1!A1");
    await workbench.page.evaluate(() => window.workbench.setCalculationMode("Manual"));
    await press("Refresh everything");
    await shownScreen()
      .getByText(/Press F9/)
      .waitFor();
    // Nobody knows what has become of a copy before it was an import.
    await shownScreen().getByText("1 value changed or edited.").waitFor();
    expect(await workbench.values(`'${copy}'!A1:F5`)).toEqual(await workbench.values(`${sheet}!A1:F5`));
    expect((await workbench.values("Sheet1!A1"))[0]?.[0]).not.toBe(before);
    expect(matrices()).toBe(2);
    expect(await workbench.problems()).toEqual([]);
  });
});

describe("a workbook that is only read", () => {
  it("is told before anything is asked for it; an Excel whose tables do not grow is offered no import's place", async () => {
    await openImported({ isReadOnly: true, excelApi: "1.12" });
    await openTab(workbench, "Get data");
    workbench.requests.length = 0;
    await pasteGeoids(workbench, geoids);
    await toggleType(workbench, 1056);
    await insertBy(workbench, "Insert at the selected cell");
    await shownScreen()
      .getByText(/open for reading only\. Open it for editing, then try again\.$/)
      .waitFor();
    expect(matrices()).toBe(0);
    expect(await shownScreen().getByLabel("In place of an earlier import").count()).toBe(0);
  });
});
