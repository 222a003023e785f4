import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { BrowserContext, Frame, Page } from "@playwright/test";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type {} from "../../src/workbench/page/workbench-api";
import { startWorkbench } from "../../src/workbench/server";
import { closeBrowser, sharedBrowser } from "./open-workbench";

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
      Excel.run((0, eval)(`(${source})`) as (context: Excel.RequestContext) => Promise<never>).catch(
        (error: OfficeExtension.Error) => [error.code, error.debugInfo?.statement ?? ""],
      ),
    [batch.toString()],
  );
}

async function calculated(address: string, formulas: string[][]): Promise<unknown[][]> {
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
        ["ExcelApi", "1.15"],
        ["ExcelApi", "1.16"],
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
    await page.evaluate(() => window.workbench.setFormulas("Sheet1!Q1", [['=SAMPLE.FAIL("never")']]));
    await expect
      .poll(() => page.evaluate(() => window.workbench.getValues("Sheet1!Q1")))
      .toEqual([["#BUSY!"]]);
    await calculated("Sheet1!Q1", [[""]]);
    const cancelled = () =>
      addin.evaluate(() => (window as never as { seen: { cancelled: number } }).seen.cancelled);
    await expect.poll(cancelled).toBe(1);
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
});
