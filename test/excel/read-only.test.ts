import { beforeEach, describe, expect, it } from "vitest";
import { createFormulaControl } from "../../src/taskpane/formulas/formula-control";
import type { Failure } from "../../src/errors";
import { writeTable } from "../../src/workbook/sheet/tables/write-table";
import { playExcel } from "../functions/excel";
import { inTime } from "./in-time";
import { openExcel, type PlayedExcel } from "./open-excel";

playExcel();

let excel: PlayedExcel;
const plan = { columns: [{ header: "geoID" }], rows: [[{ value: "06001", numberFormat: "@" }]] };
const position = { sheetId: "sheet-1", row: 8, column: 2 };
const b2 = { kind: "cell" as const, sheetId: "sheet-1", row: 1, column: 5, mayOverwrite: null };

async function outcomeOf(action: "freeze" | "unfreeze"): Promise<void> {
  const control = createFormulaControl(excel.app);
  const ended = new Promise<void>((resolve, reject) => {
    control.subscribe(() => {
      const state = control.getState();
      if (state.status === "done") resolve();
      if (state.status === "failed") reject(state.failure);
    });
  });
  control.run(action, "workbook");
  return ended;
}

/** Jobs that write into the workbook, by their names. */
const jobs: Record<string, () => Promise<unknown>> = {
  "a table in a place": () => writeTable(excel.app.workbook, plan, b2),
  "a table on a new sheet": () => writeTable(excel.app.workbook, plan, { kind: "new-sheet", name: "Fees" }),
  "a formula of the builder": () => excel.app.workbook.writeFormula(position, "=1+1", "nothing"),
  freezing: () => outcomeOf("freeze"),
  unfreezing: () => outcomeOf("unfreeze"),
  "a note of the add-in": () => excel.app.workbook.writePart(null, '<note xmlns="urn:kept"/>'),
};

describe.each([
  ["tells it", "readOnly"],
  ["does not tell it (OfficeDev/office-js#3831)", "readWrite"],
])("in a workbook that is open for reading only, where Excel %s", (_, mode) => {
  beforeEach(async () => {
    excel = openExcel({ excelApi: "1.20" });
    excel.enter("A1", [['=REGDATA.VALUE("06001", 1056)']]);
    await inTime(excel.spreadsheet.idle());
    await inTime(outcomeOf("freeze"));
    excel.enter("A5", [['=REGDATA.VALUE("06001", 1003)']]);
    await inTime(excel.spreadsheet.idle());
    excel.document.isReadOnly = true;
    Object.assign(Office.context.document, { mode });
  });

  it.each(Object.keys(jobs))("%s is refused in words, and nothing is written", async (name) => {
    const before = JSON.stringify(excel.save());
    const failure = await inTime(
      jobs[name]!().then(
        () => undefined,
        (thrown: Failure) => thrown,
      ),
    );
    expect(failure?.message).toMatch(/reading only|read-only/);
    expect(JSON.stringify(excel.save())).toBe(before);
    expect(excel.problems).toEqual([]);
  });
});
