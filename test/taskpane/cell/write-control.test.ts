import { beforeEach, expect, it, vi } from "vitest";
import { askedOf, createWriteControl, type WriteControl } from "../../../src/taskpane/cell/write-control";
import { inTime } from "../../excel/in-time";
import { openExcel, type PlayedExcel } from "../../excel/open-excel";
import { pass, playExcel } from "../../functions/excel";

playExcel();

const formula = '=REGDATA.VALUE("06001", 1003)';
let excel: PlayedExcel;
let control: WriteControl;
const onWritten = vi.fn();
beforeEach(() => {
  excel = openExcel();
  onWritten.mockReset();
  control = createWriteControl(excel.app.workbook, excel.app.jobs, onWritten);
});

const state = () => control.getState();
const target = (column = 0) => ({
  ...{ sheetId: excel.spreadsheet.sheets()[0]!.id, row: 0, column },
  address: column === 0 ? "Sheet1!A1" : "Sheet1!B1",
});
const content = (address: string) => excel.cells(address)[0]?.[0]?.formula;
async function rests() {
  await pass(1_000);
  return askedOf(state()) ?? state();
}
const isWritten = { status: "done", result: { status: "written" } };

it("a formula is written into an empty cell, and the caller is told where", async () => {
  control.write({ target: target(), formula });
  expect(state()).toMatchObject({ status: "running" });
  expect(await rests()).toMatchObject(isWritten);
  expect(content("A1")).toBe(formula);
  expect(onWritten).toHaveBeenCalledExactlyOnceWith(target());
});

it("a cell that is filled is asked about, and overwritten once the user says so", async () => {
  excel.enter("A1", [["mine"]]);
  control.write({ target: target(), formula });
  expect(await rests()).toMatchObject({ status: "in-the-way", content: "mine", order: { formula } });
  expect(content("A1")).toBe("mine");
  expect(onWritten).not.toHaveBeenCalled();
  control.overwrite();
  expect(await rests()).toMatchObject(isWritten);
  expect(content("A1")).toBe(formula);
  expect(onWritten).toHaveBeenCalledOnce();
});

it("a cell that somebody has changed since the question is asked about again", async () => {
  excel.enter("A1", [["mine"]]);
  control.write({ target: target(), formula });
  await rests();
  excel.enter("A1", [["theirs"]]);
  control.overwrite();
  expect(await rests()).toMatchObject({ status: "in-the-way", content: "theirs" });
  expect(content("A1")).toBe("theirs");
});

it("a cell that the user does not want overwritten stays", async () => {
  excel.enter("A1", [["mine"]]);
  control.write({ target: target(), formula });
  await rests();
  control.dismiss();
  expect(state()).toEqual({ status: "idle" });
  control.overwrite();
  await rests();
  expect(content("A1")).toBe("mine");
});

it("one formula is written at a time", async () => {
  control.write({ target: target(), formula });
  control.write({ target: target(1), formula });
  await rests();
  expect(content("A1")).toBe(formula);
  expect(excel.values("B1")).toEqual([[""]]);
});

it("a failure to write a formula is shown, and the next try may succeed", async () => {
  excel.document.protectedSheets.add(target().sheetId);
  control.write({ target: target(), formula });
  expect(await rests()).toMatchObject({ status: "failed", failure: { kind: "not-permitted" } });
  expect(onWritten).not.toHaveBeenCalled();
  excel.document.protectedSheets.clear();
  control.write({ target: target(), formula });
  expect(await inTime(rests())).toMatchObject(isWritten);
});
