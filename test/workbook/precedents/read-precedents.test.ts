import { afterEach, describe, expect, it } from "vitest";
import { config } from "../../../src/config";
import { createImportBook } from "../../../src/workbook/imports/saved/import-book";
import { readPrecedents } from "../../../src/workbook/precedents/read-precedents";
import { parseAddress } from "../../../workbench/address";
import type { CellValue } from "../../../workbench/spreadsheet";
import { inTime } from "../../excel/in-time";
import { type ExcelOptions, openExcel, type PlayedExcel } from "../../excel/open-excel";
import { playExcel } from "../../functions/excel";
import { importedBook } from "../imports/imported-book";
import { setConfig } from "../../play-config";

playExcel();

let excel: PlayedExcel;
afterEach(() => expect(excel.problems).toEqual([]));

/** Opens a workbook with these cells. Addresses without a sheet are on Sheet1. */
async function open(cells: Record<string, CellValue[][]>, options: ExcelOptions = {}) {
  excel = openExcel({ excelApi: "1.13", ...options });
  for (const [address, rows] of Object.entries(cells)) enter(address, rows);
  await inTime(excel.spreadsheet.idle());
}

function enter(address: string, rows: CellValue[][]) {
  const name = parseAddress(address)?.sheetName ?? "Sheet1";
  if (!excel.spreadsheet.sheets().some((sheet) => sheet.name === name)) excel.spreadsheet.addSheet(name);
  excel.enter(address.includes("!") ? address : `Sheet1!${address}`, rows);
}

const sheetId = (name: string) => excel.spreadsheet.sheets().find((sheet) => sheet.name === name)!.id;

async function precedentsOf(address: string, { signal = new AbortController().signal } = {}) {
  const { sheetName = "Sheet1", rect } = parseAddress(address)!;
  const { workbook } = excel.app;
  const { imports } = await inTime(createImportBook(workbook).list());
  return inTime(
    readPrecedents(
      { sheetId: sheetId(sheetName), row: rect.row, column: rect.column },
      {
        ...{ workbook, namespace: config.namespace, canSeeSpills: true, imports },
        importOf: ({ tableId }) => Promise.resolve(imports.find(({ saved }) => saved.tableId === tableId)),
        frozen: () => Promise.resolve([]),
      },
      { signal },
    ),
  );
}

type Found = Awaited<ReturnType<typeof precedentsOf>>;
const short = (address: string) => address.replace("Sheet1!", "");
const addresses = (cells: readonly { address: string }[]) => cells.map(({ address }) => short(address));
const answers = ({ answers: all }: Found) =>
  all.map(({ cell, source }) => [short(cell.address), source.question?.ahj, source.question?.type]);
const untold = ({ notFollowed }: Found) => notFollowed.map(({ cell, text }) => [short(cell.address), text]);

const fee = (geoid: string) => `=REGDATA.VALUE("${geoid}",1056)`;

describe("the answers of which a cell is made", () => {
  it("are found through a chain of three formulas, with the numbers and blanks among them", async () => {
    await open({
      A1: [[fee("06001")], [fee("06037")], ["'a note"], [""], [7]],
      B1: [["=SUM(A1:A5)"], ["=B1*1.1"], ["=ROUND(B2,0)+B9"]],
    });
    const found = await precedentsOf("B3");
    expect(answers(found)).toEqual([
      ["A1", "06001", 1056],
      ["A2", "06037", 1056],
    ]);
    expect(addresses(found.typedNumbers)).toEqual(["A5"]);
    expect(addresses(found.typedTexts)).toEqual(["A3"]);
    // A4 and B9.
    expect(found.blanks).toBe(2);
    expect(found).toMatchObject({ isWhole: true, notFollowed: [], of: { formula: "=ROUND(B2,0)+B9" } });
  });

  it("are found on other sheets, through names, and across several sheets", async () => {
    await open({
      A1: [["=SUM('Permit fees'!A1:A2)+Base+SUM(Jan:Mar!B2)"]],
      "'Permit fees'!A1": [[fee("06001")], [fee("06003")]],
      "Jan!B2": [[fee("06005")]],
      "Feb!B2": [[fee("06007")]],
      "Mar!B2": [[fee("06009")]],
      "Apr!B2": [[fee("06011")]],
      "Feb!C9": [[fee("06013")]],
    });
    excel.spreadsheet.addName({ name: "Base", formula: "=Feb!$C$9", sheetId: null, comment: "" });
    const found = await precedentsOf("A1");
    expect(answers(found).map(([address, ahj]) => `${address} ${ahj}`)).toEqual([
      "'Permit fees'!A1 06001",
      "'Permit fees'!A2 06003",
      "Jan!B2 06005",
      "Feb!B2 06007",
      "Mar!B2 06009",
      "Feb!C9 06013",
    ]);
    expect(untold(found)).toEqual([]);
  });

  it("are found by columns of tables, of all rows and of a formula's own", async () => {
    await open({
      A1: [
        ["Place", "Fee", "With tax"],
        ["x", fee("06001"), "=[@Fee]*1.1"],
        ["y", fee("06003"), "=Fees[[#This Row],[Fee]]*1.1"],
      ],
      F1: [["=SUM(Fees[With tax])"], ["=SUM(Fees)"]],
    });
    const rect = parseAddress("A1:C3")!.rect;
    excel.spreadsheet.addTable({ sheetId: sheetId("Sheet1"), rect, name: "Fees", style: "" });
    expect(answers(await precedentsOf("F1")).map(([address]) => address)).toEqual(["B2", "B3"]);
    expect(answers(await precedentsOf("C3")).map(([address]) => address)).toEqual(["B3"]);
    const whole = await precedentsOf("F2");
    expect(answers(whole).map(([address]) => address)).toEqual(["B2", "B3"]);
    expect(addresses(whole.typedTexts)).toEqual(["A2", "A3"]);
  });

  it("are found in the cells into which a result spills, which also name places and questions", async () => {
    await open({
      A1: [['=REGDATA.MATRIX({"06001";"06037"},{1003,1056})']],
      H1: [["=SUM(D2:D3)"], ["=SUM(A1#)"]],
    });
    const found = await precedentsOf("H1");
    expect(answers(found)).toEqual([
      ["D2", "06001", 1056],
      ["D3", "06037", 1056],
    ]);
    const spilled = await precedentsOf("H2");
    expect(answers(spilled).map(([address]) => address)).toEqual(["C2", "D2", "C3", "D3"]);
    expect(addresses(spilled.others)).toEqual(["A1", "B1", "C1", "D1", "A2", "B2", "A3", "B3"]);
    expect(spilled.typedTexts).toEqual([]);
  });

  it("are all answers for which a formula that calculates asks, with what else it names", async () => {
    await open({
      A1: [["'06001"], ["'06037"]],
      B1: [["=SUM(REGDATA.VALUE(A1:A2,1056))*C1"], ["=B1+1"]],
      C1: [[1.5]],
    });
    const found = await precedentsOf("B2");
    expect(answers(found)).toEqual([
      ["B1", "06001", 1056],
      ["B1", "06037", 1056],
    ]);
    // The places in A1 and A2 are told with the answers.
    expect(addresses(found.typedNumbers)).toEqual(["C1"]);
    expect(found.typedTexts).toEqual([]);
    expect(answers(await precedentsOf("B1"))).toEqual(answers(found));
  });

  it("are followed through the cells that say what is asked for, whose texts and numbers are told with the answers", async () => {
    await open({
      A1: [["'06001"], ["=A1"], [fee("06037")]],
      B1: [["=REGDATA.VALUE(A2,IF(A3>1,1056,1003))+C1"], ["=REGDATA.VALUE(A2,1056)"], ["=B1+B2"]],
      C1: [["=A2"]],
    });
    const found = await precedentsOf("B3");
    // A3 decides which question B1 asks, so it counts. The question is not known without calculating.
    expect(answers(found)).toEqual([
      ["B2", "06001", 1056],
      ["A3", "06037", 1056],
    ]);
    expect(untold(found)).toEqual([["B1", "REGDATA.VALUE: IF(A3>1,1056,1003)"]]);
    // A1 counts, because C1 leads to it, too.
    expect(addresses(found.typedTexts)).toEqual(["A1"]);
    expect((await precedentsOf("B2")).typedTexts).toEqual([]);
  });

  it("are each found once, and a circle of formulas ends", async () => {
    await open({ A1: [["=B1+A2"], [fee("06001")]], B1: [["=A1+C1"], ["=A2"]], C1: [["=B1+A2"]] });
    const found = await precedentsOf("A1");
    expect(answers(found)).toEqual([["A2", "06001", 1056]]);
    expect(found.isWhole).toBe(true);
  });

  it("are those of an import's cells, and a blank cell of an import is among them", async () => {
    const book = await importedBook();
    excel = book.excel;
    excel.enter("Sheet1!A1", [["=SUM(Fees!F2:F5)+Fees!E2"]]);
    excel.enter("Fees!F3", [[""]]);
    const found = await precedentsOf("Sheet1!A1");
    expect(answers(found).map(([address, , type]) => `${address} ${type}`)).toEqual([
      "Fees!F2 1056",
      "Fees!F3 1056",
      "Fees!F4 1056",
      "Fees!F5 1056",
      "Fees!E2 1003",
    ]);
    expect(found.blanks).toBe(0);
    excel.enter("Sheet1!A2", [["=COUNTA(Fees!A1:B2)"]]);
    const named = await precedentsOf("Sheet1!A2");
    expect(addresses(named.others)).toEqual(["Fees!A1", "Fees!B1", "Fees!A2", "Fees!B2"]);
  });
});

it("fifty formulas that each name cells of their own are read in few requests to Excel", async () => {
  let requests = 0;
  const rows = Array.from({ length: 50 }, (_, row) => [
    `'${String(6001 + 2 * row).padStart(5, "0")}`,
    `=REGDATA.VALUE(A${row + 1},1056)`,
  ]);
  await open({ A1: rows, D1: [["=SUM(B1:B50)"]] }, { onRequest: () => void (requests += 1) });
  requests = 0;
  const found = await precedentsOf("D1");
  expect(answers(found)).toHaveLength(50);
  expect(answers(found)[49]).toEqual(["B50", "06099", 1056]);
  expect(requests).toBeLessThan(25);
});

describe("what can't be followed", () => {
  it("is listed with its cell: calculated addresses, other workbooks, names of calculations, and names that are gone", async () => {
    await open({
      A1: [
        ['=INDIRECT("B2")+B9'],
        ["=[Costs.xlsx]Fees!B2+Lost!B2"],
        ["=Rate*A1+A2+Nothing"],
        ["=Loose"],
        ["=SUM(A1:A4)+Fees[Amount]"],
      ],
    });
    const addName = (name: string, formula: string) =>
      excel.spreadsheet.addName({ name, formula, sheetId: null, comment: "" });
    addName("Rate", "=0.07");
    addName("Loose", "=Sheet1!B2");
    const found = await precedentsOf("A5");
    expect(untold(found).sort()).toEqual([
      ["A1", 'INDIRECT("B2")'],
      ["A2", "Lost!B2"],
      ["A2", "[Costs.xlsx]Fees!B2"],
      ["A3", "Nothing"],
      ["A3", "Rate"],
      ["A4", "Loose"],
      ["A5", "Fees[Amount]"],
    ]);
    expect(found.notFollowed.every(({ why }) => why.endsWith("."))).toBe(true);
  });

  it("is an answer whose question only Excel can calculate", async () => {
    await open({
      A1: [['=REGDATA.VALUE(INDIRECT("B1"),1056)*2'], ["=REGDATA.VALUE(Home,1056)"], ["=A1+A2"]],
    });
    excel.spreadsheet.addName({ name: "Home", formula: '="06001"', sheetId: null, comment: "" });
    expect(untold(await precedentsOf("A3"))).toEqual([
      ["A1", 'REGDATA.VALUE: INDIRECT("B1")'],
      ["A2", "REGDATA.VALUE"],
    ]);
  });

  it("is a spill in an Excel that does not tell of spills", async () => {
    await open({ A1: [["=SUM(B1#)"]] });
    const { workbook } = excel.app;
    const found = await inTime(
      readPrecedents(
        { sheetId: sheetId("Sheet1"), row: 0, column: 0 },
        {
          ...{ workbook, namespace: config.namespace, canSeeSpills: false, imports: [] },
          ...{ importOf: () => Promise.resolve(undefined), frozen: () => Promise.resolve([]) },
        },
        { signal: new AbortController().signal },
      ),
    );
    expect(untold(found)).toEqual([["A1", "B1#"]]);
  });
});

describe("limits", () => {
  it("ends after so many cells, and says that the list is not whole", async () => {
    setConfig({ precedentCells: 4 });
    await open({ A1: [[1], [2], [3], [fee("06001")], [fee("06037")]], B1: [["=SUM(A1:A5)"]] });
    const found = await precedentsOf("B1");
    expect(found).toMatchObject({ looked: 4, isWhole: false });
    expect(answers(found)).toEqual([["A4", "06001", 1056]]);
    setConfig({ precedentCells: 5 });
    expect(await precedentsOf("B1")).toMatchObject({ looked: 5, isWhole: true });
  });

  it("whole columns are read as far as they are filled", async () => {
    await open({ A1: [[fee("06001")], [""], [3]], C1: [["=SUM(A:A)+SUM(1:1)"]] });
    const found = await precedentsOf("C1");
    expect(answers(found)).toEqual([["A1", "06001", 1056]]);
    expect(addresses(found.typedNumbers)).toEqual(["A3"]);
    expect(found.isWhole).toBe(true);
  });

  it("a look that is cancelled ends", async () => {
    await open({ A1: [[1]], B1: [["=A1"]] });
    await expect(precedentsOf("B1", { signal: AbortSignal.abort() })).rejects.toMatchObject({
      kind: "cancelled",
    });
  });
});
