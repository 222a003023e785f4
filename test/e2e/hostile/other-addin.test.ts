import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { BrowserContext, Frame, Page } from "@playwright/test";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type {} from "../../../workbench/page/workbench-api";
import { startWorkbench } from "../../../workbench/workbench-server";
import { closeBrowser, drawSeldom, sharedBrowser } from "../open-workbench";

const certificateDir = mkdtempSync(join(tmpdir(), "workbench-certificate-"));
let server: Awaited<ReturnType<typeof startWorkbench>>;
let context: BrowserContext;
let page: Page;
let addin: Frame;

beforeAll(async () => {
  server = await startWorkbench({
    port: 0,
    addinDir: resolve("test/workbench/fixture-addin"),
    pageDir: resolve("build/workbench"),
    certificateDir,
    setup: { storage: { greeting: "hello" } },
  });
  context = await (await sharedBrowser()).newContext({ ignoreHTTPSErrors: true });
  await context.addInitScript(drawSeldom);
  page = await context.newPage();
  await page.goto(server.url);
  await started();
});

afterAll(async () => {
  await closeBrowser();
  await server?.close();
  rmSync(certificateDir, { recursive: true });
});

async function started(): Promise<void> {
  await page.waitForFunction(() => "workbench" in window);
  await page.evaluate(() => window.workbench.ready);
  addin = page.frames().find((frame) => new URL(frame.url()).pathname.startsWith("/addin/"))!;
}

/** Runs code of an add-in under office.js; an OfficeExtension.Error becomes its code and statement. */
function run<Result>(batch: (context: Excel.RequestContext) => Promise<Result>): Promise<Result | unknown[]> {
  return addin.evaluate(
    ([source]) =>
      // eslint-disable-next-line no-eval -- the test's own function, of which only its text gets into the page.
      Excel.run((0, eval)(`(${source})`) as (context: Excel.RequestContext) => Promise<never>).catch(
        (error: OfficeExtension.Error) => [error.code, error.debugInfo?.statement ?? ""],
      ),
    [batch.toString()],
  );
}

async function calculated(address: string, formulas: (string | null)[][]): Promise<unknown[][]> {
  await page.evaluate(([place, rows]) => window.workbench.setFormulas(place, rows), [
    address,
    formulas,
  ] as const);
  await page.evaluate(() => window.workbench.idle());
  return page.evaluate((place) => window.workbench.getValues(place), address);
}

describe("an add-in under Microsoft's office.js in the workbench", () => {
  it("learns that it runs in Excel on the web", async () => {
    expect(await addin.evaluate(() => (window as never as { seen: { ready: unknown } }).seen.ready)).toEqual({
      host: "Excel",
      platform: "OfficeOnline",
      visibility: "Taskpane",
    });
    const sets = () =>
      [
        ["ExcelApi", "1.20"],
        ["ExcelApi", "1.21"],
        ["SharedRuntime", "1.1"],
        ["CustomFunctionsRuntime", "1.3"],
      ].map(([name, version]) => Office.context.requirements.isSetSupported(name!, version));
    expect(await addin.evaluate(sets)).toEqual([true, false, true, true]);
  });

  it("writes and reads ranges, makes a table and a sheet", async () => {
    const written = await run(async (context) => {
      const sheet = context.workbook.worksheets.add("Codes");
      const range = sheet.getRange("B2:C4");
      range.numberFormat = [
        ["@", "General"],
        ["@", "General"],
        ["@", "0.0"],
      ];
      range.values = [
        ["geoid", "value"],
        ["06001", 1],
        ["06037", 2],
      ];
      const table = sheet.tables.add(range, true);
      table.name = "CodeTable";
      table.style = "TableStyleMedium7";
      range.format.font.bold = true;
      range.format.columnWidth = 90;
      sheet.freezePanes.freezeRows(2);
      sheet.activate();
      const body = table.getDataBodyRange();
      body.load("address,values,text");
      context.workbook.worksheets.load("items/name");
      const none = sheet.tables.getItemOrNullObject("nope");
      await context.sync();
      const names = context.workbook.worksheets.items.map((item) => item.name);
      return [body.address, body.values, body.text, names, none.isNullObject];
    });
    expect(written).toEqual([
      "Codes!B3:C4",
      [
        ["06001", 1],
        ["06037", 2],
      ],
      [
        ["06001", "1"],
        ["06037", "2.0"],
      ],
      ["Sheet1", "Codes"],
      true,
    ]);
    expect(await page.evaluate(() => window.workbench.tables())).toEqual([
      { name: "CodeTable", style: "TableStyleMedium7", address: "Codes!B2:C4" },
    ]);
  });

  it("meets office.js's own errors, Excel's, and those that are asked for", async () => {
    const notLoaded = run(async (context) => {
      const range = context.workbook.getSelectedRange();
      await context.sync();
      return range.values;
    });
    expect(await notLoaded).toEqual(["PropertyNotLoaded", ""]);
    const notThere = run(async (context) => {
      context.workbook.worksheets.getItem("nope").activate();
      await context.sync();
    });
    expect(await notThere).toEqual(["ItemNotFound", "var worksheet = worksheets.getItem(...);"]);
    const tooLarge = run(async (context) => {
      context.workbook.getSelectedRange().values = [["x".repeat(6_000_000)]];
      await context.sync();
    });
    expect(await tooLarge).toEqual(["RequestPayloadSizeLimitExceeded", ""]);
    for (const [code, name] of [
      [5004, "InvalidOperationInCellEditMode"],
      [5102, "ActivityLimitReached"],
      [5012, "InvalidOrTimedOutSession"],
      [7000, "AccessDenied"],
    ] as const) {
      await page.evaluate((fault) => window.workbench.failNext(fault), code);
      expect(await run((context) => context.sync())).toEqual([name, ""]);
    }
    expect(await page.evaluate(() => window.workbench.problems)).toEqual([]);
    const merge = run(async (context) => {
      context.workbook.getSelectedRange().merge();
      await context.sync();
    });
    expect(await merge).toEqual(["ApiNotFound", "selectedRange.merge();"]);
    expect(await page.evaluate(() => window.workbench.problems)).toEqual([
      expect.stringContaining("Range.Merge"),
    ]);
  });

  it("reads back what it writes in pieces: 60,000 cells", async () => {
    const read = await run(async (context) => {
      const sheet = context.workbook.worksheets.add("Big");
      const rows = Array.from({ length: 10_000 }, (_, row) => [row, `text ${row}`, row / 4, true, "", "x"]);
      const range = sheet.getRangeByIndexes(0, 0, 10_000, 6);
      range.values = rows;
      range.load("values");
      await context.sync();
      return [range.values.length, range.values[9_999]];
    });
    expect(read).toEqual([10_000, [9_999, "text 9999", 2499.75, true, "", "x"]]);
  });

  it("hears of changes, selections and sheets", async () => {
    await run(async (context) => {
      const log: unknown[] = ((window as never as { log: unknown[] }).log = []);
      const sheet = context.workbook.worksheets.getItem("Sheet1");
      sheet.onChanged.add(
        async ({ address, triggerSource }) => void log.push(["changed", address, triggerSource]),
      );
      sheet.onSelectionChanged.add(async ({ address }) => void log.push(["selected", address]));
      context.workbook.worksheets.onActivated.add(async () => void log.push(["activated"]));
      context.workbook.worksheets.onDeleted.add(async () => void log.push(["deleted"]));
      await context.sync();
    });
    await page.evaluate(() => {
      window.workbench.setValues("Sheet1!A9", [[7]]);
      window.workbench.select("Sheet1!C3:D4");
    });
    await run(async (context) => {
      context.workbook.worksheets.getItem("Sheet1").getRange("A10").values = [[8]];
      const added = context.workbook.worksheets.add("Added");
      added.activate();
      await context.sync();
      added.delete();
      await context.sync();
    });
    const log = () => addin.evaluate(() => (window as never as { log: unknown[] }).log);
    await expect
      .poll(log)
      .toEqual(
        expect.arrayContaining([
          ["changed", "A9", "Unknown"],
          ["selected", "C3:D4"],
          ["changed", "A10", "ThisLocalAddin"],
          ["activated"],
          ["deleted"],
        ]),
      );
  });

  it("keeps settings in the workbook and the user's things in OfficeRuntime.storage", async () => {
    const kept = await addin.evaluate(async () => {
      const { settings } = Office.context.document;
      settings.set("kept", { a: 1 });
      await new Promise((done) => settings.saveAsync(done));
      return OfficeRuntime.storage.getItem("greeting");
    });
    expect(kept).toBe("hello");
    expect(await addin.evaluate(() => Office.context.document.settings.get("kept") as unknown)).toEqual({
      a: 1,
    });
  });

  it("keeps custom XML, found by the namespace of its root", async () => {
    const found = await run(async (context) => {
      const parts = context.workbook.customXmlParts;
      const part = parts.add('<?xml version="1.0"?><!-- a --><p:a xmlns:p="urn:x" xmlns="urn:y"/>');
      part.setXml('<p:b xmlns:p="urn:x"/>');
      const [byX, byY] = [parts.getByNamespace("urn:x"), parts.getByNamespace("urn:y")];
      byX.load("items");
      byY.load("items");
      await context.sync();
      const xml = byX.items[0]!.getXml();
      await context.sync();
      part.delete();
      byX.load("items");
      await context.sync();
      return [xml.value, byY.items.length, byX.items.length];
    });
    expect(found).toEqual(['<p:b xmlns:p="urn:x"/>', 0, 0]);
    const refused = run(async (context) => {
      context.workbook.customXmlParts.add("no xml");
      await context.sync();
    });
    expect(await refused).toEqual(["InvalidArgument", "var add = customXmlParts.add(...);"]);
  });

  it("shows and hides its pane, and runs ribbon commands", async () => {
    await addin.evaluate(() => Office.addin.hide());
    expect(await page.evaluate(() => window.workbench.pane.visible)).toBe(false);
    await page.click('[data-control="OpenPane"]');
    expect(await page.evaluate(() => window.workbench.pane.visible)).toBe(true);
    const startup = await addin.evaluate(async () => {
      const before = await Office.addin.getStartupBehavior();
      await Office.addin.setStartupBehavior(Office.StartupBehavior.load);
      return [before, await Office.addin.getStartupBehavior()];
    });
    expect(startup).toEqual(["None", "Load"]);
    await page.evaluate(async () => {
      window.workbench.select("Sheet1!H1");
      await window.workbench.press("Stamp");
    });
    expect(await page.evaluate(() => window.workbench.getValues("Sheet1!H1"))).toEqual([["stamped"]]);
  });

  it("gives the keyboard back at its last control and on Esc", async () => {
    const isInGrid = () => page.evaluate(() => document.activeElement?.closest("#grid") !== null);
    for (const [control, key] of [
      ["#last", "Tab"],
      ["#first", "Escape"],
    ] as const) {
      await addin.focus(control);
      await page.keyboard.press(key);
      await expect.poll(isInGrid).toBe(true);
    }
  });

  it("answers formulas: values, spills, errors with their words", async () => {
    const formulas = [
      "=SAMPLE.ADD(1,2)",
      "=SAMPLE.ADD(1)",
      '=SAMPLE.FAIL("returned")',
      '=SAMPLE.FAIL("thrown")',
    ];
    const others = [
      '=SAMPLE.FAIL("plain")',
      "=SAMPLE.LOST()",
      "=SAMPLE.ADD(J3,1)",
      "=SUM(SAMPLE.GRID(3,2))",
      "=SAMPLE.ADD(SAMPLE.ADD(1,2),3)",
    ];
    const values = await calculated(
      "Sheet1!J1:J9",
      [...formulas, ...others].map((formula) => [formula]),
    );
    expect(values.flat()).toEqual([3, 101, "#N/A", "#N/A", "#VALUE!", "#VALUE!", "#N/A", 63, 6]);
    const words = () => [3, 4, 5].map((row) => window.workbench.errorMessage(`Sheet1!J${row}`));
    expect(await page.evaluate(words)).toEqual(["No answer yet", "No answer yet", null]);
    await calculated("Sheet1!L1", [["=SAMPLE.GRID(2,2)"]]);
    expect(await page.evaluate(() => window.workbench.getValues("Sheet1!L1:M2"))).toEqual([
      [0, 1],
      [10, 11],
    ]);
  });

  const texts = (address: string) => page.evaluate((at) => window.workbench.getTexts(at), address);
  const card = (address: string) => page.evaluate((at) => window.workbench.card(at), address);

  it("shows data types: texts, formats and cards", async () => {
    await run(async (context) => {
      context.workbook.worksheets.add("Types");
      await context.sync();
    });
    const names = ["county", "date", "height", "formatted number", "text", "truth value", "nothing"];
    const values = await calculated(
      "Types!A1:A7",
      names.map((name) => [`=SAMPLE.TYPED("${name}")`]),
    );
    expect(values.flat()).toEqual(["#VALUE!", 46204, 35, 46204, "06111", true, 0]);
    expect((await texts("Types!A1:A7")).flat()).toEqual([
      ...["Ventura County", "2026-07-01", "35.0 ft", "2026-07-01", "06111", "TRUE", "0"],
    ]);
    expect(await card("Types!A1")).toEqual({
      title: "County",
      subtitle: "06111",
      fields: { Since: "2026-07-01", Code: "06111 FIPS" },
      provider: "Sample data",
    });
    expect(await card("Types!A2")).toBeNull();
    expect(await card("Types!A3")).toEqual({
      title: "35.0 ft",
      fields: { Citation: "R301.2", "In force": "2026-07-01" },
    });
    const asRead = await run(async (context) => {
      const range = context.workbook.worksheets.getItem("Types").getRange("A1:A3");
      range.numberFormat = [["General"], ["0.0"], ["General"]];
      range.load("values,text,numberFormat");
      await context.sync();
      return [range.values.flat(), range.text.flat(), range.numberFormat.flat()];
    });
    expect(asRead).toEqual([
      ["#VALUE!", 46204, 35],
      ["Ventura County", "46204.0", "35.0 ft"],
      ["General", "0.0", "General"],
    ]);
  });

  it("hands data types on through formulas, until one calculates with them", async () => {
    await calculated("Types!C1", [["=SAMPLE.TYPEDROWS()"]]);
    expect(await texts("Types!C1:D3")).toEqual([
      ["Place", "Ventura County"],
      ["35.0 ft", "2026-07-01"],
      ["1", "2"],
    ]);
    const formulas = [
      "=C2",
      "=INDEX(C1:D3,1,2)",
      '=IFERROR(SAMPLE.TYPED("height"),0)',
      '=IFERROR(SAMPLE.TYPED("county"),"no error")',
      "=ISERROR(D1)",
      "=C2*2",
      "=SUM(C2:D2)",
      "=MAX(C2:C3)",
      '=D1&"!"',
      "=SUM(D1:D2)",
      "=IFERROR(D1+1,0)",
    ];
    await calculated(
      "Types!F1",
      formulas.map((formula) => [formula]),
    );
    const shown = await Promise.all(
      formulas.map(async (_, row) => {
        const address = `Types!F${row + 1}`;
        return [(await texts(address))[0]![0], (await card(address))?.title];
      }),
    );
    expect(shown).toEqual([
      ["35.0 ft", "35.0 ft"],
      ["Ventura County", "County"],
      ["35.0 ft", "35.0 ft"],
      ["Ventura County", "County"],
      ["FALSE", undefined],
      ["70", undefined],
      ["46239", undefined],
      ["35", undefined],
      ["#VALUE!", undefined],
      ["#VALUE!", undefined],
      ["0", undefined],
    ]);
  });

  it("keeps data types in the saved workbook, and no longer than their values", async () => {
    await calculated("Types!F1", [["=C2"]]);
    await page.evaluate(async () => {
      await window.workbench.open(JSON.parse(JSON.stringify(window.workbench.save())));
      await window.workbench.idle();
    });
    await started();
    for (const address of ["Types!C2", "Types!F1"]) {
      expect([await texts(address), (await card(address))?.title]).toEqual([[["35.0 ft"]], "35.0 ft"]);
    }
    await calculated("Types!F1", [["=30+5"]]);
    expect([await texts("Types!F1"), await card("Types!F1")]).toEqual([[["35"]], null]);
    await calculated("Types!C1", [["gone"]]);
    expect([await texts("Types!C1:C2"), await card("Types!C2")]).toEqual([[["gone"], [""]], null]);
  });

  it("opens a card while the pointer rests on its cell, and an error's words likewise", async () => {
    await run(async (context) => {
      context.workbook.worksheets.getItem("Types").activate();
      await context.sync();
    });
    await calculated("Types!A1:A2", [['=SAMPLE.TYPED("county")'], ['=SAMPLE.FAIL("thrown")']]);
    const grid = (await page.locator("#grid canvas").last().boundingBox())!;
    const rest = async (row: number) => {
      for (const step of [0, 1]) await page.mouse.move(grid.x + 80 + step, grid.y + 10 + row * 24 + step);
    };
    await rest(1);
    await page.getByText("Code: 06111 FIPS").waitFor();
    expect(await page.getByText("County", { exact: true }).isVisible()).toBe(true);
    await rest(2);
    await page.getByText("No answer yet").waitFor();
    expect(await page.getByText("Code: 06111 FIPS").count()).toBe(0);
  });

  it("gives whole arguments as rows, whatever they are", async () => {
    await calculated("Codes!K1:L3", [
      ["a", "1"],
      ["b", "2"],
      ["c", ""],
    ]);
    const echoed = async (argument: string) => {
      await calculated("Codes!N1", [[`=SAMPLE.ECHO(${argument})`]]);
      return addin.evaluate(() => (window as never as { seen: { echoed: unknown[] } }).seen.echoed.pop());
    };
    const table = [
      ["a", 1],
      ["b", 2],
      ["c", 0],
    ];
    expect(await echoed('"x"')).toEqual([["x"]]);
    expect(await echoed('{"a",1;TRUE,2.5}')).toEqual([
      ["a", 1],
      [true, 2.5],
    ]);
    expect(await echoed("K2")).toEqual([["b"]]);
    expect(await echoed("K1:L3")).toEqual(table);
    expect(await echoed("SAMPLE.ECHO(K1:L3)")).toEqual(table);
    expect(await echoed("TRANSPOSE(K1:L2)")).toEqual([
      ["a", "b"],
      [1, 2],
    ]);
  });

  it("calculates with the rows that a function gives", async () => {
    const cases: [formula: string, values: (string | number)[][]][] = [
      ["SUM(SAMPLE.ECHO(L1:L3))", [[3]]],
      [
        "IF(TRUE,SAMPLE.ECHO(K1:L2),0)",
        [
          ["a", 1],
          ["b", 2],
        ],
      ],
      ['IFERROR(SAMPLE.FAIL("thrown"),"none")', [["none"]]],
      ['XLOOKUP("b",SAMPLE.ECHO(K1:K3),L1:L3)', [[2]]],
      ["FILTER(SAMPLE.ECHO(K1:L3),L1:L3>1)", [["b", 2]]],
      ["INDEX(SAMPLE.ECHO(K1:L3),2,1)", [["b"]]],
      [
        "TRANSPOSE(SAMPLE.ECHO(K1:L3))",
        [
          ["a", "b", "c"],
          [1, 2, 0],
        ],
      ],
      ["LET(x,SAMPLE.ECHO(K1:L2),INDEX(x,1,2))", [[1]]],
    ];
    const height = 4;
    await calculated(
      "Codes!N1",
      cases.flatMap(([formula]) => [[`=${formula}`], [null], [null], [null]]),
    );
    for (const [at, [formula, values]] of cases.entries()) {
      const place = `Codes!N${at * height + 1}:P${at * height + height}`;
      const shown = await page.evaluate((cells) => window.workbench.getValues(cells), place);
      const expected = Array.from({ length: height }, (_, y) =>
        Array.from({ length: 3 }, (_, x) => values[y]?.[x] ?? ""),
      );
      expect([formula, shown]).toEqual([formula, expected]);
    }
    await calculated(
      "Codes!N1",
      cases.flatMap(() => [[""], [null], [null], [null]]),
    );
  });

  it("shows an error among the arguments without asking the function", async () => {
    await calculated("Codes!N1", [[""]]);
    await calculated("Codes!L2", [["=NA()"]]);
    await addin.evaluate(() => (window as never as { seen: { echoed: unknown[] } }).seen.echoed.splice(0));
    expect(await calculated("Codes!N1", [["=SAMPLE.ECHO(K1:L3)"]])).toEqual([["#N/A"]]);
    const asked = () =>
      addin.evaluate(() => (window as never as { seen: { echoed: unknown[] } }).seen.echoed.length);
    expect(await asked()).toBe(0);
    await calculated("Codes!L2", [["2"]]);
    expect(await asked()).toBe(1);
  });

  it("waits with a pending function: IFERROR and others do not catch it", async () => {
    await page.evaluate(() =>
      window.workbench.setFormulas("Codes!R1", [
        ['=IFERROR(SAMPLE.FAIL("never"),"caught")'],
        ['=IFERROR(R1,"caught")'],
        ['=COUNTA(SAMPLE.FAIL("never"))'],
        ["=1+1"],
      ]),
    );
    await expect
      .poll(() => page.evaluate(() => window.workbench.getValues("Codes!R1:R4")))
      .toEqual([["#BUSY!"], ["#BUSY!"], ["#BUSY!"], [2]]);
    await calculated("Codes!R1", [[""], [""], [""], [""]]);
  });

  it("lets spills grow, shrink, be blocked and heal, and who refers to them follows", async () => {
    await calculated("Codes!T1:U1", [["2", "2"]]);
    await calculated("Codes!V1", [["=SAMPLE.GRID(T1,U1)"]]);
    await calculated("Codes!Z1:Z4", [["=V3"], ["=SUM(V2:Y4)"], ["=COUNTA(V2:Y4)"], ["=SUM(V1:Y4)"]]);
    const shown = () => page.evaluate(() => window.workbench.getValues("Codes!V1:Z4"));
    expect(await shown()).toEqual([
      [0, 1, "", "", 0],
      [10, 11, "", "", 21],
      ["", "", "", "", 2],
      ["", "", "", "", 22],
    ]);
    await calculated("Codes!T1:U1", [["4", "3"]]);
    expect(await shown()).toEqual([
      [0, 1, 2, "", 20],
      [10, 11, 12, "", 189],
      [20, 21, 22, "", 9],
      [30, 31, 32, "", 192],
    ]);
    await calculated("Codes!T1:U1", [["1", "2"]]);
    expect(await shown()).toEqual([
      [0, 1, "", "", 0],
      ["", "", "", "", 0],
      ["", "", "", "", 0],
      ["", "", "", "", 1],
    ]);
    await calculated("Codes!T1:U1", [["4", "3"]]);
    await calculated("Codes!V2", [["in the way"]]);
    expect(await shown()).toEqual([
      ["#SPILL!", "", "", "", 0],
      ["in the way", "", "", "", 0],
      ["", "", "", "", 1],
      ["", "", "", "", "#SPILL!"],
    ]);
    await calculated("Codes!V2", [[""]]);
    expect((await shown()).map((row) => row[4])).toEqual([20, 189, 9, 192]);
    await calculated("Codes!V1", [[""]]);
    expect((await shown()).map((row) => row[4])).toEqual([0, 0, 0, 0]);
  });

  it("reads a formula's value in the request that writes it", async () => {
    const read = await run(async (context) => {
      const range = context.workbook.worksheets.getItem("Sheet1").getRange("S1:S2");
      range.formulas = [["=20+1"], ["=S1*2"]];
      range.load("values");
      await context.sync();
      return range.values;
    });
    expect(read).toEqual([[21], [42]]);
  });

  it("answers 2,000 formulas at once", async () => {
    const formulas = Array.from({ length: 2_000 }, (_, row) => [`=SAMPLE.ADD(${row},1)`]);
    const values = await calculated("Sheet1!O1:O2000", formulas);
    expect(values.flat()).toEqual(Array.from({ length: 2_000 }, (_, row) => row + 1));
  });

  it("cancels a call whose cell no longer wants it", async () => {
    const cancelled = () =>
      addin.evaluate(() => (window as never as { seen: { cancelled: number } }).seen.cancelled);
    const before = await cancelled();
    await page.evaluate(() => window.workbench.setFormulas("Sheet1!Q1", [['=SAMPLE.FAIL("never")']]));
    await expect
      .poll(() => page.evaluate(() => window.workbench.getValues("Sheet1!Q1")))
      .toEqual([["#BUSY!"]]);
    await calculated("Sheet1!Q1", [[""]]);
    await expect.poll(cancelled).toBe(before + 1);
  });

  it("starts anew in a saved workbook, whose values stay", async () => {
    await page.evaluate(async () => {
      const saved = JSON.parse(JSON.stringify(window.workbench.save())) as unknown;
      window.workbench.setValues("Sheet1!J1", [["overwritten"]]);
      await window.workbench.open(saved);
      await window.workbench.idle();
    });
    await started();
    expect(await page.evaluate(() => window.workbench.getFormulas("Sheet1!J1"))).toEqual([
      ["=SAMPLE.ADD(1,2)"],
    ]);
    expect(await page.evaluate(() => window.workbench.getValues("Sheet1!J1:J4"))).toEqual([
      [3],
      [101],
      ["#N/A"],
      ["#N/A"],
    ]);
    expect(await addin.evaluate(() => Office.context.document.settings.get("kept") as unknown)).toEqual({
      a: 1,
    });
    // Only formulas that were saved in an error are asked again, and after an edit those that depend on it.
    const grids = () => addin.evaluate(() => (window as never as { seen: { grids: number } }).seen.grids);
    expect(await grids()).toBe(0);
    await calculated("Sheet1!X1:X3", [["unrelated"], ["=1+1"], ["=SEQUENCE(2)"]]);
    expect(await grids()).toBe(0);
    expect(await page.evaluate(() => window.workbench.getValues("Sheet1!L1:M2"))).toEqual([
      [0, 1],
      [10, 11],
    ]);
  });

  it("as an Excel without data types shows #VALUE! and names the function", async () => {
    const [values, problems] = await page.evaluate(async () => {
      const { workbench } = window;
      history.replaceState(null, "", "?excelApi=1.15");
      await workbench.startAgain();
      workbench.setFormulas("A1", [['=SAMPLE.TYPED("county")'], ["=SAMPLE.TYPEDROWS()"]]);
      await workbench.idle();
      return [workbench.getValues("A1:B3"), workbench.problems] as const;
    });
    expect(values).toEqual([
      ["#VALUE!", ""],
      ["Place", "#VALUE!"],
      ["#VALUE!", "#VALUE!"],
    ]);
    expect(problems).toContainEqual(expect.stringMatching(/SAMPLE\.TYPED returned .*Entity.*1\.16.*1\.15/));
  });
});
