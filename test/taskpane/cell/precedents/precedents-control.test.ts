import { afterEach, describe, expect, it, vi } from "vitest";
import type { KeylessSession, Session } from "../../../../src/app";
import {
  createPrecedentsControl,
  type PrecedentsControl,
} from "../../../../src/taskpane/cell/precedents/precedents-control";
// Scripts that are loaded on demand would arrive in real time, but these tests use fake time, so they are loaded here.
import "../../../../src/taskpane/cell/precedents/precedents-work";
import "../../../../src/workbook/imports/sources/written-sources";
import "../../../../src/workbook/work-note/unfinished-work";
import { createKeylessSession } from "../../../../src/taskpane/connect/keyless-session";
import { freezeFormulas } from "../../../../src/workbook/cell-formulas/freeze";
import { parseAddress } from "../../../../workbench/address";
import type { CellValue } from "../../../../workbench/spreadsheet";
import { inTime } from "../../../excel/in-time";
import { type ExcelOptions, openExcel, type PlayedExcel } from "../../../excel/open-excel";
import { pass, playExcel } from "../../../functions/excel";
import { importedBook } from "../../../workbook/imports/imported-book";

playExcel();

let excel: PlayedExcel;
let control: PrecedentsControl;
afterEach(() => expect(excel.problems).toEqual([]));

async function open(rows: CellValue[][], options: ExcelOptions = {}) {
  excel = openExcel({ excelApi: "1.20", ...options });
  excel.enter("Sheet1!A1", rows);
  await inTime(excel.spreadsheet.idle());
}

function createWith(session: Session | KeylessSession) {
  control = createPrecedentsControl(excel.app, session);
}

const cellAt = (address: string) => {
  const { sheetName = "Sheet1", rect } = parseAddress(address)!;
  const sheet = excel.spreadsheet.sheets().find(({ name }) => name === sheetName)!;
  return { sheetId: sheet.id, row: rect.row, column: rect.column, address };
};

async function rests() {
  for (let turn = 0; turn < 50; turn += 1) {
    await pass(1_000);
    const { look, work } = control.getState();
    if (look.status !== "running" && work.status !== "running") break;
  }
  return control.getState();
}

async function listed(address: string) {
  control.look(cellAt(address));
  const { look } = await rests();
  if (look.status !== "done") throw new Error(`It is ${look.status}.`);
  return look.result;
}

const standings = ({ listed: { answers } }: Awaited<ReturnType<typeof listed>>) =>
  answers.map(({ address, standing }) => [address.replace("Sheet1!", ""), standing]);

const fee = (geoid: string) => `=REGDATA.VALUE("${geoid}",1056)`;
const twoDaysMs = 2 * 86_400_000;

describe("the list of the answers in a cell", () => {
  it("has those without a value first, then old ones, with place, question, value, citation and dates, and sends no request", async () => {
    await open([[fee("06001")], [""], ["=SUM(A1:A2,A4:A5)"], [fee("4899999")], [7]]);
    vi.setSystemTime(Date.now() + twoDaysMs);
    excel.enter("Sheet1!A2", [[fee("06037")]]);
    await inTime(excel.spreadsheet.idle());
    const session = await inTime(excel.app.session());
    const ahj = (await inTime(session.lookup.directory.resolve(["06037"]))).get("06037");
    const { data } = await inTime(
      session.client.listDataPoints({
        ahj_ids: [(ahj as { id: number }).id],
        data_point_type_ids: [1056],
      }),
    );
    const [published] = data.items;
    createWith(session);
    excel.requests.length = 0;
    const seen = await listed("A3");
    expect(excel.requests).toEqual([]);
    expect(standings(seen)).toEqual([
      ["A4", "missing"],
      ["A1", "old"],
      ["A2", "current"],
    ]);
    expect(seen.summary).toBe("3 answers: 1 has no value, 1 is old. 1 typed number: Sheet1!A5.");
    expect(seen.listed.answers[2]).toMatchObject({
      jurisdiction: "Los Angeles County, CA",
      ahjId: (ahj as { id: number }).id,
      question: "Minimum Permit Fee",
      typeId: 1056,
      value: published?.value,
      reference: published?.reference ?? null,
      section: published?.section ?? null,
      fetchedAtMs: expect.any(Number) as number,
    });
    expect(seen.listed.answers[0]?.why).not.toBe("");
  });

  it("says which cells of an import show something else than the answer, and which have none", async () => {
    const book = await importedBook();
    excel = book.excel;
    createWith(book.dependencies as unknown as Session);
    excel.enter("Sheet1!A1", [["=SUM(Fees!F2:F4)"]]);
    excel.enter("Fees!F3", [[999]]);
    const seen = await listed("A1");
    // The first place has no fee on record, and its cell is blank.
    expect(excel.values("Fees!F2")).toEqual([[""]]);
    expect(standings(seen)).toEqual([
      ["Fees!F2", "missing"],
      ["Fees!F3", "differs"],
      ["Fees!F4", "current"],
    ]);
    expect(seen.listed.answers[1]?.why).toBe("The cell shows “$999”.");
    expect(seen.summary).toBe("3 answers: 1 has no value, 1 is not what its cell shows.");
  });

  it("tells a colleague without a key what the row of an import says", async () => {
    const { excel: first } = await importedBook(undefined, {
      form: { layout: "wide", hasCitations: true },
    });
    const [headers = []] = first.values("Fees!A1:Z1");
    const column = String.fromCharCode(65 + headers.findIndex((each) => /Fee/.test(String(each))));
    first.enter("Sheet1!A1", [[`=Fees!${column}4*2`]]);
    const [[shown]] = first.values(`Fees!${column}4`) as [[CellValue]];
    first.close();
    excel = openExcel({ file: first.save(), key: null, excelApi: "1.18" });
    await inTime(excel.app.session().catch(() => undefined));
    createWith(createKeylessSession(excel.app));
    const { listed: list, summary } = await listed("A1");
    expect(list.answers).toMatchObject([
      { standing: "unheld", why: "The citation is what the workbook says." },
    ]);
    expect(list.answers[0]?.reference).not.toBeNull();
    expect(String(list.answers[0]?.value)).toContain(String(shown));
    expect(summary).toBe("1 answer: 1 is not on this device.");
    expect(excel.requests).toEqual([]);
  });

  it("takes frozen values for the answers that they were", async () => {
    await open([[fee("06001")], [5], ["=SUM(A1:A2)"]]);
    const { workbook, unfinished } = excel.app;
    const cells = await inTime(
      workbook.findFormulas("workbook", { namespace: "REGDATA", canSeeSpills: true }),
    );
    const signal = new AbortController().signal;
    await inTime(
      unfinished.during((note) =>
        freezeFormulas(cells, workbook, { signal, onProgress() {}, note, canSeeDataTypes: false }),
      ),
    );
    expect(String(excel.cells("Sheet1!A1")[0]?.[0]?.formula)).not.toMatch(/^=/);
    createWith(await inTime(excel.app.session()));
    const seen = await listed("A3");
    expect(standings(seen)).toEqual([["A1", "current"]]);
    expect(seen.summary).toBe("1 answer. 1 typed number: Sheet1!A2.");
  });

  it("says that a cell holds no formula any more", async () => {
    await open([["=A2"], [1]]);
    createWith(await inTime(excel.app.session()));
    excel.enter("Sheet1!A1", [[3]]);
    expect((await listed("A1")).summary).toBe("Sheet1!A1 holds no formula any more.");
  });

  it("stays while its cells are gone to, until it is closed", async () => {
    await open([[fee("06001")], ["=A1*2"]]);
    createWith(await inTime(excel.app.session()));
    const seen = await listed("A2");
    control.goTo(seen.listed.answers[0]!.place);
    await pass(2_000);
    expect(await inTime(excel.app.workbook.selectedPosition())).toMatchObject({ row: 0, column: 0 });
    expect(control.getState().look).toMatchObject({ status: "done", order: { address: "A2" } });
    control.dismiss();
    expect(control.getState().look.status).toBe("idle");
  });

  it("that is cancelled says so, and can be made again", async () => {
    await open([[fee("06001")], ["=A1*2"]]);
    createWith(await inTime(excel.app.session()));
    control.look(cellAt("A2"));
    control.cancel();
    expect((await rests()).look).toMatchObject({ status: "failed", failure: { kind: "cancelled" } });
    expect(standings(await listed("A2"))).toEqual([["A1", "current"]]);
  });
});

describe("the sheet of the answers in a cell", () => {
  it("has the cell with its formula, each answer with its citation, and what else was found", async () => {
    await open([
      [fee("06001"), "=SUM(A1:A4)*INDIRECT(A4)"],
      [7, ""],
      ["", ""],
      ["'=1+1", ""],
    ]);
    createWith(await inTime(excel.app.session()));
    const seen = await listed("B1");
    control.writeSheet();
    expect((await rests()).work).toMatchObject({ status: "done", result: "Written to Answers!A1:L7." });
    const { ahjId, value, reference } = seen.listed.answers[0]!;
    const rows = excel.values("Answers!A1:L7");
    expect(rows[0]).toEqual([
      ...["Cell", "Jurisdiction", "AHJ ID", "Question", "Type ID", "Value", "Reference", "Section"],
      ...["Updated (UTC)", "Retrieved (UTC)", "Standing", "More"],
    ]);
    expect(rows.map((row) => [row[0], row[10]]).slice(1)).toEqual([
      ["Sheet1!B1", "Made of the cells below"],
      ["Sheet1!A1", "Current"],
      ["Sheet1!A2", "Typed number"],
      ["Sheet1!A4", "Typed text"],
      ["Sheet1!B1", "Can’t be followed"],
      ["", "Blank cells"],
    ]);
    expect(rows[2]?.slice(1, 7)).toEqual([
      ...["Alameda County, CA", ahjId, "Minimum Permit Fee", 1056, value, reference],
    ]);
    // Texts of the workbook stay texts, those that look like formulas, too.
    expect(rows[1]?.[11]).toBe("=SUM(A1:A4)*INDIRECT(A4)");
    expect(rows[4]?.[5]).toBe("=1+1");
    const isFormula = ({ formula, value }: { formula: CellValue; value: CellValue }) =>
      String(formula).startsWith("=") && formula !== value;
    expect(excel.cells("Answers!A1:L7").flat().some(isFormula)).toBe(false);
  });

  it("is there whole, or not at all, if Excel refuses any request", async () => {
    await open([[fee("06001")], ["=A1*2"]]);
    createWith(await inTime(excel.app.session()));
    await listed("A2");
    const sheets = () => excel.spreadsheet.sheets().map(({ name }) => name);
    let failed = 0;
    for (let refused = 0; refused < 30; refused += 1) {
      excel.fail(7000, 1, "workbook", refused);
      control.writeSheet();
      const { work } = await rests();
      if (work.status === "failed") {
        failed += 1;
        expect(sheets(), `request ${refused}`).toEqual(["Sheet1"]);
        continue;
      }
      expect(excel.values("Answers!A1:A3"), `request ${refused}`).toEqual([
        ...[["Cell"], ["Sheet1!A2"], ["Sheet1!A1"]],
      ]);
      const written = excel.spreadsheet.sheets().find(({ name }) => name === "Answers")!;
      excel.spreadsheet.deleteSheet(written.id);
    }
    expect(failed).toBeGreaterThan(3);
  });

  it("is taken back if it is cancelled, and what somebody has typed elsewhere meanwhile stays", async () => {
    let requests = 0;
    let cancelAt = Infinity;
    const onRequest = () => {
      requests += 1;
      if (requests !== cancelAt) return;
      excel.enter("Sheet1!D4", [["mine"]]);
      control.cancel();
    };
    await open([[fee("06001")], ["=A1*2"]], { onRequest });
    createWith(await inTime(excel.app.session()));
    await listed("A2");
    let cancelled = 0;
    for (let at = 1; at < 12; at += 1) {
      [requests, cancelAt] = [0, at];
      control.writeSheet();
      const { work } = await rests();
      if (work.status === "done") break;
      expect(work).toMatchObject({ failure: { kind: "cancelled" } });
      expect(
        excel.spreadsheet.sheets().map(({ name }) => name),
        `request ${at}`,
      ).toEqual(["Sheet1"]);
      expect(excel.values("Sheet1!D4")).toEqual([["mine"]]);
      cancelled += 1;
    }
    expect(cancelled).toBeGreaterThan(2);
  });
});
