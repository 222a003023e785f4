import { SheetFailure } from "../../../src/sheet-failure";
import { afterEach, expect, it, vi } from "vitest";
import type { Session } from "../../../src/app";
import type { Ahj } from "../../../src/engine/api/schemas";
import { Failure } from "../../../src/errors";
import {
  createShareControl,
  type ShareControl,
  type ShareState,
} from "../../../src/taskpane/share/share-control";
// A script that is loaded on demand would arrive in real time, but these tests use fake time, so it is loaded here.
import "../../../src/workbook/imports/sources/book-sources";
import "../../../src/workbook/imports/sources/prepared-sources";
import "../../../src/workbook/work-note/noted-tables";
import "../../../src/workbook/work-note/unfinished-work";
import { placeImport } from "../../../src/workbook/imports/run/place-import";
import { plainForm } from "../../../src/workbook/sheet/layout/table-plan";
import { inTime } from "../../excel/in-time";
import { type ExcelOptions, openExcel, type PlayedExcel } from "../../excel/open-excel";
import { pass, playExcel } from "../../functions/excel";
import { baseUrl } from "../../recorded-service";

playExcel();

const formula = '=REGDATA.VALUE("06001", 1003)';
let excel: PlayedExcel;
let session: Session;
let control: ShareControl;

/** A workbook with one formula and one import. */
async function open(options: ExcelOptions = {}) {
  excel = openExcel({ excelApi: "1.20", ...options });
  session = await inTime(excel.app.session());
  excel.enter("Sheet1!A1", [[formula]]);
  await inTime(excel.spreadsheet.idle());
  const ahjs = [...(await inTime(session.lookup.directory.resolve(["06001", "06037"]))).values()];
  const question = {
    kind: "matrix" as const,
    ahjs: ahjs.filter((each): each is Ahj => "id" in each),
    types: (await inTime(session.lookup.catalogue.types())).slice(0, 3),
  };
  const order = { question, form: plainForm, hasSources: false, sheetName: "Codes" };
  const { workbook } = excel.app;
  await inTime(placeImport(order, { kind: "new-sheet", name: "Codes" }, { workbook, session }, {}));
  await begin();
}
async function begin() {
  control = createShareControl(excel.app, session);
  control.start();
  await rests();
}
afterEach(() => expect(excel.problems).toEqual([]));

const live = () => control.seen.getState().live;
const unseen = () => control.seen.getState().failure;
const isRunning = () =>
  [control.work, control.look].some(
    (slot: ShareControl["work" | "look"]) => slot.getState().status === "running",
  );
async function rests(): Promise<ShareState> {
  for (let turn = 0; turn < 50; turn += 1) {
    await pass(1_000);
    if (!isRunning()) break;
  }
  return control.work.getState();
}
async function prepared(wishes: { freezes?: boolean; writesSources?: boolean } = {}) {
  control.prepare({ freezes: false, writesSources: false, ...wishes });
  const state = await rests();
  if (state.status !== "done" || state.result.action !== "prepare") throw new Error(`It is ${state.status}.`);
  return state.result.report;
}
const sheets = () => excel.spreadsheet.sheets().map(({ name }) => name);
const sourceCells = () =>
  excel
    .cells("Sources!A1:A50")
    .flatMap(([cell]) => (cell && cell.value !== "" && cell.value !== null ? [String(cell.value)] : []));
const content = () => excel.cells("Sheet1!A1")[0]?.[0]?.formula;

it("the screen Prepare to share lists everything that does not stay as it is shown", async () => {
  await open();
  expect(control.work.getState()).toEqual({ status: "idle" });
  expect(live()).toMatchObject({ formulas: 1, frozen: 0, imports: [{ saved: { name: "Codes" } }] });
  expect(unseen()).toBeUndefined();
});

it("an import whose table is gone is not live", async () => {
  await open();
  excel.spreadsheet.deleteSheet(excel.spreadsheet.sheets().find(({ name }) => name === "Codes")!.id);
  await begin();
  expect(live()).toMatchObject({ formulas: 1, imports: [] });
});

it("preparing does what the user chose, reports each step, and looks for keys in any case", async () => {
  await open();
  const steps: string[] = [];
  control.work.subscribe((state) => {
    const step = state.status === "running" ? state.job.step : undefined;
    if (step !== undefined && steps.at(-1) !== step) steps.push(step);
  });
  const report = await prepared({ freezes: true, writesSources: true });
  expect(report).toMatchObject({
    frozen: { formulas: [{ formula }], left: [] },
    sources: { address: expect.stringMatching(/^Sources!A1:/) as unknown, lacking: [], unread: [] },
    keys: { found: [], names: ["service.test"], tooShort: [] },
  });
  expect(steps.filter((step) => !step.startsWith("Checking for keys:"))).toEqual([
    ...["Freezing the formulas", "Collecting the sources", "Checking for keys", "Writing the Sources sheet"],
  ]);
  expect(content()).not.toBe(formula);
  expect(sheets()).toContain("Sources");
  expect(live()).toMatchObject({ formulas: 0, frozen: 1 });
});

it("each step that takes long tells how far it is", async () => {
  await open();
  const last = new Map<string, { done: number; total: number }>();
  control.work.subscribe((state) => {
    if (state.status !== "running") return;
    const { step = "", progress } = state.job;
    if (progress) last.set(step, progress);
  });
  await prepared({ freezes: true, writesSources: true });
  control.unfreeze([]);
  expect(await rests()).toMatchObject({ result: { action: "unfreeze" } });
  const one = { done: 1, total: 1 };
  expect(last.get("Freezing the formulas")).toEqual(one);
  expect(last.get("Bringing the formulas back")).toEqual(one);
  const { done, total } = last.get("Writing the Sources sheet")!;
  expect(done).toBe(total);
  expect(total).toBeGreaterThan(0);
});

it("formulas that can't be brought back are a failure with its reason, and the next try begins anew", async () => {
  await open();
  await prepared({ freezes: true });
  const readParts = vi
    .spyOn(excel.app.workbook, "readParts")
    .mockRejectedValue(new SheetFailure("sheet-refused"));
  control.unfreeze([]);
  expect(await rests()).toMatchObject({ status: "failed", failure: { kind: "sheet-refused" } });
  readParts.mockRestore();
  control.unfreeze([]);
  expect(await rests()).toMatchObject({ result: { action: "unfreeze", report: { back: [{ formula }] } } });
});

it("opening the screen again while the workbook is prepared does not end that", async () => {
  await open();
  control.prepare({ freezes: true, writesSources: false });
  control.start();
  expect(await rests()).toMatchObject({ status: "done", result: { report: { frozen: { formulas: [{}] } } } });
});

it("preparing leaves formulas and sheets alone if the user chose neither", async () => {
  await open();
  expect(await prepared()).toMatchObject({ frozen: null, sources: null, keys: { found: [] } });
  expect(content()).toBe(formula);
  expect(sheets()).toEqual(["Sheet1", "Codes"]);
});

it("no Sources sheet is written if no value's source is known", async () => {
  await open();
  excel.spreadsheet.deleteSheet(excel.spreadsheet.sheets().find(({ name }) => name === "Codes")!.id);
  expect(await prepared({ writesSources: true })).toMatchObject({ sources: { address: null, values: 0 } });
  expect(sheets()).toEqual(["Sheet1"]);
});

it("the Sources sheet is written once no key is in the workbook, and preparing again leaves one sheet", async () => {
  await open();
  excel.enter("Sheet1!B2", [["my key: demo-national"]]);
  expect(await prepared({ writesSources: true })).toMatchObject({ keys: { found: [{}] } });
  expect(sheets()).toEqual(["Sheet1", "Codes"]);
  excel.enter("Sheet1!B2", [[""]]);
  expect(await prepared({ writesSources: true })).toMatchObject({ keys: { found: [] } });
  const rows = excel.cells("Sources!A1:I50");
  expect(await prepared({ writesSources: true })).toMatchObject({ keys: { found: [] } });
  expect(sheets()).toEqual(["Sheet1", "Codes", "Sources"]);
  expect(excel.cells("Sources!A1:I50")).toEqual(rows);
});

it("a key in a source that the service sent is found before the sheet is written", async () => {
  await open();
  // The sample service's references are "State Statutes".
  await inTime(excel.app.connections.change(() => [{ name: "West", baseUrl, key: "Statutes" }]));
  const { keys, sources } = await prepared({ writesSources: true });
  expect(keys).toMatchObject({ names: ["service.test", "West"] });
  expect("found" in keys && keys.found[0]).toEqual({
    ...{ text: 1, cell: null },
    what: "the source of Codes!E2, as the service sent it,",
  });
  expect(sources).toBe("not yet");
  expect(sheets()).toEqual(["Sheet1", "Codes"]);
});

it("the sheet that was prepared last is replaced when the imports have changed", async () => {
  await open();
  await prepared({ writesSources: true });
  const [header, place = "", ...others] = sourceCells();
  excel.enter(place, [["typed by somebody"]]);
  await prepared({ writesSources: true });
  expect(sheets()).toEqual(["Sheet1", "Codes", "Sources"]);
  expect(sourceCells()).toEqual([header, ...others]);
});

it("a Sources sheet that somebody has edited stays, and the report names it", async () => {
  await open();
  await prepared({ writesSources: true });
  excel.enter("Sources!D2", [["my own remark"]]);
  const { sources } = await prepared({ writesSources: true });
  expect(sources).toMatchObject({
    address: expect.stringMatching(/^'Sources 2'!A1:I/) as unknown,
    earlier: [expect.stringMatching(/^Sources!A1:I/)],
  });
  expect(excel.cells("Sources!D2")[0]?.[0]?.value).toBe("my own remark");
  // From here on, the sheet that was written last is the one that is replaced.
  expect(await prepared({ writesSources: true })).toMatchObject({ sources: { earlier: [] } });
  expect(sheets()).toEqual(["Sheet1", "Codes", "Sources", "Sources 2"]);
});

it("what somebody has typed below the Sources sheet's table stays when more sources need its place", async () => {
  await open();
  await prepared({ writesSources: true });
  const values = sourceCells().length;
  const [, place = ""] = sourceCells();
  const published = excel.cells(place)[0]![0]!.value;
  excel.enter(place, [["typed by somebody"]]);
  await prepared({ writesSources: true });
  excel.enter(place, [[published]]);
  excel.enter(`Sources!A${values}`, [["my own remark"]]);
  expect(await prepared({ writesSources: true })).toMatchObject({ sources: { earlier: [{}] } });
  expect(excel.cells(`Sources!A${values}`)[0]?.[0]?.value).toBe("my own remark");
  expect(sheets()).toEqual(["Sheet1", "Codes", "Sources", "Sources 2"]);
});

it("an Excel that can't give a table another size writes a further Sources sheet, and the report names the earlier one", async () => {
  await open({ excelApi: "1.12" });
  await prepared({ writesSources: true });
  const rows = excel.cells("Sources!A1:I50");
  expect(await prepared({ writesSources: true })).toMatchObject({
    sources: { earlier: [expect.stringMatching(/^Sources!A1:I/)] },
  });
  expect(sheets()).toEqual(["Sheet1", "Codes", "Sources", "Sources 2"]);
  expect(excel.cells("Sources!A1:I50")).toEqual(rows);
});

it("a key that somebody pasted into the workbook is found, whichever connection it is of, and never shown", async () => {
  await open();
  await inTime(
    excel.app.connections.change(() => [
      { name: "demo-west", baseUrl, key: "demo-west" },
      { name: "Short", baseUrl, key: "abc" },
    ]),
  );
  excel.enter("Sheet1!B2", [["my key: demo-west"]]);
  const { keys } = await prepared();
  expect(keys).toMatchObject({
    found: [{ text: 1, cell: { sheetName: "Sheet1", row: 1, column: 1 } }],
    names: ["service.test", "a connection"],
    tooShort: ["Short"],
  });
  expect(JSON.stringify(keys)).not.toContain("demo-");
});

it("a step of preparing that fails does not stop the others", async () => {
  await open();
  vi.spyOn(excel.app.connections, "read").mockRejectedValue(new Failure("storage-failed"));
  const report = await prepared({ freezes: true });
  expect(report).toMatchObject({ frozen: { formulas: [{}] }, keys: { kind: "storage-failed" } });
  expect(live()).toMatchObject({ frozen: 1 });
});

it("cancelling ends the present step of preparing and begins none after it", async () => {
  await open();
  control.prepare({ freezes: true, writesSources: true });
  control.cancel();
  const state = await rests();
  expect(state).toMatchObject({
    ...{ status: "done" },
    result: {
      report: { frozen: { kind: "cancelled" }, sources: { kind: "cancelled" }, keys: { kind: "cancelled" } },
    },
  });
  expect(content()).toBe(formula);
  // The live parts are reported all the same.
  expect(control.seen.getState()).toMatchObject({ live: { formulas: 1 }, failure: undefined });
});

it("a button pressed while the workbook is prepared does nothing", async () => {
  await open();
  control.prepare({ freezes: true, writesSources: false });
  control.unfreeze([]);
  expect(await rests()).toMatchObject({ status: "done", result: { action: "prepare" } });
  expect(live()).toMatchObject({ frozen: 1 });
});

it("a ribbon command is put off while the workbook is prepared, not while it is only looked at", async () => {
  await open();
  const pressed = () => excel.app.jobs.isPutOff({ name: "refreshAll" });
  control.start();
  expect(pressed()).toBe(false);
  await rests();
  control.prepare({ freezes: true, writesSources: false });
  expect(pressed()).toBe(true);
  await rests();
  expect(pressed()).toBe(false);
});

it("preparing can bring frozen formulas back", async () => {
  await open();
  await prepared({ freezes: true });
  control.unfreeze([]);
  expect(await rests()).toMatchObject({ result: { action: "unfreeze", report: { back: [{ formula }] } } });
  expect(content()).toBe(formula);
  expect(live()).toMatchObject({ formulas: 1, frozen: 0 });
});

it("a workbook that can't be looked into says why", async () => {
  await open();
  const findFormulas = vi.spyOn(excel.app.workbook, "findFormulas");
  findFormulas.mockRejectedValue(new SheetFailure("sheet-refused"));
  expect(await prepared({ freezes: true })).toMatchObject({ frozen: { kind: "sheet-refused" } });
  expect(control.seen.getState()).toMatchObject({ live: undefined, failure: { kind: "sheet-refused" } });
  findFormulas.mockRestore();
  await prepared();
  expect(control.seen.getState()).toMatchObject({ live: { formulas: 1 }, failure: undefined });
});

it("a failure to prepare is shown, and the next try begins anew", async () => {
  await open();
  control.goTo({ sheetId: "gone", row: 0, column: 0, rows: 1, columns: 1 });
  expect(await rests()).toMatchObject({ status: "failed" });
  expect(await prepared()).toMatchObject({ frozen: null });
});

it("a place that the report names is shown in the sheet", async () => {
  await open();
  const { id: sheetId } = excel.spreadsheet.sheets()[0]!;
  control.goTo({ sheetId, row: 4, column: 2, rows: 1, columns: 1 });
  await rests();
  expect(excel.spreadsheet.selection()).toMatchObject({ sheetId, rects: [{ row: 4, column: 2 }] });
});

it("leaving the screen cancels its work, and looks at nothing any more", async () => {
  await open();
  control.prepare({ freezes: true, writesSources: false });
  const findFormulas = vi.spyOn(excel.app.workbook, "findFormulas");
  control.end();
  await pass(5_000);
  expect(content()).toBe(formula);
  expect(findFormulas.mock.calls.length).toBeLessThanOrEqual(1);
  // The user opens the screen again.
  control.start();
  expect(await rests()).toEqual({ status: "idle" });
});
