import { afterEach, expect, it } from "vitest";
import { inTime } from "../../excel/in-time";
import { createImportBook } from "../../../src/workbook/imports/saved/import-book";
import { playExcel } from "../../functions/excel";
import {
  close,
  control,
  excel,
  kept,
  open,
  refreshed,
  reportOf,
  rests,
  sheetOf,
  state,
} from "./imported-workbook";

playExcel();
afterEach(close);

const mine = "My own name for it";

/** The workbook a month later: a column in which something has changed since has got another header. */
async function renamed() {
  await open();
  await refreshed("Nevada");
  const [changed] = reportOf("Nevada").changes;
  const header = changed!.place.header;
  close();
  await open();
  const { rect } = excel.spreadsheet.tables().find((table) => table.sheetId === sheetOf("Nevada"))!;
  const at = headersOf().indexOf(header);
  const address = `Nevada!${letters(rect.column + at)}${rect.row + 1}`;
  const below = `Nevada!${letters(rect.column + at)}${rect.row + 2}`;
  excel.enter(address, [[mine]]);
  const [[before]] = excel.values(below) as [[unknown]];
  return { header, at, address, below, before, after: changed!.after?.value };
}
const letters = (column: number): string =>
  column < 0 ? "" : letters(Math.floor(column / 26) - 1) + String.fromCharCode(65 + (column % 26));
const headersOf = () => kept("Nevada").saved.columns.map((column) => column.header);
const savedHeaders = async () => {
  const saved = await inTime(createImportBook(excel.app.workbook).read(kept("Nevada").saved.id));
  return saved?.columns.map((column) => column.header) ?? [];
};

it("a column that somebody has given another header is not refreshed, and the report asks about it each time", async () => {
  const { header, below, before } = await renamed();
  for (let times = 0; times < 2; times += 1) {
    await refreshed("Nevada");
    expect(reportOf("Nevada").renamedColumns).toEqual([{ before: header, after: mine }]);
    expect(reportOf("Nevada").missingColumns).toEqual([header]);
    expect(excel.values(below)).toEqual([[before]]);
  }
});

it("a renamed column that is kept is refreshed under its header, now and later", async () => {
  const { header, at, below, before } = await renamed();
  await refreshed("Nevada");
  const first = reportOf("Nevada");
  expect(first.changes.length).toBeGreaterThan(0);
  control.followRenamed(kept("Nevada"), first, first.renamedColumns);
  await rests();
  expect(state().failure).toBeUndefined();
  const report = reportOf("Nevada");
  expect([report.missingColumns, report.renamedColumns, report.unsure]).toEqual([[], [], []]);
  // The report still tells the changes of the other columns.
  expect(report.changes.map(({ place }) => place.header).sort()).toEqual(
    [...first.changes.map(({ place }) => place.header), mine].sort(),
  );
  expect(excel.values(below)).not.toEqual([[before]]);
  expect((await savedHeaders())[at]).toBe(mine);
  expect(await savedHeaders()).not.toContain(header);
});

it("a renamed column that is left is the user's own, and is not asked about again", async () => {
  const { header, below, before } = await renamed();
  await refreshed("Nevada");
  const report = reportOf("Nevada");
  control.leaveRenamed(kept("Nevada"), report, report.renamedColumns[0]!);
  await rests();
  expect(reportOf("Nevada")).toMatchObject({ missingColumns: [], renamedColumns: [] });
  await refreshed("Nevada");
  expect(reportOf("Nevada")).toMatchObject({ missingColumns: [], renamedColumns: [] });
  expect(excel.values(below)).toEqual([[before]]);
  const { types } = kept("Nevada").saved;
  expect(types.map(({ name }) => name)).not.toContain(header);
});

it("another column in the place of a missing one is not taken for it", async () => {
  const { header, below } = await renamed();
  excel.enter(below, [["what a user typed here"]]);
  await refreshed("Nevada");
  expect(reportOf("Nevada").renamedColumns).toEqual([]);
  expect(reportOf("Nevada").missingColumns).toEqual([header]);
});
