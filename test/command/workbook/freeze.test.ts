import { copyFile, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { openWorkbookFile } from "../../../xlsx/workbook-file";
import { MAIN, partsOf, relationships, sheetXml, workbookBytes } from "../../xlsx/hand-made";
import { createPlayer, playFolder, type Ran } from "../played-io";

let folder: string;
let run: (words: readonly string[]) => Promise<Ran>;
let book: string;
beforeEach(async () => {
  folder = await playFolder();
  run = createPlayer(folder);
  book = join(folder, "live.xlsx");
});

async function makeLive(): Promise<void> {
  await run(["matrix", "--live", "--where", "NV", "06001", "--question", "1056", "1003", "-o", book]);
}

const formulasIn = (bytes: Uint8Array) =>
  openWorkbookFile(bytes).sheets.flatMap((sheet) =>
    [...sheet.cells(["REGDATA"])].flatMap(({ formula }) => formula?.shown ?? []),
  );
const valuesIn = (bytes: Uint8Array) =>
  openWorkbookFile(bytes).sheets.map((sheet) =>
    [...sheet.cells()].map(({ row, column, value }) => [row, column, value]),
  );

describe("freeze and unfreeze", () => {
  it("leave the values, take the formulas away and bring them back with the values that stood there", async () => {
    await makeLive();
    const before = await readFile(book);
    expect(formulasIn(before)).toEqual(["REGDATA.MATRIX(A2:A136,{1056,1003})"]);
    const frozen = await run(["freeze", book]);
    expect([frozen.code, frozen.requests, frozen.out]).toEqual([
      ...[10, []],
      expect.stringContaining("1 formula frozen."),
    ]);
    const asFrozen = await readFile(book);
    expect(formulasIn(asFrozen)).toEqual([]);
    expect(valuesIn(asFrozen)).toEqual(valuesIn(before));
    const thawed = await run(["unfreeze", book]);
    expect([thawed.code, thawed.requests]).toEqual([10, []]);
    const after = await readFile(book);
    expect(formulasIn(after)).toEqual(formulasIn(before));
    expect(valuesIn(after)).toEqual(valuesIn(before));
    expect(partsOf(after)["xl/worksheets/sheet1.xml"]).toBe(partsOf(before)["xl/worksheets/sheet1.xml"]);
    const backups = (await readdir(folder)).filter((name) => name.includes(".backup-"));
    expect(await readFile(join(folder, backups.sort()[0] ?? ""))).toEqual(before);
  });

  it("write to another file with -o, and leave the first file as it is", async () => {
    await makeLive();
    const before = await readFile(book);
    const output = join(folder, "to-send.xlsx");
    expect((await run(["freeze", book, "-o", output])).code).toBe(10);
    expect(await readFile(book)).toEqual(before);
    expect(formulasIn(await readFile(output))).toEqual([]);
    expect((await run(["freeze", book, "-o", output])).code).toBe(4);
    expect((await run(["freeze", book, "-o", output, "--force"])).code).toBe(10);
    const csv = await run(["freeze", book, "-o", join(folder, "to-send.csv")]);
    expect([csv.code, csv.told]).toEqual([2, expect.stringContaining("must end with .xlsx")]);
    const nowhere = await run(["freeze", book, "-o", join(folder, "no-folder", "to-send.xlsx")]);
    expect([nowhere.code, nowhere.told]).toEqual([4, expect.stringContaining("its folder is missing")]);
  });

  it("leave alone, of all workbooks in a folder, the versions that they have kept and the marks of open ones", async () => {
    await makeLive();
    const kept = join(folder, "live.backup-2026-11-26T10-00-00.xlsx");
    const mark = join(folder, "~$other.xlsx");
    await copyFile(book, kept);
    await writeFile(mark, "Maria");
    const before = await readFile(kept);
    const all = await run(["freeze", kept, book, mark]);
    expect([all.code, all.told, all.out]).toEqual([
      ...[10, ""],
      expect.stringMatching(
        /1 formula frozen[^]*\nLeft alone: 2 files\n.*10-00-00\.xlsx is a backup[^]*~\$other\.xlsx marks/,
      ),
    ]);
    expect(await readFile(kept)).toEqual(before);
    expect((await run(["freeze", kept])).out).toContain("1 formula frozen.");
  });

  it("change no cell but their own: blank cells and empty texts, with a format or without, stay as another program wrote them", async () => {
    const others =
      '<c r="B1" t="s"><v>0</v></c><c r="C1"/><c r="D1" s="1" t="inlineStr"><is><t></t></is></c><c r="E1" t="str"><v></v></c>';
    const cell = `<c r="A1" t="str" cm="1"><f t="array" ref="A1">_xldudf_REGDATA_VALUE("06001",1003)</f><v>NEC</v></c>`;
    const sheets = { One: sheetXml(`<row r="1">${cell}${others}</row>`) };
    const xf = '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>';
    const styles = `<styleSheet xmlns="${MAIN}"><borders count="2"><border/><border><left style="thin"/></border></borders><cellXfs count="2">${xf}${xf.replace('borderId="0"', 'borderId="1"')}</cellXfs></styleSheet>`;
    await writeFile(book, workbookBytes({ sheets, styles, sharedStrings: "<si><t></t></si>" }));
    for (const command of ["freeze", "unfreeze"]) {
      expect((await run([command, book])).code).toBe(10);
      expect(partsOf(await readFile(book))["xl/worksheets/sheet1.xml"]).toContain(others);
    }
  });

  it("leave a table whose part calls its columns otherwise than its header row", async () => {
    const header = '<c r="C1" t="s"><v>0</v></c><c r="D1" t="s"><v>0</v></c>';
    const cell = `<c r="A1" t="str" cm="1"><f t="array" ref="A1">_xldudf_REGDATA_VALUE("06001",1003)</f><v>NEC</v></c>`;
    const table = `<table xmlns="${MAIN}" id="1" name="T" displayName="T" ref="C1:D2"><tableColumns count="2"><tableColumn id="1" name="Fee"/><tableColumn id="2" name="Fee2"/></tableColumns></table>`;
    const sheet = sheetXml(`<row r="1">${cell}${header}</row><row r="2"><c r="C2"><v>1</v></c></row>`, {
      after: '<tableParts count="1"><tablePart r:id="rId1"/></tableParts>',
    });
    const parts = {
      "xl/worksheets/_rels/sheet1.xml.rels": relationships(["rId1", "table", "../tables/table1.xml"]),
      "xl/tables/table1.xml": table,
    };
    await writeFile(
      book,
      workbookBytes({ sheets: { One: sheet }, parts, sharedStrings: "<si><t>Fee</t></si>" }),
    );
    expect((await run(["freeze", book])).code).toBe(10);
    const frozen = partsOf(await readFile(book));
    expect(frozen["xl/worksheets/sheet1.xml"]).toContain(header);
    expect(frozen["xl/tables/table1.xml"]).toBe(table);
  });

  it("find the formulas of a sheet that is filled to its last column", async () => {
    const ours = `<row r="1"><c r="A1" t="str" cm="1"><f t="array" ref="A1">_xldudf_REGDATA_VALUE("06001",1003)</f><v>NEC</v></c></row>`;
    const last = '<row r="2"><c r="XFD2"><v>1</v></c></row>';
    await writeFile(book, workbookBytes({ sheets: { One: sheetXml(ours + last) } }));
    expect((await run(["freeze", book])).out).toContain("1 formula frozen.");
    expect(formulasIn(await readFile(book))).toEqual([]);
  });

  it("take no longer where the user's formulas sum whole columns", async () => {
    const sums = Array.from(
      { length: 3 },
      (_, row) => `<row r="${row + 2}"><c r="A${row + 2}"><f>SUM(E:Z)</f><v>0</v></c></row>`,
    );
    const ours = `<row r="1"><c r="A1" t="str" cm="1"><f t="array" ref="A1">_xldudf_REGDATA_VALUE("06001",1003)</f><v>NEC</v></c></row>`;
    await writeFile(book, workbookBytes({ sheets: { One: sheetXml(ours + sums.join("")) } }));
    const startMs = performance.now();
    expect((await run(["freeze", book])).code).toBe(10);
    expect(performance.now() - startMs).toBeLessThan(2_000);
  });

  it("take a text that looks like a formula as a text", async () => {
    const value = '_xldudf_REGDATA_VALUE("06001",1003)';
    const formula = `<c r="A1" t="str"><f>${value}</f><v>NEC 2020</v></c>`;
    const text = '<c r="B1" t="inlineStr"><is><t>=REGDATA.VALUE("06001",1003)</t></is></c>';
    await writeFile(
      book,
      workbookBytes({ sheets: { Open: sheetXml(`<row r="1">${formula}${text}</row>`) } }),
    );
    const before = valuesIn(await readFile(book));
    expect((await run(["freeze", book])).out).toContain("1 formula frozen.");
    expect((await run(["unfreeze", book])).out).toContain("1 formula brought back.");
    expect(formulasIn(await readFile(book))).toHaveLength(1);
    expect(valuesIn(await readFile(book))).toEqual(before);
  });

  it("list the cells that can't be frozen, and freeze the others", async () => {
    const cell = (address: string, formula: string, value: string, type = "str") =>
      `<c r="${address}" t="${type}"><f>${formula}</f><v>${value}</v></c>`;
    const value = '_xldudf_REGDATA_VALUE("06001",1003)';
    await writeFile(
      book,
      workbookBytes({
        sheets: {
          Open: sheetXml(
            `<row r="1">${cell("A1", value, "NEC 2020")}${cell("B1", value, "#NAME?", "e")}${cell("C1", value, "#BUSY!", "e")}</row>`,
          ),
          Locked: sheetXml(`<row r="1">${cell("A1", value, "NEC 2020")}</row>`, {
            after: '<sheetProtection sheet="1"/>',
          }),
        },
      }),
    );
    const { code, out } = await run(["freeze", book]);
    expect(code).toBe(10);
    expect(out).toContain("1 formula frozen.");
    expect(out).toContain("3 formulas not frozen:");
    for (const line of ["Open!B1: shows #NAME?", "Open!C1: still waits", "Locked!A1: its sheet is protected"])
      expect(out).toContain(line);
    expect(formulasIn(await readFile(book))).toHaveLength(3);
  });

  it("leave what was typed over a frozen value, and say so", async () => {
    await makeLive();
    await run(["freeze", book]);
    const file = openWorkbookFile(await readFile(book));
    file.sheets[0]?.setCells([{ row: 1, column: 1, value: "mine" }]);
    await writeFile(book, file.save());
    const { code, out } = await run(["unfreeze", book]);
    expect([code, out]).toEqual([0, expect.stringContaining("1 formula still frozen:")]);
    expect(await readFile(book)).toEqual(Buffer.from(file.save()));
  });

  it("show a formula that does more than calculate before it comes back", async () => {
    const formula = 'WEBSERVICE("https://example.org/"&amp;_xldudf_REGDATA_VALUE("06001",1003))';
    const row = `<row r="1"><c r="A1" t="str"><f>${formula}</f><v>NEC 2020</v></c></row>`;
    await writeFile(book, workbookBytes({ sheets: { Sheet1: sheetXml(row) } }));
    expect((await run(["freeze", book])).code).toBe(10);
    const { code, out } = await run(["unfreeze", book]);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/1 formula to look at first[^]*Sheet1!A1: =WEBSERVICE/),
    ]);
    expect((await run(["unfreeze", book, "--seen"])).code).toBe(10);
    expect(formulasIn(await readFile(book))).toEqual([expect.stringContaining("WEBSERVICE(")]);
  });

  it("do nothing if there is nothing to do, and fail for a file that is no workbook", async () => {
    await run(["matrix", "--where", "06001", "--question", "1056", "-o", book]);
    const before = await readFile(book);
    expect([(await run(["freeze", book])).code, (await run(["unfreeze", book])).code]).toEqual([0, 0]);
    expect(await readFile(book)).toEqual(before);
    await writeFile(join(folder, "text.xlsx"), "no workbook");
    await copyFile(book, join(folder, "second.xlsx"));
    const { code, told } = await run(["freeze", join(folder, "text.xlsx"), join(folder, "second.xlsx")]);
    expect([code, told]).toEqual([4, expect.stringContaining("text.xlsx: ")]);
    expect((await run(["freeze"])).code).toBe(2);
  });
});
