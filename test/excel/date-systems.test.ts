import { describe, expect, it } from "vitest";
import { config } from "../../src/config";
import { freezeFormulas, unfreezeFormulas } from "../../src/workbook/cell-formulas/freeze";
import { plainForm } from "../../src/workbook/sheet/layout/table-plan";
import { refreshImport } from "../../src/workbook/imports/refresh/refresh";
import { placeImport } from "../../src/workbook/imports/run/place-import";
import { createImportBook } from "../../src/workbook/imports/saved/import-book";
import { planBookSources } from "../../src/workbook/imports/sources/book-sources";
import { createImportTables } from "../../src/workbook/sheet/tables/table-changes";
import { writeTable } from "../../src/workbook/sheet/tables/write-table";
import { column, playExcel } from "../functions/excel";
import { inTime } from "./in-time";
import { openExcel, type PlayedExcel } from "./open-excel";

/**
 * A workbook counts its days from 1900 or from 1904 (Excel's option "Use 1904 date system"). The same day has another number in each, 1,462
 * apart (support.microsoft.com, "Date systems in Excel"): whoever reads the workbook sees and means the same days.
 */
playExcel();

const [codeInForce, codeEffective] = [1003, 1013];
const usesOf = { 1900: false, 1904: true };
type DateSystem = keyof typeof usesOf;
const key = "demo-west";

let excel: PlayedExcel;
function open(system: DateSystem, options: Parameters<typeof openExcel>[0] = {}) {
  excel = openExcel({ excelApi: "1.20", key, ...options });
  excel.spreadsheet.setDateSystem(usesOf[system]);
}

const textsOf = (address: string) => excel.cells(address).map((row) => row.map(({ text }) => text));
async function shownBy(...formulas: string[]) {
  excel.enter(`A1:A${formulas.length}`, column(...formulas) as string[][]);
  await inTime(excel.spreadsheet.idle());
  return textsOf(`A1:A${formulas.length}`).flat();
}

/** The outcome of work that comes to the same in both systems. */
async function inBoth<Shown>(work: (system: DateSystem) => Promise<Shown>): Promise<Shown> {
  const usual = await work(1900);
  expect(await work(1904)).toEqual(usual);
  return usual;
}

describe("formulas", () => {
  it("give a day, a time and a card's facts as the same days in both date systems", async () => {
    const shown = await inBoth(async (system) => {
      open(system);
      const texts = await shownBy(
        `=REGDATA.VALUE("06",${codeEffective})`,
        `=REGDATA.VALUE("06",${codeInForce},"updated_at")`,
        `=REGDATA.CARD("06",${codeEffective})`,
        "=REGDATA.COLLECTIONS()",
      );
      return [texts, textsOf("D4:D6"), excel.spreadsheet.card("sheet-1", 2, 0)];
    });
    expect(shown).toMatchObject([
      [
        expect.stringMatching(/^20\d\d-\d\d-\d\d$/),
        expect.stringMatching(/^202\d-\d\d-\d\d \d\d:\d\d:\d\d$/),
        expect.stringMatching(/^20\d\d-\d\d-\d\d$/),
        "Collection ID",
      ],
      [["Updated"], [expect.stringMatching(/^202\d-/)], [expect.stringMatching(/^202\d-/)]],
      { fields: { Updated: expect.stringMatching(/^202\d-/) as string } },
    ]);
  });

  it("give numbers as they were published, whatever the date system", async () => {
    const formula = `=REGDATA.VALUE("06001",1056)`;
    const [fee] = await inBoth(async (system) => {
      open(system);
      await shownBy(formula);
      return excel.values("A1").flat();
    });
    expect(fee).toEqual(expect.any(Number));
  });

  it("show the same days when they are frozen, and when they are formulas again", async () => {
    const [day] = await inBoth(async (system) => {
      open(system);
      const { workbook } = excel.app;
      const { namespace } = config;
      const quietly = { signal: new AbortController().signal, onProgress() {} };
      const cell = { row: 0, column: 0, rows: 1, columns: 1 };
      excel.spreadsheet.writeNumberFormats("sheet-1", cell, [["yyyy-mm-dd"]]);
      const before = await shownBy(`=REGDATA.VALUE("06",${codeEffective})`);
      const found = await inTime(workbook.findFormulas("workbook", { namespace, canSeeSpills: true }));
      await inTime(freezeFormulas(found, workbook, { ...quietly, canSeeDataTypes: false }));
      expect(excel.cells("A1")[0]?.[0]?.formula).toEqual(expect.any(Number));
      const frozen = textsOf("A1").flat();
      await inTime(unfreezeFormulas("workbook", workbook, { ...quietly, namespace, calls: excel.app }));
      await inTime(excel.spreadsheet.idle());
      expect([frozen, textsOf("A1").flat()]).toEqual([before, before]);
      return frozen;
    });
    expect(day).toMatch(/^20\d\d-\d\d-\d\d$/);
  });

  it("take a day as the workbook counts it", async () => {
    open(1900);
    const [updated = ""] = await shownBy(`=REGDATA.VALUE("06",${codeInForce},"updated_at")`);
    const [year, month, date] = updated.slice(0, 10).split("-").map(Number) as [number, number, number];
    const judged = await inBoth(async (system) => {
      open(system);
      const changed = await shownBy(
        `=REGDATA.CHANGED("06",${codeInForce},DATE(${year},${month},${date}))`,
        `=REGDATA.CHANGED("06",${codeInForce},DATE(${year},${month},${date + 1}))`,
      );
      open(system);
      excel.enter("F1", [[codeInForce, "updated after", `=DATE(${year},${month},${date - 1})`]]);
      excel.enter("F2", [[codeInForce, "updated before", `=DATE(${year},${month},${date + 1})`]]);
      return [...changed, ...(await shownBy(`=REGDATA.FIND("06",F1:H2,${codeInForce},FALSE)`))];
    });
    expect(judged).toEqual(["TRUE", "FALSE", "California"]);
  });

  it("give a day as it was published, and take it as a text alone, while Excel does not tell the date system", async () => {
    open(1904);
    const [published] = await shownBy(`=REGDATA.VALUE("06",${codeEffective},"text")`);
    excel.fail(7000, 20, "workbook");
    expect(
      await shownBy(
        `=REGDATA.VALUE("06",${codeEffective})`,
        `=REGDATA.CHANGED("06",${codeInForce},DATE(2026,1,1))`,
        `=REGDATA.CHANGED("06",${codeInForce},"2020-01-01")`,
      ),
    ).toEqual([published, "#N/A", "TRUE"]);
    expect(excel.errorMessage("A2")).toMatch(/^Excel does not allow this here\./);
  });

  it("do not wait for long while a cell is being edited", async () => {
    open(1904);
    excel.spreadsheet.edit(true);
    const [day, changed] = await shownBy(
      `=REGDATA.VALUE("06",${codeEffective})`,
      `=REGDATA.CHANGED("06",${codeInForce},DATE(2026,1,1))`,
    );
    expect([day, changed]).toEqual([expect.stringMatching(/^20/), "#N/A"]);
    expect(excel.errorMessage("A2")).toMatch(/^A cell is being edited\. Press Enter or Esc/);
    excel.spreadsheet.edit(false);
    await inTime(excel.spreadsheet.calculated());
    expect(await shownBy(`=REGDATA.VALUE("06",${codeEffective})`)).toEqual([day]);
    expect(excel.values("A1")).toEqual([[expect.any(Number)]]);
  });

  it("ask Excel for the date system once, and only if they give or take days", async () => {
    let requests = 0;
    open(1904, { onRequest: () => (requests += 1) });
    // The first request to the service asks Excel if the workbook is on hold.
    await inTime(excel.app.hold.look());
    requests = 0;
    await shownBy(`=REGDATA.VALUE("06001",1056)`, `=REGDATA.CHANGED("06",${codeInForce},"2020-01-01")`);
    expect(requests).toBe(0);
    const days = [codeEffective, codeEffective + 1].flatMap((id) => ["06", "32"].map((state) => [id, state]));
    await shownBy(...days.map(([id, state]) => `=REGDATA.VALUE("${state}",${id})`));
    await shownBy(`=REGDATA.VALUE("06",${codeInForce},"updated_at")`);
    expect(requests).toBe(1);
  });
});

describe("imports", () => {
  /** An import of days with the days of their last changes, with its sources. */
  async function dated(system: DateSystem) {
    open(system);
    const { workbook } = excel.app;
    const session = await inTime(excel.app.session());
    const types = (await inTime(session.lookup.catalogue.types())).filter(({ id }) => id === codeEffective);
    const ahjs = (await inTime(session.lookup.directory.load())).ahjs
      .filter(({ type }) => type === "state")
      .slice(0, 4);
    const form = { ...plainForm, hasDates: true };
    const place = () =>
      placeImport(
        { question: { kind: "matrix", ahjs, types }, form, hasSources: true, sheetName: "Days" },
        { kind: "new-sheet", name: "Days" },
        { workbook, session },
        {},
      );
    const tables = createImportTables(workbook);
    const list = async () => (await inTime(createImportBook(workbook).list())).imports;
    const refresh = async () => {
      const [{ saved } = { saved: undefined! }] = await list();
      const book = createImportBook(workbook);
      return (await inTime(refreshImport(saved, { tables, book, ...session }))).report;
    };
    return { place, refresh, list, tables, session, workbook };
  }
  const days = () => textsOf("Days!A1:H5");

  it("show the same days in both date systems, and a refresh finds no change", async () => {
    const shown = await inBoth(async (system) => {
      const { place, refresh, list, tables, session, workbook } = await dated(system);
      expect(await inTime(place())).toMatchObject({ status: "done" });
      const all = [days(), textsOf("Sources!A1:G5")];
      const { changes, edited, unsure } = await refresh();
      expect([changes, edited, unsure]).toEqual([[], [], []]);
      const { lookup, documents, credentials } = session;
      const known = { tables, lookup, documents, service: credentials.baseUrl };
      const sources = await inTime(planBookSources(await list(), known));
      await inTime(writeTable(workbook, sources.plan!, { kind: "new-sheet", name: "All" }));
      return [...all, textsOf("All!A1:G5")];
    });
    expect(shown.flat(2).filter((text) => /20[12]\d/.test(text)).length).toBeGreaterThan(20);
  });

  it("are brought to the right days by a refresh where the user has changed the date system since", async () => {
    const { place, refresh } = await dated(1900);
    await inTime(place());
    const before = days();
    excel.spreadsheet.setDateSystem(true);
    expect(days()).not.toEqual(before);
    const { changes, edited } = await refresh();
    expect(edited).toEqual([]);
    expect(changes.length).toBeGreaterThan(0);
    expect(days()).toEqual(before);
    expect((await refresh()).changes).toEqual([]);
  });
});
