import { expect, it } from "vitest";
import type { Ahj } from "../../../../src/engine/api/schemas";
import { createImportControl } from "../../../../src/taskpane/fill/insert/import-control";
// Scripts that are loaded on demand would arrive in real time, but these tests use fake time, so they are loaded here.
import "../../../../src/taskpane/refresh/refresh-work";
import { createSavedImportsControl } from "../../../../src/taskpane/refresh/saved-imports-control";
import "../../../../src/workbook/imports/run/place-parts";
import { plainForm } from "../../../../src/workbook/sheet/layout/table-plan";
import "../../../../src/workbook/work-note/noted-tables";
import { inTime } from "../../../excel/in-time";
import { type ExcelOptions, openExcel } from "../../../excel/open-excel";
import { pass, playExcel } from "../../../functions/excel";

playExcel();

/** Opens a workbook as a national key sees it, and counts the requests to Excel. */
async function open(options: ExcelOptions) {
  let count = 0;
  const excel = openExcel({
    ...{ excelApi: "1.20", key: "demo-national", onRequest: () => void (count += 1) },
    ...options,
  });
  const session = await inTime(excel.app.session());
  return { excel, session, count: () => count };
}

/** Imports the first jurisdictions with 53 questions. Returns the workbook, and the number of requests to Excel that it took. */
async function imported(rows: number) {
  const { excel, session, count } = await open({ month: "before" });
  const { ahjs }: { ahjs: readonly Ahj[] } = await inTime(session.lookup.directory.load());
  const types = (await inTime(session.lookup.catalogue.types())).slice(0, 53);
  const control = createImportControl(excel.app, session);
  const before = count();
  control.insertOnNewSheet({
    ...{ question: { kind: "matrix", ahjs: ahjs.slice(0, rows), types }, form: plainForm, hasSources: false },
    ...{ sheetName: "Codes", size: { rows: rows + 1, columns: 58 }, parts: 1, unmatched: [] },
  });
  while (control.getState().status === "running") await pass(1_000);
  expect(control.getState()).toMatchObject({ status: "done", report: { rows } });
  return { file: excel.save(), requests: count() - before, close: excel.close };
}

// The most requests are those of the build before 28 November 2026, when cells began to be written by a compare-and-swap.
it("an import of 3,000 jurisdictions with 53 questions takes at most 27 requests to Excel", async () => {
  const { requests } = await imported(3_000);
  expect(requests).toBeLessThanOrEqual(27);
});

it("a refresh of 26,500 cells of which 1,903 have changed takes at most 52 requests to Excel", async () => {
  const { file, close } = await imported(500);
  close();
  const { excel, session, count } = await open({ file, month: "after" });
  const control = createSavedImportsControl(excel.app, session);
  control.reload();
  await pass(5_000);
  const before = count();
  control.refresh(control.getState().list?.imports ?? []);
  do await pass(1_000);
  while (control.getState().isRefreshing);
  const [refresh] = control.getState().refreshes.values();
  expect(refresh?.status === "done" && refresh.report.changes.length).toBe(1_903);
  expect(count() - before).toBeLessThanOrEqual(52);
});
