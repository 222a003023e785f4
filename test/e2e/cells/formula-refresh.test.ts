import { afterAll, afterEach, describe, expect, it } from "vitest";
import { formulaValue } from "../../../src/workbook/sheet/values/cell-value";
import { expectAxeClean } from "../axe";
import { closeBrowser, openWorkbench, sampleClient, type Workbench } from "../open-workbench";
import { openTab } from "../pane-steps";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

const client = sampleClient();
const screen = () => workbench.pane.getByRole("tabpanel");
const press = (name: string) => screen().getByRole("button", { name, exact: true }).click();
const choose = (scope: string) => screen().getByLabel("Formulas in").selectOption({ label: scope });
const formulas = (address: string) =>
  workbench.page.evaluate((at) => window.workbench.getFormulas(at), address);
const shows = (text: string | RegExp) => screen().getByText(text).first().waitFor();

async function openFormulas() {
  await openTab(workbench, "In this workbook");
  await screen().getByRole("heading", { name: "Formulas" }).waitFor();
}

async function published(geoids: string[], types: number[]) {
  const ahjs = await Promise.all(geoids.map(async (geoid) => (await client.resolveGeoid({ geoid })).data));
  const { data } = await client.matrix({ ahj_ids: ahjs.map(({ id }) => id), data_point_type_ids: types });
  return { ahjs, data };
}

describe("the formulas of a sheet", () => {
  it("are asked anew where they are selected, and nowhere else", async () => {
    const { ahjs, data } = await published(["06001", "06037"], [1056]);
    const raw = ahjs.map(({ id }) => data.rows.find(({ ahj }) => ahj.id === id)?.values[1056]?.value ?? "");
    workbench = await openWorkbench();
    await workbench.setFormulas("A1:A4", [
      ['=REGDATA.VALUE("06001", 1056)'],
      ['=IF(TRUE, REGDATA.VALUE("06037", 1056))'],
      ["=SUM(A1:A2)"],
      ['="REGDATA.VALUE(" & "no call)"'],
    ]);
    const before = (await workbench.values("A1:A2")).flat();
    expect(before).toEqual(raw.map((text) => formulaValue(text, "USD")));
    await openFormulas();
    await choose("this sheet");
    await press("Count");
    await shows("2 REGDATA formulas in this sheet.");

    // The fee of the selected county goes up at the service.
    await workbench.page.route("**/v1/reports/matrix", async (route) => {
      const answer = await route.fetch();
      await route.fulfill({
        response: answer,
        body: (await answer.text())
          .replaceAll(`"${raw[1]}"`, '"$9,999"')
          .replaceAll(`"${raw[0]}"`, '"$8,888"'),
      });
    });
    await workbench.select("A2:A4");
    await choose("the selected cells");
    workbench.requests.length = 0;
    const bodies: string[] = [];
    workbench.page.on("request", (request) => bodies.push(request.postData() ?? ""));
    await press("Refresh");
    await shows(/1 formula refreshed\. 1 value changed\./);
    expect(workbench.requests).toEqual(["POST /v1/reports/matrix"]);
    expect(JSON.parse(bodies.find((body) => body.includes("ahj_ids")) ?? "{}")).toMatchObject({
      ahj_ids: [ahjs[1]?.id],
      data_point_type_ids: [1056],
    });
    expect((await workbench.values("A1:A2")).flat()).toEqual([before[0], 9_999]);
    const changes = screen().getByRole("list", { name: "What changed" }).getByRole("listitem");
    expect(await changes.allTextContents()).toEqual([
      expect.stringMatching(/^Sheet1!A2 [\d,.$]+ \$?9,?999$/),
    ]);
    // Another cell that asks the same as the one that was left alone is still answered from what is kept.
    workbench.requests.length = 0;
    await workbench.setFormulas("C1", [['=REGDATA.VALUE("06001", 1056)']]);
    expect(await workbench.values("C1")).toEqual([[before[0]]]);
    expect(workbench.requests).toEqual([]);
    await expectAxeClean(workbench.page);
    await changes.first().getByRole("button").click();
    await choose("the workbook");
    await press("Refresh");
    await shows(/3 formulas refreshed\. 2 values changed\./);
    expect(workbench.requests).toEqual(["POST /v1/reports/matrix"]);
    expect(await workbench.problems()).toEqual([]);
  });

  it("are frozen with their spills, travel so, and come back only where the frozen values stand", async () => {
    workbench = await openWorkbench();
    await workbench.setFormulas("A1:A4", [
      ['=REGDATA.VALUE("06001", 1056)'],
      ['=ROUND(REGDATA.VALUE("06037", 1056) / 7, 1)'],
      ['=REGDATA.VALUE("99999", 1056)'],
      ['=REGDATA.AHJ("06001", "geoid")'],
    ]);
    const matrix = '=REGDATA.MATRIX({"06001";"06037"}, {1056,1001})';
    await workbench.setFormulas("C1", [[matrix]]);
    const values = await workbench.values("A1:A4");
    const spilled = await workbench.values("C1:F4");
    const texts = await workbench.texts("A1:F4");
    const written = await formulas("A1:A4");
    await openFormulas();
    await choose("the workbook");
    await press("Freeze");
    await shows("4 formulas frozen: the cells hold plain values now.");
    const left = screen().getByRole("list", { name: "not frozen" }).getByRole("listitem");
    expect(await left.allTextContents()).toEqual(["Sheet1!A3 shows #N/A"]);
    expect(await workbench.texts("A1:F4")).toEqual(texts);
    expect(await formulas("A1:F4")).toEqual(
      (await workbench.values("A1:F4")).map((row, index) =>
        index === 2 ? [written[2]?.[0], ...row.slice(1)] : row,
      ),
    );
    expect(await workbench.values("C1:F4")).toEqual(spilled);

    const file = await workbench.page.evaluate(() => window.workbench.save());
    expect(JSON.stringify(file)).toContain("urn:regdata:frozen");
    expect(JSON.stringify(file)).not.toContain("demo-national");
    await workbench.page.evaluate((saved) => window.workbench.open(saved), file);
    // Somebody corrects a value by hand.
    await workbench.setFormulas("A2", [["mine"]]);
    await openFormulas();
    await choose("the workbook");
    workbench.requests.length = 0;
    await press("Unfreeze");
    await shows("3 formulas brought back.");
    const still = screen().getByRole("list", { name: "still frozen" }).getByRole("listitem");
    expect(await still.allTextContents()).toEqual([
      "Sheet1!A2 no longer shows what was frozen: it was changed or moved",
    ]);
    expect(await workbench.values("A1:A4")).toEqual([values[0], ["mine"], values[2], values[3]]);
    expect(await workbench.values("C1:F4")).toEqual(spilled);
    expect((await formulas("A1:A4")).flat()).toEqual([
      written[0]?.[0],
      "mine",
      written[2]?.[0],
      written[3]?.[0],
    ]);
    expect((await formulas("C1"))[0]?.[0]).toBe(matrix);

    // The record of the corrected one is kept: with its value it comes back.
    await workbench.setFormulas("A2", values.slice(1, 2));
    await workbench.select("A2");
    await choose("the selected cells");
    await press("Unfreeze");
    await shows("1 formula brought back.");
    expect((await formulas("A2"))[0]?.[0]).toBe(written[1]?.[0]);
    await press("Unfreeze");
    await shows("Nothing is frozen in the selected cells.");
    expect(JSON.stringify(await workbench.page.evaluate(() => window.workbench.save()))).not.toContain(
      "urn:regdata:frozen",
    );
    expect(await workbench.problems()).toEqual([]);
  });

  it("are shown where they go, if they refer to cells and were moved, before they come back", async () => {
    workbench = await openWorkbench();
    await workbench.setFormulas("A1:B1", [["'06001", "=REGDATA.VALUE(A1, 1056)"]]);
    const fee = (await workbench.values("B1"))[0]?.[0] ?? "";
    await openFormulas();
    await choose("this sheet");
    await press("Freeze");
    await shows("1 formula frozen: the cells hold plain values now.");
    // Somebody takes both to another row.
    await workbench.setFormulas("A1:B1", [["", ""]]);
    await workbench.setFormulas("A4:B4", [["'06001", fee]]);
    await press("Unfreeze");
    await shows("1 formula to look at first");
    await shows(/^Cells were moved since they were frozen\./);
    const first = screen().getByRole("list", { name: "to look at first" }).getByRole("listitem");
    expect(await first.allTextContents()).toEqual(["Sheet1!B4 =REGDATA.VALUE(A4, 1056) (was in Sheet1!B1)"]);
    expect((await formulas("B4"))[0]?.[0]).toBe(fee);
    await expectAxeClean(workbench.page);
    await press("Bring these back, too");
    await shows("1 formula brought back.");
    expect((await formulas("B4"))[0]?.[0]).toBe("=REGDATA.VALUE(A4, 1056)");
    expect(await workbench.values("B4")).toEqual([[fee]]);
    expect(await workbench.problems()).toEqual([]);
  });
});
