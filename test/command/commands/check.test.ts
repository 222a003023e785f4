import { expect, it } from "vitest";
import { frozenXml } from "../../../src/workbook/cell-formulas/frozen-formulas";
import { importXml, type SavedImport } from "../../../src/workbook/imports/saved/saved-import";
import { newWorkbookFile, openWorkbookFile } from "../../../xlsx/workbook-file";
import { relationships, sheetXml, workbookBytes } from "../../xlsx/hand-made";
import { cleansFolders, regdataFolder } from "../regdata-run";

cleansFolders();

const key = "Planted+Key/9f<Z&Q7~x";
const inXml = "Planted+Key/9f&lt;Z&amp;Q7~x";
const environment = { REGDATA_KEY: key };
const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";

/** An import without a table, last run the given number of days ago. */
function savedImport(change: Partial<SavedImport> & { daysAgo: number }): SavedImport {
  const { daysAgo, ...rest } = change;
  return {
    ...{ id: "import-1", name: "Fees", tableId: "none", service: "https://service.test", collection: null },
    form: { layout: "wide", hasCitations: false },
    columns: [{ header: "AHJ ID", content: { of: "ahj", field: "id" } }],
    types: [],
    lastRun: { atMs: Date.now() - daysAgo * 86_400_000, rows: 1, values: 1, notRefreshed: 0 },
    ...rest,
  };
}

const nothing =
  "Nothing found. Looked for: keys in the file, texts in the form of a key, formulas that are stuck, imports whose last run is too old, frozen formulas, workbooks on hold, imports of more than one service, imports whose table is gone, parts that could not be read.";

it("regdata check finds nothing in a plain workbook, and writes nothing", async () => {
  const { run, write, files } = regdataFolder();
  const file = newWorkbookFile(["Sheet1"]);
  file.sheets[0]!.setCells([
    { row: 0, column: 0, value: "3f2504e0-4f89-41d3-9a0c-0305e82c3301" },
    { row: 1, column: 0, value: "https://example.org/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms" },
    { row: 2, column: 0, value: "Permit fee for photovoltaic installations of 10 kW" },
  ]);
  write("plain.xlsx", file.save());
  expect(await run("check plain.xlsx", environment)).toEqual({
    code: 0,
    printed: `plain.xlsx\n  ${nothing}`,
    told: "",
  });
  expect(files()).toEqual(["plain.xlsx"]);
});

it("regdata check finds the key in every part of the package and never prints it", async () => {
  const { run, write } = regdataFolder();
  const comment = `<comment ref="B2" authorId="0"><text><r><t>Planted+Key/9f&lt;</t></r><r><t>Z&amp;Q7~x</t></r></text></comment>`;
  write(
    "keys.xlsx",
    workbookBytes({
      sheets: {
        Fees: sheetXml(
          '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="str"><f>"Planted+Key/9f&lt;"&amp;"x"</f><v>x</v></c>' +
            `<c r="D1" t="str"><f>"${inXml}"</f><v>y</v></c></row>`,
          { after: `<headerFooter><oddHeader>${inXml}</oddHeader></headerFooter>` },
        ),
      },
      sharedStrings: `<si><r><t>Planted+Key/9f</t></r><r><t>&lt;Z&amp;Q7~x</t></r></si>`,
      afterSheets: `<definedNames><definedName name="Key">"${inXml}"</definedName></definedNames>`,
      related: [["rId50", "customXml", "../customXml/item1.xml"]],
      parts: {
        "xl/comments1.xml": `<comments xmlns="${main}"><commentList>${comment}</commentList></comments>`,
        "xl/worksheets/_rels/sheet1.xml.rels": relationships(["rId1", "comments", "../comments1.xml"]),
        "customXml/item1.xml": `<notes xmlns="urn:other">${Buffer.from(key).toString("base64")}</notes>`,
        "xl/drawings/drawing1.xml": `<a:p xmlns:a="urn:a"><a:r><a:t>Planted+Key/</a:t></a:r><a:r><a:t>9f&lt;Z&amp;Q7~x</a:t></a:r></a:p>`,
        "docProps/core.xml": `<core><title>${inXml}</title></core>`,
        "xl/vbaProject.bin": new Uint8Array(Buffer.from(`\0\u0001${key}`, "utf16le")),
      },
    }),
  );
  const { code, printed, told } = await run("check keys.xlsx", environment);
  expect(code).toBe(10);
  expect(printed.split("\n")).toEqual([
    "keys.xlsx",
    "  Keys in the file: 9",
    "    Fees!A1: holds the key",
    "    Fees!D1: holds the key",
    "    a comment on Fees!B2: holds the key",
    "    the name Key: holds the key",
    "    Fees, outside of its cells: holds the key",
    "    a custom XML part (customXml/item1.xml): holds the key",
    "    xl/drawings/drawing1.xml: holds the key",
    "    the document's properties (docProps/core.xml): holds the key",
    "    xl/vbaProject.bin: holds the key",
  ]);
  expect(printed + told).not.toContain("Planted");
  const json = await run("check keys.xlsx --json", environment);
  expect(JSON.parse(json.printed)).toMatchObject({ books: [{ failure: null, problems: { length: 9 } }] });
  expect(json.printed).not.toContain("Planted");
});

it.each([key, "a<b>c-0123456789", 'quo"te-0123456789', "back\\slash-0123456789"])(
  "regdata check finds the key %s in a formula that the add-in has frozen, and does not print it",
  async (one) => {
    const { run, write } = regdataFolder();
    const file = newWorkbookFile(["Sheet1"]);
    const formula = `=REGDATA.VALUE("06001",1003,"value","${one.replaceAll('"', '""')}")`;
    const place = { sheetId: "s", sheetName: "Sheet1", row: 0, column: 0, rows: 1, columns: 1 };
    const frozen = { ...place, formula, shown: "x", numberFormats: "General" };
    for (const xml of frozenXml({ atMs: Date.now(), formulas: [frozen], unreadable: [] }))
      file.addCustomXml(xml);
    write("frozen.xlsx", file.save());
    const { code, printed, told } = await run("check frozen.xlsx", { REGDATA_KEY: one });
    expect([code, told]).toEqual([10, ""]);
    expect(printed).toMatch(/a custom XML part \(.*\): holds the key/);
    expect(printed).not.toContain(one.slice(0, 8));
  },
);

it("regdata check finds a key in an add-in's settings, and texts that look like a key without being given one", async () => {
  const { run, write } = regdataFolder();
  const file = newWorkbookFile(["Sheet1"]);
  file.sheets[0]!.setCells([
    { row: 0, column: 0, value: "X-API-Key: abc12345" },
    { row: 1, column: 0, value: "use qT7bLm2ZpX94vKsWn3RcYd8H for now" },
  ]);
  file.addWebExtension({
    reference: { id: "a", version: "1", store: "developer", storeType: "Registry" },
    properties: { connection: JSON.stringify({ key: "0123456789abcdef0123456789abcdef" }) },
  });
  write("alike.xlsx", file.save());
  const { code, printed } = await run("check alike.xlsx", {});
  expect(code).toBe(10);
  expect(printed.split("\n")).toEqual([
    "alike.xlsx",
    "  Texts in the form of a key: 3",
    "    Sheet1!A1: has the form of a key",
    "    Sheet1!A2: has the form of a key",
    "    an add-in's settings: has the form of a key",
    "  No key was given in REGDATA_KEY or --key-file, so none was looked for by its letters.",
  ]);
});

it("regdata check lists stuck formulas with their errors, and no live ones", async () => {
  const { run, write } = regdataFolder();
  const stuck = '<c r="A1" t="e"><f>REGDATA.VALUE("06001",1003)</f><v>#NAME?</v></c>';
  const busy = '<c r="B1" t="e"><f>_xldudf_REGDATA_VALUE("06001",1003)</f><v>#BUSY!</v></c>';
  const live = '<c r="C1"><f>_xldudf_REGDATA_VALUE("06001",1003)</f><v>5</v></c>';
  const unnamed = '<c r="D1"><f>REGDATA.VALUE("06001",1003)</f><v>5</v></c>';
  write(
    "stuck.xlsx",
    workbookBytes({
      sheets: {
        Open: sheetXml(`<row r="1">${stuck}${live}</row>`),
        Locked: sheetXml(`<row r="1">${busy}${unnamed}</row>`, { after: '<sheetProtection sheet="1"/>' }),
      },
    }),
  );
  const { code, printed } = await run("check stuck.xlsx", environment);
  expect(code).toBe(10);
  expect(printed.split("\n")).toEqual([
    "stuck.xlsx",
    "  Formulas that are stuck: 3",
    "    Open!A1: shows #NAME?",
    "    Locked!B1: shows #BUSY!, on a protected sheet",
    "    Locked!D1: is stored by a name that Excel does not call, on a protected sheet",
  ]);
});

it("regdata check lists old imports, lost tables, several services and frozen formulas", async () => {
  const { run, write } = regdataFolder();
  const file = newWorkbookFile(["Fees", "Codes"]);
  file.sheets[0]!.addTable({
    name: "Fees",
    ref: { row: 2, column: 1, rows: 2, columns: 1 },
    columnNames: ["AHJ ID"],
  });
  file.addCustomXml(importXml(savedImport({ daysAgo: 400 })));
  file.addCustomXml(
    importXml(
      savedImport({
        daysAgo: 300,
        id: "import-2",
        name: "Codes",
        service: "https://other.test",
        columns: [{ header: "AHJ ID (2)", content: { of: "ahj", field: "id" } }],
      }),
    ),
  );
  file.addCustomXml('<import xmlns="urn:regdata:import">{}</import>');
  const formula = '=REGDATA.VALUE("06001", 1003)';
  const place = { sheetId: "s", sheetName: "Codes", row: 3, column: 0, rows: 1, columns: 1 };
  const frozen = { ...place, formula, shown: "x", numberFormats: "General" };
  for (const xml of frozenXml({ atMs: Date.UTC(2026, 2, 12), formulas: [frozen], unreadable: [] }))
    file.addCustomXml(xml);
  write("old.xlsx", file.save());
  const dayOf = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  const lines = async (words: string) => (await run(words, environment)).printed.split("\n").slice(1);
  const rest = [
    "  Frozen formulas: 1",
    `    Codes!A4: since 2026-03-12: ${formula}`,
    "  Imports of more than one service: 2",
    "    Codes: https://other.test",
    "    Fees: https://service.test",
    "  Imports whose table is gone: 1",
    `    Codes: last run ${dayOf(300)}`,
    "  Parts that could not be read: 1",
    "    customXml/item3.xml: calls itself an import and is none that this version reads",
  ];
  expect(await lines("check old.xlsx")).toEqual([
    "  Imports whose last run is too old: 1",
    `    Fees, Fees!B3: last run ${dayOf(400)}, 400 days ago`,
    ...rest,
  ]);
  expect(await lines("check old.xlsx --older-than 500")).toEqual(rest);
  expect(await lines("check old.xlsx --older-than 500 --service https://service.test")).toEqual(
    rest.filter((line) => !line.includes("    Fees")).map((line) => line.replace("service: 2", "service: 1")),
  );
  expect(openWorkbookFile(file.save()).customXmlParts).toHaveLength(4);
});

it("regdata check goes on after a file that can't be read, and reports it by its exit code", async () => {
  const { run, write } = regdataFolder();
  write("plain.xlsx", newWorkbookFile(["Sheet1"]).save());
  const { code, printed, told } = await run("check missing.xlsx plain.xlsx", environment);
  expect([code, printed]).toEqual([4, `plain.xlsx\n  ${nothing}`]);
  expect(told).toContain("missing.xlsx can't be read: there is no such file.");
  expect((await run("check", environment)).code).toBe(2);
  expect((await run("check plain.xlsx --older-than soon", environment)).code).toBe(2);
});
