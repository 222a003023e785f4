import { afterAll, afterEach, describe, expect, it } from "vitest";
import { formulaValue } from "../../../src/workbook/sheet/values/cell-value";
import { closeBrowser, openWorkbench, sampleClient, type Workbench } from "../open-workbench";
import { openTab } from "../pane-steps";
import { spreadAhjs } from "../sample-answers";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

const types = [1001, 1003, 1019, 1030, 1034, 1045, 1049, 1050, 1055, 1057];

describe("formulas in the workbench", () => {
  it('show what the service gives: =REGDATA.VALUE("06001", 1003), typed', async () => {
    workbench = await openWorkbench();
    const client = sampleClient();
    const { data: ahj } = await client.resolveGeoid({ geoid: "06001" });
    const { data } = await client.matrix({ ahj_ids: [ahj.id], data_point_type_ids: [1003] });

    const { page } = workbench;
    await page
      .locator("canvas[id^=univer-sheet-main-canvas]")
      .first()
      .click({ position: { x: 80, y: 40 } });
    /** Where keys go, and what of the sheet they have made. */
    const typed = () =>
      page.evaluate(() => ({
        focus: document.activeElement?.id.replace(/^_+editor_.*/, "the grid"),
        formula: window.workbench.getFormulas("A1")[0]?.[0],
      }));
    await expect.poll(typed).toEqual({ focus: "the grid", formula: "" });
    await page.keyboard.type('=REGDATA.VALUE("06001", 1003)');
    expect(await typed()).toMatchObject({ focus: "the grid" });
    // Enter may choose from the functions that Univer suggests, some time after a key.
    await page.locator("[data-u-comp=formula-bar] .univerjs-icon-check-mark-icon").click();
    await expect.poll(typed).toEqual({ focus: "the grid", formula: '=REGDATA.VALUE("06001", 1003)' });
    expect(await workbench.values("A1")).toEqual([[data.rows[0]?.values["1003"]?.value]]);
    expect(workbench.requests).toEqual(["GET /v1/geoid/06001", "POST /v1/reports/matrix"]);
    expect(await workbench.problems()).toEqual([]);
  });

  it("2,000 at once, over 200 geoIDs x 10 types, are all right and share a handful of requests", async () => {
    workbench = await openWorkbench();
    const ahjs = await spreadAhjs(200);
    expect(ahjs).toHaveLength(200);
    const rows = ahjs.map(({ geoid }) => types.map((type) => `=REGDATA.VALUE("${geoid}", ${type})`));
    await workbench.setFormulas("A1:J200", rows);
    const values = await workbench.values("A1:J200");

    const client = sampleClient();
    const { data } = await client.matrix({
      ahj_ids: ahjs.map(({ id }) => id),
      data_point_type_ids: types,
    });
    const units = new Map(data.data_point_types.map((type) => [type.id, type.unit_of_measure]));
    const answers = new Map(data.rows.map((row) => [row.ahj.id, row.values]));
    const expected = ahjs.map(({ id }) =>
      types.map((type) => {
        const raw = answers.get(id)?.[type]?.value;
        return raw ? formulaValue(raw, units.get(type) ?? "") : "#N/A";
      }),
    );
    expect(values).toEqual(expected);

    const pages = workbench.requests.filter((request) => request.startsWith("GET /v1/ahjs?")).length;
    const total = (await client.listAhjs({ page: 1, page_size: 500 })).data.pagination.total_pages;
    expect(pages).toBeLessThanOrEqual(total);
    expect(workbench.requests.length - pages).toBeLessThan(10);
  });

  it("work inside other formulas and follow their arguments", async () => {
    workbench = await openWorkbench();
    await workbench.setFormulas("A1:C2", [
      ["06001", 1045, "=REGDATA.VALUE(A1, B1)"],
      ["", "", '=IFERROR(REGDATA.VALUE("99999", 1003), "none")'],
    ]);
    expect((await workbench.values("C2"))[0]).toEqual(["none"]);
    const before = (await workbench.values("C1"))[0]?.[0];
    await workbench.setFormulas("B1", [[1003]]);
    expect((await workbench.values("C1"))[0]?.[0]).not.toEqual(before);
    await workbench.setFormulas("A1", [[""]]);
    expect((await workbench.values("C1"))[0]?.[0]).toBe("");
  });
});

// All other faults: test/reliability, without a browser; no key and a stopped service: every-formula.test.ts.
describe("a wrong key", () => {
  it("gives a readable sentence and no hanging cell", async () => {
    workbench = await openWorkbench({ key: "wrong-key" });
    await workbench.setFormulas("A1:B2", [
      ['=REGDATA.VALUE("06001", 1001)', '=REGDATA.VALUE("06003", 1001)'],
      ['=REGDATA.VALUE("06005", 1001)', "kept"],
    ]);
    expect(await workbench.values("A1:B2")).toEqual([
      ["#N/A", "#N/A"],
      ["#N/A", "kept"],
    ]);
    expect(await workbench.errorMessage("A1")).toMatch(/does not accept this API key/);
  });
});

describe("answers on the device", () => {
  /** How many records the browser keeps for the add-in. */
  const kept = () =>
    workbench.pane.locator("body").evaluate(async () => {
      const settled = <Result>(request: IDBRequest<Result>) =>
        new Promise<Result>((resolve, reject) => {
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(request.error ?? new Error("no database"));
        });
      const database = await settled(indexedDB.open("regdata"));
      const records = database.transaction(["parts", "documents"]);
      const count = (store: string) => settled(records.objectStore(store).count());
      const counts = { answers: await count("parts"), documents: await count("documents") };
      database.close();
      return counts;
    });
  const formulas = [1001, 1003, 1019, 999_999].map((type) => [`=REGDATA.VALUE("06001", ${type})`]);

  it("are there when the workbook is opened again, and in another workbook beside it", async () => {
    workbench = await openWorkbench();
    await workbench.setFormulas("A1:A4", formulas);
    const before = await workbench.values("A1:A4");
    expect(before.flat()).not.toContain("#BUSY!");
    // Written in the background.
    await expect.poll(kept).toEqual({ answers: 1, documents: 3 });

    for (const again of [() => workbench.reopen(), () => workbench.openBeside()]) {
      const opened = await again();
      workbench.requests.length = 0;
      await opened.setFormulas("A1:A4", formulas);
      expect(await opened.values("A1:A4")).toEqual(before);
      expect(workbench.requests).toEqual([]);
    }
  });

  it("leave with the key that is forgotten", async () => {
    workbench = await openWorkbench();
    await workbench.setFormulas("A1:A4", formulas);
    await workbench.values("A1:A4");
    await openTab(workbench, "Settings");
    await workbench.pane.getByRole("button", { name: /^Forget / }).click();
    await workbench.pane.getByRole("button", { name: "Forget it" }).click();
    await workbench.pane.getByLabel("API key").waitFor();
    expect((await kept()).answers).toBe(0);
  });
});
