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
import { connected, type Interception } from "../../../recorded-service";

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

/** The reference service, whose values all have 30,000 characters of three bytes in UTF-8, and begin with a word and a number of their own. */
function longAnswers(word: () => string): { intercept: Interception; sent: Set<string> } {
  const { fetch } = connected("demo-national");
  const sent = new Set<string>();
  return {
    sent,
    async intercept(request) {
      if (!request.url.endsWith("/matrix")) return undefined;
      const answer = await fetch(request);
      const text = (await answer.text()).replaceAll(/"value":"[^"]*"/g, () => {
        const value = `${word()} ${sent.size} `.padEnd(30_000, "§…");
        sent.add(value);
        return `"value":${JSON.stringify(value)}`;
      });
      return new Response(text, answer);
    },
  };
}

it("answers of 30,000 characters are written and refreshed whole, each request and its reply below 5 MB", async () => {
  let word = "first";
  const { intercept, sent } = longAnswers(() => word);
  const bytes: number[] = [];
  const sizeOf = (json: unknown) => Buffer.byteLength(JSON.stringify(json));
  const { excel, session } = await open({
    intercept,
    async deliver(request, carryOut) {
      const reply = await carryOut(request);
      bytes.push(sizeOf(request), sizeOf(reply));
      return reply;
    },
  });
  const { ahjs }: { ahjs: readonly Ahj[] } = await inTime(session.lookup.directory.load());
  const types = (await inTime(session.lookup.catalogue.types())).slice(0, 4);
  const control = createImportControl(excel.app, session);
  control.insertOnNewSheet({
    ...{ question: { kind: "matrix", ahjs: ahjs.slice(0, 60), types }, form: plainForm, hasSources: false },
    ...{ sheetName: "Codes", size: { rows: 61, columns: 9 }, parts: 1, unmatched: [] },
  });
  while (control.getState().status === "running") await pass(1_000);
  expect(control.getState()).toMatchObject({ status: "done", report: { rows: 60 } });
  const shown = () =>
    new Set(
      excel
        .values("Codes!A2:AZ61")
        .flat()
        .filter((value) => String(value).startsWith(`${word} `)),
    );
  // Together they take some 15 MB, so that no single request could hold them.
  expect(sent.size).toBeGreaterThan(150);
  expect(shown()).toEqual(sent);

  word = "second";
  sent.clear();
  const saved = createSavedImportsControl(excel.app, session);
  saved.reload();
  await pass(5_000);
  saved.refresh(saved.getState().list?.imports ?? []);
  do await pass(1_000);
  while (saved.getState().isRefreshing);
  const [refresh] = saved.getState().refreshes.values();
  expect(refresh?.status === "done" && refresh.report.changes.length).toBe(sent.size);
  expect(shown()).toEqual(sent);
  expect(Math.max(...bytes)).toBeLessThan(5 * 1024 * 1024);
  expect(excel.problems).toEqual([]);
});
