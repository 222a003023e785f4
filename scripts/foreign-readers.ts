/**
 * `npm run foreign-readers` checks that openpyxl, LibreOffice and Gnumeric read a workbook that this project has written, and that this
 * project reads and changes workbooks that they have written. It names the programs that are not installed (Debian: python3-openpyxl,
 * libreoffice-calc, gnumeric). It ends with 1 if somebody reads something else than was written.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Papa from "papaparse";
import { changedParts } from "../test/xlsx/hand-made";
import { newWorkbookFile, openWorkbookFile } from "../xlsx/workbook-file";

const folder = mkdtempSync(join(tmpdir(), "foreign-readers-"));
const failures: string[] = [];

function compare(reader: string, what: string, read: unknown, expected: unknown): void {
  if (JSON.stringify(read) !== JSON.stringify(expected))
    failures.push(`${reader}, ${what}: ${JSON.stringify(read)}, not ${JSON.stringify(expected)}`);
}

/** The program's output; null if the program is not installed. */
function run(program: string, ...words: string[]): string | null {
  const { status, stdout, stderr, error } = spawnSync(program, words, { cwd: folder, encoding: "utf8" });
  if (error) return null;
  if (status !== 0) throw new Error(`${program} ends with ${status}: ${stderr}`);
  return stdout;
}

/** A text with what XML must escape, a character that XML can't hold, and one of two UTF-16 units. */
const strange = " Alameda <&> \n\u0007 Ünï 𝒳";
/** The same as openpyxl and Gnumeric read it: they leave the file's escape as it is. */
const undecoded = strange.replace("\u0007", "_x0007_");

/** A workbook with one of everything that the command and the workbench write. */
function written(): Uint8Array {
  const file = newWorkbookFile(["Cells", "O'Brien & Co", "Gone"]);
  const [cells, second, gone] = file.sheets;
  const header = file.styles.styleWith(0, {
    ...{ bold: true, fillColor: "#DDEBF7", wrapText: true, verticalAlignment: "top" },
  });
  const text = file.styles.styleWith(0, { numberFormat: "@" });
  const money = file.styles.styleWith(0, { numberFormat: '"$"#,##0.00', horizontalAlignment: "right" });
  const date = file.styles.styleWith(0, { numberFormat: "m/d/yyyy", italic: true, fontColor: "#C00000" });
  cells!.setCells([
    ...["geoID", "Fee", "Since"].map((value, column) => ({ row: 0, column, value, style: header })),
    { row: 1, column: 0, value: "06001", style: text },
    { row: 1, column: 1, value: 1234.5, style: money },
    { row: 1, column: 2, value: 46112, style: date },
    { row: 2, column: 0, value: "=1+1" },
    { row: 2, column: 1, value: true },
    { row: 2, column: 2, value: "#N/A", isError: true },
    { row: 3, column: 0, value: 1235.5, formula: { text: "SUM(B2,1)" } },
    { row: 3, column: 1, value: "kept", formula: { text: '_xldudf_REGDATA_VALUE("06001",1056)' } },
    {
      ...{ row: 4, column: 0, value: 1 },
      formula: { text: "_xldudf_REGDATA_LIST()", area: { row: 4, column: 0, rows: 2, columns: 1 } },
    },
    { row: 5, column: 0, value: 2 },
    { row: 6, column: 0, value: "“Straße” & <more>" },
    { row: 7, column: 0, value: strange },
  ]);
  cells!.addTable({
    name: "Fees",
    ref: { row: 0, column: 0, rows: 3, columns: 3 },
    columnNames: ["geoID", "Fee", "Since"],
  });
  cells!.setColumnWidths([{ column: 0, columns: 2, width: 24, isHidden: false }]);
  cells!.setMerged([{ row: 8, column: 0, rows: 2, columns: 3 }]);
  cells!.setFrozen({ rows: 1, columns: 0 });
  cells!.setHyperlinks([
    {
      area: { row: 6, column: 0, rows: 1, columns: 1 },
      ...{ target: "https://example.com/?a=1&b=2", location: null, tooltip: null },
    },
  ]);
  second!.setCells([{ row: 99, column: 30, value: 0.1 }]);
  file.setDefinedNames([{ name: "Rate", formula: "Cells!$B$2", comment: "", sheet: null, hidden: false }]);
  file.setVisibility(second!, "hidden");
  file.removeSheet(gone!);
  file.addCustomXml('<data xmlns="urn:example">1</data>');
  file.addWebExtension({
    reference: {
      ...{ id: "00000000-0000-0000-0000-000000000001", version: "1.0.0.0" },
      ...{ store: "developer", storeType: "Registry" },
    },
    properties: { setting: '"a"' },
    customFunctionIds: ["_xldudf_REGDATA_VALUE"],
  });
  file.calculateOnOpening();
  return file.save();
}

/** The program prints what openpyxl reads of written.xlsx. */
const readingProgram = `
import json, openpyxl
books = [openpyxl.load_workbook("written.xlsx", data_only=only) for only in (True, False)]
kept, formulas = [book["Cells"] for book in books]
names = books[0].defined_names
text = lambda value: getattr(value, "text", value).lstrip("=")
rgb = lambda color: color.rgb if color and color.type == "rgb" else None
look = lambda cell: [cell.number_format, cell.font.b, cell.font.i, rgb(cell.font.color), cell.fill.fgColor.rgb,
  cell.alignment.wrap_text, cell.alignment.vertical, cell.alignment.horizontal]
print(json.dumps({
  "sheets": [[sheet.title, sheet.sheet_state] for sheet in books[0].worksheets],
  "values": [[kept.cell(row, column).value for column in (1, 2)] for row in range(1, 9)],
  "dates": [str(kept["C2"].value), kept["C3"].value],
  "far": books[0]["O'Brien & Co"]["AE100"].value,
  "formulas": [text(formulas[each].value) for each in ("A4", "B4", "A5")],
  "looks": [look(kept[each]) for each in ("A1", "A2", "B2", "C2")],
  "widths": [[each.min, each.max, each.width] for each in kept.column_dimensions.values()],
  "merged": [str(each) for each in kept.merged_cells.ranges],
  "tables": [[table.name, table.ref, [column.name for column in table.tableColumns]] for table in kept.tables.values()],
  "frozen": kept.freeze_panes,
  "link": kept["A7"].hyperlink.target,
  "name": (names["Rate"] if hasattr(names, "keys") else names.get("Rate")).attr_text,
}))
`;

function checkReadingByOpenpyxl(python: string): void {
  const read = JSON.parse(run(python, "-c", readingProgram) ?? "{}") as Record<string, unknown>;
  const expected = {
    sheets: [
      ["Cells", "visible"],
      ["O'Brien & Co", "hidden"],
    ],
    values: [
      ["geoID", "Fee"],
      ["06001", 1234.5],
      ["=1+1", true],
      [1235.5, "kept"],
      [1, null],
      [2, null],
      ["“Straße” & <more>", null],
      [undecoded, null],
    ],
    dates: ["2026-03-31 00:00:00", "#N/A"],
    far: 0.1,
    formulas: ["SUM(B2,1)", '_xldudf_REGDATA_VALUE("06001",1056)', "_xldudf_REGDATA_LIST()"],
    looks: [
      ["General", true, false, null, "FFDDEBF7", true, "top", null],
      ["@", false, false, null, "00000000", null, null, null],
      ['"$"#,##0.00', false, false, null, "00000000", null, null, "right"],
      ["mm-dd-yy", false, true, "FFC00000", "00000000", null, null, null],
    ],
    widths: [[1, 2, 24]],
    merged: ["A9:C10"],
    tables: [["Fees", "A1:C3", ["geoID", "Fee", "Since"]]],
    frozen: "A2",
    link: "https://example.com/?a=1&b=2",
    name: "Cells!$B$2",
  };
  for (const [what, value] of Object.entries(expected)) compare("openpyxl", what, read[what], value);
}

/** A workbook by openpyxl with parts that this project does not change. */
const writingProgram = `
import openpyxl
from openpyxl.comments import Comment
from openpyxl.formatting.rule import CellIsRule
from openpyxl.styles import Font
from openpyxl.worksheet.datavalidation import DataValidation
book = openpyxl.Workbook()
sheet = book.active
sheet.title = "One"
for row in (["Name", "Value"], ["a", 1.5], ["b", "=B2*2"]): sheet.append(row)
sheet["A5"].comment = Comment("a comment", "somebody")
choice = DataValidation(type="list", formula1='"x,y"')
sheet.add_data_validation(choice)
choice.add("A6")
sheet.conditional_formatting.add("B1:B3", CellIsRule(operator="greaterThan", formula=["1"], font=Font(bold=True)))
sheet.freeze_panes = "B2"
sheet.protection.set_password("secret")
book.save("by-openpyxl.xlsx")
`;

/** The same cells for programs that only convert workbooks. */
function lists(): Uint8Array {
  const file = newWorkbookFile(["One"]);
  const [sheet] = file.sheets;
  sheet!.setCells([
    { row: 0, column: 0, value: "Name" },
    { row: 0, column: 1, value: "Value" },
    { row: 1, column: 0, value: "a" },
    { row: 1, column: 1, value: 1.5 },
    { row: 2, column: 0, value: "b" },
    { row: 2, column: 1, value: 3, formula: { text: "B2*2" } },
  ]);
  return file.save();
}

/**
 * Reads a workbook that a program has written, changes a cell, and saves it as changed.xlsx. `kept` is the kept result of its formula;
 * openpyxl calculates nothing.
 */
function checkForeignFile(writer: string, name: string, kept: number | null): void {
  const before = readFileSync(join(folder, name));
  const file = openWorkbookFile(before);
  const [sheet] = file.sheets;
  compare(
    ...[`of ${writer}`, "the cells"],
    [...sheet!.cells()]
      .filter(({ value, formula }) => value !== null || formula)
      .map(({ row, column, value, formula }) => [row, column, value, formula?.text ?? ""]),
    [
      [0, 0, "Name", ""],
      [0, 1, "Value", ""],
      [1, 0, "a", ""],
      [1, 1, 1.5, ""],
      [2, 0, "b", ""],
      [2, 1, kept, "B2*2"],
    ],
  );
  sheet!.setCells([{ row: 1, column: 1, value: "changed" }]);
  const after = file.save();
  compare(`of ${writer}`, "the changed parts", changedParts(before, after), ["xl/worksheets/sheet1.xml"]);
  writeFileSync(join(folder, "changed.xlsx"), after);
}

const changed = ["Name", "Value", "a", "changed", "b"];

/** Debian's own Python has Debian's packages; another Python may come before it in the PATH. */
function pythonWithOpenpyxl(): string | undefined {
  const question = "import importlib.util; print(importlib.util.find_spec('openpyxl') is not None)";
  return ["/usr/bin/python3", "python3"].find((each) => run(each, "-c", question)?.trim() === "True");
}

function checkOpenpyxl(): string {
  const python = pythonWithOpenpyxl();
  if (python === undefined) return "openpyxl is not installed";
  checkReadingByOpenpyxl(python);
  run(python, "-c", writingProgram);
  checkForeignFile("openpyxl", "by-openpyxl.xlsx", null);
  const [sheet] = openWorkbookFile(readFileSync(join(folder, "changed.xlsx"))).sheets;
  compare("of openpyxl", "the protection", sheet?.isProtected, true);
  compare("of openpyxl", "the frozen panes", sheet?.frozen, { rows: 1, columns: 1 });
  const again =
    'import json, openpyxl; print(json.dumps([cell.value for row in openpyxl.load_workbook("changed.xlsx")["One"]["A1:B3"] for cell in row]))';
  compare("openpyxl", "the changed workbook", JSON.parse(run(python, "-c", again) ?? ""), [
    ...[...changed, "=B2*2"],
  ]);
  return "openpyxl ran";
}

/** The first lines of a CSV file, as a program shows the cells. */
const csvRows = (name: string, rows: number) =>
  Papa.parse<string[]>(readFileSync(join(folder, name), "utf8"), { delimiter: "," }).data.slice(0, rows);

/** Compares a CSV file of written.xlsx. `shown`: the date, the three cells of custom functions, and the strange text. */
function compareCsv(reader: string, name: string, shown: [string, string, string, string, string]): void {
  const [date, value, first, second, text] = shown;
  compare(reader, "the cells", csvRows(name, 8), [
    ["geoID", "Fee", "Since"],
    ["06001", "$1,234.50", date],
    ["=1+1", "TRUE", "#N/A"],
    ["1235.5", value, ""],
    [first, "", ""],
    [second, "", ""],
    ["“Straße” & <more>", "", ""],
    [text, "", ""],
  ]);
}

function checkLibreOffice(): string {
  const convert = (to: string, name: string, into = folder) =>
    run(
      "soffice",
      ...[`-env:UserInstallation=file://${folder}/office`, "--headless", "--convert-to", to],
      ...["--outdir", into, join(folder, name)],
    );
  const csv = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true";
  if (convert(csv, "written.xlsx") === null) return "LibreOffice is not installed";
  // LibreOffice calculates custom functions anew when it opens the file, and does not know them: docs/command.md.
  compareCsv("LibreOffice", "written.csv", ["3/31/2026", "#NAME?", "#NAME?", "#NAME?", strange]);
  writeFileSync(join(folder, "lists.xlsx"), lists());
  convert("xlsx", "lists.xlsx", join(folder, "office-own"));
  checkForeignFile("LibreOffice", "office-own/lists.xlsx", 3);
  convert(csv, "changed.xlsx");
  compare("LibreOffice", "the changed workbook", csvRows("changed.csv", 3).flat().slice(0, 5), changed);
  return "LibreOffice ran";
}

function checkGnumeric(): string {
  const csvOf = (name: string, out: string) =>
    run(
      ...["ssconvert", "-O", "format=preserve", "-T", "Gnumeric_stf:stf_assistant"],
      ...[join(folder, name), join(folder, out)],
    );
  if (csvOf("written.xlsx", "gnumeric.txt") === null) return "Gnumeric is not installed";
  compareCsv("Gnumeric", "gnumeric.txt", ["3/31/26", "kept", "1", "2", undecoded]);
  writeFileSync(join(folder, "lists.xlsx"), lists());
  run("ssconvert", join(folder, "lists.xlsx"), join(folder, "by-gnumeric.xlsx"));
  checkForeignFile("Gnumeric", "by-gnumeric.xlsx", 3);
  csvOf("changed.xlsx", "changed.txt");
  compare("Gnumeric", "the changed workbook", csvRows("changed.txt", 3).flat().slice(0, 5), changed);
  return "Gnumeric ran";
}

try {
  writeFileSync(join(folder, "written.xlsx"), written());
  console.log([checkOpenpyxl(), checkLibreOffice(), checkGnumeric()].join("; "));
  for (const failure of failures) console.error(failure);
  if (failures.length > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
