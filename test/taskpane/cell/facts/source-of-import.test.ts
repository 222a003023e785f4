import { afterEach, describe, expect, it } from "vitest";
import type { KeylessSession, Session } from "../../../../src/app";
import type { Ahj } from "../../../../src/engine/api/schemas";
import { createCellControl } from "../../../../src/taskpane/cell/facts/cell-control";
import { createKeylessSession } from "../../../../src/taskpane/connect/keyless-session";
import { placeImport } from "../../../../src/workbook/imports/run/place-import";
// A script that is loaded on demand would arrive in real time, but these tests use fake time, so it is loaded here.
import "../../../../src/workbook/imports/sources/written-sources";
import { plainForm, type TableForm } from "../../../../src/workbook/sheet/layout/table-plan";
import { inTime } from "../../../excel/in-time";
import { openExcel, type PlayedExcel } from "../../../excel/open-excel";
import { pass, playExcel } from "../../../functions/excel";

playExcel();

/** The Minimum Permit Fee. */
const fee = 1056;
let excel: PlayedExcel;
afterEach(() => {
  expect(excel.problems).toEqual([]);
  excel.close();
});

/** Imports the fees of two counties. Returns the first one's, as the service lists it. */
async function imported(form: Partial<TableForm>, hasSources = false) {
  excel = openExcel({ excelApi: "1.13" });
  const session = await inTime(excel.app.session());
  const ahjs = [...(await inTime(session.lookup.directory.resolve(["06001", "06037"]))).values()] as Ahj[];
  const types = (await inTime(session.lookup.catalogue.types())).filter(({ id }) => id === fee);
  const order = {
    question: { kind: "matrix" as const, ahjs, types },
    form: { ...plainForm, ...form },
    hasSources,
    sheetName: "Fees",
  };
  const { workbook } = excel.app;
  const end = await inTime(
    placeImport(order, { kind: "new-sheet", name: "Fees" }, { workbook, session }, {}),
  );
  expect(end.status).toBe("done");
  const { data } = await inTime(
    session.client.listDataPoints({ ahj_ids: [ahjs[0]!.id], data_point_type_ids: [fee] }),
  );
  const [header = []] = excel.values("Fees!A1:Z1");
  const column = String.fromCharCode(65 + header.findIndex((each) => /Fee/.test(String(each))));
  return { session, published: data.items[0]!, cell: `Fees!${column}2` };
}

async function lookAt(address: string, session: Session | KeylessSession) {
  const { spreadsheet } = excel;
  const sheet = spreadsheet.sheets().find(({ name }) => name === "Fees")!;
  const cell = address.slice("Fees!".length);
  const column = cell.charCodeAt(0) - 65;
  spreadsheet.select(sheet.id, [{ row: Number(cell.slice(1)) - 1, column, rows: 1, columns: 1 }]);
  const control = createCellControl(excel.app, session);
  control.reload();
  await pass(2_000);
  return control.getState().facts!.answers[0]!;
}

/** Opens the workbook as a colleague without a key does, who has none of the answers. */
async function openWithoutKey() {
  const file = excel.save();
  excel.close();
  excel = openExcel({ file, key: null, excelApi: "1.13" });
  await inTime(excel.app.session().catch(() => undefined));
  return createKeylessSession(excel.app);
}

describe("Source of an import's cell", () => {
  it("tells the day of the answer's last change right after an import that asked for it, without a request", async () => {
    const { session, published, cell } = await imported({ hasDates: true });
    const before = excel.requests.length;
    expect((await lookAt(cell, session)).answer).toMatchObject({ cell: { updatedAt: published.updated_at } });
    expect(excel.requests).toHaveLength(before);
  });

  it("tells a colleague without a key the citation and the dates of the Sources sheet", async () => {
    const { published, cell } = await imported({}, true);
    const session = await openWithoutKey();
    const { row } = await lookAt(cell, session);
    expect(row).toMatchObject({
      question: { id: fee, name: "Minimum Permit Fee" },
      value: published.value,
      reference: published.reference ?? undefined,
      section: published.section ?? undefined,
      updated: published.updated_at.slice(0, "2026-01-31".length),
      retrieved: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as unknown,
      citedIn: "sources",
    });
    expect(excel.requests).toEqual([]);
  });

  it("finds the source of a row that was moved since, and none for a value that somebody has typed", async () => {
    const { published, cell } = await imported({}, true);
    const session = await openWithoutKey();
    const rows = excel.values("Fees!A2:F3");
    excel.enter("Fees!A2", [rows[1] as string[], rows[0] as string[]]);
    const moved = cell.replace(/2$/, "3");
    expect((await lookAt(moved, session)).row).toMatchObject({
      jurisdiction: "Alameda County, CA",
      reference: published.reference ?? undefined,
      citedIn: "sources",
    });
    excel.enter(moved, [[987_654]]);
    expect((await lookAt(moved, session)).row).toMatchObject({ reference: undefined, citedIn: "row" });
  });

  it("finds the source of a row whose place a list names in other words", async () => {
    const { published, cell } = await imported({}, true);
    excel.enter("Fees!A2", [["Oakland and around"]]);
    const session = await openWithoutKey();
    expect((await lookAt(cell, session)).row).toMatchObject({
      reference: published.reference ?? undefined,
      citedIn: "sources",
    });
  });

  it("tells a colleague without a key the day that stands in the row", async () => {
    const { published, cell } = await imported({ hasDates: true, hasCitations: true });
    const session = await openWithoutKey();
    expect((await lookAt(cell, session)).row).toMatchObject({
      reference: published.reference ?? undefined,
      updated: published.updated_at.slice(0, "2026-01-31".length),
      citedIn: "row",
    });
  });
});
