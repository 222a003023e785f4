import { expect } from "vitest";
import type { Session } from "../../../../src/app";
import { type CellControl, createCellControl } from "../../../../src/taskpane/cell/facts/cell-control";
// A script that is loaded on demand would arrive in real time, but these tests use fake time, so it is loaded here.
import "../../../../src/workbook/cell-formulas/frozen-here";
import "../../../../src/workbook/cell-formulas/calculate-anew";
import "../../../../src/workbook/cell-formulas/freeze";
import "../../../../src/workbook/imports/refresh/refresh-cell";
import "../../../../src/workbook/work-note/unfinished-work";
import { parseAddress } from "../../../../workbench/address";
import { inTime } from "../../../excel/in-time";
import { type ExcelOptions, openExcel, type PlayedExcel } from "../../../excel/open-excel";
import { pass } from "../../../functions/excel";

/** A played Excel whose pane follows the selection. */
export interface CellPane {
  excel: PlayedExcel;
  session: Session;
  control: CellControl;
  /** Leaves the pane's cell screen. */
  stop(): void;
}

export async function openCellPane(options: ExcelOptions = {}): Promise<CellPane> {
  const excel = openExcel({ excelApi: "1.13", ...options });
  const session = await inTime(excel.app.session());
  const control = createCellControl(excel.app, session);
  const stop = control.follow();
  await pass(1_000);
  return { excel, session, control, stop };
}

export function select({ excel: { spreadsheet } }: CellPane, address: string) {
  const { sheetName, rect } = parseAddress(address)!;
  const sheet = spreadsheet.sheets().find(({ name }) => name === (sheetName ?? "Sheet1"))!;
  spreadsheet.select(sheet.id, [{ ...rect, rows: 1, columns: 1 }]);
}

/** Selects a cell, and returns the facts that the pane shows about it. */
export async function lookAt(pane: CellPane, address: string) {
  select(pane, address);
  pane.control.reload();
  await pass(2_000);
  return factsOf(pane);
}

export function factsOf({ control }: CellPane) {
  const { facts, failure } = control.getState();
  expect(failure).toBeUndefined();
  return facts!;
}

/** Waits until the control is at rest. */
export async function rests({ control }: CellPane) {
  for (let turn = 0; turn < 60; turn += 1) {
    await pass(1_000);
    const { job, unfreezing } = control.getState();
    if (!job && unfreezing.status !== "running") return pass(1_000);
  }
}

/** Reopens the workbook with this formula in A1, and the value that it showed when the file was saved. */
export function openWith({ excel }: CellPane, formula: string, value: string, isStuck = false) {
  excel.enter("A1", [["x"]]);
  const contents = excel.spreadsheet.contents();
  const sheets = contents.sheets.map((sheet) => ({
    ...sheet,
    cells: sheet.cells.map((cell) => (cell.value === "x" ? { ...cell, formula, value, isStuck } : cell)),
  }));
  excel.spreadsheet.openContents({ ...contents, sheets });
}

/** An interception that holds requests whose address has this part, until they are let go. */
export function holding(part: string) {
  let letGo = () => {};
  let held: Promise<void> | undefined;
  return {
    hold: () => void (held = new Promise((resolve) => (letGo = resolve))),
    letGo() {
      held = undefined;
      letGo();
    },
    intercept: async ({ url }: Request) => {
      if (url.includes(part)) await held;
      return undefined;
    },
  };
}
