import { beforeAll, expect, it } from "vitest";
import { newWorkbookFile, openWorkbookFile, type WorkbookFile } from "../../../xlsx/workbook-file";
import { cleansFolders, regdataFolder } from "../regdata-run";

cleansFolders();

let imported: Uint8Array;
beforeAll(async () => {
  const { run, read } = regdataFolder();
  await run("matrix --where RI --question 1003 --citations -o book.xlsx");
  imported = read("book.xlsx");
});

/** The import's table as rows of values, its header row first. */
function tableOf(file: WorkbookFile) {
  const sheet = file.sheets[0]!;
  const { ref } = sheet.tables[0]!;
  const rows: unknown[][] = Array.from({ length: ref.rows }, () => Array(ref.columns).fill(null));
  for (const { row, column, value } of sheet.cells())
    if (row >= ref.row && row < ref.row + ref.rows) rows[row - ref.row]![column - ref.column] = value;
  const headers = rows[0]!.map(String);
  const set = (row: number, header: string, value: string | number | null) =>
    sheet.setCells([{ row: ref.row + row, column: ref.column + headers.indexOf(header), value }]);
  return { sheet, ref, rows, headers, set };
}

async function diffOf(before: Uint8Array, now: Uint8Array, words = "") {
  const { run, write } = regdataFolder();
  write("before.xlsx", before);
  write("now.xlsx", now);
  const { code, printed, told } = await run(`diff before.xlsx now.xlsx${words}`, {});
  expect(told).toBe("");
  return { code, lines: printed.split("\n"), printed };
}

it("says that nothing differs between a workbook and itself", async () => {
  expect(await diffOf(imported, imported)).toMatchObject({
    code: 0,
    lines: ["before.xlsx → now.xlsx", "  Nothing differs."],
  });
});

it("tells changed answers with both citations though rows and columns were moved", async () => {
  const before = openWorkbookFile(imported);
  const { headers } = tableOf(before);
  const question = headers.find((header) => header.includes("Electrical Code in Force"))!;
  tableOf(before).set(1, question, "NEC 2020");
  tableOf(before).set(1, `${question}: Reference`, "City Code");
  tableOf(before).set(1, `${question}: Section`, "§ 12");
  tableOf(before).set(2, question, null);
  tableOf(before).set(2, `${question}: Reference`, null);
  tableOf(before).set(2, `${question}: Section`, null);
  tableOf(before).set(2, question, null);

  const now = openWorkbookFile(before.save());
  const { sheet, ref, rows, set } = tableOf(now);
  set(1, question, "NEC 2023");
  set(1, `${question}: Reference`, "Ord. 2026-14");
  set(1, `${question}: Section`, null);
  set(2, question, "NEC 2017");
  // Somebody has turned the rows around, and put the columns in another order.
  const changed = tableOf(now).rows;
  const order = headers.map((_, place) => headers.length - 1 - place);
  const turned = [changed[0]!, ...changed.slice(1).reverse()].map((row) => order.map((place) => row[place]));
  sheet.setCells(
    turned.flatMap((row, down) =>
      row.map((value, across) => ({
        ...{ row: ref.row + down, column: ref.column + across },
        value: value as string | number | null,
      })),
    ),
  );
  sheet.updateTable(sheet.tables[0]!.id, { columnNames: order.map((place) => headers[place]!) });

  const name = (row: number) =>
    `${rows[row]![headers.indexOf("Name")]}, ${rows[row]![headers.indexOf("State")]}`;
  const letters = "ABCDEFGHIJ"[ref.column + order.indexOf(headers.indexOf(question))];
  const cell = (row: number) => `'${sheet.name}'!${letters}${ref.row + 1 + (ref.rows - row)}`;
  const { code, lines } = await diffOf(before.save(), now.save());
  expect(code).toBe(10);
  expect(lines[1]).toMatch(/: 2 answers changed$/);
  expect(lines.slice(2).sort()).toEqual(
    [
      `    ${cell(1)} ${name(1)} · ${questionName(question)}: NEC 2020 (City Code § 12) → NEC 2023 (Ord. 2026-14)`,
      `    ${cell(2)} ${name(2)} · ${questionName(question)}: no value → NEC 2017`,
    ].sort(),
  );
});

const questionName = (header: string) => header.replace(/ \([^)]*\)$/, "");

it("tells answers of rows that came or went, and a user's own column by its row", async () => {
  const before = openWorkbookFile(imported);
  const { sheet, ref, headers, rows } = tableOf(before);
  const withNotes = openWorkbookFile(imported);
  const own = tableOf(withNotes);
  own.sheet.updateTable(own.sheet.tables[0]!.id, {
    ref: { ...ref, columns: ref.columns + 1 },
    columnNames: [...headers, "Notes"],
  });
  const notes = ref.column + ref.columns;
  own.sheet.setCells([{ row: ref.row + 1, column: notes, value: "call them" }]);
  const before2 = withNotes.save();

  const now = openWorkbookFile(before2);
  const there = tableOf(now);
  there.sheet.setCells([{ row: ref.row + 1, column: notes, value: "called" }]);
  // The last jurisdiction's row is emptied.
  there.sheet.setCells(
    Array.from({ length: ref.columns }, (_, column) => ({
      row: ref.row + ref.rows - 1,
      column: ref.column + column,
      value: null,
    })),
  );
  const question = headers.find((header) => header.includes("Electrical Code in Force"))!;
  const last = rows.at(-1)!;
  const { code, printed } = await diffOf(before2, now.save(), " --json");
  expect(code).toBe(10);
  const result = JSON.parse(printed) as {
    changedImports: { answers: unknown[]; cells: unknown[] }[];
    cells: unknown[];
  };
  expect(result.changedImports).toHaveLength(1);
  const [{ answers, cells } = { answers: [], cells: [] }] = result.changedImports;
  expect(cells).toEqual([
    {
      cell: expect.stringMatching(new RegExp(`!.${ref.row + 2}$`)),
      before: { value: "call them", formula: null },
      now: { value: "called", formula: null },
    },
  ]);
  const value = last[headers.indexOf(question)];
  expect(answers).toEqual(
    value === null
      ? []
      : [
          expect.objectContaining({
            jurisdiction: `${last[headers.indexOf("Name")]}, RI`,
            before: expect.objectContaining({ value }),
            now: null,
          }),
        ],
  );
  expect(sheet.name).toBe(there.sheet.name);
});

it("tells sheets that came or went and other cells by their addresses, values and formulas", async () => {
  const before = newWorkbookFile(["Plan 2027", "Old"]);
  before.sheets[0]!.setCells([
    { row: 0, column: 0, value: 1 },
    { row: 0, column: 1, value: 2, formula: { text: "A1*2" } },
    { row: 0, column: 2, value: 5, formula: { text: '_xldudf_REGDATA_VALUE("44",1003)' } },
    { row: 3, column: 3, value: "gone" },
    { row: 4, column: 0, value: true },
  ]);
  const now = newWorkbookFile(["Plan 2027", "New"]);
  now.sheets[0]!.setCells([
    { row: 0, column: 0, value: "1" },
    { row: 0, column: 1, value: 2, formula: { text: "A1+1" } },
    { row: 0, column: 2, value: 6, formula: { text: '_xldudf_REGDATA_VALUE("44",1003)' } },
    { row: 4, column: 0, value: "TRUE" },
  ]);
  expect(await diffOf(before.save(), now.save())).toMatchObject({
    code: 10,
    lines: [
      "before.xlsx → now.xlsx",
      "  New sheet: New",
      "  Sheet gone: Old",
      "  Other cells: 5 cells changed",
      "    'Plan 2027'!A1: 1 → \"1\"",
      "    'Plan 2027'!B1: =A1*2 (2) → =A1+1 (2)",
      '    \'Plan 2027\'!C1: =REGDATA.VALUE("44",1003) (5) → =REGDATA.VALUE("44",1003) (6)',
      "    'Plan 2027'!D4: gone → blank",
      "    'Plan 2027'!A5: TRUE → \"TRUE\"",
    ],
  });
});

it("prints a thousand lines and counts the rest, which --json has", async () => {
  const now = newWorkbookFile(["Plan"]);
  now.sheets[0]!.setCells(Array.from({ length: 1_200 }, (_, row) => ({ row, column: 0, value: row })));
  const before = newWorkbookFile(["Plan"]).save();
  const { lines } = await diffOf(before, now.save());
  expect([lines.length, lines.at(-1)]).toEqual([1_003, "    and 200 more"]);
  const { printed } = await diffOf(before, now.save(), " --json");
  expect((JSON.parse(printed) as { cells: unknown[] }).cells).toHaveLength(1_200);
});

it("tells a dash that stands for no value as no value, as it does a blank cell", async () => {
  const { run, read } = regdataFolder();
  await run("matrix --where RI --question 1056 --dash -o dashed.xlsx");
  const before = openWorkbookFile(read("dashed.xlsx"));
  const { headers, rows } = tableOf(before);
  const fee = headers.find((header) => header.startsWith("Minimum Permit Fee"))!;
  const row = rows.findIndex((cells) => cells[headers.indexOf(fee)] === "–");
  expect(row).toBeGreaterThan(0);
  const now = openWorkbookFile(read("dashed.xlsx"));
  tableOf(now).set(row, fee, 77);
  const { lines } = await diffOf(before.save(), now.save());
  expect(lines.slice(1)).toEqual([
    expect.stringMatching(/: 1 answer changed$/),
    expect.stringMatching(/: no value → \$?77/),
  ]);
  // Somebody has cleared the dashes.
  const blank = openWorkbookFile(read("dashed.xlsx"));
  for (const [at, cells] of rows.entries())
    if (cells[headers.indexOf(fee)] === "–") tableOf(blank).set(at, fee, null);
  expect((await diffOf(before.save(), blank.save())).lines.slice(1)).toEqual(["  Nothing differs."]);
});

it("takes two workbooks, no more and no fewer", async () => {
  const { run } = regdataFolder();
  expect((await run("diff one.xlsx", {})).code).toBe(2);
  expect((await run("diff one.xlsx two.xlsx", {})).code).toBe(4);
});

it("tells answers with their units, and those that one rule has changed in one line", async () => {
  const { run, read } = regdataFolder();
  await run("matrix --where AZ --question 1030 1049 -o days.xlsx");
  const [before, now] = [openWorkbookFile(read("days.xlsx")), openWorkbookFile(read("days.xlsx"))];
  const { sheet, headers, rows, ref } = tableOf(before);
  const question = headers.indexOf("Residential Permit Review Time");
  const inDays = [...sheet.cells()].flatMap(({ row, column, style }) =>
    column - ref.column === question && before.styles.look(style).numberFormat === '0 "days"'
      ? [row - ref.row]
      : [],
  );
  expect(inDays.length).toBeGreaterThan(2);
  for (const row of inDays) {
    tableOf(before).set(row, headers[question]!, 3);
    tableOf(now).set(row, headers[question]!, 28);
  }
  const [first] = inDays.map((row) => String(rows[row]![headers.indexOf("Name")])).sort();
  const { lines } = await diffOf(before.save(), now.save());
  expect(lines[1]).toMatch(new RegExp(`: ${inDays.length} answers changed$`));
  expect(lines.slice(2).map((line) => line.replace(/^.*![A-Z]+\d+ /, ""))).toEqual([
    `${first}, AZ, and ${inDays.length - 1} more · Residential Permit Review Time: 3 days → 28 days`,
  ]);
});
