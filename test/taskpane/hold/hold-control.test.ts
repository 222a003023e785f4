import { afterEach, describe, expect, it } from "vitest";
import { config } from "../../../src/config";
import { createCellControl } from "../../../src/taskpane/cell/facts/cell-control";
import { createFormulaControl } from "../../../src/taskpane/formulas/formula-control";
import { createHoldControl } from "../../../src/taskpane/hold/hold-control";
import { holdFormulaOf, holdName } from "../../../src/workbook/sheet/parts/hold-here";
import { holdFormula, parseHold } from "../../../src/workbook/sheet/parts/hold-name";
import { createSavedImportsControl } from "../../../src/taskpane/refresh/saved-imports-control";
// Scripts that are loaded on demand would arrive in real time, but these tests use fake time, so they are loaded here.
import "../../../src/taskpane/refresh/refresh-work";
import "../../../src/workbook/cell-formulas/frozen-here";
import { changingFee } from "../../excel/changing-fee";
import { inTime } from "../../excel/in-time";
import { openExcel, type PlayedExcel, type SavedFile } from "../../excel/open-excel";
import { pass, playExcel } from "../../functions/excel";
import { memoryStorage } from "../../settings/memory-storage";
import { baseUrl } from "../../recorded-service";
import { importedBook } from "../../workbook/imports/imported-book";

playExcel();

/** The minimum permit fee of Alameda County: $30 in the sample. */
const fee = '=REGDATA.VALUE("06001", 1056)';
/** Another question, which nobody has asked before the hold. */
const other = '=REGDATA.VALUE("06001", 1003)';

const opened: PlayedExcel[] = [];
afterEach(() => {
  for (const excel of opened.splice(0)) {
    expect(excel.problems).toEqual([]);
    excel.close();
  }
});

function open(options: Parameters<typeof openExcel>[0] = {}): PlayedExcel {
  const excel = openExcel({ excelApi: "1.20", ...options });
  opened.push(excel);
  return excel;
}

async function enter(excel: PlayedExcel, address: string, formula: string) {
  excel.enter(address, [[formula]]);
  await inTime(excel.spreadsheet.idle());
  await pass(1_000);
}

async function put(excel: PlayedExcel, by = "") {
  const control = createHoldControl(excel.app);
  control.hold(by);
  for (let turn = 0; turn < 50 && control.getState().status === "running"; turn += 1) await pass(1_000);
  return control.getState();
}

async function release(excel: PlayedExcel) {
  const control = createHoldControl(excel.app);
  control.release();
  await pass(5_000);
  expect(control.getState()).toMatchObject({ status: "done", order: "release" });
}

/** A workbook on hold with the fee of $30 in A1, as it was saved. */
async function held(): Promise<SavedFile> {
  const excel = open({ intercept: changingFee(() => 30) });
  await enter(excel, "A1", fee);
  expect(excel.values("A1")).toEqual([[30]]);
  expect(await put(excel, "Anna")).toMatchObject({ status: "done", result: { answers: 1, fit: null } });
  return excel.save();
}

it("a workbook on hold sends no request: kept answers are shown, and whatever else is asked says why it is not", async () => {
  const excel = open();
  await enter(excel, "A1", fee);
  expect(await put(excel)).toMatchObject({ status: "done", order: "hold" });
  const before = excel.requests.length;
  await enter(excel, "A1", fee);
  await enter(excel, "A2", other);
  await enter(excel, "A3", "=REGDATA.COLLECTIONS()");
  expect(excel.values("A1:A3")).toEqual([[30], ["#N/A"], ["#N/A"]]);
  expect(excel.errorMessage("A2")).toContain("This workbook is on hold.");
  expect(excel.errorMessage("A3")).toContain("on hold");
  expect(excel.requests).toHaveLength(before);
});

it("after the release formulas ask again, and the name is gone", async () => {
  const excel = open({ file: await held() });
  await enter(excel, "A2", other);
  expect(excel.requests).toEqual([]);
  await release(excel);
  expect(excel.spreadsheet.names()).toEqual([]);
  await enter(excel, "A2", other);
  expect(excel.values("A2")).not.toEqual([["#N/A"]]);
  expect(excel.requests.length).toBeGreaterThan(0);
});

describe("a colleague who opens a workbook on hold", () => {
  it("with another key sees the values of who held it, though the service has newer ones", async () => {
    const excel = open({ file: await held(), key: "demo-california", intercept: changingFee(() => 45) });
    await enter(excel, "A1", fee);
    expect(excel.values("A1")).toEqual([[30]]);
    expect(excel.requests).toEqual([]);
    expect(parseHold(excel.app.notices().hold)).toMatchObject({ by: "Anna" });
  });

  it("sees them though this device keeps a newer answer", async () => {
    const storage = memoryStorage();
    const saved = await held();
    const excel = open({ storage, intercept: changingFee(() => 45) });
    await inTime(excel.app.connect(baseUrl, "demo-national"));
    await enter(excel, "A1", fee);
    expect(excel.values("A1")).toEqual([[45]]);
    excel.spreadsheet.open(saved.spreadsheet);
    excel.document.open(saved.document);
    await pass(config.keptLookMs + 1_000);
    await inTime(excel.app.hold.look());
    const before = excel.requests.length;
    await enter(excel, "B1", fee);
    expect(excel.values("B1")).toEqual([[30]]);
    expect(excel.requests).toHaveLength(before);
  });

  it("without a key sees them, too", async () => {
    const excel = open({ file: await held(), key: null });
    await enter(excel, "A1", fee);
    expect(excel.values("A1")).toEqual([[30]]);
  });
});

it("a hold that somebody else sets is met by the next request a minute later", async () => {
  const excel = open();
  await enter(excel, "A1", fee);
  excel.spreadsheet.addName({
    ...{ name: holdName, formula: '="On hold"', comment: "", sheetId: null },
  });
  await pass(config.keptLookMs + 1_000);
  const before = excel.requests.length;
  await enter(excel, "A2", other);
  expect(excel.values("A2")).toEqual([["#N/A"]]);
  expect(excel.requests).toHaveLength(before);
  expect(excel.app.notices().hold).toBe('="On hold"');
});

it("the name can be deleted by hand, which releases the workbook within a minute", async () => {
  const excel = open({ file: await held() });
  await enter(excel, "A2", other);
  expect(excel.values("A2")).toEqual([["#N/A"]]);
  excel.spreadsheet.deleteName({ name: holdName, sheetId: null });
  await pass(config.keptLookMs + 1_000);
  await enter(excel, "A2", other);
  expect(excel.values("A2")).not.toEqual([["#N/A"]]);
});

describe("what a user orders on hold is refused in words, and the sheet stays as it is", () => {
  it("a refresh of formulas", async () => {
    const excel = open({ file: await held(), intercept: changingFee(() => 45) });
    const control = createFormulaControl(excel.app);
    control.run("refresh", "workbook");
    await pass(5_000);
    expect(control.getState()).toMatchObject({ status: "failed", failure: { kind: "on-hold" } });
    expect(excel.values("A1")).toEqual([[30]]);
  });

  it("a refresh of one cell", async () => {
    const excel = open({ file: await held(), intercept: changingFee(() => 45) });
    const control = createCellControl(excel.app, await inTime(excel.app.session()));
    control.reload();
    await pass(2_000);
    control.refresh();
    await pass(5_000);
    expect(control.getState().failure?.message).toContain("on hold");
    expect(excel.values("A1")).toEqual([[30]]);
  });

  it("a refresh of imports", async () => {
    const { excel } = await importedBook();
    opened.push(excel);
    await put(excel);
    const before = { requests: excel.requests.length, file: JSON.stringify(excel.save()) };
    const control = createSavedImportsControl(excel.app, await inTime(excel.app.session()));
    const stop = control.follow();
    await pass(2_000);
    control.refreshPresent();
    for (let turn = 0; turn < 20; turn += 1) await pass(1_000);
    const [refresh] = control.getState().refreshes.values();
    expect(refresh).toMatchObject({ status: "failed", failure: { kind: "on-hold" } });
    stop();
    expect(excel.requests).toHaveLength(before.requests);
    expect(JSON.stringify(excel.save())).toBe(before.file);
  });
});

it("a connection can be checked and changed on hold", async () => {
  const excel = open({ file: await held(), key: null });
  await inTime(excel.app.hold.look());
  await inTime(excel.app.connect(baseUrl, "demo-national"));
  expect(excel.requests).toHaveLength(1);
});

it("a hold that Excel refuses at any request is told, and leaves the workbook released", async () => {
  for (let at = 0; ; at += 1) {
    const excel = open();
    await enter(excel, "A1", fee);
    excel.fail(7000, 1, "workbook", at);
    const state = await put(excel);
    excel.fail(7000, 0, "workbook");
    if (state.status === "done") {
      expect(at).toBeGreaterThan(2);
      return;
    }
    expect(state).toMatchObject({ status: "failed" });
    expect(await inTime(excel.app.workbook.run(holdFormulaOf))).toBeNull();
    expect(excel.app.notices().hold ?? null).toBeNull();
  }
});

it("formulas do not wait forever for an Excel that does not say if the workbook is on hold", async () => {
  let isSilent = true;
  const excel = open({
    deliver: (request, carryOut) => (isSilent ? new Promise(() => undefined) : carryOut(request)),
  });
  excel.enter("A1", [[fee]]);
  await pass(config.startPatienceMs + 5_000);
  isSilent = false;
  await inTime(excel.spreadsheet.idle());
  expect(excel.values("A1")).toEqual([[30]]);
});

describe("the text of the name", () => {
  const sinceMs = Date.parse("2026-11-30T14:05:00Z");

  it("says since when and by whom", () => {
    expect(holdFormula({ sinceMs, by: 'Anna "Ann" O’Neil' })).toBe(
      '="On hold since 2026-11-30 14:05 UTC by Anna ""Ann"" O’Neil"',
    );
    expect(holdFormula({ sinceMs: null, by: null })).toBe('="On hold"');
  });

  it.each([
    { sinceMs, by: 'Anna "Ann" O’Neil' },
    { sinceMs, by: "by UTC by" },
    { sinceMs, by: null },
    { sinceMs: null, by: null },
  ])("is read as it was written: %j", (hold) => {
    expect(parseHold(holdFormula(hold))).toEqual(hold);
  });

  it.each([["=1"], ['="Bitte nicht anfassen"'], ["=Sheet1!$A$1"], [undefined]])(
    "holds the workbook though it is %j",
    (formula) => {
      expect(parseHold(formula)).toEqual({ sinceMs: null, by: null });
    },
  );

  it("has a person's name on one line, without marks that turn the text around, and bounded", () => {
    const formula = `="On hold since 2026-11-30 14:05 UTC by ${"\u202e\u0007x ".repeat(40)}"`;
    expect(parseHold(formula).by).toBe("x ".repeat(30).trim());
  });
});
