import { strFromU8, strToU8, unzipSync, zipSync, type Zippable } from "fflate";

export const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
export const RELATIONSHIPS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** Parts of a package by name: XML as text, anything else as bytes. */
export type Parts = Record<string, string | Uint8Array>;

export function zipped(parts: Parts): Uint8Array {
  const entries: Zippable = {};
  for (const [name, content] of Object.entries(parts)) {
    entries[name] = typeof content === "string" ? strToU8(content) : content;
  }
  return zipSync(entries, { mtime: new Date(2026, 0, 2) });
}

/**
 * The parts of a saved file as texts, read by fflate and not by the module's own unzip; a part that is no XML has a character for each
 * byte.
 */
export function partsOf(bytes: Uint8Array): Record<string, string> {
  return Object.fromEntries(
    Object.entries(unzipSync(bytes)).map(([name, content]) => [
      name,
      strFromU8(content, !/\.(?:xml|rels)$/.test(name)),
    ]),
  );
}

/** The names of all parts that differ between two files, or that only one of them has. */
export function changedParts(before: Uint8Array, after: Uint8Array): string[] {
  const [one, other] = [partsOf(before), partsOf(after)];
  return [...new Set([...Object.keys(one), ...Object.keys(other)])]
    .filter((name) => one[name] !== other[name])
    .sort();
}

export function sheetXml(rows: string, { before = "", after = "" } = {}): string {
  return `${declaration}<worksheet xmlns="${MAIN}" xmlns:r="${RELATIONSHIPS}">${before}<sheetData>${rows}</sheetData>${after}</worksheet>`;
}

export function relationships(...all: [id: string, type: string, target: string, mode?: string][]): string {
  const inner = all.map(([id, type, target, mode]) => {
    const whole = type.startsWith("http") ? type : `${RELATIONSHIPS}/${type}`;
    return `<Relationship Id="${id}" Type="${whole}" Target="${target}"${mode ? ` TargetMode="${mode}"` : ""}/>`;
  });
  return `${declaration}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${inner.join("")}</Relationships>`;
}

const sheetType = "application/vnd.openxmlformats-officedocument.spreadsheetml";

export interface HandMade {
  /** The XML of each sheet, by the sheet's name. */
  sheets: Record<string, string>;
  /** XML of the workbook's part, after its sheets. */
  afterSheets?: string;
  beforeSheets?: string;
  sharedStrings?: string;
  styles?: string;
  /** Further parts, and replacements of the parts made here. */
  parts?: Parts;
  /** Further relationships of the workbook. */
  related?: [id: string, type: string, target: string, mode?: string][];
  /** Content types by part name. */
  types?: Record<string, string>;
}

/** The parts of a small workbook. */
export function workbookParts(made: HandMade): Parts {
  const {
    sheets,
    afterSheets = "",
    beforeSheets = "",
    sharedStrings,
    styles,
    parts = {},
    related = [],
    types = {},
  } = made;
  const names = Object.keys(sheets);
  const overrides = {
    "xl/workbook.xml": `${sheetType}.sheet.main+xml`,
    ...Object.fromEntries(
      names.map((_, index) => [`xl/worksheets/sheet${index + 1}.xml`, `${sheetType}.worksheet+xml`]),
    ),
    ...(sharedStrings !== undefined && { "xl/sharedStrings.xml": `${sheetType}.sharedStrings+xml` }),
    ...(styles !== undefined && { "xl/styles.xml": `${sheetType}.styles+xml` }),
    ...types,
  };
  const listed = names.map(
    (name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  );
  return {
    "[Content_Types].xml":
      `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      '<Default Extension="xml" ContentType="application/xml"/>' +
      '<Default Extension="bin" ContentType="application/octet-stream"/>' +
      Object.entries(overrides)
        .map(([name, type]) => `<Override PartName="/${name}" ContentType="${type}"/>`)
        .join("") +
      "</Types>",
    "_rels/.rels": relationships(["rId1", "officeDocument", "xl/workbook.xml"]),
    "xl/workbook.xml":
      `${declaration}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONSHIPS}">${beforeSheets}` +
      `<sheets>${listed.join("")}</sheets>${afterSheets}</workbook>`,
    "xl/_rels/workbook.xml.rels": relationships(
      ...names.map((_, index): [string, string, string] => [
        `rId${index + 1}`,
        "worksheet",
        `worksheets/sheet${index + 1}.xml`,
      ]),
      ...(sharedStrings === undefined
        ? []
        : [["rId90", "sharedStrings", "sharedStrings.xml"] as [string, string, string]]),
      ...(styles === undefined ? [] : [["rId91", "styles", "styles.xml"] as [string, string, string]]),
      ...related,
    ),
    ...Object.fromEntries(
      Object.values(sheets).map((xml, index) => [`xl/worksheets/sheet${index + 1}.xml`, xml]),
    ),
    ...(sharedStrings !== undefined && {
      "xl/sharedStrings.xml": `${declaration}<sst xmlns="${MAIN}">${sharedStrings}</sst>`,
    }),
    ...(styles !== undefined && { "xl/styles.xml": styles }),
    ...parts,
  };
}

/** A workbook whose only sheet, One, holds this table and nothing else. */
export function bookWithTable(table: string, { parts, ...made }: Omit<HandMade, "sheets"> = {}): Uint8Array {
  return workbookBytes({
    ...made,
    sheets: { One: sheetXml("", { after: '<tableParts count="1"><tablePart r:id="rId1"/></tableParts>' }) },
    parts: {
      "xl/worksheets/_rels/sheet1.xml.rels": relationships(["rId1", "table", "../tables/table1.xml"]),
      "xl/tables/table1.xml": table,
      ...parts,
    },
  });
}

export function workbookBytes(made: HandMade): Uint8Array {
  return zipped(workbookParts(made));
}
