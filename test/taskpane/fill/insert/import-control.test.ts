import { beforeEach, describe, expect, it, vi } from "vitest";
import type { ImportControl, ImportState } from "../../../../src/taskpane/fill/insert/import-control";
import { createLastChoice } from "../../../../src/settings/choices/last-choice";
import { createImportBook } from "../../../../src/workbook/imports/saved/import-book";
import { inTime } from "../../../excel/in-time";
import type { ExcelOptions, PlayedExcel } from "../../../excel/open-excel";
import { pass, playExcel } from "../../../functions/excel";
import { openImport, type OpenedImport } from "./opened-import";

playExcel();

let opened: OpenedImport;
let excel: PlayedExcel;
let control: ImportControl;
async function open(options?: ExcelOptions) {
  opened = await openImport(options);
  ({ excel, control } = opened);
}
beforeEach(() => open());

const order: OpenedImport["order"] = (changes) => opened.order(changes);
const state = () => control.getState();
const reaches = <Status extends ImportState["status"]>(status: Status) => opened.reaches(status);
const tables = () => excel.spreadsheet.tables().length;
const sheets = () => excel.spreadsheet.sheets().map(({ name }) => name);
const noService = () => new Response("{}", { status: 503 });

describe("an import", () => {
  it("is offered again: its jurisdictions and questions are noted once it is inserted", async () => {
    control.insertOnNewSheet(order());
    await reaches("done");
    const lastChoice = createLastChoice(excel.app.storage);
    await vi.waitFor(async () => {
      await lastChoice.read();
      expect(lastChoice.current()).toEqual({
        entries: opened.ahjs.map(({ geoid }) => geoid),
        typeIds: opened.types.map(({ id }) => id),
      });
    });
  });

  it("that fails is not noted, so that the choice before it is still offered", async () => {
    const lastChoice = createLastChoice(excel.app.storage);
    control.insertOnNewSheet(order());
    await reaches("done");
    await vi.waitFor(async () => {
      await lastChoice.read();
      expect(lastChoice.current()?.entries).toHaveLength(3);
    });
    const [ahj] = opened.ahjs;
    const { types } = opened;
    control.insertOnNewSheet(order({ question: { kind: "matrix", ahjs: [ahj!], types } }));
    control.cancel();
    await reaches("failed");
    await pass(1_000);
    await lastChoice.read();
    expect(lastChoice.current()?.entries).toHaveLength(3);
  });

  it("runs, shows its progress, and reports its result", async () => {
    const seen: ImportState["status"][] = [];
    control.subscribe(() => seen.push(state().status));
    control.insertOnNewSheet(order());
    expect(state()).toMatchObject({ status: "running", isPaused: false });
    expect(await reaches("done")).toMatchObject({ address: "Codes!A1:G4", report: { rows: 3 } });
    expect(new Set(seen)).toEqual(new Set(["running", "done"]));
  });

  it("is the only one: a button pressed while it runs does nothing", async () => {
    control.insertOnNewSheet(order());
    control.insertOnNewSheet(order({ sheetName: "Another" }));
    await reaches("done");
    expect(sheets()).toEqual(["Sheet1", "Codes"]);
  });

  it("asks before it overwrites, and goes on or leaves everything", async () => {
    excel.enter("B2", [["mine"]]);
    control.insertAtSelectedCell(order());
    expect(await reaches("in-the-way")).toMatchObject({ place: { filled: "Sheet1!B2" } });
    control.dismiss();
    expect(state().status).toBe("idle");
    expect(excel.values("A1:B2")).toEqual([
      ["", ""],
      ["", "mine"],
    ]);
    control.insertAtSelectedCell(order());
    await reaches("in-the-way");
    control.overwrite();
    expect(await reaches("done")).toMatchObject({ address: "Sheet1!A1:G4" });
  });

  it("waits while it is paused, and is cancelled without a trace", async () => {
    control.insertOnNewSheet(order());
    control.pause();
    expect(state()).toMatchObject({ status: "running", isPaused: true });
    control.goOn();
    expect(state()).toMatchObject({ status: "running", isPaused: false });
    control.cancel();
    expect((await reaches("failed")).failure.kind).toBe("cancelled");
    expect(tables()).toBe(0);
  });

  it("that failed is tried again for the rest", async () => {
    let isDown = true;
    await open({ intercept: ({ url }) => (isDown && url.includes("matrix") ? noService() : undefined) });
    control.insertOnNewSheet(order());
    const failed = await reaches("failed");
    expect(failed).toMatchObject({ failure: { kind: "service-error" }, partial: null });
    isDown = false;
    control.insertOnNewSheet(order());
    expect(await reaches("done")).toMatchObject({ report: { rows: 3 } });
  });

  it("that is too large for memory becomes several tables", async () => {
    control.insertOnNewSheet(order({ parts: 2 }));
    expect(await reaches("done")).toMatchObject({ address: "Codes!A1:G3 and 'Codes 2'!A1:G2" });
    expect(tables()).toBe(2);
  });

  it("ends when the pane is closed", async () => {
    control.insertOnNewSheet(order());
    control.end();
    await reaches("failed");
    expect(tables()).toBe(0);
  });

  it("at the selected cell, where there is room, is inserted without a question", async () => {
    excel.enter("A1", [["mine"]]);
    excel.spreadsheet.select("sheet-1", [{ row: 2, column: 1, rows: 1, columns: 1 }]);
    const seen: ImportState["status"][] = [];
    control.subscribe(() => seen.push(state().status));
    control.insertAtSelectedCell(order());
    expect(await reaches("done")).toMatchObject({ address: "Sheet1!B3:H6" });
    expect(seen).not.toContain("in-the-way");
    expect(excel.values("A1")).toEqual([["mine"]]);
    expect(sheets()).toEqual(["Sheet1"]);
  });

  it("that can't even start says why, and the next one runs", async () => {
    const { selection } = excel.spreadsheet;
    excel.spreadsheet.selection = () => {
      throw new Error("refused");
    };
    control.insertAtSelectedCell(order());
    const failed = await reaches("failed");
    expect(failed).toMatchObject({ partial: null, placed: null, order: null });
    expect(failed.failure.message).not.toBe("");
    expect(opened.answersAsked()).toEqual([]);
    excel.spreadsheet.selection = selection;
    control.insertAtSelectedCell(order());
    expect(await reaches("done")).toMatchObject({ address: "Sheet1!A1:G4" });
  });
});

describe("an import that replaces an earlier one", () => {
  const remembered = async () => (await inTime(createImportBook(excel.app.workbook).list())).imports;
  beforeEach(async () => {
    await open({ excelApi: "1.13" });
    const question = { kind: "matrix" as const, ahjs: opened.ahjs.slice(0, 1), types: opened.types };
    control.insertOnNewSheet(order({ question, sheetName: "Old" }));
    await reaches("done");
  });

  it("takes its table and its name, and the workbook remembers one import", async () => {
    const [old] = await remembered();
    control.replace({ ...order(), replaces: await opened.toReplace() });
    expect(await reaches("done")).toMatchObject({ address: "Old!A1:G4" });
    expect(sheets()).toEqual(["Sheet1", "Old"]);
    expect((await remembered()).map(({ saved: { id, tableId, name } }) => [id, tableId, name])).toEqual([
      [old!.saved.id, old!.saved.tableId, "Old"],
    ]);
  });

  it("asks before it overwrites cells beyond the old table", async () => {
    excel.enter("Old!C4", [["mine"]]);
    control.replace({ ...order(), replaces: await opened.toReplace() });
    expect(await reaches("in-the-way")).toMatchObject({ place: { filled: "Old!C4" } });
    expect(excel.values("Old!C4")).toEqual([["mine"]]);
    control.overwrite();
    expect(await reaches("done")).toMatchObject({ address: "Old!A1:G4" });
    expect(excel.values("Old!C4")).toEqual([["county"]]);
  });
});

describe("the buttons of an import", () => {
  it("do nothing while no import runs and nothing is asked", async () => {
    expect(state()).toEqual({ status: "idle" });
    const { pause, goOn, cancel, overwrite, keepPartial, end } = control;
    const press = () => {
      for (const button of [pause, goOn, cancel, overwrite, keepPartial, end]) button();
    };
    press();
    expect(state()).toEqual({ status: "idle" });
    control.insertOnNewSheet(order());
    const done = await reaches("done");
    press();
    await pass(1_000);
    expect(state()).toBe(done);
    expect(tables()).toBe(1);
  });
});
