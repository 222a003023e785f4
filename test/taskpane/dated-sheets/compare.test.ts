import { describe, expect, it } from "vitest";
import { answerText } from "../../../src/workbook/dated-sheets/dated-answer";
import { differenceLine } from "../../../src/workbook/dated-sheets/differences-sheet";
import type { CellValue } from "../../../workbench/spreadsheet";
import { playExcel } from "../../functions/excel";
import { fee } from "../../workbook/imports/imported-book";
import { columns, datedBook, type Said, values } from "./dated-book";

playExcel();

type Book = Awaited<ReturnType<typeof datedBook>>;

/** A workbook with a dated sheet, whose first two fees the service has changed since. */
async function changedBook() {
  const said: Said = new Map();
  const book = await datedBook({}, said);
  const [first, second, ...others] = book.ids() as [number, number, number, number];
  said.set(first, { value: "$300", reference: "City Code", section: "§ 12" });
  said.set(second, { value: "$50", reference: "Fee Schedule" });
  for (const id of others) said.set(id, { value: "$80", reference: "County Code" });
  await book.refresh();
  await book.keep();
  said.set(first, { value: "$325", reference: "Ord. 2026-14" });
  said.set(second, null);
  await book.refresh();
  return { ...book, first, second, others };
}

/** Puts a table with these headers and rows on a sheet of its own, as somebody does who copies and changes a dated sheet. */
function addTable({ excel }: Pick<Book, "excel">, name: string, rows: CellValue[][]) {
  const { id: sheetId } = excel.spreadsheet.addSheet(name);
  const rect = { row: 2, column: 1, rows: rows.length, columns: rows[0]!.length };
  excel.spreadsheet.writeFormulas(sheetId, rect, rows);
  excel.spreadsheet.addTable({ name: name.replace(/\W/g, ""), sheetId, rect, style: "TableStyleLight2" });
}

/** The cells of a dated sheet, header row included. */
const cellsOf = ({ excel }: Pick<Book, "excel">) => excel.values(`'${values}'!A1:L9`);

describe("a comparison of a dated sheet", () => {
  it("with the workbook tells by place and question what changed, with both citations, and asks nothing", async () => {
    const book = await changedBook();
    const before = book.excel.requests.length;
    const { comparison, rules, summary } = await book.compared(values, "now");
    expect(book.excel.requests).toHaveLength(before);
    expect(summary).toBe("2 values changed; 6 answers the same.");
    expect(comparison.changed.map(({ about }) => about.ahjId)).toEqual([book.first, book.second]);
    const lines = rules.changed.map((rule) => differenceLine(rule));
    expect(lines[0]).toMatch(
      /, NV · Minimum Permit Fee: \$300 \(City Code, § 12\) → \$325 \(Ord\. 2026-14\)$/,
    );
    expect(lines[1]).toMatch(/, NV · Minimum Permit Fee: \$50 \(Fee Schedule\) → no value$/);
  });

  it("with another dated sheet tells the same", async () => {
    const book = await changedBook();
    await book.keep();
    const { summary } = await book.compared(values, `${values} 2`);
    expect(summary).toBe("2 values changed; 6 answers the same.");
    const turned = await book.compared(`${values} 2`, values);
    expect(turned.comparison.changed.map(({ before }) => answerText(before))).toEqual([
      "$325 (Ord. 2026-14)",
      "no value",
    ]);
  });

  it("joins the places of a state to which one rule has brought the same change, and names the first", async () => {
    const book = await changedBook();
    for (const id of book.others) book.said.set(id, { value: "$90", reference: "County Code 2026" });
    await book.refresh();
    const { comparison, rules } = await book.compared(values, "now");
    expect(comparison.changed).toHaveLength(4);
    const names = book.excel.values("Fees!A4:A5").flat().map(String).sort();
    expect(rules.changed.map((rule) => differenceLine(rule))).toContain(
      `${names[0]}, NV, and 1 more · Minimum Permit Fee: $80 (County Code) → $90 (County Code 2026)`,
    );
  });

  it("with itself finds nothing", async () => {
    const book = await changedBook();
    await book.keep();
    expect((await book.compared(`${values} 2`, "now")).summary).toBe("Nothing differs in 8 answers.");
  });

  it("does not depend on the order of rows and columns, nor on columns that somebody has deleted", async () => {
    const book = await changedBook();
    const needed = ["Value", "Jurisdiction", "Question ID", "AHJ ID"];
    const places = needed.map((header) => columns.indexOf(header));
    const [headers, ...rows] = cellsOf(book).map((row) => places.map((place) => row[place]!));
    addTable(book, "Mine", [[...headers!, "Notes"], ...rows.reverse().map((row) => [...row, "call"])]);
    const { comparison, summary } = await book.compared("Mine", "now");
    expect(summary).toBe("2 values changed; 6 answers the same.");
    // The number's unit is not known without its column, and its format says it is dollars.
    expect(comparison.changed.map(({ about }) => about.ahjId).sort()).toEqual(
      [book.first, book.second].sort(),
    );
  });

  it("tells rows that somebody has deleted as added values, and counts rows without ids", async () => {
    const book = await changedBook();
    const [headers, ...rows] = cellsOf(book);
    const isFeeOf = (id: number) => (row: CellValue[]) => row[2] === id && row[4] === fee;
    const kept = rows.filter((row) => !isFeeOf(book.others[0]!)(row));
    const blank = headers!.map(() => "");
    const withoutId = kept.map((row) => (isFeeOf(book.first)(row) ? row.with(2, "Reno") : row));
    addTable(book, "Mine", [headers!, blank, ...withoutId]);
    const { comparison, summary } = await book.compared("Mine", "now");
    expect(summary).toBe(
      "1 value changed, 2 values added; 5 answers the same. 1 row of Mine can’t be compared: they have no AHJ ID or no Question ID.",
    );
    expect(comparison.came.map(({ about }) => about.ahjId)).toEqual([book.first, book.others[0]]);
  });

  it("tells values whose place has left the workbook as gone", async () => {
    const book = await changedBook();
    const { excel } = book;
    excel.enter("Fees!A5:G5", [["", "", "", "", "", "", ""]]);
    const { comparison, summary } = await book.compared(values, "now");
    expect(summary).toBe("2 values changed, 2 values gone; 4 answers the same.");
    expect(new Set(comparison.went.map(({ about }) => about.ahjId))).toEqual(new Set([book.others[1]]));
  });

  it("tells a citation that alone has changed, but none that is only not known", async () => {
    const book = await changedBook();
    const [first = 0] = book.others;
    book.said.set(first, { value: "$80", reference: "County Code 2026" });
    await book.refresh();
    const { rules, summary } = await book.compared(values, "now");
    expect(summary).toBe("2 values changed, 1 citation changed; 5 answers the same.");
    expect(rules.cited.map((rule) => differenceLine(rule))).toEqual([
      expect.stringMatching(/: \$80 \(County Code\) → \$80 \(County Code 2026\)$/),
    ]);
    const rows = cellsOf(book).map((row, at) => (at === 0 ? row : row.with(8, "").with(9, "")));
    addTable(book, "Uncited", rows);
    expect((await book.compared("Uncited", "now")).summary).toBe("2 values changed; 6 answers the same.");
  });

  it("takes another number of decimals for no change, and another unit for one", async () => {
    const book = await changedBook();
    const { spreadsheet } = book.excel;
    const [headers, ...rows] = cellsOf(book);
    addTable(book, "Formats", [headers!, ...rows]);
    const { sheetId } = spreadsheet.tables().find(({ name }) => name === "Formats")!;
    const [oneRow, otherRow] = book.others.map((id) =>
      rows.findIndex((row) => row[2] === id && row[4] === fee),
    );
    const formatAt = (row: number, format: string) =>
      spreadsheet.writeNumberFormats(sheetId, { row: row + 3, column: 6, rows: 1, columns: 1 }, [[format]]);
    for (const [at] of rows.entries()) formatAt(at, '"$"#,##0');
    // As Excel's Accounting format.
    formatAt(oneRow!, '_($* #,##0.00_);_($* \\(#,##0.00\\);_($* "-"??_);_(@_)');
    formatAt(otherRow!, '#,##0" per kW"');
    const { comparison } = await book.compared("Formats", "now");
    expect(comparison.changed.map(({ about }) => about.ahjId).sort()).toEqual(
      [book.first, book.second, book.others[1]].sort(),
    );
  });

  it("finds an answer that stands several times by its import, or by its value if the import has another name", async () => {
    const book = await datedBook();
    await book.keep();
    const [headers, row] = cellsOf(book);
    const add = (name: string, ...answers: [importName: string, value: number][]) =>
      addTable(book, name, [headers!, ...answers.map(([own, value]) => row!.with(0, own).with(5, value))]);
    add("First", ["Fees", 300], ["Other", 999]);
    add("Turned", ["Other", 999], ["Fees", 300]);
    add("Renamed", ["New name", 999], ["Newer name", 300]);
    add("Raised", ["Other", 1_000], ["Fees", 301]);
    const nothing = "Nothing differs in 2 answers.";
    expect((await book.compared("First", "Turned")).summary).toBe(nothing);
    expect((await book.compared("First", "Renamed")).summary).toBe(nothing);
    const { comparison } = await book.compared("First", "Raised");
    const told = comparison.changed.map(({ before, now }) => [before?.importName, before?.value, now?.value]);
    expect(told.sort()).toEqual([
      ["Fees", 300, 301],
      ["Other", 999, 1_000],
    ]);
  });

  it("says so if the sheet has been deleted, or its column of ids, since it was chosen", async () => {
    const book = await changedBook();
    const { compare, excel } = book;
    compare.look();
    await book.rests();
    const [sheet] = compare.getState().sheets!;
    excel.enter(`'${values}'!C1`, [["Code"]]);
    const failure = { kind: "dated-sheet-gone", message: expect.stringMatching(/^The dated sheet is gone/) };
    compare.compare({ before: sheet!, now: "now" });
    await book.rests();
    expect(compare.getState().compare).toMatchObject({ status: "failed", failure });
    excel.spreadsheet.deleteSheet(excel.spreadsheet.sheets().find(({ name }) => name === values)!.id);
    compare.compare({ before: sheet!, now: "now" });
    await book.rests();
    expect(compare.getState().compare).toMatchObject({ status: "failed", failure });
    compare.look();
    await book.rests();
    expect(compare.getState().sheets).toEqual([]);
  });

  it("is cancelled at any request without a trace", async () => {
    let cancelAt = -1;
    let count = 0;
    let cancel = () => {};
    const onRequest = () => {
      if (cancelAt >= 0 && count++ === cancelAt) cancel();
    };
    const book = await datedBook({ onRequest });
    cancel = book.compare.cancel;
    await book.keep();
    book.compare.look();
    await book.rests();
    const [sheet] = book.compare.getState().sheets!;
    const before = JSON.stringify(book.excel.save());
    for (cancelAt = 0; cancelAt < 30; cancelAt += 1) {
      count = 0;
      book.compare.compare({ before: sheet!, now: "now" });
      await book.rests();
      const { compare } = book.compare.getState();
      if (compare.status === "done") break;
      expect(compare).toMatchObject({ status: "failed", failure: { kind: "cancelled" } });
    }
    expect(cancelAt).toBeGreaterThan(2);
    expect(JSON.stringify(book.excel.save())).toBe(before);
  });

  it("becomes a sheet with a row for each difference, plain values and citations", async () => {
    const book = await changedBook();
    await book.compared(values, "now");
    book.compare.writeSheet();
    await book.rests();
    expect(book.compare.getState().work).toMatchObject({
      status: "done",
      result: "Written to 'Compared 2026-03-12'!A1:P3.",
    });
    const rows = book.rowsOf("Compared 2026-03-12", 2, "P");
    expect(rows).toMatchObject([
      {
        ...{ Change: "changed", Import: "Fees", Before: 300, Now: 325, Unit: "USD" },
        ...{ "Reference before": "City Code", "Section before": "§ 12", "Reference now": "Ord. 2026-14" },
        ...{ "AHJ ID": book.first, "Question ID": fee },
      },
      { Before: 50, Now: "", "Standing now": "no value", "Reference now": "" },
    ]);
    // It is no dated sheet itself.
    book.compare.look();
    await book.rests();
    expect(book.compare.getState().sheets?.map(({ name }) => name)).toEqual([values]);
  });
});
