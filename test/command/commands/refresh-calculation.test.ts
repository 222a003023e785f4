import { expect, it } from "vitest";
import { importNamespace, importXml, parseImportXml } from "../../../src/workbook/imports/saved/saved-import";
import { openWorkbookFile } from "../../../xlsx/workbook-file";
import { partsOf } from "../../xlsx/hand-made";
import { cleansFolders, regdataFolder } from "../regdata-run";

cleansFolders();

/** A workbook with the given formulas beside an import, one of whose values has since changed at the service. */
async function bookWith(formulas: readonly string[]) {
  const regdata = regdataFolder();
  await regdata.run("matrix --where RI --question 1003 -o book.xlsx");
  const file = openWorkbookFile(regdata.read("book.xlsx"));
  const sheet = file.sheets[0]!;
  const [table] = sheet.tables;
  // With the digests of the texts that the import wrote, the changed value would count as typed by the user.
  for (const part of file.customXmlParts)
    if (part.namespace === importNamespace)
      file.replaceCustomXml(part, importXml({ ...parseImportXml(part.xml)!, digests: null }));
  const question = table!.columnNames.findIndex((name) => name.includes("Electrical Code in Force"));
  sheet.setCells([{ row: table!.ref.row + 1, column: table!.ref.column + question, value: "NEC 1999" }]);
  const beside = file.addSheet("Beside");
  beside.setCells(
    formulas.map((text, row) => ({
      row,
      column: 0,
      value: 5,
      formula: { text },
      calculateOnOpening: text === "NOW()",
    })),
  );
  regdata.write("book.xlsx", file.save());
  return { ...regdata, before: file.save() };
}

const besideRows = (bytes: Uint8Array) =>
  /<sheetData>(.*)<\/sheetData>/s.exec(partsOf(bytes)["xl/worksheets/sheet2.xml"]!)![1]!;

it("a refresh marks the user's formulas one by one for calculation if the file has the add-in's formulas, which keep their answers", async () => {
  const { run, read, before } = await bookWith(["A2*2", '_xldudf_REGDATA_VALUE("44",1003)', "NOW()"]);
  const { code, printed } = await run("refresh book.xlsx --answers ./fresh");
  expect([code, printed]).toEqual([10, expect.stringContaining("NEC 1999")]);
  const after = read("book.xlsx");
  expect(besideRows(after)).toBe(besideRows(before).replace("<f>A2*2</f>", '<f ca="1">A2*2</f>'));
  expect(partsOf(after)["xl/workbook.xml"]).not.toContain("fullCalcOnLoad");
});

it("a refresh has Excel calculate the whole workbook if no formula is the add-in's", async () => {
  const { run, read, before } = await bookWith(["A2*2"]);
  expect((await run("refresh book.xlsx --answers ./fresh")).code).toBe(10);
  expect(besideRows(read("book.xlsx"))).toBe(besideRows(before));
  expect(partsOf(read("book.xlsx"))["xl/workbook.xml"]).toContain('fullCalcOnLoad="1"');
});
