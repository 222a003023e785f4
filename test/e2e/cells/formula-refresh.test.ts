import { afterAll, afterEach, describe, expect, it } from "vitest";
import { formulaValue } from "../../../src/workbook/sheet/values/cell-value";
import { expectScreenHolds } from "../layout/screen-rule";
import { closeBrowser, openWorkbench, type Workbench } from "../open-workbench";
import { openTab } from "../pane-steps";
import { ahjsOf, sample } from "../sample-answers";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

const screen = () => workbench.pane.getByRole("tabpanel");
const press = (name: string) => screen().getByRole("button", { name, exact: true }).click();
const choose = (scope: string) => screen().getByLabel("Formulas in").selectOption({ label: scope });
const formulas = (address: string) =>
  workbench.page.evaluate((at) => window.workbench.getFormulas(at), address);
const shows = (text: string | RegExp) => screen().getByText(text).first().waitFor();
const listed = (name: string) => screen().getByRole("list", { name }).getByRole("listitem").allTextContents();

describe("the formulas of a sheet", () => {
  it("are asked anew where they are selected, and nowhere else", async () => {
    const ahjs = await ahjsOf(["06001", "06037"]);
    const ids = { ahj_ids: ahjs.map(({ id }) => id), data_point_type_ids: [1056] };
    const { rows } = (await sample.matrix(ids)).data;
    const raw = ahjs.map(({ id }) => rows.find(({ ahj }) => ahj.id === id)?.values[1056]?.value ?? "");
    workbench = await openWorkbench();
    await workbench.setFormulas("A1:A4", [
      ['=REGDATA.VALUE("06001", 1056)'],
      ['=IF(TRUE, REGDATA.VALUE("06037", 1056))'],
      ["=SUM(A1:A2)"],
      ['="REGDATA.VALUE(" & "no call)"'],
    ]);
    const before = (await workbench.values("A1:A2")).flat();
    expect(before).toEqual(raw.map((text) => formulaValue(text, "USD")));
    await openTab(workbench, "In this workbook");
    await choose("this sheet");
    await press("Count");
    await shows("2 REGDATA formulas in this sheet.");

    // The service raises both fees.
    await workbench.page.route("**/v1/reports/matrix", async (route) => {
      const answer = await route.fetch();
      const body = await answer.text();
      await route.fulfill({
        response: answer,
        body: body.replaceAll(`"${raw[1]}"`, '"$9,999"').replaceAll(`"${raw[0]}"`, '"$8,888"'),
      });
    });
    await workbench.select("A2:A4");
    await choose("the selected cells");
    workbench.requests.length = 0;
    await press("Refresh");
    await shows(/1 formula refreshed\. 1 value changed\./);
    // Another cell with the question of the cell that was left alone is still answered from the cache.
    await workbench.setFormulas("C1", [['=REGDATA.VALUE("06001", 1056)']]);
    expect((await workbench.values("A1:C2")).map(([a, , c]) => [a, c])).toEqual([
      [before[0], before[0]],
      [9_999, ""],
    ]);
    expect(workbench.requests).toEqual(["POST /v1/reports/matrix"]);
    expect(await listed("What changed")).toEqual([expect.stringMatching(/^Sheet1!A2 [\d,.$]+ \$?9,?999$/)]);
    await expectScreenHolds(workbench.page);
    await screen().getByRole("list", { name: "What changed" }).getByRole("button").click();
    await choose("the workbook");
    workbench.requests.length = 0;
    await press("Refresh");
    await shows(/3 formulas refreshed\. 2 values changed\./);
    expect(workbench.requests).toEqual(["POST /v1/reports/matrix"]);
    expect(await workbench.problems()).toEqual([]);
  });

  it("are frozen with their spills, travel so, and come back where the frozen values stand, after a look where they were moved", async () => {
    workbench = await openWorkbench();
    const matrix = '=REGDATA.MATRIX({"06001";"06037"}, {1056,1001})';
    await workbench.setFormulas("A1:A3", [
      ['=REGDATA.VALUE("06001", 1056)'],
      ['=ROUND(REGDATA.VALUE("06037", 1056) / 7, 1)'],
      ['=REGDATA.VALUE("99999", 1056)'],
    ]);
    await workbench.setFormulas("C1", [[matrix]]);
    await workbench.setFormulas("H1:I1", [["'32003", "=REGDATA.VALUE(H1, 1056)"]]);
    const texts = await workbench.texts("A1:I3");
    const written = (await formulas("A1:A3")).flat();
    await openTab(workbench, "In this workbook");
    await choose("the workbook");
    await press("Freeze");
    await shows("4 formulas frozen: the cells hold plain values now.");
    expect(await listed("not frozen")).toEqual(["Sheet1!A3 shows #N/A"]);
    expect(await workbench.texts("A1:I3")).toEqual(texts);
    const plain = (await workbench.values("A1:I3")).flat();
    expect((await formulas("A1:I3")).flat()).toEqual(plain.with(18, written[2] ?? ""));

    const file = await workbench.page.evaluate(() => window.workbench.save());
    expect(JSON.stringify(file)).toContain("urn:regdata:frozen");
    expect(JSON.stringify(file)).not.toContain("demo-national");
    await workbench.page.evaluate((saved) => window.workbench.open(saved), file);
    // A user corrects a value by hand, and inserts cells above two others.
    await workbench.setFormulas("A2", [["mine"]]);
    const pane = workbench.page.frames().find((frame) => frame.url().includes("/taskpane"));
    await pane?.evaluate(() =>
      Excel.run(async (context) => {
        context.workbook.worksheets.getActiveWorksheet().getRange("H1:I3").insert("Down");
        await context.sync();
      }),
    );
    expect(await workbench.values("H1:I4")).toEqual([...[1, 2, 3].map(() => ["", ""]), ["32003", plain[8]]]);
    await openTab(workbench, "In this workbook");
    await choose("the workbook");
    workbench.requests.length = 0;
    await press("Unfreeze");
    await shows("2 formulas brought back.");
    expect(await listed("not brought back")).toEqual([
      "Sheet1!A2 no longer shows what was frozen: it was changed or moved",
    ]);
    await shows(/^Cells were moved since they were frozen\./);
    expect(await listed("to look at first")).toEqual([
      "Sheet1!I4 =REGDATA.VALUE(H4, 1056) (was in Sheet1!I1)",
    ]);
    expect((await formulas("I4"))[0]).toEqual([plain[8]]);
    await expectScreenHolds(workbench.page);
    await press("Bring these back, too");
    await shows("1 formula brought back.");
    expect((await formulas("A1:A3")).flat()).toEqual([written[0], "mine", written[2]]);
    expect([...(await formulas("C1")).flat(), ...(await formulas("I4")).flat()]).toEqual([
      matrix,
      "=REGDATA.VALUE(H4, 1056)",
    ]);
    expect((await workbench.texts("C1:F3")).flat()).toEqual(texts.flatMap((row) => row.slice(2, 6)));
    await workbench.select("A1");
    await choose("the selected cells");
    await press("Unfreeze");
    await shows("Nothing is frozen in the selected cells.");
    expect(await workbench.problems()).toEqual([]);
  });
});
