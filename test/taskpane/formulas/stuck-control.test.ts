import { describe, expect, it, vi } from "vitest";
import type { Failure } from "../../../src/errors";
import { createStuckControl, type StuckControl } from "../../../src/taskpane/formulas/stuck-control";
import type { JobProgress } from "../../../src/taskpane/jobs/jobs";
import type { StuckCells } from "../../../src/workbook/cell-formulas/stuck-cells";
import { inTime } from "../../excel/in-time";
import { openExcel } from "../../excel/open-excel";
import { pass, playExcel } from "../../functions/excel";

playExcel();

const fee = '=REGDATA.VALUE("06001", 1056)';
const code = '=REGDATA.VALUE("06001", 1003)';
const sheet2 = "Closed";

/** A workbook from a file with stuck formulas, which only entering them again repairs. */
async function openStuck(shown: "#NAME?" | "#BUSY!" = "#NAME?") {
  let requests = 0;
  const excel = openExcel({ excelApi: "1.20", onRequest: () => (requests += 1) });
  const { spreadsheet } = excel;
  spreadsheet.addSheet(sheet2);
  excel.enter("A1", [[fee], [code], ["=B9"], ["a #NAME? in a text"]]);
  excel.enter("C1", [["=CONTOSO.ADD(1)"]]);
  excel.enter(`${sheet2}!A1`, [[code]]);
  await inTime(spreadsheet.idle());
  const answers = { fee: excel.values("A1")[0]![0]!, code: excel.values("A2")[0]![0]! };
  const contents = spreadsheet.contents();
  const isOurs = (formula = "") => formula.startsWith("=REGDATA.");
  spreadsheet.openContents({
    ...contents,
    sheets: contents.sheets.map((sheet) => ({
      ...sheet,
      cells: sheet.cells.map((cell) =>
        isOurs(cell.formula) ? { ...cell, value: shown, isStuck: true } : cell,
      ),
    })),
  });
  const closed = spreadsheet.sheets().find(({ name }) => name === sheet2)!;
  excel.document.protectedSheets.add(closed.id);
  await inTime(spreadsheet.idle());
  return { ...excel, answers, control: createStuckControl(excel.app), countedRequests: () => requests };
}

type StuckState =
  | { status: "unknown" }
  | { status: "found"; stuck: StuckCells }
  | { status: "repairing"; progress: JobProgress | undefined }
  | { status: "done"; report: unknown }
  | { status: "failed"; failure: Failure };

/** The state as the screen shows it. */
function shownState({ repairs, found }: StuckControl): StuckState {
  const repair = repairs.getState();
  const stuck = found.getState();
  if (repair.status === "running") return { status: "repairing", progress: repair.job.progress };
  if (stuck) return { status: "found", stuck };
  if (repair.status === "done") return { status: "done", report: repair.result };
  return repair.status === "failed" ? { status: "failed", failure: repair.failure } : { status: "unknown" };
}

function onChange({ repairs, found }: StuckControl, listener: () => void): () => void {
  const stops = [repairs.subscribe(listener), found.subscribe(listener)];
  return () => stops.forEach((stop) => stop());
}

function until(control: StuckControl, ...statuses: StuckState["status"][]): Promise<StuckState> {
  return new Promise((resolve) => {
    const stop = onChange(control, () => {
      const state = shownState(control);
      if (!statuses.includes(state.status)) return;
      stop();
      resolve(state);
    });
  });
}

describe.each(["#NAME?", "#BUSY!"] as const)("cells of a workbook that are stuck at %s", (shown) => {
  it("are found, stay so when they are calculated, and are repaired at once but on protected sheets", async () => {
    const { control, spreadsheet, values, answers } = await openStuck(shown);
    for (const { id } of spreadsheet.sheets()) spreadsheet.recalculate(id);
    await inTime(spreadsheet.idle());
    expect(values("A1:A2")).toEqual([[shown], [shown]]);

    const found = until(control, "found");
    control.look();
    expect(await inTime(found)).toMatchObject({
      stuck: {
        cells: [
          { row: 0, column: 0, formula: fee },
          { row: 1, column: 0, formula: code },
        ],
        onProtected: [{ sheetName: sheet2, row: 0, column: 0 }],
      },
    });

    const done = until(control, "done", "failed");
    control.repair();
    expect(await inTime(done)).toMatchObject({
      status: "done",
      report: { repaired: 2, left: [], onProtected: [{ sheetName: sheet2 }] },
    });
    expect(values("A1:A2")).toEqual([[answers.fee], [answers.code]]);
    expect(values(`${sheet2}!A1`)).toEqual([[shown]]);
  });
});

describe("a repair", () => {
  it("takes as many requests for a thousand cells as for two", async () => {
    const counts = [];
    for (const more of [0, 998]) {
      const { control, enter, spreadsheet, countedRequests } = await openStuck();
      enter(
        "E1",
        Array.from({ length: more }, () => [code]),
      );
      await inTime(spreadsheet.idle());
      const contents = spreadsheet.contents();
      const [first, ...others] = contents.sheets;
      spreadsheet.openContents({
        ...contents,
        sheets: [
          {
            ...first!,
            cells: first!.cells.map((cell) =>
              cell.column === 4 ? { ...cell, value: "#NAME?", isStuck: true } : cell,
            ),
          },
          ...others,
        ],
      });
      const before = countedRequests();
      const done = until(control, "done", "failed");
      control.repair();
      expect(await inTime(done)).toMatchObject({ report: { repaired: 2 + more, left: [] } });
      counts.push(countedRequests() - before);
    }
    expect(counts[1]).toBeLessThanOrEqual(counts[0]! + 4);
  });

  it("reports cells that Excel still does not know, for example because a name is misspelled", async () => {
    const { control, enter, spreadsheet } = await openStuck();
    enter("G1", [["=REGDATA.VALEU(1)"]]);
    await inTime(spreadsheet.idle());
    const done = until(control, "done", "failed");
    control.repair();
    expect(await inTime(done)).toMatchObject({ report: { repaired: 2, left: [{ row: 0, column: 6 }] } });
  });

  it("leaves a cell alone that waits for its answer now", async () => {
    let answer = () => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    const { app, enter, values, requests } = openExcel({
      excelApi: "1.20",
      intercept: () => held.then(() => undefined),
    });
    enter("A1", [[code]]);
    const control = createStuckControl(app);
    const done = until(control, "done", "failed");
    control.repair();
    await pass(8_000);
    expect(values("A1")).toEqual([["#BUSY!"]]);
    answer();
    expect(await inTime(done)).toEqual({
      status: "done",
      report: { repaired: 0, left: [], replaced: [], onProtected: [] },
    });
    expect(String(values("A1")[0]![0])).not.toMatch(/^(?:#|$)/);
    expect(requests.filter((request) => request.includes("/v1/reports/matrix"))).toHaveLength(1);
  });
});

/** Every state that is shown from now on. */
function shownBy(control: StuckControl): StuckState[] {
  const shown: StuckState[] = [];
  onChange(control, () => shown.push(shownState(control)));
  return shown;
}

/** Withholds the end of the next search that finds stuck cells until the test lets it go. */
function holdNextSearch({ app }: Awaited<ReturnType<typeof openStuck>>): () => void {
  let letGo = () => {};
  const until = new Promise<void>((resolve) => (letGo = resolve));
  const { run } = app.workbook;
  vi.spyOn(app.workbook, "run").mockImplementationOnce(async (work) => {
    const closed = await run(work);
    await until;
    return closed;
  });
  return letGo;
}

async function looks(control: StuckControl): Promise<StuckState> {
  control.look();
  await pass(8_000);
  return shownState(control);
}

async function repairs(control: StuckControl): Promise<StuckState> {
  const end = until(control, "done", "failed");
  control.repair();
  return inTime(end);
}

/** Enters the stuck formulas again, as a user may do. */
function enterAgain({ enter, document, spreadsheet }: Awaited<ReturnType<typeof openStuck>>) {
  document.protectedSheets.clear();
  enter("A1", [[fee], [code]]);
  enter(`${sheet2}!A1`, [[code]]);
  return inTime(spreadsheet.idle());
}

describe("a search for stuck cells", () => {
  it("shows nothing in a workbook without any", async () => {
    const { app, enter, spreadsheet } = openExcel({ excelApi: "1.20" });
    enter("A1", [[fee]]);
    await inTime(spreadsheet.idle());
    const control = createStuckControl(app);
    expect(shownState(control)).toEqual({ status: "unknown" });
    expect(await looks(control)).toEqual({ status: "unknown" });
  });

  it("names cells on a protected sheet even if no other cell is stuck", async () => {
    const { control, enter, spreadsheet } = await openStuck();
    enter("A1", [[fee], [code]]);
    await inTime(spreadsheet.idle());
    expect(await looks(control)).toMatchObject({
      status: "found",
      stuck: { cells: [], onProtected: [{ sheetName: sheet2, row: 0, column: 0 }] },
    });
  });

  it("no longer names cells once somebody has entered their formulas again", async () => {
    const excel = await openStuck();
    expect((await looks(excel.control)).status).toBe("found");
    await enterAgain(excel);
    expect(await looks(excel.control)).toEqual({ status: "unknown" });
  });

  it("leaves the report of a repair in sight until it finds stuck cells again", async () => {
    const { control, document, enter } = await openStuck();
    document.protectedSheets.clear();
    const report = { repaired: 3, left: [], replaced: [], onProtected: [] };
    expect(await repairs(control)).toEqual({ status: "done", report });
    expect(await looks(control)).toEqual({ status: "done", report });
    enter("G1", [["=REGDATA.VALEU(1)"]]);
    expect(await looks(control)).toMatchObject({ status: "found", stuck: { cells: [{ column: 6 }] } });
  });

  it("is dropped if it ends after a newer one", async () => {
    const excel = await openStuck();
    const letGo = holdNextSearch(excel);
    await looks(excel.control);
    await enterAgain(excel);
    await looks(excel.control);
    const shown = shownBy(excel.control);
    letGo();
    await pass(1_000);
    expect(shown).toEqual([]);
    expect(shownState(excel.control)).toEqual({ status: "unknown" });
  });

  it("shows nothing after it was stopped", async () => {
    const { control } = await openStuck();
    control.look()();
    await pass(8_000);
    expect(shownState(control)).toEqual({ status: "unknown" });
  });

  it("that ends during a repair does not hide the repair's progress", async () => {
    const excel = await openStuck();
    const letGo = holdNextSearch(excel);
    await looks(excel.control);
    const shown = shownBy(excel.control);
    const end = until(excel.control, "done", "failed");
    excel.control.repair();
    letGo();
    await inTime(end);
    expect(new Set(shown.map(({ status }) => status))).toEqual(new Set(["repairing", "done"]));
  });

  it("does not begin while a repair runs", async () => {
    const { control } = await openStuck();
    const shown = shownBy(control);
    const end = until(control, "done", "failed");
    control.repair();
    control.look();
    await inTime(end);
    expect(new Set(shown.map(({ status }) => status))).toEqual(new Set(["repairing", "done"]));
  });
});

describe("the repair of stuck cells", () => {
  it("shows at once that it runs, then the number of cells that are done", async () => {
    const { control } = await openStuck();
    const shown = shownBy(control);
    const end = until(control, "done", "failed");
    control.repair();
    expect(shownState(control)).toEqual({ status: "repairing", progress: undefined });
    await inTime(end);
    expect(shown).toMatchObject([
      { status: "repairing", progress: undefined },
      { status: "repairing", progress: { done: 0, total: 2 } },
      { status: "repairing", progress: { done: 2, total: 2 } },
      { status: "done" },
    ]);
  });

  it("runs once however often its button is pressed, and can be repeated when it has ended", async () => {
    const { control, enter } = await openStuck();
    const shown = shownBy(control);
    const end = until(control, "done", "failed");
    control.repair();
    control.repair();
    await pass(200);
    control.repair();
    await inTime(end);
    await pass(30_000);
    expect(shown.filter(({ status }) => status === "done")).toHaveLength(1);
    enter("G1", [["=REGDATA.VALEU(1)"]]);
    expect(await repairs(control)).toMatchObject({ status: "done", report: { left: [{ column: 6 }] } });
  });

  it("says why it has failed, and can be tried again", async () => {
    const { control, values, answers } = await openStuck();
    const { document } = Office.context;
    Object.assign(document, { mode: Office.DocumentMode.ReadOnly });
    expect(await repairs(control)).toMatchObject({
      status: "failed",
      failure: { kind: "sheet-refused", detail: "The workbook is open for reading only." },
    });
    expect(values("A1:A2")).toEqual([["#NAME?"], ["#NAME?"]]);
    Object.assign(document, { mode: "readWrite" });
    expect(await repairs(control)).toMatchObject({ status: "done", report: { repaired: 2 } });
    expect(values("A1:A2")).toEqual([[answers.fee], [answers.code]]);
  });
});

describe("a stuck cell in the list", () => {
  it("leads to its place in the sheet", async () => {
    const { control, spreadsheet } = await openStuck();
    const state = await looks(control);
    if (state.status !== "found") throw new Error(`The cells are ${state.status}.`);
    control.goTo(state.stuck.onProtected[0]!);
    await pass(1_000);
    const { sheetId, rects } = spreadsheet.selection();
    expect(spreadsheet.sheets().find(({ id }) => id === sheetId)?.name).toBe(sheet2);
    expect(rects).toMatchObject([{ row: 0, column: 0, rows: 1, columns: 1 }]);
    expect(shownState(control)).toEqual(state);
  });

  it("says so if its sheet is gone", async () => {
    const { control, spreadsheet } = await openStuck();
    const state = await looks(control);
    if (state.status !== "found") throw new Error(`The cells are ${state.status}.`);
    const [cell] = state.stuck.onProtected;
    spreadsheet.deleteSheet(cell!.sheetId);
    control.goTo(cell!);
    await pass(1_000);
    expect(shownState(control)).toMatchObject({ status: "failed", failure: { kind: "sheet-refused" } });
  });
});

describe("stuck cells in a column of a table, of which Excel makes one formula", () => {
  it("are named by the repair, with the formulas that they had", async () => {
    const excel = openExcel({ excelApi: "1.20" });
    const { spreadsheet } = excel;
    excel.enter("A1", [["Fee"], [fee], [code]]);
    const table = { sheetId: "sheet-1", rect: { row: 0, column: 0, rows: 3, columns: 1 } };
    spreadsheet.addTable({ ...table, name: "Fees", style: "TableStyleMedium2" });
    await inTime(spreadsheet.idle());
    const contents = spreadsheet.contents();
    spreadsheet.openContents({
      ...contents,
      sheets: contents.sheets.map((sheet) => ({
        ...sheet,
        cells: sheet.cells.map((cell) =>
          cell.formula === undefined ? cell : { ...cell, value: "#NAME?", isStuck: true },
        ),
      })),
    });
    await inTime(spreadsheet.idle());
    const control = createStuckControl(excel.app);
    const done = until(control, "done", "failed");
    control.repair();
    expect(await inTime(done)).toMatchObject({
      status: "done",
      report: { repaired: 1, left: [], replaced: [{ row: 1, column: 0, formula: fee }] },
    });
    expect(excel.cells("A2:A3").map(([cell]) => cell?.formula)).toEqual([code, code]);
  });
});

describe("a name that is called like a function", () => {
  it("is told as the cause while Excel knows none of the functions, and a repair brings the answers back once it is gone", async () => {
    const excel = openExcel({ excelApi: "1.20" });
    const { spreadsheet } = excel;
    excel.enter("A1", [[fee]]);
    await inTime(spreadsheet.idle());
    const [[answer]] = excel.values("A1") as [[unknown]];
    const hiding = { name: "Regdata.Code", formula: "=LAMBDA(x,x)", comment: "", sheetId: null };
    const taken = { ...hiding, name: "REGDATA.Matrix" };
    for (const name of [hiding, taken]) spreadsheet.addName(name);
    excel.enter("A2", [[code]]);
    await inTime(spreadsheet.idle());
    expect(excel.values("A2")).toEqual([["#NAME?"]]);
    const control = createStuckControl(excel.app);
    const stop = control.look();
    const found = await inTime(until(control, "found"));
    expect(found).toMatchObject({ stuck: { hiding: ["REGDATA.Matrix"] } });
    stop();
    spreadsheet.deleteName(taken);
    control.repair();
    await inTime(until(control, "done"));
    expect(excel.values("A1:A2")).toEqual([[answer], [expect.stringMatching(/NEC|NFPA/)]]);
    expect(excel.problems).toEqual([]);
    excel.close();
  });
});
