import { afterAll, afterEach, describe, expect, it } from "vitest";
import { formulaValue } from "../../../src/workbook/sheet/values/cell-value";
import type { CellValue } from "../../../workbench/spreadsheet";
import { closeBrowser, openWorkbench, type Workbench } from "../open-workbench";
import { openTab } from "../pane-steps";
import { ahjsOf, sample } from "../sample-answers";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

const geoids = ["06001", "06037", "32003"];
const quoted = '{"06001";"06037";"32003"}';
const ahjs = await ahjsOf(geoids);
const { data } = await sample.matrix({
  ahj_ids: ahjs.map(({ id }) => id),
  data_point_type_ids: [1003, 1056],
});
const cellOf = (row: number, typeId: number) =>
  data.rows.find(({ ahj }) => ahj.id === ahjs[row]?.id)?.values[typeId];
const fees = geoids.map((_, row) => formulaValue(cellOf(row, 1056)?.value ?? "", "USD"));
const codes = geoids.map((_, row) => cellOf(row, 1003)?.value ?? "");

/** test/functions covers the result of each formula. This covers how Excel, office.js and the browser treat it. */
describe("formulas in the workbench", () => {
  it("show what the service gives, typed", async () => {
    workbench = await openWorkbench();
    const { page } = workbench;
    await page
      .locator("canvas[id^=univer-sheet-main-canvas]")
      .first()
      .click({ position: { x: 80, y: 40 } });
    /** The place of the keyboard's focus, and the text that the sheet holds of the keys so far. */
    const typed = () =>
      page.evaluate(() => ({
        focus: document.activeElement?.id.replace(/^_+editor_.*/, "the grid"),
        formula: window.workbench.getFormulas("A1")[0]?.[0],
      }));
    await expect.poll(typed).toEqual({ focus: "the grid", formula: "" });
    await page.keyboard.type('=REGDATA.VALUE("06001", 1003)');
    expect(await typed()).toMatchObject({ focus: "the grid" });
    // The check mark ends the entry: some time after a key, Enter may choose from the functions that Univer suggests.
    await page.locator("[data-u-comp=formula-bar] .univerjs-icon-check-mark-icon").click();
    await expect.poll(typed).toEqual({ focus: "the grid", formula: '=REGDATA.VALUE("06001", 1003)' });
    expect(await workbench.values("A1")).toEqual([[codes[0]]]);
    expect(workbench.requests).toEqual(["GET /v1/geoid/06001", "POST /v1/reports/matrix"]);
    expect(await workbench.problems()).toEqual([]);
  });

  it("share their requests inside of MAP and BYROW as single calls do, work inside of other functions, and spill", async () => {
    workbench = await openWorkbench({ excelApi: "1.15" });
    await workbench.setFormulas(
      "A1:A3",
      geoids.map((geoid) => [`'${geoid}`]),
    );
    const sent = () =>
      workbench.requests.filter((request) => !request.startsWith("GET /v1/ahjs?")).toSorted();
    const each = (call: string) => `(A1:A3, LAMBDA(geoid, ${call}))`;
    const named = each("REGDATA.AHJ(geoid)");
    await workbench.setFormulas("C1", [[`=MAP${named}`, `=BYROW${named}`]]);
    expect(await workbench.values("C1:D3")).toEqual(ahjs.map(({ name }) => [name, name]));
    expect(sent()).toEqual(geoids.map((geoid) => `GET /v1/geoid/${geoid}`));

    workbench.requests.length = 0;
    const valued = each("REGDATA.VALUE(geoid, 1056)");
    await workbench.setFormulas("C5", [[`=MAP${valued}`, `=BYROW${valued}`]]);
    expect(await workbench.values("C5:D7")).toEqual(fees.map((fee) => [fee, fee]));
    expect(sent()).toEqual(["POST /v1/reports/matrix"]);

    workbench.requests.length = 0;
    await workbench.setFormulas(
      "E1",
      geoids.map((_, row) => [`=REGDATA.VALUE(A${row + 1}, 1056)`]),
    );
    expect((await workbench.values("E1:E3")).flat()).toEqual(fees);
    expect(workbench.requests).toEqual([]);

    const cases: [formula: string, shows: CellValue[][]][] = [
      [`=SUM(REGDATA.VALUE(${quoted}, 1056))`, [[fees.reduce<number>((sum, fee) => sum + Number(fee), 0)]]],
      ['=IF(REGDATA.VALUE("06001", 1056, "status")="ok", "yes", "no")', [["yes"]]],
      ['=IFERROR(REGDATA.VALUE("4899999", 1003), "none")', [["none"]]],
      [
        `=XLOOKUP("${ahjs[1]?.name}", REGDATA.AHJ(${quoted}), REGDATA.VALUE(${quoted}, 1003))`,
        [[codes[1] ?? ""]],
      ],
      [
        `=FILTER(REGDATA.MATRIX(${quoted}, 1003, FALSE), REGDATA.AHJ(${quoted}, "state_code")="NV")`,
        [[ahjs[2]?.name ?? "", "NV", codes[2] ?? ""]],
      ],
      ['=TRANSPOSE(REGDATA.VALUE("06001", {1003,1056}))', [[codes[0] ?? ""], [fees[0] ?? ""]]],
      [
        '=REGDATA.VALUE({"06001";"4899999";"x"}, {1003,489999})',
        [
          [codes[0] ?? "", "#N/A"],
          ["#N/A", "#N/A"],
          ["#VALUE!", "#VALUE!"],
        ],
      ],
    ];
    await workbench.setFormulas(
      "G1",
      cases.flatMap(([formula]) => [[formula], [null], [null], [null]]),
    );
    for (const [at, [formula, shows]] of cases.entries()) {
      const place = `G${1 + 4 * at}:J${4 + 4 * at}`;
      const padded = Array.from({ length: 4 }, (_, y) =>
        Array.from({ length: 4 }, (_, x) => shows[y]?.[x] ?? ""),
      );
      expect([formula, await workbench.values(place)]).toEqual([formula, padded]);
    }
    expect(await workbench.errorMessage("H25")).toMatch(/no such question/);
    expect(await workbench.errorMessage("G26")).toMatch(/no jurisdiction with this geoID/);
    expect(await workbench.errorMessage("G27")).toMatch(/"x" is neither a geoID nor a name/);

    const spilling = 'REGDATA.VALUE(FILTER(A1:A3, A1:A3<>""), 1056)';
    await workbench.setFormulas("L1", [[`=${spilling}`, `=ROWS(${spilling})`]]);
    expect(await workbench.values("L1:M3")).toEqual(fees.map((fee, row) => [fee, row === 0 ? 3 : ""]));
    await workbench.setFormulas("A2:A3", [[""], [""]]);
    expect(await workbench.values("L1:M3")).toEqual([
      [fees[0], 1],
      ["", ""],
      ["", ""],
    ]);
    await workbench.setFormulas("A2", [["'32003"]]);
    expect(await workbench.values("L1:M3")).toEqual([
      [fees[0], 2],
      [fees[2], ""],
      ["", ""],
    ]);
    expect(await workbench.problems()).toEqual([]);
  });

  it("give dates and cards that other formulas take, and numbers that carry their citation and still add up", async () => {
    const { data: points } = await sample.listDataPoints({
      ahj_ids: ahjs.slice(0, 1).map(({ id }) => id),
      data_point_type_ids: [1056],
      page: 1,
      page_size: 1,
    });
    workbench = await openWorkbench({ excelApi: "1.19" });
    await workbench.setFormulas("A1", [
      ['=REGDATA.CARD("06001", 1056)', '=REGDATA.VALUE("06001", 1056, "updated_at")'],
      ['=REGDATA.VALUE("06001", 1056, "text", A1)', '=REGDATA.CHANGED("06001", 1056, B1)'],
      ["=REGDATA.VALUE(A1, 1056)", '=REGDATA.CHANGED("06001", 1056, B1 - 1)'],
    ]);
    const [[card, date] = []] = await workbench.texts("A1:B1");
    expect(card).toBe(cellOf(0, 1056)?.value);
    expect(Date.parse(`${date}Z`)).toBe(Date.parse(points.items[0]?.updated_at ?? ""));
    expect(await workbench.card("A1")).toMatchObject({ fields: { Question: "Minimum Permit Fee" } });
    expect(await workbench.values("B1:B3")).toEqual([[expect.any(Number)], [false], [true]]);
    expect(await workbench.errorMessage("A3")).toMatch(/is neither a geoID nor a name/);

    await openTab(workbench, "Settings");
    await workbench.pane.getByRole("checkbox", { name: "Numbers carry their citation" }).check();
    await workbench.setFormulas("D1:E1", [['=REGDATA.VALUE("06001", 1056)', "=SUM(D1, D1)"]]);
    expect(await workbench.values("D1:E1")).toEqual([[fees[0], 2 * Number(fees[0])]]);
    expect((await workbench.texts("D1"))[0]?.[0]).toBe(cellOf(0, 1056)?.value);
    expect(await workbench.card("D1")).toMatchObject({
      fields: { Reference: cellOf(0, 1056)?.reference },
    });
    expect(await workbench.problems()).toEqual([]);
  });
});
