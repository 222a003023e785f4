import { beforeEach, describe, expect, it } from "vitest";
import { officeOn } from "../../../workbench/memory/office-js";
import { newWorkbookFile, type WorkbookFile } from "../../../xlsx/workbook-file";
import { partsOf, zipped } from "../../xlsx/hand-made";
import { memorySession } from "../members/memory-session";

const docs = "excel-add-ins-workbooks.md";
const types = "InsertWorksheetOptions in @types/office-js";

let excel: typeof Excel;
beforeEach(() => {
  excel = officeOn(memorySession());
});

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");

/** A file of another workbook: fees, of which a hidden sheet has the total, and notes. */
function feesFile(): WorkbookFile {
  const file = newWorkbookFile(["Sheet1", "Total", "Notes"]);
  const [fees, total, notes] = file.sheets;
  fees!.setCells([
    { row: 0, column: 0, value: "Place" },
    { row: 0, column: 1, value: "Fee" },
    { row: 1, column: 0, value: "00612" },
    { row: 1, column: 1, value: 300, style: file.styles.styleWith(0, { bold: true, numberFormat: "0.00" }) },
  ]);
  fees!.addTable({
    name: "Fees",
    ref: { row: 0, column: 0, rows: 2, columns: 2 },
    columnNames: ["Place", "Fee"],
  });
  fees!.setFrozen({ rows: 1, columns: 0 });
  total!.setCells([
    { row: 0, column: 0, formula: { text: "Sheet1!B2" } },
    { row: 1, column: 0, formula: { text: "Notes!A1" } },
  ]);
  notes!.setCells([{ row: 0, column: 0, value: "=not a formula" }]);
  file.setVisibility(total!, "hidden");
  return file;
}

/** The outcome of one call: the ids' number, all sheets in order, or the code of the refusal. */
async function inserted(file: string, options?: Excel.InsertWorksheetOptions) {
  return excel.run(async (context) => {
    const ids = context.workbook.insertWorksheetsFromBase64(file, options);
    const refusal = await context.sync().then(
      () => null,
      (error: OfficeExtension.Error) => error.code,
    );
    if (refusal) return refusal;
    const { worksheets } = context.workbook;
    worksheets.load("items/name,items/id");
    await context.sync();
    return {
      names: worksheets.items.map(({ name }) => name),
      inserted: worksheets.items.filter(({ id }) => ids.value.includes(id)).map(({ name }) => name),
    };
  });
}

describe("sheets of another file", () => {
  it(`stand at the end, under names that nothing else has, and have ids (${docs})`, async () => {
    expect(await inserted(base64(feesFile().save()))).toEqual({
      names: ["Sheet1", "Sheet1 (2)", "Total", "Notes"],
      inserted: ["Sheet1 (2)", "Total", "Notes"],
    });
    expect(await inserted(base64(feesFile().save()), { sheetNamesToInsert: [] })).toMatchObject({
      inserted: ["Sheet1 (3)", "Total (2)", "Notes (2)"],
    });
  });

  it("bring cells, looks, tables, links between them, and their visibility", async () => {
    await inserted(base64(feesFile().save()));
    const read = await excel.run(async (context) => {
      const { worksheets } = context.workbook;
      const fees = worksheets.getItem("Sheet1 (2)");
      const cells = fees.getRange("A1:B2").load("values,text");
      const bold = fees.getRange("B2").load("format/font/bold");
      const total = worksheets.getItem("Total").load("visibility");
      const totals = total.getRange("A1:A2").load("formulas");
      const notes = worksheets.getItem("Notes").getRange("A1").load("values,formulas");
      const tables = fees.tables.load("items/name");
      const frozen = fees.freezePanes.getLocationOrNullObject().load("address");
      await context.sync();
      return {
        cells: [cells.values, cells.text[1]![1], bold.format.font.bold],
        totals: [total.visibility, totals.formulas],
        notes: notes.values[0]![0],
        tables: tables.items.map(({ name }) => name),
        frozen: frozen.address,
      };
    });
    expect(read).toEqual({
      cells: [
        [
          ["Place", "Fee"],
          ["00612", 300],
        ],
        "300.00",
        true,
      ],
      totals: ["Hidden", [["='Sheet1 (2)'!B2"], ["=Notes!A1"]]],
      notes: "=not a formula",
      tables: ["Fees"],
      frozen: "'Sheet1 (2)'!1:1",
    });
  });

  it("leave the others behind, to which formulas lead no more (strict)", async () => {
    expect(await inserted(base64(feesFile().save()), { sheetNamesToInsert: ["Total"] })).toMatchObject({
      inserted: ["Total"],
    });
    const formulas = await excel.run(async (context) => {
      const cells = context.workbook.worksheets.getItem("Total").getRange("A1:A2").load("formulas");
      await context.sync();
      return cells.formulas;
    });
    expect(formulas).toEqual([[expect.stringMatching(/^=#REF!/)], [expect.stringMatching(/^=#REF!/)]]);
  });

  it("give a table another name if the workbook has one of its name", async () => {
    await inserted(base64(feesFile().save()), { sheetNamesToInsert: ["Sheet1"] });
    await inserted(base64(feesFile().save()), { sheetNamesToInsert: ["Sheet1"] });
    const names = await excel.run(async (context) => {
      const tables = context.workbook.tables.load("items/name");
      await context.sync();
      return tables.items.map(({ name }) => name);
    });
    expect(names).toEqual(["Fees", "Table1"]);
  });

  it.each<[string, Excel.InsertWorksheetOptions, string[]]>([
    ["at the beginning", { positionType: "Beginning" }, ["Notes", "Sheet1", "Last"]],
    ["at the end", { positionType: "End" }, ["Sheet1", "Last", "Notes"]],
    ["before a sheet", { positionType: "Before", relativeTo: "Last" }, ["Sheet1", "Notes", "Last"]],
    ["after a sheet", { positionType: "After", relativeTo: "Sheet1" }, ["Sheet1", "Notes", "Last"]],
    ["before none, at the start", { positionType: "Before" }, ["Notes", "Sheet1", "Last"]],
    ["after none, at the end", { positionType: "After" }, ["Sheet1", "Last", "Notes"]],
  ])(`stand %s (${types})`, async (_place, options, names) => {
    await excel.run(async (context) => {
      context.workbook.worksheets.add("Last");
      await context.sync();
    });
    const file = base64(feesFile().save());
    expect(await inserted(file, { sheetNamesToInsert: ["Notes"], ...options })).toMatchObject({ names });
  });
});

describe("refused, and nothing is inserted", () => {
  const good = () => base64(feesFile().save());
  const withPart = (name: string) => base64(zipped({ ...partsOf(feesFile().save()), [name]: "<a/>" }));

  it.each<[string, () => string, Excel.InsertWorksheetOptions | undefined, string]>([
    ["a name that the file lacks (strict)", good, { sheetNamesToInsert: ["Fees"] }, "InvalidArgument"],
    ["a name in other letters (strict)", good, { sheetNamesToInsert: ["notes"] }, "InvalidArgument"],
    [
      "a sheet beside which to insert that is not there (strict)",
      good,
      { relativeTo: "None" },
      "ItemNotFound",
    ],
    ["a position that does not exist", good, { positionType: "Middle" as "End" }, "InvalidArgument"],
    ["text that is no Base64", () => "not Base64!", undefined, "InvalidArgument"],
    ["Base64 with data: before it", () => `data:;base64,${good()}`, undefined, "InvalidArgument"],
    ["a file that is no workbook", () => base64(Buffer.from("PK no zip")), undefined, "InvalidArgument"],
    [
      `a file with a chart (${docs})`,
      () => withPart("xl/charts/chart1.xml"),
      undefined,
      "UnsupportedFeature",
    ],
    [`a file with a comment (${docs})`, () => withPart("xl/comments1.xml"), undefined, "UnsupportedFeature"],
    [
      `a file with a PivotTable (${docs})`,
      () => withPart("xl/pivotTables/pivotTable1.xml"),
      undefined,
      "UnsupportedFeature",
    ],
    [
      `a file with a slicer (${docs})`,
      () => withPart("xl/slicers/slicer1.xml"),
      undefined,
      "UnsupportedFeature",
    ],
  ])("%s", async (_what, file, options, code) => {
    expect(await inserted(file(), options)).toBe(code);
    const count = await excel.run(async (context) => {
      const sheets = context.workbook.worksheets.getCount();
      await context.sync();
      return sheets.value;
    });
    expect(count).toBe(1);
  });
});
