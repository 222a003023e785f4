import { openWorkbookFile, type WorkbookFile, WorkbookFileError } from "../../../../xlsx/workbook-file";
import { union } from "../../../address";
import type { CellContents, CellStyle, SheetContents } from "../../../book-contents";
import { type FileIds, idsOf, readXlsx } from "../../../files/read-xlsx";
import { type CellValue, errorTexts, type Rect } from "../../../spreadsheet";
import { HostError, notModelled } from "../../host-error";
import { mustHaveOpenStructure, type Family, type Model } from "../object-model";
import { findSheet } from "../range-object";
import { nextName } from "../tables/table-names";
import { freeCopyName } from "./sheet-order";

/** Sheets of another file. */
export const insertedSheetFamily: Family<"Workbook"> = {
  Workbook: (_self, model) => ({
    calls: {
      // "An array of IDs corresponding to each newly inserted worksheet" (Workbook.insertWorksheetsFromBase64 in @types/office-js).
      InsertWorksheetsFromBase64(base64, options) {
        mustHaveOpenStructure(model);
        const { sheetNamesToInsert, positionType, relativeTo } = optionsOf(options);
        const file = openedFile(base64);
        const place = placeOf(positionType, relativeTo, model);
        const chosen = chosenSheets(file, sheetNamesToInsert);
        mustBeSupported(file, model);
        return insertSheets(file, chosen, place, model);
      },
    },
  }),
};

interface InsertOptions {
  /** Undefined for all of the file's sheets. */
  sheetNamesToInsert: string[] | undefined;
  positionType: string;
  relativeTo: string | undefined;
}

function optionsOf(given: unknown): InsertOptions {
  const options = given ?? {};
  if (typeof options !== "object") throw new HostError("InvalidArgument", "options expected");
  const { sheetNamesToInsert, positionType, relativeTo, ...others } = options as Record<string, unknown>;
  const [other] = Object.keys(others);
  if (other !== undefined) throw new HostError("InvalidArgument", `the option ${other}`);
  const names = sheetNamesToInsert ?? [];
  if (!Array.isArray(names) || names.some((name) => typeof name !== "string"))
    throw new HostError("InvalidArgument", "sheetNamesToInsert expects names of sheets");
  // Office.js sends an object inside of options as its loaded properties, so nothing tells which sheet it is.
  if (relativeTo !== undefined && relativeTo !== null && typeof relativeTo !== "string")
    throw notModelled("Workbook.InsertWorksheetsFromBase64 relativeTo of a Worksheet in place of its name");
  return {
    // Microsoft's article passes [] for all sheets (excel-add-ins-workbooks.md).
    sheetNamesToInsert: names.length > 0 ? names : undefined,
    // "The default position is "End"" (InsertWorksheetOptions.positionType in @types/office-js).
    positionType: String(positionType ?? "End"),
    relativeTo: relativeTo ?? undefined,
  };
}

function openedFile(base64: unknown): WorkbookFile {
  try {
    return openWorkbookFile(bytesOf(base64));
  } catch (cause) {
    if (cause instanceof WorkbookFileError) throw new HostError("InvalidArgument", cause.message);
    throw cause;
  }
}

/** Base64 alone: what a browser's FileReader writes before it ("data:…;base64,") is refused. */
function bytesOf(base64: unknown): Uint8Array {
  if (typeof base64 !== "string" || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64) || base64.length % 4 !== 0)
    throw new HostError("InvalidArgument", "the file is not in Base64");
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/**
 * "If the relativeTo parameter is not set, worksheets will be inserted based on positionType, at the start or end of the current
 * workbook" (InsertWorksheetOptions.relativeTo in @types/office-js).
 */
function placeOf(positionType: string, relativeTo: string | undefined, model: Model): number {
  const sheets = model.spreadsheet.sheets();
  if (!["None", "Before", "After", "Beginning", "End"].includes(positionType))
    throw new HostError("InvalidArgument", `position ${positionType}`);
  const beside = relativeTo === undefined ? null : findSheet(model, relativeTo);
  if (relativeTo !== undefined && !beside) throw new HostError("ItemNotFound", `the sheet ${relativeTo}`);
  const at = sheets.findIndex(({ id }) => id === beside?.id);
  if (positionType === "Beginning" || (positionType === "Before" && !beside)) return 0;
  if (positionType === "Before") return at;
  if (positionType === "After" && beside) return at + 1;
  return sheets.length;
}

/** The names in the order of the file's tabs, which the new sheets keep. */
function chosenSheets(file: WorkbookFile, names: readonly string[] | undefined): string[] {
  const all = file.sheets.map(({ name }) => name);
  if (names === undefined) return all;
  const lost = names.find((name) => !all.includes(name));
  if (lost !== undefined) throw new HostError("InvalidArgument", `the file has no sheet ${lost}`);
  return all.filter((name) => names.includes(name));
}

/** Microsoft names four kinds of content that Excel on the web does not insert. Strict: wherever they stand in the file. */
const refusedParts: [kind: string, part: RegExp][] = [
  ["PivotTable", /\/pivot(?:Tables|Cache)/i],
  ["Chart", /\/chart(?:s|sheets|Ex)?\//i],
  ["Comment", /\/(?:comments\d*\.xml$|comments\/|threadedComments\/)/i],
  ["Slicer", /\/slicer/i],
];

/** "If those objects are present, the method returns the UnsupportedFeature error in Excel on the web" (excel-add-ins-workbooks.md). */
function mustBeSupported(file: WorkbookFile, { shell }: Model): void {
  const { partNames } = file;
  for (const [kind, part] of refusedParts) {
    if (partNames.some((name) => part.test(`/${name}`))) throw new HostError("UnsupportedFeature", kind);
  }
  if (file.uses1904)
    throw notModelled("Workbook.InsertWorksheetsFromBase64 of a file that counts days from 1904");
  const lost = [
    ...(partNames.some((name) => /\/media\//.test(name)) ? ["pictures"] : []),
    ...(file.sheets.some((sheet) => sheet.otherFormulas.length > 0)
      ? ["conditional formats and data validation"]
      : []),
  ];
  if (lost.length > 0)
    shell.report(
      `The workbench inserts sheets without their ${lost.join(" and ")}. (Workbook.InsertWorksheetsFromBase64)`,
    );
}

/** The ids of the new sheets. In formulas, sheets that stay behind are #REF!, and those that get another name are called by it. */
function insertSheets(file: WorkbookFile, chosen: string[], place: number, model: Model): string[] {
  const { spreadsheet, document } = model;
  const visibilities = new Map(file.sheets.map(({ name, visibility }) => [name, visibility]));
  // Only visible ones can be removed down to any.
  for (const sheet of file.sheets) if (chosen.includes(sheet.name)) file.setVisibility(sheet, "visible");
  for (const sheet of [...file.sheets]) if (!chosen.includes(sheet.name)) file.removeSheet(sheet);
  const ids = chosen.map((name) => {
    const newName = freeCopyName(
      name,
      (wanted) => findSheet(model, wanted) !== null || (wanted !== name && hasSheet(file, wanted)),
    );
    const sheet = file.sheets.find((each) => each.name === name);
    if (sheet && newName !== name) file.renameSheet(sheet, newName);
    return spreadsheet.addSheet(newName).id;
  });
  ids.forEach((id, index) => spreadsheet.moveSheet(id, place + index));

  const fileIds: FileIds = {
    ...idsOf(file),
    sheet: (sheet) => ids[file.sheets.indexOf(sheet)] ?? "",
  };
  const { contents } = readXlsx(file, { id: "", namespace: model.functionNamespace ?? "" }, fileIds);
  const formulaText = withTableNames(
    contents.tables.flatMap((table) => {
      const isTaken = spreadsheet
        .tables()
        .some(({ name }) => name.toLowerCase() === table.name.toLowerCase());
      const name = isTaken ? nextName("Table", [...spreadsheet.tables(), ...contents.tables]) : table.name;
      const { id: _, filters = {}, ...rest } = table;
      const { id } = spreadsheet.addTable({ ...rest, name });
      for (const [column, texts] of Object.entries(filters))
        spreadsheet.filterTable(id, Number(column), texts);
      return isTaken ? [[table.name, name] as const] : [];
    }),
  );
  for (const name of contents.names) {
    const formula = formulaText(name.formula);
    // A name of the workbook that leads to none of the new sheets stays behind.
    if (name.sheetId === null && !chosen.some((_, index) => namesSheet(formula, file.sheets[index]?.name)))
      continue;
    const isTaken = spreadsheet
      .names()
      .some((other) => other.sheetId === null && other.name.toLowerCase() === name.name.toLowerCase());
    const owner = ids[file.sheets.findIndex((sheet) => namesSheet(formula, sheet.name))] ?? null;
    // As by Move or Copy in Excel: a name that the workbook has already belongs to the new sheet.
    spreadsheet.addName({ ...name, formula, sheetId: name.sheetId ?? (isTaken ? owner : null) });
  }
  for (const sheet of contents.sheets) fillSheet(sheet, formulaText, model);
  chosen.forEach((name, index) => {
    const [id, visibility] = [ids[index] ?? "", visibilities.get(name)];
    if (visibility === "visible") return;
    spreadsheet.hideSheet(id, true);
    if (visibility === "veryHidden") document.veryHiddenSheets.add(id);
  });
  return ids;
}

const hasSheet = (file: WorkbookFile, name: string) =>
  file.sheets.some((sheet) => sheet.name.toLowerCase() === name.toLowerCase());

function namesSheet(formula: string, name: string | undefined): boolean {
  if (name === undefined) return false;
  return [`${name}!`, `'${name.replaceAll("'", "''")}'!`].some((written) => formula.includes(written));
}

/** The way of a formula's text in which tables are called by their new names. */
function withTableNames(renamed: (readonly [from: string, to: string])[]): (formula: string) => string {
  return (formula) =>
    renamed.reduce(
      (text, [from, to]) => text.replace(new RegExp(`(?<![\\w.])${from}(?=\\[)`, "giu"), to),
      formula,
    );
}

/** So many rows are written at a time: cells far apart would make one rectangle of millions. */
const BAND = 500;

function fillSheet(sheet: SheetContents, formulaText: (formula: string) => string, { spreadsheet }: Model) {
  const { id } = sheet;
  const bands = new Map<number, CellContents[]>();
  for (const cell of sheet.cells) {
    const band = Math.floor(cell.row / BAND);
    bands.set(band, [...(bands.get(band) ?? []), cell]);
  }
  const placed = [...bands.values()].map((cells) => ({
    cells,
    rect: cells.reduce<Rect | null>(
      (all, { row, column }) => union(all, { row, column, rows: 1, columns: 1 }),
      null,
    )!,
  }));
  const rowsOf = <Value>(
    { cells, rect }: (typeof placed)[number],
    valueOf: (cell: CellContents) => Value,
  ) => {
    const rows = Array.from({ length: rect.rows }, () => Array<Value | null>(rect.columns).fill(null));
    for (const cell of cells) rows[cell.row - rect.row]![cell.column - rect.column] = valueOf(cell);
    return rows;
  };
  // Formats come first: a text in a cell of texts is taken as it is.
  for (const band of placed)
    spreadsheet.writeNumberFormats(
      id,
      band.rect,
      rowsOf(band, ({ style }) => style.numberFormat),
    );
  for (const band of placed)
    spreadsheet.writeFormulas(
      id,
      band.rect,
      rowsOf(band, ({ formula, value }) => (formula === undefined ? entered(value) : formulaText(formula))),
    );
  for (const { rect, style } of alike(sheet.cells)) {
    const { numberFormat: _, ...look } = style;
    spreadsheet.applyStyle(id, rect, look);
  }
  for (const { row, column, link } of sheet.cells)
    if (link !== undefined) spreadsheet.setLink(id, row, column, link);
  for (const rect of sheet.merged) spreadsheet.merge(id, rect);
  for (const [column, width] of sheet.columnWidths) spreadsheet.setColumnWidth(id, column, 1, width);
  if (sheet.frozen.rows + sheet.frozen.columns > 0) spreadsheet.freeze(id, sheet.frozen);
}

/** A value as a user would enter it so that it stays what it is. */
function entered(value: CellValue): CellValue {
  return typeof value === "string" && value !== "" && !errorTexts.has(value) ? `'${value}` : value;
}

/** Neighbors in a row that look the same, together. */
function alike(cells: readonly CellContents[]): { rect: Rect; style: CellStyle }[] {
  const runs: { rect: Rect; style: CellStyle }[] = [];
  for (const { row, column, style } of cells) {
    const last = runs.at(-1);
    if (last?.style === style && last.rect.row === row && last.rect.column + last.rect.columns === column)
      last.rect.columns += 1;
    else runs.push({ rect: { row, column, rows: 1, columns: 1 }, style });
  }
  return runs.filter(({ style }) => isLooked(style));
}

function isLooked({ fillColor, fontColor, bold, italic, wrapText, ...alignment }: CellStyle): boolean {
  const { horizontalAlignment, verticalAlignment, indentLevel } = alignment;
  return (
    fillColor !== null ||
    fontColor !== null ||
    bold ||
    italic ||
    wrapText ||
    horizontalAlignment !== "General" ||
    verticalAlignment !== "Bottom" ||
    indentLevel > 0
  );
}
