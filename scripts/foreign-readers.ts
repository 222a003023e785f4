/**
 * `npm run foreign-readers` checks how openpyxl, LibreOffice and Gnumeric read a workbook that this project has written. It names the
 * programs that are not installed (Debian: python3-openpyxl, libreoffice-calc, gnumeric). It ends with 1 if one of them reads something
 * else.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newWorkbookFile } from "../xlsx/workbook-file";

const folder = mkdtempSync(join(tmpdir(), "foreign-readers-"));
const path = join(folder, "written.xlsx");
writeFileSync(path, written());

/** A workbook with everything that the command and the workbench write. */
function written(): Uint8Array {
  const file = newWorkbookFile(["Cells"]);
  const [sheet] = file.sheets;
  const money = file.styles.styleWith(0, { numberFormat: '"$"#,##0.00' });
  const text = file.styles.styleWith(0, { numberFormat: "@" });
  sheet!.setCells([
    { row: 1, column: 0, value: "06001", style: text },
    { row: 1, column: 1, value: 1234.5, style: money },
    { row: 1, column: 2, value: true },
    { row: 2, column: 0, value: "06037", style: text },
    { row: 2, column: 1, value: 0.25, style: money },
    { row: 2, column: 2, value: "=1+1" },
    { row: 4, column: 0, value: 1234.75, formula: { text: "SUM(B2:B3)" } },
    { row: 4, column: 1, value: "kept", formula: { text: '_xldudf_REGDATA_VALUE("06001",1056)' } },
    { row: 5, column: 0, value: "“Straße” & <more>" },
  ]);
  sheet!.addTable({
    name: "Fees",
    ref: { row: 0, column: 0, rows: 3, columns: 3 },
    columnNames: ["geoID", "Fee", "Note"],
  });
  sheet!.setColumnWidths([{ column: 1, columns: 1, width: 24, isHidden: false }]);
  sheet!.setMerged([{ row: 8, column: 0, rows: 1, columns: 2 }]);
  return file.save();
}

const failures: string[] = [];

/** The program's output; null if the program is not installed. */
function run(program: string, ...words: string[]): string | null {
  const { status, stdout, stderr, error } = spawnSync(program, words, { cwd: folder, encoding: "utf8" });
  if (error) return null;
  if (status !== 0) throw new Error(`${program} ends with ${status}: ${stderr}`);
  return stdout;
}

function compare(reader: string, what: string, read: unknown, expected: unknown): void {
  if (JSON.stringify(read) !== JSON.stringify(expected))
    failures.push(`${reader} reads ${what} as ${JSON.stringify(read)}, not ${JSON.stringify(expected)}`);
}

const openpyxl = `
import json, openpyxl
kept, formulas = [openpyxl.load_workbook("written.xlsx", data_only=only)["Cells"] for only in (True, False)]
print(json.dumps({
  "values": [[kept.cell(row, column).value for column in (1, 2, 3)] for row in (1, 2, 3, 5, 6)],
  "formulas": [formulas["A5"].value, getattr(formulas["B5"].value, "text", formulas["B5"].value)],
  "formats": [kept["A2"].number_format, kept["B2"].number_format],
  "width": kept.column_dimensions["B"].width,
  "merged": [str(each) for each in kept.merged_cells.ranges],
  "tables": [[table.name, table.ref, [column.name for column in table.tableColumns]] for table in kept.tables.values()],
}))
`;

function readByOpenpyxl(): string {
  // Debian's own Python has Debian's packages; another Python may come before it in the PATH.
  for (const python of ["/usr/bin/python3", "python3"]) {
    if (run(python, "-c", "import importlib.util, sys; sys.exit(0)") === null) continue;
    const isThere = run(
      python,
      "-c",
      "import importlib.util; print(importlib.util.find_spec('openpyxl') is not None)",
    );
    if (isThere?.trim() !== "True") continue;
    const { values, formulas, formats, width, merged, tables } = JSON.parse(
      run(python, "-c", openpyxl) ?? "{}",
    );
    compare("openpyxl", "the values", values, [
      ["geoID", "Fee", "Note"],
      ["06001", 1234.5, true],
      ["06037", 0.25, "=1+1"],
      [1234.75, "kept", null],
      ["“Straße” & <more>", null, null],
    ]);
    compare("openpyxl", "the sum", formulas[0], "=SUM(B2:B3)");
    compare(
      "openpyxl",
      "the custom function",
      String(formulas[1]).replace(/^=/, ""),
      '_xldudf_REGDATA_VALUE("06001",1056)',
    );
    compare("openpyxl", "the formats", formats, ["@", '"$"#,##0.00']);
    compare("openpyxl", "the width", width, 24);
    compare("openpyxl", "the merged cells", merged, ["A9:B9"]);
    compare("openpyxl", "the table", tables, [["Fees", "A1:C3", ["geoID", "Fee", "Note"]]]);
    return "openpyxl ran";
  }
  return "openpyxl is not installed";
}

/** Compares the first lines of a program's CSV file, without their quotation marks. */
function compareCsv(reader: string, csv: string, ofFunction: string): void {
  const lines = csv.replaceAll('"', "").split(/\r?\n/).slice(0, 6);
  compare(reader, "the cells", lines, [
    "geoID,Fee,Note",
    "06001,$1,234.50,TRUE",
    "06037,$0.25,=1+1",
    ",,",
    `1234.75,${ofFunction},`,
    "“Straße” & <more>,,",
  ]);
}

function readByLibreOffice(): string {
  const filter = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true";
  const told = run(
    "soffice",
    `-env:UserInstallation=file://${folder}/office`,
    "--headless",
    "--convert-to",
    filter,
    path,
  );
  if (told === null) return "LibreOffice is not installed";
  // LibreOffice calculates custom functions anew when it opens the file, and does not know them: docs/command.md.
  compareCsv("LibreOffice", readFileSync(join(folder, "written.csv"), "utf8"), "#NAME?");
  return "LibreOffice ran";
}

function readByGnumeric(): string {
  const told = run(
    "ssconvert",
    "-O",
    "format=preserve",
    "-T",
    "Gnumeric_stf:stf_assistant",
    path,
    join(folder, "gnumeric.txt"),
  );
  if (told === null) return "Gnumeric is not installed";
  compareCsv("Gnumeric", readFileSync(join(folder, "gnumeric.txt"), "utf8"), "kept");
  return "Gnumeric ran";
}

try {
  console.log([readByOpenpyxl(), readByLibreOffice(), readByGnumeric()].join("; "));
  for (const failure of failures) console.error(failure);
  if (failures.length > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
