import { afterEach, describe, expect, it } from "vitest";
import type { CellValue } from "../../../workbench/spreadsheet";
import { createCheckControl } from "../../../src/taskpane/fill/check/check-control";
// A script that is loaded on demand would arrive in real time, but these tests use fake time, so it is loaded here.
import "../../../src/taskpane/fill/check/check-work";
import { inTime } from "../../excel/in-time";
import { openExcel, type PlayedExcel } from "../../excel/open-excel";
import { pass, playExcel } from "../../functions/excel";
import { firstHalf } from "../../reliability/killed/death";
import { serviceSaying } from "../../workbook/imports/imported-book";

playExcel();

const [code, fee] = [1003, 1056];
/** The service's answers for every place but Kern County, which has none. */
const said: Record<number, string> = { [code]: "NEC 2020", [fee]: "$135" };
const kern = "06029";

const opened: PlayedExcel[] = [];
afterEach(() => {
  for (const excel of opened.splice(0)) {
    expect(excel.problems).toEqual([]);
    excel.close();
  }
});

const rows: CellValue[][] = [
  ["County", "State", "Fee", "Code"],
  ["Alameda County", "CA", 135, "NEC 2017"],
  ["Los Angeles County", "CA", 90, "'2020 NEC"],
  ["Kern County", "CA", 77, ""],
  ["Nowhere", "CA", 5, "my own"],
];
const formulaOf = (typeId: number, header = "AHJ ID") => `=REGDATA.VALUE("ahj:"&[@[${header}]],${typeId})`;

type OwnColumns = { header: string; typeId: number }[];
const both = [
  { header: "Fee", typeId: fee },
  { header: "Code", typeId: code },
];
const intercept = serviceSaying((object) => {
  const { values, ahj } = object as { values?: Record<string, object | null>; ahj?: { geoid?: string } };
  if (!values) return;
  for (const [id, value] of Object.entries(said))
    if (id in values) values[id] = ahj?.geoid === kern ? null : { ...values[id], value, reference: "Code" };
});

/** A table of one's own, compared with the service. */
async function compared({
  cells = rows,
  into = both,
  ...options
}: { cells?: CellValue[][]; into?: OwnColumns } & Parameters<typeof openExcel>[0] = {}) {
  const excel = openExcel({ intercept, excelApi: "1.13", ...options });
  opened.push(excel);
  const session = await inTime(excel.app.session());
  await inTime(session.lookup.directory.load());
  if (excel.spreadsheet.tables().length === 0) {
    excel.enter("A1", cells);
    const rect = { row: 0, column: 0, rows: cells.length, columns: cells[0]!.length };
    excel.spreadsheet.addTable({ sheetId: "sheet-1", name: "Mine", rect, style: "" });
  }
  const tableId = excel.spreadsheet.tables()[0]!.id;
  const types = (await inTime(session.lookup.catalogue.types())).filter(({ id }) => id in said);
  const control = createCheckControl(excel.app, session);
  const compare = async (columns = into) => {
    const headers = excel.values("A1:H1")[0]!.filter(Boolean).map(String);
    const list = { name: "Mine", tableId, headers, listHeader: "County", listBeside: ["State"] };
    const typeIds = new Set(columns.map(({ typeId }) => typeId));
    control.check({ ...list, types: types.filter(({ id }) => typeIds.has(id)), into: columns });
    for (let turn = 0; turn < 50 && control.getState().check.status === "running"; turn += 1)
      await pass(1_000);
    const { check } = control.getState();
    if (check.status !== "done") throw new Error(`not compared: ${check.status}`);
    return check.result;
  };
  const turn = async (seconds = 100) => {
    control.makeLive();
    for (let at = 0; at < seconds && control.getState().work.status === "running"; at += 1) await pass(1_000);
    return control.getState().work;
  };
  return { excel, control, compare, turn, first: await compare() };
}

const formulas = (excel: PlayedExcel, address: string) =>
  excel.cells(address).map((line) => line.map(({ formula }) => formula));

describe("cells of one's own that become live formulas", () => {
  it("show what the service says, without a request; cells without an answer and rows whose place is not clear stay", async () => {
    const { excel, turn, first } = await compared();
    expect(first.live.cells).toBe(4);
    excel.requests.length = 0;
    expect(await turn()).toMatchObject({ status: "done", result: "4 cells became formulas." });
    expect(formulas(excel, "A1:F5")).toEqual([
      ["County", "State", "Fee", "Code", "AHJ ID", ""],
      ["Alameda County", "CA", formulaOf(fee), formulaOf(code), expect.any(Number), ""],
      ["Los Angeles County", "CA", formulaOf(fee), formulaOf(code), expect.any(Number), ""],
      ["Kern County", "CA", 77, "", expect.any(Number), ""],
      ["Nowhere", "CA", 5, "my own", "", ""],
    ]);
    expect(excel.values("C2:D3")).toEqual([
      [135, "NEC 2020"],
      [135, "NEC 2020"],
    ]);
    expect(excel.requests).toEqual([]);
  });

  it("keep their number format, and get a general one where the cell was for texts", async () => {
    const cells = rows.map((line) => line.slice(0, 3));
    const { excel, turn, compare } = await compared({ cells, into: both.slice(0, 1) });
    excel.spreadsheet.writeNumberFormats("sheet-1", { row: 1, column: 2, rows: 2, columns: 1 }, [
      ['"$"#,##0'],
      ["@"],
    ]);
    await compare();
    await turn();
    const formats = excel.cells("C2:C3").map(([cell]) => cell!.numberFormat);
    expect(formats).toEqual(['"$"#,##0', "General"]);
    expect(excel.cells("C2:C3").map(([cell]) => cell!.text)).toEqual(["$135", "135"]);
  });

  it("name the ids that stand in the table already", async () => {
    const { excel, turn, compare } = await compared({ into: both.slice(0, 1) });
    await turn();
    expect((await compare()).live.cells).toBe(0);
    expect((await compare(both.slice(1))).live.cells).toBe(2);
    await turn();
    expect(formulas(excel, "C2:H2")).toEqual([
      [formulaOf(fee), formulaOf(code), expect.any(Number), "", "", ""],
    ]);
  });

  it("get a column of ids of their own if somebody's column has the name", async () => {
    const cells = rows.map((line, row) => [...line, row === 0 ? "AHJ ID" : row]);
    const { excel, turn } = await compared({ cells });
    await turn();
    expect(formulas(excel, "C2:F2")).toEqual([
      [formulaOf(fee, "AHJ ID (2)"), formulaOf(code, "AHJ ID (2)"), 1, expect.any(Number)],
    ]);
  });

  it("are not made in a column in which another formula would be lost", async () => {
    const cells = rows.map((line, row) => (row === 4 ? ["Nowhere", "CA", "=A1", "my own"] : [...line]));
    cells[3] = ["Orange County", "CA", 77, ""];
    const { excel, turn, first } = await compared({ cells });
    expect(first.live.keptColumns).toEqual(["Fee"]);
    expect(await turn()).toMatchObject({ status: "done", result: "2 cells became formulas." });
    expect(formulas(excel, "C2:C5")).toEqual([[135], [90], [77], ["=A1"]]);
  });

  it("leave a cell into which somebody has typed meanwhile", async () => {
    const { excel, turn } = await compared();
    excel.enter("C3", [[91]]);
    expect(await turn()).toMatchObject({
      result: "3 cells became formulas. 1 changed meanwhile and stayed.",
    });
    expect(formulas(excel, "C2:C3")).toEqual([[formulaOf(fee)], [91]]);
  });

  it.each(["Cancel", "a refusal"])(
    "are as before after %s at any request, or all of a column",
    async (fault) => {
      let ends = 0;
      let requests = Infinity;
      for (let at = 0; at < requests; at += 1) {
        let [count, isOn] = [0, false];
        const { excel, turn, control } = await compared({
          onRequest() {
            if (isOn && count++ === at && fault === "Cancel") control.cancel();
          },
        });
        const before = formulas(excel, "A1:F5");
        isOn = true;
        if (fault === "a refusal") excel.fail(7000, 1, "workbook", at);
        const work = await turn();
        isOn = false;
        const after = formulas(excel, "A1:F5");
        if (work.status === "done") {
          // The fault came after the last write, or Excel was asked again.
          requests = Math.min(requests, count);
          expect(after[1]).toEqual([
            ...before[1]!.slice(0, 2),
            formulaOf(fee),
            formulaOf(code),
            expect.any(Number),
            "",
          ]);
          continue;
        }
        ends += 1;
        expect(after.map((line) => line[3])).toEqual(before.map((line) => line[3]));
        // The first column is finished by then, with the ids that it names; or nothing is.
        const fees = after.map((line) => line[2]);
        if (fees[1] === formulaOf(fee)) expect(fees).toEqual(["Fee", formulaOf(fee), formulaOf(fee), 77, 5]);
        else expect(after).toEqual(before);
      }
      expect(ends).toBeGreaterThan(5);
    },
  );

  it("are finished by another comparison after a page has died at every other request, and nothing else has changed", async () => {
    let deaths = 0;
    for (let at = 0; ; at += 2) {
      let [count, isOn, isDead] = [0, false, false];
      const first = await compared({
        async deliver(request, carryOut) {
          if (isDead) return new Promise(() => {});
          if (!isOn || count++ < at) return carryOut(request);
          isDead = true;
          await carryOut(firstHalf(request));
          return new Promise(() => {});
        },
      });
      isOn = true;
      await first.turn(5);
      if (!isDead) break;
      deaths += 1;
      const again = await compared({ file: first.excel.save() });
      const left = formulas(again.excel, "C2:D5").flat();
      const typed = rows.slice(1).flatMap((line) => line.slice(2));
      for (const [cell, formula] of left.entries())
        if (formula !== formulaOf([fee, code][cell % 2]!))
          expect(`'${formula}`.endsWith(String(typed[cell]))).toBe(true);
      await again.turn();
      expect(formulas(again.excel, "C4:D5")).toEqual([
        [77, ""],
        [5, "my own"],
      ]);
      const shown = again.excel.values("C2:D3");
      expect(shown).toEqual([
        [135, "NEC 2020"],
        [135, "NEC 2020"],
      ]);
    }
    expect(deaths).toBeGreaterThan(5);
  });
});
