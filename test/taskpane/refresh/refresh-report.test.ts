import { afterEach, describe, expect, it } from "vitest";
import type { RefreshReport } from "../../../src/workbook/imports/refresh/plan-refresh";
import { createImportBook } from "../../../src/workbook/imports/saved/import-book";
import { inTime } from "../../excel/in-time";
import { pass, playExcel } from "../../functions/excel";
import {
  close,
  control,
  excel,
  kept,
  names,
  open,
  refreshed,
  reportOf,
  rests,
  sheetOf,
  state,
} from "./imported-workbook";

playExcel();
afterEach(close);

describe("the report of a refresh", () => {
  const typed = "somebody typed this";
  /** Refreshes after a cell with a value was typed over. */
  async function edited() {
    await open();
    const header = kept("Counties").saved.columns.findIndex(
      ({ content }) => content.of === "answer" && content.part === "value",
    );
    excel.enter(address(1, header), [[typed]]);
    await refreshed("Counties");
    expect(reportOf("Counties").edited.map(({ text }) => text)).toEqual([typed]);
    return address(1, header);
  }
  const letters = (column: number): string =>
    column < 0 ? "" : letters(Math.floor(column / 26) - 1) + String.fromCharCode(65 + (column % 26));
  const address = (row: number, column: number) => `Counties!${letters(column)}${row + 1}`;
  const colorOf = ({ row, column }: { row: number; column: number }) =>
    excel.spreadsheet.look(sheetOf("Counties"), row, column).fillColor;
  const filled = () => {
    const sheetId = sheetOf("Counties");
    const { rect } = excel.spreadsheet.tables().find((table) => table.sheetId === sheetId)!;
    const places = Array.from({ length: rect.rows * rect.columns }, (_, at) => ({
      ...{ row: Math.floor(at / rect.columns), column: at % rect.columns },
    }));
    return places.filter((place) => colorOf(place) !== null);
  };
  const fills = () => filled().map(({ row, column }) => address(row, column));
  const colors = () => new Set(filled().map(colorOf));

  it("shows where the edited cells stand, and puts back their own values if the user wants", async () => {
    const cell = await edited();
    expect(await inTime(control.editedAddresses(kept("Counties"), reportOf("Counties")))).toEqual([cell]);
    control.takeServiceValues(kept("Counties"), reportOf("Counties"), reportOf("Counties").edited);
    await rests();
    expect(excel.values(cell)).not.toEqual([[typed]]);
    expect(reportOf("Counties").edited).toEqual([]);
  });

  it("writes nothing into an import that a colleague has forgotten", async () => {
    const cell = await edited();
    const was = kept("Counties");
    await inTime(createImportBook(excel.app.workbook).forget(was.saved.id));
    const report = reportOf("Counties");
    control.takeServiceValues(was, report, report.edited);
    await rests();
    expect(state().failure?.kind).toBe("cancelled");
    expect(excel.values(cell)).toEqual([[typed]]);
  });

  it("marks its cells in the sheet, each once, and unmarks them again", async () => {
    const cell = await edited();
    const report = reportOf("Counties");
    control.mark(kept("Counties"), report);
    await rests();
    expect([...state().marks.keys()]).toEqual([kept("Counties").saved.id]);
    expect(fills()).toHaveLength(report.changes.length + 1);
    expect(fills()).toContain(cell);
    control.unmark(kept("Counties"));
    await rests();
    expect(fills()).toEqual([]);
    expect(state()).toMatchObject({ marks: new Map(), failure: undefined });
  });

  it.each<[string, () => Promise<unknown>]>([
    ["pressed twice at once", () => Promise.resolve()],
    ["pressed again before the button has changed", rests],
  ])("leaves no fill behind if its button to highlight is %s", async (_, between) => {
    await edited();
    control.mark(kept("Counties"), reportOf("Counties"));
    await between();
    control.mark(kept("Counties"), reportOf("Counties"));
    await rests();
    control.unmark(kept("Counties"));
    control.unmark(kept("Counties"));
    await rests();
    expect(fills()).toEqual([]);
    expect(state()).toMatchObject({ marks: new Map(), failure: undefined });
  });

  it("is acted on only while nothing else changes the imports", async () => {
    await edited();
    const report = reportOf("Counties");
    control.refresh([kept("Nevada")]);
    control.mark(kept("Counties"), report);
    control.exportChanges(kept("Counties"), report);
    control.forget(kept("Counties"));
    await rests();
    expect(fills()).toEqual([]);
    expect(names()).toEqual(["Nevada", "Counties"]);
    control.mark(kept("Counties"), report);
    expect(excel.app.jobs.isExcluded("imports")).toBe(true);
    expect(excel.app.jobs.isExcluded("workbook")).toBe(true);
    await rests();
    expect(excel.app.jobs.isExcluded("workbook")).toBe(false);
  });

  it("marks cells that the service did not confirm in gray, apart from those that changed", async () => {
    await open({ key: "demo-none" });
    await refreshed("Counties");
    const report = reportOf("Counties");
    const cells = report.notRefreshed.flatMap(({ places }) => places);
    expect(cells.length).toBeGreaterThan(100);
    control.mark(kept("Counties"), report);
    await rests();
    expect(fills()).toHaveLength(cells.length);
    expect(colors()).toEqual(new Set(["#D9D9D9"]));
  });

  it("is unmarked when the import is forgotten", async () => {
    await edited();
    control.mark(kept("Counties"), reportOf("Counties"));
    await rests();
    control.forget(kept("Counties"));
    await rests();
    expect(names()).toEqual(["Nevada"]);
    expect(state()).toMatchObject({ marks: new Map(), failure: undefined });
    expect(fills()).toEqual([]);
  });

  it("says how many marks stay because their rows are gone", async () => {
    await edited();
    control.mark(kept("Counties"), { ...reportOf("Counties"), changes: [], unsure: [] });
    await rests();
    expect(fills()).toHaveLength(1);
    excel.spreadsheet.shift(sheetOf("Counties"), { axis: "row", at: 1, by: -1 });
    control.unmark(kept("Counties"));
    await rests();
    expect(state().failure).toMatchObject({
      kind: "cells-not-found",
      detail: "1 cell may still be highlighted. Remove the fill by hand.",
    });
  });

  it("keeps its marks when those of another import are removed", async () => {
    await edited();
    await refreshed("Nevada");
    control.mark(kept("Counties"), reportOf("Counties"));
    await rests();
    control.mark(kept("Nevada"), reportOf("Nevada"));
    await rests();
    const before = fills();
    expect(before).not.toEqual([]);
    control.unmark(kept("Nevada"));
    await rests();
    expect([...state().marks.keys()]).toEqual([kept("Counties").saved.id]);
    expect(fills()).toEqual(before);
  });

  it("can be dismissed even if its sheet is gone with the marks", async () => {
    await edited();
    control.mark(kept("Counties"), reportOf("Counties"));
    await rests();
    excel.spreadsheet.deleteSheet(sheetOf("Counties"));
    await pass(1_000);
    control.forget(kept("Counties"));
    await rests();
    expect(names()).toEqual(["Nevada"]);
    expect(state().failure).toBeUndefined();
  });

  it("stands on a sheet of its own when it is exported", async () => {
    await edited();
    control.exportChanges(kept("Counties"), reportOf("Counties"));
    await rests();
    expect(excel.spreadsheet.sheets().map(({ name }) => name)).toContain("Changes 2026-03-12");
    expect(state().failure).toBeUndefined();
  });

  it("leads to its cells in the sheet", async () => {
    const cell = await edited();
    excel.spreadsheet.activateSheet(sheetOf("Sheet1"));
    const [{ place }] = reportOf("Counties").edited as [RefreshReport["edited"][number]];
    control.goToCell(kept("Counties"), reportOf("Counties"), place);
    await rests();
    const { sheetId, rects } = excel.spreadsheet.selection();
    expect(sheetId).toBe(sheetOf("Counties"));
    expect(rects.map(({ row, column }) => address(row, column))).toEqual([cell]);
  });
});
