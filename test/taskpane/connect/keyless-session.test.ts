import { afterEach, expect, it } from "vitest";
import type { Ahj } from "../../../src/engine/api/schemas";
import { createCellControl } from "../../../src/taskpane/cell/facts/cell-control";
import { createKeylessSession } from "../../../src/taskpane/connect/keyless-session";
import { createSavedImportsControl } from "../../../src/taskpane/refresh/saved-imports-control";
import { createLastKnownControl } from "../../../src/taskpane/share/last-known-control";
import { createShareControl } from "../../../src/taskpane/share/share-control";
import { placeImport } from "../../../src/workbook/imports/run/place-import";
import { plainForm } from "../../../src/workbook/sheet/layout/table-plan";
// Scripts that are loaded on demand would arrive in real time, but these tests use fake time, so they are loaded here.
import "../../../src/taskpane/refresh/refresh-work";
import "../../../src/workbook/cell-formulas/frozen-here";
import "../../../src/workbook/imports/summary/import-pictures";
import { inTime } from "../../excel/in-time";
import { openExcel, type PlayedExcel, type SavedFile } from "../../excel/open-excel";
import { pass, playExcel } from "../../functions/excel";

playExcel();

const county = "06001";
/** The permit fee, which Alameda County has on record. */
const fee = 1056;
const formula = `=REGDATA.VALUE("${county}", ${fee})`;
let excel: PlayedExcel | undefined;
afterEach(() => excel?.close());

/** A workbook with an import, a formula in Sheet1!A1, and the formula's last-known value. */
async function file(): Promise<{ saved: SavedFile; value: unknown; reference: string | null }> {
  excel = openExcel({ excelApi: "1.13" });
  const { app } = excel;
  const session = await inTime(app.session());
  const { values } = await inTime(session.lookup.ask({ questions: [{ ahj: county, type: fee }] }));
  const [answer] = values;
  if (!answer || !("cell" in answer)) throw new Error("There is no answer.");
  const found = await inTime(session.lookup.directory.resolve([county]));
  const question = { kind: "matrix" as const, ahjs: [...found.values()] as Ahj[], types: [answer.type] };
  const form = { ...plainForm, hasCitations: true };
  const order = { question, form, hasSources: false, sheetName: "Fees" };
  const { workbook } = app;
  await inTime(placeImport(order, { kind: "new-sheet", name: "Fees" }, { workbook, session }, {}));
  excel.enter("Sheet1!A1", [[formula]]);
  await inTime(excel.spreadsheet.idle());
  const lastKnown = createLastKnownControl(app);
  lastKnown.update();
  await pass(5_000);
  expect(lastKnown.work.getState()).toMatchObject({ status: "done", result: { answers: 1, fit: null } });
  const saved = excel.save();
  const { reference } = answer.cell;
  excel.close();
  return { saved, value: answer.cell.value, reference };
}

async function openKeyless(saved: SavedFile) {
  excel = openExcel({
    file: saved,
    key: null,
    excelApi: "1.13",
  });
  await inTime(excel.app.session().catch(() => undefined));
  expect(excel.app.currentSession()).toBeNull();
  return { played: excel, session: createKeylessSession(excel.app) };
}

async function lookAt({ played, session }: Awaited<ReturnType<typeof openKeyless>>, address: string) {
  const { spreadsheet } = played;
  const [sheetName, cell = ""] = address.split("!");
  const sheet = spreadsheet.sheets().find(({ name }) => name === sheetName)!;
  const at = { row: Number(cell.slice(1)) - 1, column: cell.charCodeAt(0) - 65, rows: 1, columns: 1 };
  spreadsheet.select(sheet.id, [at]);
  const control = createCellControl(played.app, session);
  control.reload();
  await pass(2_000);
  return control;
}

it("shows the imports and their summaries, and refuses to refresh them, without a request", async () => {
  const { saved } = await file();
  const { played, session } = await openKeyless(saved);
  const imports = createSavedImportsControl(played.app, session);
  const stop = imports.follow();
  await pass(2_000);
  const [kept] = imports.getState().list!.imports;
  expect(kept).toMatchObject({ place: { address: expect.stringMatching(/^Fees!A1:/) } });
  const summary = await inTime(imports.summary(kept!));
  expect(summary.pictures.map(({ question }) => question.id)).toEqual([fee]);

  imports.refresh([kept!]);
  await pass(2_000);
  const refresh = imports.getState().refreshes.get(kept!.saved.id);
  expect(refresh).toMatchObject({ status: "failed", failure: { kind: "no-key" } });
  expect(played.requests).toEqual([]);
  expect(played.problems).toEqual([]);
  stop();
});

it("tells of an imported cell what its row says, and of a formula what came with the workbook", async () => {
  const { saved, value, reference } = await file();
  const open = await openKeyless(saved);
  const [header = []] = open.played.values("Fees!A1:Z1");
  const column = String.fromCharCode(65 + header.findIndex((each) => /Fee/.test(String(each))));
  const imported = (await lookAt(open, `Fees!${column}2`)).getState().facts!.answers[0]!;
  expect(imported.row).toMatchObject({
    jurisdiction: "Alameda County, CA",
    question: { id: fee },
    reference: reference ?? undefined,
  });

  const control = await lookAt(open, "Sheet1!A1");
  const [live] = control.getState().facts!.answers;
  expect(live).toMatchObject({
    row: null,
    ahj: { geoid: county, name: "Alameda County" },
    answer: { isOld: true, cell: { value, reference } },
  });
  control.refresh();
  await pass(2_000);
  expect(control.getState().failure).toMatchObject({ kind: "no-key" });
  expect(open.played.requests).toEqual([]);
});

it("prepares the workbook to be shared, but for the Sources sheet, which needs the kept answers", async () => {
  const { saved } = await file();
  const { played, session } = await openKeyless(saved);
  const control = createShareControl(played.app, session);
  control.start();
  await pass(3_000);
  control.prepare({ freezes: true, writesSources: true });
  await pass(10_000);
  const state = control.work.getState();
  expect(state).toMatchObject({
    status: "done",
    result: { report: { frozen: { formulas: [{}] }, sources: { kind: "no-key" }, keys: { names: [] } } },
  });
  expect(played.requests).toEqual([]);
  control.end();
});
