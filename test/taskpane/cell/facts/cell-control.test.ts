import { SheetFailure } from "../../../../src/sheet-failure";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Session } from "../../../../src/app";
import { config } from "../../../../src/config";
import { type CellControl, createCellControl } from "../../../../src/taskpane/cell/facts/cell-control";
import { isShownBy } from "../../../../src/taskpane/cell/facts/cell-facts";
import { freezeFormulas } from "../../../../src/workbook/cell-formulas/freeze";
import { pending } from "../../../../src/workbook/cell-formulas/settle";
import { frozenXml } from "../../../../src/workbook/cell-formulas/frozen-formulas";
import { placeImport } from "../../../../src/workbook/imports/run/place-import";
import { plainForm } from "../../../../src/workbook/sheet/layout/table-plan";
import { inTime } from "../../../excel/in-time";
import { openExcel, type PlayedExcel } from "../../../excel/open-excel";
import { outage, pass, playExcel } from "../../../functions/excel";
import { factsOf, lookAt as lookAtIn, rests as restsIn } from "./cell-pane";

playExcel();

let excel: PlayedExcel;
let session: Session;
let control: CellControl;
let stop: () => void;

beforeEach(async () => {
  excel = openExcel({ excelApi: "1.13" });
  session = await inTime(excel.app.session());
  control = createCellControl(excel.app, session);
  stop = control.follow();
  await pass(1_000);
});
afterEach(() => {
  stop();
  expect(excel.problems).toEqual([]);
});

const pane = () => ({ excel, session, control, stop });
const lookAt = (address: string) => lookAtIn(pane(), address);
const facts = () => factsOf(pane());
const rests = () => restsIn(pane());
const formula = (address: string) => excel.cells(address)[0]?.[0]?.formula;

/** The service's published answer, asked without the add-in; 1056 is the Minimum Permit Fee. */
async function published(geoid: string, typeId: number) {
  const { data: ahj } = await inTime(session.client.resolveGeoid({ geoid }));
  const { data } = await inTime(session.client.matrix({ ahj_ids: [ahj.id], data_point_type_ids: [typeId] }));
  return data.rows[0]!.values[typeId]!;
}

/** Lets the lookup know these answers, as if formulas had asked before. */
const know = (...geoids: string[]) =>
  inTime(session.lookup.ask({ questions: geoids.map((ahj) => ({ ahj, type: 1056 })) }));

async function freezeAll() {
  const { namespace } = config;
  const { workbook } = excel.app;
  const cells = await inTime(workbook.findFormulas("workbook", { namespace, canSeeSpills: true }));
  const options = { canSeeDataTypes: false, signal: new AbortController().signal, onProgress() {} };
  await inTime(freezeFormulas(cells, workbook, options));
  // The user comes back from another tab.
  stop();
  stop = control.follow();
  await pass(1_000);
}

describe("a formula that contains the add-in's", () => {
  it("lists each call with its arguments and its answer, and asks the service nothing", async () => {
    const [alameda, losAngeles] = [await published("06001", 1056), await published("06037", 1056)];
    excel.enter("A1", [["'06001"]]);
    excel.enter("B1", [['=REGDATA.VALUE(A1, 1056, "text")&" and "&REGDATA.VALUE("06037", 1056, "text")']]);
    await know("06001", "06037");
    await pass(5_000);
    excel.requests.length = 0;
    const { answers, main } = await lookAt("B1");
    expect(answers.map(({ ahj, type }) => [ahj?.name, type?.name])).toEqual([
      ["Alameda County", "Minimum Permit Fee"],
      ["Los Angeles County", "Minimum Permit Fee"],
    ]);
    expect(answers.map(({ answer }) => answer)).toMatchObject([{ cell: alameda }, { cell: losAngeles }]);
    expect(answers[0]?.source.from).toMatchObject({
      args: [
        { text: "A1", cells: ["06001"] },
        { text: "1056", cells: null },
        { text: '"text"', cells: null },
      ],
    });
    expect(control.getState().opened).toBe(main);
    expect(excel.requests).toEqual([]);
  });

  it("refreshes only the opened answer: one request, and one for its date", async () => {
    excel.enter("B1", [['=REGDATA.VALUE("06001", 1056, "text")&REGDATA.VALUE("06037", 1056, "text")']]);
    await know("06001", "06037");
    await inTime(session.lookup.catalogue.types());
    await lookAt("B1");
    control.open(1);
    excel.requests.length = 0;
    control.refresh();
    await rests();
    const { answers } = facts();
    expect(excel.requests.map((request) => request.split("?")[0])).toEqual([
      "POST /v1/reports/matrix",
      "GET /v1/data-points",
    ]);
    expect(control.getState()).toMatchObject({
      opened: 1,
      change: { after: { value: expect.anything() as unknown } },
    });
    expect(answers[1]?.answer).toMatchObject({
      cell: { updatedAt: expect.stringMatching(/^20/) as unknown },
    });
    expect(answers[0]?.answer).toMatchObject({ cell: { updatedAt: null } });
  });

  it("says that a call can't be shown whose arguments are calculated", async () => {
    excel.enter("B1", [['=LET(x, RIGHT("006001", 5), REGDATA.VALUE(x, 1056, "text"))']]);
    await pass(5_000);
    const { answers } = await lookAt("B1");
    expect(answers).toMatchObject([{ source: { question: null, refusal: null }, answer: null }]);
  });
});

describe("a frozen cell", () => {
  const fee = '=REGDATA.VALUE("06001",1056,"text")';

  it("shows when it was frozen, its formula, and its answer", async () => {
    const answer = await published("06001", 1056);
    excel.enter("B2", [[fee]]);
    await pass(5_000);
    await freezeAll();
    excel.requests.length = 0;
    const shown = await lookAt("B2");
    expect(shown.frozen).toMatchObject({
      formula: { formula: fee, row: 1, column: 1 },
      edited: null,
      doubt: null,
    });
    expect(new Date(shown.frozen!.atMs).toISOString()).toMatch(/^2026-03-12T12:/);
    expect(shown.answers).toMatchObject([{ answer: { cell: answer } }]);
    expect(isShownBy(shown.cell, shown.answers[0]!)).toBe(true);
    expect(excel.requests).toEqual([]);
    expect((await lookAt("B3")).frozen).toBeNull();
  });

  it("gets its formula back, and no other cell does", async () => {
    excel.enter("B2", [[fee], ['=REGDATA.VALUE("06037",1056,"text")']]);
    await pass(5_000);
    const [[before], [other]] = excel.values("B2:B3") as [[string], [string]];
    await freezeAll();
    await lookAt("B2");
    control.unfreeze();
    await rests();
    expect(control.getState().unfreezing).toMatchObject({
      status: "done",
      unfrozen: { back: [{ row: 1 }], left: [], toBeSeen: [], changes: [] },
    });
    expect([formula("B2"), formula("B3")]).toEqual([fee, other]);
    expect(excel.values("B2")).toEqual([[before]]);
    expect(facts()).toMatchObject({ frozen: null, answers: [{ source: { from: { kind: "formula" } } }] });
    expect((await lookAt("B3")).frozen).toMatchObject({ formula: { row: 2 } });
    expect(control.getState().unfreezing).toEqual({ status: "idle" });
  });

  it("that was edited since asks before the formula replaces the edit", async () => {
    excel.enter("B2", [[fee]]);
    await pass(5_000);
    await freezeAll();
    excel.enter("B2", [["my own note"]]);
    expect((await lookAt("B2")).frozen).toMatchObject({ formula: { formula: fee }, edited: {} });
    control.unfreeze();
    expect(control.getState().unfreezing).toEqual({ status: "asks" });
    await pass(5_000);
    expect(formula("B2")).toBe("my own note");
    control.leaveFrozen();
    expect(control.getState().unfreezing).toEqual({ status: "idle" });
    control.unfreeze();
    control.unfreezeAnyway();
    await rests();
    expect(control.getState().unfreezing).toMatchObject({
      status: "done",
      unfrozen: { back: [{}], left: [] },
    });
    expect(formula("B2")).toBe(fee);
  });

  it("keeps a text that is typed after the question was asked", async () => {
    excel.enter("B2", [[fee]]);
    await pass(5_000);
    await freezeAll();
    excel.enter("B2", [["my own note"]]);
    await lookAt("B2");
    control.unfreeze();
    excel.enter("B2", [["another note"]]);
    control.unfreezeAnyway();
    await rests();
    expect(formula("B2")).toBe("another note");
    expect(control.getState().unfreezing).toMatchObject({
      status: "done",
      unfrozen: { back: [], left: [{ reason: expect.stringContaining("changed") as unknown }] },
    });
    expect(facts().frozen).toMatchObject({ edited: {} });
  });

  it("is found in a part of the cells that its formula filled, and comes back as a whole", async () => {
    const matrix = '=REGDATA.MATRIX({"06001";"06037"},{1056,1057})';
    excel.enter("B2", [[matrix]]);
    await pass(5_000);
    await freezeAll();
    const { frozen, answers } = await lookAt("E4");
    expect(frozen).toMatchObject({ formula: { formula: matrix, row: 1, rows: 3, columns: 4 } });
    expect(answers).toMatchObject([{ ahj: { name: "Los Angeles County" }, type: { id: 1057 } }]);
    control.unfreeze();
    await rests();
    expect(formula("B2")).toBe(matrix);
  });

  it("is found where it was moved to, and shown before it comes back with moved references", async () => {
    excel.enter("A2", [["'06001"]]);
    excel.enter("B2", [['=REGDATA.VALUE(A2,1056,"text")']]);
    await pass(5_000);
    await freezeAll();
    const strip = { from: 0, size: config.sheetColumns };
    excel.spreadsheet.moveCells("sheet-1", { axis: "row", at: 0, by: 3, strip });
    const { frozen } = await lookAt("B5");
    expect(frozen?.formula).toMatchObject({ row: 4, formula: '=REGDATA.VALUE(A5,1056,"text")' });
    expect((await lookAt("B2")).frozen).toBeNull();
    await lookAt("B5");
    control.unfreeze();
    await rests();
    const asked = control.getState().unfreezing;
    expect(asked).toMatchObject({ status: "done", unfrozen: { back: [], toBeSeen: [{ row: 4 }] } });
    control.unfreeze(asked.status === "done" ? asked.unfrozen.toBeSeen : []);
    await rests();
    expect(formula("B5")).toBe('=REGDATA.VALUE(A5,1056,"text")');
  });

  it("shows its formula as doubtful if the formula filled more cells than are read for one", async () => {
    const matrix = '=REGDATA.MATRIX("06001",1056)';
    const size = { row: 1, column: 1, rows: 30_000, columns: 1 };
    const place = { sheetId: "sheet-1", sheetName: "Sheet1", ...size };
    const kept = { ...place, formula: matrix, shown: "0123456789abcdef", numberFormats: "General" };
    const [xml = ""] = frozenXml({ atMs: Date.now(), formulas: [kept], unreadable: [] });
    await inTime(excel.app.workbook.writePart(null, xml));
    stop();
    stop = control.follow();
    excel.enter("B2", [["Name"]]);
    const { frozen } = await lookAt("B2");
    expect(frozen).toMatchObject({ formula: { formula: matrix }, edited: null });
    expect(frozen?.doubt).toMatch(/too many cells/);
  });

  it("is no longer frozen if another formula has taken its place", async () => {
    excel.enter("B2", [[fee]]);
    await pass(5_000);
    await freezeAll();
    // In the format of frozen texts, it would be a text.
    excel.spreadsheet.writeNumberFormats("sheet-1", { row: 1, column: 1, rows: 1, columns: 1 }, [
      ["General"],
    ]);
    excel.enter("B2", [["=1+1"]]);
    expect((await lookAt("B2")).frozen).toBeNull();
  });
});

describe("a cell with a geoID", () => {
  it("shows its jurisdiction, from the cache", async () => {
    await inTime(session.lookup.directory.load());
    const city = session.lookup.directory.known().find(({ geoid }) => geoid?.length === 10)!;
    const county = session.lookup.directory.known().find(({ geoid }) => geoid === city.geoid?.slice(0, 5))!;
    const alameda = session.lookup.directory.known().find(({ geoid }) => geoid === "06001")!;
    excel.enter("A1", [
      ["'06001"],
      [6001],
      [`'${city.geoid}`],
      ["'06"],
      [6001.5],
      [`ahj:${alameda.id}`],
      ["'9999"],
    ]);
    excel.requests.length = 0;
    expect(await lookAt("A1")).toMatchObject({
      jurisdiction: {
        ahj: { name: "Alameda County", geoid: "06001" },
        isPadded: false,
        county: null,
        state: "California",
      },
      answers: [],
    });
    expect((await lookAt("A2")).jurisdiction).toMatchObject({ ahj: { geoid: "06001" }, isPadded: true });
    expect((await lookAt("A3")).jurisdiction).toMatchObject({ ahj: { id: city.id }, county: county.name });
    expect((await lookAt("A4")).jurisdiction).toMatchObject({
      ahj: { type: "state", name: "California" },
      state: null,
    });
    expect((await lookAt("A5")).jurisdiction).toBeNull();
    expect((await lookAt("A6")).jurisdiction).toMatchObject({ ahj: { name: "Alameda County" } });
    expect((await lookAt("A7")).jurisdiction).toBeNull();
    expect(excel.requests).toEqual([]);
  });

  it("of an unknown jurisdiction asks when told to: one request, which brings county and population", async () => {
    excel.enter("A1", [["'0190001"], [6001], ["'4899999"]]);
    excel.requests.length = 0;
    expect((await lookAt("A1")).jurisdiction).toMatchObject({ name: "0190001", ahj: null, failure: null });
    // A number without its leading zero may be anything.
    expect((await lookAt("A2")).jurisdiction).toBeNull();
    expect(excel.requests).toEqual([]);
    await lookAt("A1");
    control.lookUp();
    await rests();
    expect(excel.requests).toHaveLength(1);
    expect(facts().jurisdiction).toMatchObject({
      ahj: { name: "Sample Oakhaven", geoid: "0190001" },
      county: expect.any(String) as unknown,
      detail: { population: expect.any(Number) as unknown },
    });
    await lookAt("A3");
    control.lookUp();
    await rests();
    expect(facts().jurisdiction).toMatchObject({ ahj: null, failure: { kind: "unknown-jurisdiction" } });
  });

  it("is not taken for one if a formula's answer only looks like a geoID", async () => {
    await inTime(session.lookup.directory.load());
    excel.enter("A1", [['=REGDATA.GEOID("Alameda County, CA")']]);
    await pass(5_000);
    expect((await lookAt("A1")).jurisdiction).toMatchObject({ ahj: { geoid: "06001" } });
    excel.enter("B1", [['=REGDATA.MATRIX("06001", 1056)']]);
    await pass(5_000);
    expect((await lookAt("B2")).jurisdiction).toMatchObject({ ahj: { geoid: "06001" } });
    expect(await lookAt("D2")).toMatchObject({ jurisdiction: null, answers: [{ type: { id: 1056 } }] });
  });
});

describe("a table's cell", () => {
  async function importSome(hasDashes = false) {
    const all = await inTime(session.lookup.catalogue.types());
    await inTime(session.lookup.catalogue.categories());
    const types = all.filter(({ id }) => [1056, 1057].includes(id));
    const found = await inTime(session.lookup.directory.resolve(["06001", "06037", "06059"]));
    const ahjs = [...found.values()].flatMap((each) => ("state_code" in each ? [each] : []));
    const question = { kind: "matrix" as const, ahjs, types };
    const order = {
      question,
      form: { ...plainForm, hasCitations: true, hasDashes },
      hasSources: false,
      sheetName: "Fees",
    };
    await inTime(
      placeImport(order, { kind: "new-sheet", name: "Fees" }, { workbook: excel.app.workbook, session }, {}),
    );
    return excel.values("Fees!A1:L4");
  }

  it("shows whom its row is about, and under a header what its column holds", async () => {
    const [headers = [], first] = await importSome();
    const at = (header: string | RegExp) => {
      const column = headers.findIndex((each) =>
        typeof header === "string" ? each === header : header.test(String(each)),
      );
      return "ABCDEFGHIJKL"[column];
    };
    excel.requests.length = 0;
    expect(first?.[0]).toBe("Alameda County");
    for (const header of ["Name", "State", "geoID", "AHJ ID"]) {
      expect((await lookAt(`Fees!${at(header)}2`)).jurisdiction).toMatchObject({ ahj: { geoid: "06001" } });
      expect((await lookAt(`Fees!${at(header)}1`)).header).toMatchObject({
        importName: expect.any(String) as unknown,
        column: { of: "ahj" },
        question: null,
        filled: { rows: 3, cells: 3 },
      });
    }
    const { header } = await lookAt(`Fees!${at(/^Minimum Permit Fee/)}1`);
    expect(header).toMatchObject({
      column: { of: "answer", part: "value", typeId: 1056 },
      question: { name: "Minimum Permit Fee", unit: "USD", type: { id: 1056 } },
      filled: { rows: 3 },
    });
    expect(header?.question?.categories.length).toBeGreaterThan(0);
    const values = excel.values(`Fees!${at(/^Minimum Permit Fee/)}2:${at(/^Minimum Permit Fee/)}4`).flat();
    expect(header?.filled?.cells).toBe(values.filter((value) => value !== "").length);
    expect(excel.requests).toEqual([]);
  });

  it("counts a dash that stands for no value as not filled", async () => {
    const [headers = [], ...rows] = await importSome(true);
    const column = headers.findIndex((each) => String(each).startsWith("Minimum Permit Fee"));
    const address = `Fees!${"ABCDEFGHIJKL"[column]}`;
    const values = rows.filter((row) => row[column] !== "–");
    excel.enter(`${address}4`, [["–"]]);
    const { header } = await lookAt(`${address}1`);
    expect(header?.filled).toEqual({ rows: 3, cells: values.filter((row) => row !== rows[2]).length });
  });

  it("of a formula has headers that are questions, too", async () => {
    excel.enter("B1", [['=REGDATA.MATRIX("06001", {1056,1057})']]);
    await pass(5_000);
    expect((await lookAt("D1")).header).toMatchObject({
      importName: null,
      question: { name: "Minimum Permit Fee" },
      filled: null,
    });
    expect((await lookAt("B1")).header).toBeNull();
  });
});

describe("the pane that shows the selected cell", () => {
  const select = (row: number) =>
    excel.spreadsheet.select("sheet-1", [{ row, column: 0, rows: 1, columns: 1 }]);
  const shown = () => control.getState().facts?.cell.address;

  it("shows a cell as soon as the selection rests", async () => {
    const selectedCell = vi.spyOn(excel.app.workbook, "selectedCell");
    for (const row of [1, 2, 3, 4]) select(row);
    await pass(1_000);
    expect(shown()).toBe("Sheet1!A5");
    expect(selectedCell).toHaveBeenCalledOnce();
  });

  it("shows nothing new behind another tab, and the present selection on coming back", async () => {
    select(1);
    await pass(1_000);
    stop();
    select(2);
    await pass(1_000);
    expect(shown()).toBe("Sheet1!A2");
    stop = control.follow();
    await pass(1_000);
    expect(shown()).toBe("Sheet1!A3");
  });

  it("hears of nothing if it is left before Excel has begun to report", async () => {
    stop();
    control.follow()();
    await pass(1_000);
    select(3);
    await pass(1_000);
    expect(shown()).toBe("Sheet1!A1");
  });

  it("shows a failure until the next look", async () => {
    control.fail(new Error("no"));
    expect(control.getState().failure?.kind).toBe("internal");
    control.reload();
    expect(control.getState().failure).toBeUndefined();
    await pass(1_000);
    vi.spyOn(excel.app.workbook, "selectedCell").mockRejectedValueOnce(new SheetFailure("sheet-refused"));
    control.reload();
    await pass(1_000);
    expect(control.getState()).toMatchObject({ facts: undefined, failure: { kind: "sheet-refused" } });
  });

  it("shows the result of a formula that was being calculated, without another selection", async () => {
    stop();
    let letGo = () => {};
    const until = new Promise<void>((resolve) => (letGo = resolve));
    excel = openExcel({
      excelApi: "1.13",
      intercept: async (request) => {
        if (request.url.includes("matrix")) await until;
        return undefined;
      },
    });
    session = await inTime(excel.app.session());
    control = createCellControl(excel.app, session);
    stop = control.follow();
    excel.enter("A1", [['=REGDATA.VALUE("06037", 1056, "text")']]);
    control.reload();
    await pass(1_000);
    expect(facts().cell.value).toBe(pending);
    letGo();
    await pass(5_000);
    expect(facts().cell.value).not.toBe(pending);
  });

  it("opens one of several answers, and keeps it open while the same formula stands there", async () => {
    excel.enter("A1", [['=REGDATA.VALUE("06001", 1056, "text")&REGDATA.VALUE("06037", 1056, "text")']]);
    await pass(5_000);
    const { main } = await lookAt("A1");
    const other = main === 0 ? 1 : 0;
    control.open(other);
    control.reload();
    await pass(1_000);
    expect(control.getState().opened).toBe(other);
    excel.enter("A1", [['=REGDATA.VALUE("06037", 1056, "text")&REGDATA.VALUE("06001", 1056, "text")']]);
    await pass(5_000);
    await lookAt("A1");
    expect(control.getState().opened).toBe(main);
  });

  it("leads from a cell that a formula fills to the formula", async () => {
    excel.enter("A1", [['=REGDATA.MATRIX({"06001";"06037"}, 1056)']]);
    await pass(5_000);
    await lookAt("A2");
    control.goToFormula();
    await rests();
    expect(excel.spreadsheet.selection().rects).toMatchObject([{ row: 0, column: 0 }]);
  });
});

describe("asking the service for an answer anew", () => {
  const fee = '=REGDATA.VALUE("06001", 1056, "text")';

  it("says why it could not be asked, and leaves the value", async () => {
    stop();
    const service = outage();
    excel = openExcel({ excelApi: "1.13", intercept: service.intercept });
    session = await inTime(excel.app.session());
    control = createCellControl(excel.app, session);
    stop = control.follow();
    excel.enter("A1", [[fee]]);
    await pass(5_000);
    await lookAt("A1");
    const before = excel.values("A1");
    service.isDown = true;
    control.refresh();
    expect(control.getState().job).toBeDefined();
    await rests();
    expect(control.getState()).toMatchObject({ job: undefined, failure: { kind: "unreachable" } });
    expect(excel.values("A1")).toEqual(before);
  });

  it("is done once, however often the button is pressed", async () => {
    excel.enter("A1", [[fee]]);
    await pass(5_000);
    await lookAt("A1");
    excel.requests.length = 0;
    control.refresh();
    control.refresh();
    control.goToFormula();
    await rests();
    expect(excel.requests.filter((request) => request.includes("matrix"))).toHaveLength(1);
    expect(control.getState().change).toBeDefined();
    // The message about one cell is not shown for the next.
    await lookAt("B1");
    expect(control.getState().change).toBeUndefined();
  });

  it("shows its result under no other cell that was selected meanwhile", async () => {
    excel.enter("A1", [[fee]]);
    await pass(5_000);
    await lookAt("A1");
    control.refresh();
    excel.spreadsheet.select("sheet-1", [{ row: 5, column: 5, rows: 1, columns: 1 }]);
    await rests();
    expect(control.getState()).toMatchObject({
      ...{ change: undefined, job: undefined },
      facts: { cell: { address: "Sheet1!F6" } },
    });
  });

  it("does nothing if no answer stands there", async () => {
    await lookAt("C3");
    excel.requests.length = 0;
    control.refresh();
    control.lookUp();
    control.unfreeze();
    await rests();
    expect(excel.requests).toEqual([]);
    expect(control.getState()).toMatchObject({ failure: undefined, unfreezing: { status: "idle" } });
  });
});
