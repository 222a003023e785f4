import { beforeEach, describe, expect, it, vi } from "vitest";
import { createImportControl } from "../../../../src/taskpane/fill/insert/import-control";
import { orderOfList } from "../../../../src/taskpane/fill/draft/draft";
import type { ImportReport } from "../../../../src/workbook/imports/run/import-types";
import { readColumn } from "../../../../src/workbook/imports/run/list-rows";
import { createImportBook } from "../../../../src/workbook/imports/saved/import-book";
import { parseAddress } from "../../../../workbench/address";
import { inTime } from "../../../excel/in-time";
import { pass, playExcel } from "../../../functions/excel";
import { openImport, type OpenedImport } from "./opened-import";
import { playConfig, setConfig } from "../../../play-config";

// A request has the answers of one jurisdiction, and memory drops answers as soon as nothing holds them.
playConfig({
  matrixCells: 2,
  mostMatrixCells: 2,
  firstRequests: 1,
  concurrentRequests: 1,
  cachedBytes: 1,
  heldBytes: 1_000_000,
  answersAPart: 4,
});

playExcel();

let opened: OpenedImport;
/** The number of requests for answers that the service still carries out. */
let answersLeft: number;
beforeEach(async () => {
  answersLeft = 2;
  opened = await openImport({
    excelApi: "1.13",
    intercept(request) {
      if (!request.url.includes("matrix")) return undefined;
      return answersLeft-- > 0 ? undefined : new Response("{}", { status: 400 });
    },
  });
});

const alameda = ["Alameda County", "CA", "county", "06001", "NEC 2020", 30, 10243];
const losAngeles = ["Los Angeles County", "CA", "county", "06037", "NEC 2020", 75, 10261];
const blank = ["", "", "", "", "", "", ""];
const sheets = () => opened.excel.spreadsheet.sheets().map(({ name }) => name);
const namesNotRead = ({ report }: { report: ImportReport }) => report.notRead.map(({ name }) => name);
const tables = () => opened.excel.spreadsheet.tables().length;

/** Starts an import that ends early. */
async function fails(start: () => void) {
  start();
  return opened.reaches("failed");
}
/** Keeps the part that had come, and waits until it is inserted. */
async function kept() {
  opened.control.keepPartial();
  return opened.reaches("done");
}
/** Makes Excel refuse to make a table, once all rows are written. */
function refuseTable() {
  const { spreadsheet } = opened.excel;
  const { addTable } = spreadsheet;
  spreadsheet.addTable = () => {
    spreadsheet.addTable = addTable;
    throw new Error("refused");
  };
}
describe("an import that ended early", () => {
  it("offers the jurisdictions that are complete, and puts them on a marked sheet without another request", async () => {
    const { control, order, excel, answersAsked } = opened;
    const failed = await fails(() => control.insertOnNewSheet(order()));
    expect(failed).toMatchObject({ failure: { kind: "invalid-request" }, placed: null });
    expect(failed.partial?.data.report.rows).toBe(2);
    expect(failed.partial?.order.question.ahjs).toHaveLength(3);
    expect(sheets()).toEqual(["Sheet1"]);
    const done = await kept();
    expect(done.address).toBe("'Codes (partial)'!A1:G3");
    expect(done.report.notRead.map(({ name }) => name)).toEqual(["Orange County"]);
    expect(excel.values("'Codes (partial)'!A2:G4")).toEqual([alameda, losAngeles, blank]);
    expect(answersAsked()).toHaveLength(3);
  });

  it.each([
    ["Fresno, Kern, Yolo", "Fresno, Kern, Yolo (partial)"],
    ["Alameda, Los Angeles, Orange", "Alameda, Los (partial)"],
    ["Review of Permits, Orange", "Review of Permits (partial)"],
    ["CA, Electrical Codes in Force", "CA, Electrical (partial)"],
    ["Review of Permits for Solar", "Review of Permits (partial)"],
  ])("marks the sheet of %s as %s, which leaves room for a number", async (sheetName, marked) => {
    const { control, order } = opened;
    await fails(() => control.insertOnNewSheet(order({ sheetName })));
    await kept();
    expect(sheets()).toEqual(["Sheet1", marked]);
  });

  it("puts its part at the selected cell if it was to go there", async () => {
    const { control, order, excel } = opened;
    await fails(() => control.insertAtSelectedCell(order()));
    expect((await kept()).address).toBe("Sheet1!A1:G3");
    expect(sheets()).toEqual(["Sheet1"]);
    expect(excel.values("A2:G4")).toEqual([alameda, losAngeles, blank]);
  });

  it("never replaces a whole table by a part: the part goes to a sheet of its own", async () => {
    const { control, order, excel } = opened;
    answersLeft = 5;
    control.insertOnNewSheet(order());
    await opened.reaches("done");
    const replaces = await opened.toReplace();
    const before = excel.values("Codes!A1:G4");
    await fails(() => control.replace({ ...order(), replaces }));
    expect((await kept()).address).toBe("'Codes (partial)'!A1:G3");
    expect(excel.values("Codes!A1:G4")).toEqual(before);
    const { imports } = await inTime(createImportBook(excel.app.workbook).list());
    expect(imports.map(({ place }) => place?.address).toSorted()).toEqual([
      "'Codes (partial)'!A1:G3",
      "Codes!A1:G4",
    ]);
  });

  it("goes to its own place unmarked if all answers had come and only the writing failed", async () => {
    const { control, order, answersAsked } = opened;
    answersLeft = 3;
    refuseTable();
    const failed = await fails(() => control.insertOnNewSheet(order()));
    expect(failed.partial?.data.report).toMatchObject({ rows: 3, notRead: [] });
    expect(sheets()).toEqual(["Sheet1"]);
    expect((await kept()).address).toBe("Codes!A1:G4");
    expect(answersAsked()).toHaveLength(3);
  });

  it("names the jurisdictions of parts that were not asked, and is never a whole import", async () => {
    const { control, order, excel, answersAsked } = opened;
    answersLeft = 1;
    const failed = await fails(() => control.insertOnNewSheet(order({ parts: 2 })));
    expect(failed.partial?.order.question.ahjs).toHaveLength(3);
    expect(namesNotRead(failed.partial!.data)).toEqual(["Los Angeles County", "Orange County"]);
    const done = await kept();
    expect(namesNotRead(done)).toEqual(["Los Angeles County", "Orange County"]);
    expect(sheets()).toEqual(["Sheet1", "Codes (partial)"]);
    const { imports } = await inTime(createImportBook(excel.app.workbook).list());
    expect(imports.map(({ saved }) => saved.name)).toEqual(["Codes (partial)"]);
    const asked = answersAsked().length;
    answersLeft = 2;
    control.insertRest();
    expect(await opened.reaches("done")).toMatchObject({ address: "Codes!A1:G3", report: { notRead: [] } });
    expect(excel.values("Codes!A2:A3").flat()).toEqual(["Los Angeles County", "Orange County"]);
    expect(answersAsked()).toHaveLength(asked + 2);
  });

  it("names them, too, if a whole part had come and only its writing failed", async () => {
    const { control, order } = opened;
    answersLeft = 2;
    refuseTable();
    const failed = await fails(() => control.insertOnNewSheet(order({ parts: 2 })));
    expect(failed.partial?.data.report).toMatchObject({ rows: 2 });
    const done = await kept();
    expect(namesNotRead(done)).toEqual(["Orange County"]);
    expect(done.address).toBe("'Codes (partial)'!A1:G3");
  });

  it("names what lacks beside the tables that are in the workbook, and gets it in as many tables as it needs", async () => {
    const { control, order, excel } = opened;
    answersLeft = 1;
    const failed = await fails(() => control.insertOnNewSheet(order({ parts: 3 })));
    expect(failed).toMatchObject({ partial: null, placed: { address: "Codes!A1:G2" } });
    expect(namesNotRead(failed.placed!)).toEqual(["Los Angeles County", "Orange County"]);
    answersLeft = 2;
    control.insertRest();
    expect(await opened.reaches("done")).toMatchObject({ report: { rows: 2, notRead: [] } });
    expect(sheets()).toEqual(["Sheet1", "Codes", "Codes 2", "Codes 3"]);
    expect(["'Codes 2'!A2", "'Codes 3'!A2"].flatMap((cell) => excel.values(cell).flat())).toEqual([
      "Los Angeles County",
      "Orange County",
    ]);
  });

  it("has no rest if nothing lacks", async () => {
    const { control, order, answersAsked } = opened;
    answersLeft = 3;
    control.insertOnNewSheet(order());
    const done = await opened.reaches("done");
    control.insertRest();
    expect(opened.state()).toBe(done);
    expect(answersAsked()).toHaveLength(3);
  });

  it("has nothing to keep if no jurisdiction is complete, or if it was discarded", async () => {
    const { control, order, state } = opened;
    control.keepPartial();
    expect(state()).toEqual({ status: "idle" });
    answersLeft = 0;
    const failed = await fails(() => control.insertOnNewSheet(order()));
    expect(failed.partial).toBeNull();
    control.keepPartial();
    expect(state()).toBe(failed);
    answersLeft = 1;
    await fails(() => control.insertOnNewSheet(order()));
    control.dismiss();
    control.keepPartial();
    expect(state()).toEqual({ status: "idle" });
    expect(tables()).toBe(0);
  });
});

describe("the answers of an import", () => {
  it("stay in memory after it ended early, so that the next try asks only for the rest", async () => {
    const { control, order, reaches, answersAsked } = opened;
    await fails(() => control.insertOnNewSheet(order()));
    answersLeft = 1;
    control.insertOnNewSheet(order());
    expect(await reaches("done")).toMatchObject({ address: "Codes!A1:G4", report: { values: 6 } });
    expect(answersAsked()).toHaveLength(4);
  });

  it("stay in memory while the user is asked about cells in the way", async () => {
    const { control, order, excel, reaches, answersAsked } = opened;
    await fails(() => control.insertOnNewSheet(order()));
    excel.enter("B2", [["mine"]]);
    control.insertAtSelectedCell(order());
    await reaches("in-the-way");
    answersLeft = 1;
    control.overwrite();
    expect(await reaches("done")).toMatchObject({ address: "Sheet1!A1:G4" });
    expect(answersAsked()).toHaveLength(4);
  });

  it("stay in memory while the user is asked about cells right of a list", async () => {
    const { control, order, excel, ahjs, reaches, answersAsked } = opened;
    await fails(() => control.insertOnNewSheet(order()));
    const entries = ["06001", "06037", "06059"];
    excel.enter("A1", [["Place", "kW"], ...entries.map((geoid) => [`'${geoid}`, 4])]);
    excel.spreadsheet.select("sheet-1", [parseAddress("A1:A4")!.rect]);
    const column = await inTime(excel.app.workbook.readListColumn());
    const { entries: read } = (await readColumn(column)).read;
    const rows = { header: { from: "list" as const, text: "Place" }, entries: read, blanks: [] };
    const listed = ahjs.map((ahj) => ({ ahj, how: "as-given" as const }));
    const beside = orderOfList({ column, rows, ahjs: listed }, true);
    control.insertBeside({ ...order(), beside, columns: { together: 3, apart: 5 } });
    const { place } = await reaches("beside-in-the-way");
    answersLeft = 1;
    control.chooseWay(place.right);
    await reaches("done");
    expect(answersAsked()).toHaveLength(4);
    expect(excel.values("A2:D4").map(([, code]) => code)).toEqual(["NEC 2020", "NEC 2020", "NEC 2020"]);
  });

  it.each<[string, (opened: OpenedImport) => Promise<unknown>]>([
    ["inserted", kept],
    ["discarded", ({ control }) => Promise.resolve(control.dismiss())],
  ])("leave memory once they are %s", async (_, end) => {
    const { control, order, reaches, answersAsked } = opened;
    await fails(() => control.insertOnNewSheet(order()));
    await end(opened);
    answersLeft = 3;
    control.insertOnNewSheet(order());
    await reaches("done");
    expect(answersAsked()).toHaveLength(3 + 3);
  });

  it("leave memory with each table of an import in several, so that memory need not hold all of them at once", async () => {
    const { control, order, reaches } = opened;
    answersLeft = 3;
    // The answers of one jurisdiction fit, and not those of two.
    setConfig({ heldBytes: 200 });
    control.insertOnNewSheet(order({ parts: 3 }));
    expect(await reaches("done")).toMatchObject({ report: { rows: 3 } });
    expect(tables()).toBe(3);
  });

  it("have left memory when the import is shown as done, so that the next one holds its own", async () => {
    const { control, order, reaches, session } = opened;
    answersLeft = 6;
    const { answers } = session.lookup;
    const told: string[] = [];
    const { hold } = answers;
    vi.spyOn(answers, "hold").mockImplementation(() => {
      const held = hold();
      return { ...held, release: () => (told.push("left memory"), held.release()) };
    });
    control.subscribe(({ status }) => void (status === "done" && told.push("done")));
    control.insertOnNewSheet(order());
    await reaches("done");
    await pass(1_000);
    expect(told.at(-1)).toBe("done");
    expect(told).toContain("left memory");
  });

  it("leave memory when the screen is left while the import runs", async () => {
    const { control, order, reaches, shows, excel, session, answersAsked } = opened;
    control.insertOnNewSheet(order());
    await shows("running", ({ step }) => step?.startsWith("Fetched 1 of 3 jurisdictions") ?? false);
    control.end();
    expect((await reaches("failed")).failure.kind).toBe("cancelled");
    const asked = answersAsked().length;
    answersLeft = 6;
    // The screen is opened again, and the same import is inserted twice.
    const again = createImportControl(excel.app, session);
    for (const sheetName of ["Codes", "Again"]) {
      again.insertOnNewSheet(order({ sheetName }));
      await shows("done", () => sheets().includes(sheetName), again);
    }
    expect(answersAsked()).toHaveLength(asked + 6);
  });
});
