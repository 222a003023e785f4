import { afterEach, describe, expect, it } from "vitest";
import { createImportBook } from "../../../src/workbook/imports/saved/import-book";
import { inTime } from "../../excel/in-time";
import { pass, playExcel } from "../../functions/excel";
import { memoryDisk } from "../../reliability/memory-disk";
import {
  close,
  control,
  counties,
  excel,
  found,
  kept,
  open,
  refreshed,
  reportOf,
  rests,
  session,
  sheetOf,
  state,
} from "./imported-workbook";

playExcel();
afterEach(close);

const columnOf = (name: string, field: string) =>
  kept(name).saved.columns.findIndex(({ content }) => content.of === "ahj" && content.field === field);
const idAt = (row: number, name = "Counties") =>
  excel.spreadsheet.read(sheetOf(name), { row, column: columnOf(name, "id"), rows: 1, columns: 1 })[0]![0]!
    .value;
function select(name: string, row: number, column = 0) {
  excel.spreadsheet.select(sheetOf(name), [{ row, column, rows: 1, columns: 1 }]);
}

/** Makes the import's own columns of names and places the user's, as beside a list of names. */
async function makeList() {
  const book = createImportBook(excel.app.workbook);
  const { saved } = (await book.list()).imports.find((each) => each.saved.name === "Counties")!;
  const headerOf = (field: string) =>
    saved.columns.find(({ content }) => content.of === "ahj" && content.field === field)!.header;
  const columns = saved.columns.filter(({ content }) => content.of !== "ahj" || content.field === "id");
  await book.update(saved.id, { columns, listHeader: headerOf("name") });
}

describe("the summary of an import", () => {
  it("names the jurisdictions of a list by the list's entries, and finds their states", async () => {
    await open({}, async () => {
      await makeList();
      await found(counties);
    });
    const { answersTo } = await inTime(control.summary(kept("Counties")));
    const ahjs = answersTo(kept("Counties").saved.types[0]!).map(({ ahj }) => ahj);
    expect(ahjs).toMatchObject([
      { name: "Alameda County", state_code: "CA" },
      { name: "Los Angeles County", state_code: "CA" },
      { name: "Orange County", state_code: "CA" },
    ]);
  });

  it("finds the states of a list's jurisdictions in what this device has stored, without a request", async () => {
    const disk = memoryDisk();
    await open({ openDisk: () => disk, key: "demo-west" }, async () => {
      await makeList();
      await session.lookup.directory.list();
    });
    const file = excel.save();
    close();
    await open({ openDisk: () => disk, key: "demo-west", file });
    const before = excel.requests.length;
    const { answersTo } = await inTime(control.summary(kept("Counties")));
    const states = answersTo(kept("Counties").saved.types[0]!).map(({ ahj }) => ahj.state_code);
    expect(states).toEqual(["CA", "CA", "CA"]);
    expect(excel.requests).toHaveLength(before);
  });

  it("tells blank answers that the last refresh did not confirm from those without a value", async () => {
    await open({ key: "demo-none" });
    const counts = async () => {
      const { pictures } = await inTime(control.summary(kept("Counties")));
      return pictures.map((picture) => picture.counts);
    };
    const before = await counts();
    const blank = before.findIndex(({ none }) => none > 0);
    expect(before[blank]).toMatchObject({ unknown: 0 });
    await refreshed("Counties");
    expect(reportOf("Counties").notRefreshed).toHaveLength(3);
    const { value, none } = before[blank]!;
    expect((await counts())[blank]).toEqual({ value, none: 0, unknown: none, edited: 0 });
  });

  it("leads to the cell of an answer, wherever its row is now", async () => {
    await open();
    const { saved } = kept("Counties");
    const summary = await inTime(control.summary(kept("Counties")));
    excel.spreadsheet.shift(sheetOf("Counties"), { axis: "row", at: 0, by: 2 });
    const question = saved.types[3]!;
    const column = saved.columns.findIndex(
      ({ content }) => content.of === "answer" && content.part === "value" && content.typeId === question.id,
    );
    control.goToAnswer(kept("Counties"), summary, question, Number(idAt(5)));
    await rests();
    const { sheetId, rects } = excel.spreadsheet.selection();
    expect(sheetId).toBe(sheetOf("Counties"));
    expect(rects).toEqual([{ row: 5, column, rows: 1, columns: 1 }]);
  });

  it("leads nowhere for a jurisdiction that the table does not have", async () => {
    await open();
    const summary = await inTime(control.summary(kept("Counties")));
    const before = excel.spreadsheet.selection();
    control.goToAnswer(kept("Counties"), summary, kept("Counties").saved.types[0]!, 999_999_999);
    await rests();
    expect(excel.spreadsheet.selection()).toEqual(before);
    expect(state().failure).toBeUndefined();
  });
});

describe("the jurisdiction of the selected row", () => {
  let told: (number | null)[];
  /** Follows the rows of Counties, from the selection on. */
  async function followRow() {
    told = [];
    const stop = control.followRow(kept("Counties"), (ahjId) => told.push(ahjId));
    await pass(1_000);
    return stop;
  }
  async function selected(name: string, row: number, column = 0) {
    select(name, row, column);
    await pass(1_000);
    return told.at(-1);
  }

  it("is told at first and whenever another row is selected, from any of its columns", async () => {
    await open();
    const [first, second] = [idAt(1), idAt(2)];
    expect(first).not.toBe(second);
    select("Counties", 1);
    const stop = await followRow();
    expect(told.at(-1)).toBe(first);
    expect(await selected("Counties", 2, 7)).toBe(second);
    stop();
    expect(await selected("Counties", 1)).toBe(second);
  });

  it("is none in the header, outside of the table, and in the table of another import", async () => {
    await open();
    select("Counties", 1);
    const stop = await followRow();
    for (const [name, row] of [
      ["Counties", 0],
      ["Counties", 30],
      ["Nevada", 1],
      ["Sheet1", 0],
    ] as const) {
      expect(await selected("Counties", 1)).toBe(idAt(1));
      expect({ name, row, ahjId: await selected(name, row) }).toEqual({ name, row, ahjId: null });
    }
    stop();
  });

  it("is none in a row without an id, and when Excel does not tell the selection", async () => {
    await open();
    const stop = await followRow();
    expect(await selected("Counties", 2)).toBe(idAt(2));
    excel.spreadsheet.clear(
      sheetOf("Counties"),
      { row: 1, column: columnOf("Counties", "id"), rows: 1, columns: 1 },
      { contents: true, formats: false },
    );
    expect(await selected("Counties", 1)).toBeNull();
    expect(await selected("Counties", 2)).toBe(idAt(2));
    excel.fail(5012, 1, "workbook");
    expect(await selected("Counties", 3)).toBeNull();
    stop();
  });
});
