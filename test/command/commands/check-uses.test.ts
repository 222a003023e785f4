import { expect, it } from "vitest";
import { importXml } from "../../../src/workbook/imports/saved/saved-import";
import { newWorkbookFile } from "../../../xlsx/workbook-file";
import { cleansFolders, regdataFolder } from "../regdata-run";
import { baseUrl } from "../../recorded-service";
import { savedFees } from "../../workbook/imports/saved-fees";

cleansFolders();

const atMs = Date.UTC(2026, 10, 2);

/** A workbook with formulas on Codes, and an import of a county on Fees. */
function book() {
  const file = newWorkbookFile(["Codes", "Fees"]);
  const [codes, fees] = file.sheets;
  const call = (row: number, text: string) => ({ row, column: 1, value: "x", formula: { text } });
  codes!.setCells([
    { row: 0, column: 0, value: "06037" },
    call(0, "_xldudf_REGDATA_VALUE(A1,1003)"),
    call(1, '_xldudf_REGDATA_VALUE("46113",{1003,99999})'),
    call(2, "_xldudf_REGDATA_VALUE(MyPlaces,1003)"),
    call(3, "SUM(A1:A9)"),
  ]);
  const headers = ["Name", "State", "geoID", "Fee", "AHJ ID"];
  const row = ["Alameda County", "CA", "06001", 30, 10001];
  fees!.setCells(
    [headers, row].flatMap((cells, at) => cells.map((value, column) => ({ row: at, column, value }))),
  );
  fees!.addTable({ name: "Fees", ref: { row: 0, column: 0, rows: 2, columns: 5 }, columnNames: headers });
  const of = (field: "name" | "state_code" | "geoid" | "id", header: string) => ({
    header,
    content: { of: "ahj" as const, field },
  });
  const saved = savedFees({
    form: { layout: "wide", hasCitations: false },
    columns: [
      ...[of("name", "Name"), of("state_code", "State"), of("geoid", "geoID")],
      { header: "Fee", content: { of: "answer", part: "value", typeId: 1056 } },
      of("id", "AHJ ID"),
    ],
    types: [{ id: 1056, name: "Plan Review Fee", unit_of_measure: "USD" }],
    lastRun: { atMs, rows: 1, values: 1, notRefreshed: 0 },
  });
  file.addCustomXml(importXml(saved));
  return file.save();
}

it("regdata check --uses without a key sends no request, lists all uses, and says that gone codes were not looked up", async () => {
  const { run, write, files, requests } = regdataFolder();
  write("book.xlsx", book());
  const { code, printed, told } = await run("check book.xlsx --uses --older-than 99999", {});
  expect([code, told]).toEqual([0, ""]);
  expect(printed.split("\n").slice(2)).toEqual([
    "  Uses: 3 places and 3 questions in 3 formulas and 1 import. Of 1 argument it can’t be told what they name.",
    "    Place: 06037: 1 formula. Codes!B1",
    "    Place: 46113: 1 formula. Codes!B2",
    "    Place: Alameda County, CA (06001): Fees. Fees!A1:E2",
    "    Question: 1003: 3 formulas. Codes!B1; Codes!B2; Codes!B3",
    "    Question: 99999: 1 formula. Codes!B2",
    "    Question: Plan Review Fee (1056): Fees. Fees!A1:E2",
    "    Import: Fees: answers as of 2026-11-02. Fees!A1:E2",
    "    Not told: MyPlaces: 1 formula. Codes!B3. A calculation or a name: only Excel knows what it stands for.",
    "  Gone codes and questions were not looked up, because that takes a key and --service.",
    "  No key was given in REGDATA_KEY or --key-file, so none was looked for by its letters.",
  ]);
  expect(requests).toEqual([]);
  expect(files()).toEqual(["book.xlsx"]);
});

it("regdata check --uses with a key looks codes and questions up, and finds those that are gone", async () => {
  const { run, write, requests } = regdataFolder();
  write("book.xlsx", book());
  const { code, printed } = await run("check book.xlsx --uses --older-than 99999");
  expect(code).toBe(10);
  const lines = printed.split("\n");
  expect(lines).toContain("  Places that are not in the directory: 1");
  expect(lines.find((line) => line.startsWith("    46113: "))).toMatch(/1 formula\. Codes!B2\. .*46102/);
  expect(lines).toContain("  Questions that are not in the catalogue: 1");
  expect(lines).toContain("    Place: Los Angeles County, CA (06037): 1 formula. Codes!B1");
  expect(requests.length).toBeGreaterThan(0);
  expect(requests.length).toBeLessThanOrEqual(8);
});

it("regdata check --uses --json has each use with its standing, its cells and what may be meant now", async () => {
  const { run, write } = regdataFolder();
  write("book.xlsx", book());
  const { printed } = await run("check book.xlsx --uses --json --older-than 99999");
  const [checked] = (JSON.parse(printed) as { books: { problems: unknown; uses: { lines: unknown[] } }[] })
    .books;
  expect(checked).toMatchObject({
    problems: [{ kind: "gone-place" }, { kind: "gone-question" }],
    uses: { formulas: 3, imports: 1, isLookedUp: true },
  });
  expect(checked?.uses.lines[1]).toMatchObject({
    ...{ kind: "Place", code: "46113", formulas: 1, imports: [], cells: ["Codes!B2"] },
    ...{ standing: "Not in the directory", meantNow: ["46102"], asOf: null },
  });
});

it("regdata check --uses says why nothing was looked up if the service refuses the key", async () => {
  const { run, write } = regdataFolder();
  write("book.xlsx", book());
  const environment = { REGDATA_KEY: "not-a-known-key-42", REGDATA_SERVICE: baseUrl };
  const { code, printed } = await run("check book.xlsx --uses --older-than 99999", environment);
  expect(code).toBe(0);
  expect(printed).toMatch(/6 names are not looked up: .*key/);
  expect(printed).not.toContain("that takes a key and --service");
  expect(printed).not.toContain("places that are not in the directory");
});

it("regdata check without --uses asks no service, even with a key", async () => {
  const { run, write, requests } = regdataFolder();
  write("book.xlsx", book());
  expect((await run("check book.xlsx --older-than 99999")).printed).not.toContain("Uses");
  expect(requests).toEqual([]);
});
