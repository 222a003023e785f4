import { SheetFailure } from "../../../src/sheet-failure";
import { afterEach, expect, it, vi } from "vitest";
import { config } from "../../../src/config";
import {
  createLastKnownControl,
  type LastKnownControl,
} from "../../../src/taskpane/share/last-known-control";
// A script that is loaded when it is needed arrives in real time, but these tests use fake time, so it is loaded here.
import "../../../src/workbook/work-note/unfinished-work";
import { freezeFormulas } from "../../../src/workbook/cell-formulas/freeze";
import { lastKnownNamespace } from "../../../src/workbook/last-known/last-known-values";
import { inTime } from "../../excel/in-time";
import { openExcel, type PlayedExcel } from "../../excel/open-excel";
import { pass, playExcel } from "../../functions/excel";

playExcel();

const known = '=REGDATA.VALUE("06001", 1003)';
const list = "=REGDATA.CATEGORIES()";
let excel: PlayedExcel;
let control: LastKnownControl;

async function open(formulas: string[]) {
  excel = openExcel({ excelApi: "1.20" });
  excel.enter(
    "A1",
    formulas.map((formula) => [formula]),
  );
  await inTime(excel.spreadsheet.idle());
  control = createLastKnownControl(excel.app);
  control.start();
  await pass(1_000);
}
afterEach(() => expect(excel.problems).toEqual([]));

/** The state as the screen shows it. */
function state() {
  const work = control.work.getState();
  const { lastKnown, failure: unread } = control.stored.getState();
  return {
    ...{ lastKnown, unread, isRunning: work.status === "running" },
    report: work.status === "done" ? work.result : undefined,
    failure: work.status === "failed" ? work.failure : undefined,
  };
}
async function rests() {
  for (let turn = 0; turn < 50; turn += 1) {
    await pass(1_000);
    if (!state().isRunning) break;
  }
  return state();
}
const parts = () => inTime(excel.app.workbook.readParts(lastKnownNamespace));

it("a workbook in which nothing travels says so", async () => {
  await open([known]);
  expect(state()).toEqual({
    lastKnown: { values: null, characters: 0, unreadable: 0 },
    ...{ isRunning: false, report: undefined, failure: undefined, unread: undefined },
  });
});

it("the last known answers of the formulas travel, and the report tells what was left out", async () => {
  await open([known, list]);
  const before = excel.requests.length;
  control.update();
  expect(state()).toMatchObject({ isRunning: true, report: undefined });
  const { report, lastKnown } = await rests();
  expect(report).toMatchObject({ answers: 1, fit: null, notKept: 0, frozen: 0, isAllFrozen: false });
  expect(report?.left.map(({ formula }) => formula)).toEqual([list]);
  expect(lastKnown?.values?.answers).toHaveLength(1);
  expect(lastKnown?.characters).toBe((await parts())[0]?.xml.length);
  expect(excel.requests).toHaveLength(before);
});

it("they travel only once the author says so: looking at the screen writes nothing", async () => {
  await open([known]);
  control.start();
  await pass(5_000);
  expect((await rests()).lastKnown).toMatchObject({ values: null });
  expect(await parts()).toEqual([]);
});

it("what travels is taken out again", async () => {
  await open([known]);
  control.update();
  await rests();
  control.remove();
  expect(await rests()).toMatchObject({
    lastKnown: { values: null },
    report: undefined,
    failure: undefined,
  });
  expect(await parts()).toEqual([]);
});

it("nothing is written where nothing is known", async () => {
  await open([list]);
  control.update();
  expect((await rests()).report).toMatchObject({ answers: 0, fit: 0, isAllFrozen: false });
  expect(await parts()).toEqual([]);
});

it("a workbook whose formulas are all frozen says that they need nothing", async () => {
  await open([known]);
  const { workbook } = excel.app;
  const { namespace } = config;
  const { signal } = new AbortController();
  const cells = await inTime(workbook.findFormulas("workbook", { namespace, canSeeSpills: true, signal }));
  await inTime(freezeFormulas(cells, workbook, { canSeeDataTypes: true, signal, onProgress() {} }));
  control.update();
  expect((await rests()).report).toMatchObject({ answers: 0, fit: 0, frozen: 1, isAllFrozen: true });
  excel.enter("A2", [['=REGDATA.VALUE("06001", 1003)']]);
  await inTime(excel.spreadsheet.idle());
  control.update();
  expect((await rests()).report).toMatchObject({ answers: 1, frozen: 1, isAllFrozen: false });
});

it("a workbook without formulas has none that are frozen", async () => {
  await open([]);
  control.update();
  expect((await rests()).report).toMatchObject({ answers: 0, fit: 0, frozen: 0, isAllFrozen: false });
});

it("one thing is done at a time", async () => {
  await open([known]);
  control.update();
  await rests();
  control.remove();
  control.update();
  expect(await rests()).toMatchObject({ isRunning: false, lastKnown: { values: null } });
  await pass(5_000);
  expect(await parts()).toEqual([]);
});

it("a ribbon command is put off while values are saved", async () => {
  await open([known]);
  const pressed = () => excel.app.jobs.isPutOff({ name: "refreshAll" });
  expect(pressed()).toBe(false);
  control.update();
  expect(pressed()).toBe(true);
  await rests();
  expect(pressed()).toBe(false);
});

it("a failure is told, and gone with the next try", async () => {
  await open([known]);
  const writePart = vi.spyOn(excel.app.workbook, "writePart");
  writePart.mockRejectedValueOnce(new SheetFailure("sheet-refused"));
  control.update();
  expect(await rests()).toMatchObject({ failure: { kind: "sheet-refused" }, report: undefined });
  control.update();
  expect(state().failure).toBeUndefined();
  expect(await rests()).toMatchObject({ failure: undefined, report: { answers: 1 } });
});

it("a workbook that can't be read says so, and what it has is not known", async () => {
  await open([known]);
  vi.spyOn(excel.app.workbook, "readParts").mockRejectedValue(new SheetFailure("sheet-refused"));
  control.start();
  await pass(1_000);
  expect(state()).toMatchObject({ lastKnown: undefined, unread: { kind: "sheet-refused" } });
});

it("whoever leaves cancels what runs", async () => {
  await open([known]);
  // Nothing runs yet.
  control.end();
  control.update();
  control.end();
  expect(await rests()).toMatchObject({ failure: { kind: "cancelled" }, report: undefined });
  expect(await parts()).toEqual([]);
});
