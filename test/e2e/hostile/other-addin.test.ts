import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { BrowserContext, Frame, Page } from "@playwright/test";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type {} from "../../../workbench/page/workbench-api";
import { startWorkbench } from "../../../workbench/workbench-server";
import { drawSeldom } from "../../../scripts/browser";
import { closeBrowser, idle, ready, sharedBrowser } from "../open-workbench";

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
  await ready(page);
  addin = page.frames().find((frame) => new URL(frame.url()).pathname.startsWith("/addin/"))!;
}

/** Runs another add-in's code under office.js. */
function run<Result>(batch: (context: Excel.RequestContext) => Promise<Result>): Promise<Result> {
  return addin.evaluate(
    ([source]) =>
      // eslint-disable-next-line no-eval -- the test's own function, of which only its text gets into the page.
      Excel.run((0, eval)(`(${source})`) as (context: Excel.RequestContext) => Promise<never>),
    [batch.toString()],
  );
}

async function calculated(address: string, formulas: (string | null)[][]): Promise<unknown[][]> {
  await page.evaluate(([place, rows]) => window.workbench.setFormulas(place, rows), [
    address,
    formulas,
  ] as const);
  await idle(page);
  return page.evaluate((place) => window.workbench.getValues(place), address);
}

describe("an add-in under Microsoft's office.js in the workbench", () => {
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
      parts.add("no xml");
      const refused = await context.sync().catch((error: OfficeExtension.Error) => error.code);
      return [xml.value, byY.items.length, refused];
    });
    expect(found).toEqual(['<p:b xmlns:p="urn:x"/>', 0, "InvalidArgument"]);
  });

  it("is told whether it is loaded with the document", async () => {
    const startup = await addin.evaluate(async () => {
      const before = await Office.addin.getStartupBehavior();
      await Office.addin.setStartupBehavior(Office.StartupBehavior.load);
      return [before, await Office.addin.getStartupBehavior()];
    });
    expect(startup).toEqual(["None", "Load"]);
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

  it("gives arguments as rows, and shows an error among them without asking the function", async () => {
    const echoed = () =>
      addin.evaluate(() => (window as never as { seen: { echoed: unknown[] } }).seen.echoed);
    await calculated("Types!K1:L2", [
      ["a", "1"],
      ["b", ""],
    ]);
    await calculated("Types!N1", [["=SAMPLE.ECHO(TRANSPOSE(SAMPLE.ECHO(K1:L2)))"]]);
    expect(await echoed()).toEqual([
      [
        ["a", 1],
        ["b", 0],
      ],
      [
        ["a", "b"],
        [1, 0],
      ],
    ]);
    expect(await calculated("Types!L2", [["=NA()"]])).toEqual([["#N/A"]]);
    expect(await page.evaluate(() => window.workbench.getValues("Types!N1"))).toEqual([["#N/A"]]);
    expect(await echoed()).toHaveLength(2);
    await calculated("Types!L2", [["2"]]);
    expect(await echoed()).toHaveLength(4);
  });

  it("waits with a pending function, which IFERROR and others do not catch, and cancels one that no cell wants", async () => {
    const cancelled = () =>
      addin.evaluate(() => (window as never as { seen: { cancelled: number } }).seen.cancelled);
    const before = await cancelled();
    await page.evaluate(() =>
      window.workbench.setFormulas("Types!R1", [
        ['=IFERROR(SAMPLE.FAIL("never"),"caught")'],
        ['=IFERROR(R1,"caught")'],
        ['=COUNTA(SAMPLE.FAIL("never"))'],
        ["=1+1"],
      ]),
    );
    await expect
      .poll(() => page.evaluate(() => window.workbench.getValues("Types!R1:R4")))
      .toEqual([["#BUSY!"], ["#BUSY!"], ["#BUSY!"], [2]]);
    await calculated("Types!R1", [[""], [""], [""], [""]]);
    await expect.poll(cancelled).toBe(before + 2);
  });

  it("lets spills grow, shrink, be blocked and heal, and who refers to them follows", async () => {
    await calculated("Types!T1:U1", [["4", "3"]]);
    await calculated("Types!V1", [["=SAMPLE.GRID(T1,U1)"]]);
    await calculated("Types!Z1:Z4", [["=V3"], ["=SUM(V2:Y4)"], ["=COUNTA(V2:Y4)"], ["=SUM(V1:Y4)"]]);
    const shown = () => page.evaluate(() => window.workbench.getValues("Types!V1:Z4"));
    const whole = [
      [0, 1, 2, "", 20],
      [10, 11, 12, "", 189],
      [20, 21, 22, "", 9],
      [30, 31, 32, "", 192],
    ];
    expect(await shown()).toEqual(whole);
    await calculated("Types!T1:U1", [["1", "2"]]);
    expect(await shown()).toEqual([
      [0, 1, "", "", 0],
      ["", "", "", "", 0],
      ["", "", "", "", 0],
      ["", "", "", "", 1],
    ]);
    await calculated("Types!T1:U1", [["4", "3"]]);
    await calculated("Types!V2", [["in the way"]]);
    expect(await shown()).toEqual([
      ["#SPILL!", "", "", "", 0],
      ["in the way", "", "", "", 0],
      ["", "", "", "", 1],
      ["", "", "", "", "#SPILL!"],
    ]);
    await calculated("Types!V2", [[""]]);
    expect(await shown()).toEqual(whole);
    await calculated("Types!V1", [[""]]);
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
    // Only formulas that were saved in an error are asked again, and after an edit the ones that depend on it.
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
