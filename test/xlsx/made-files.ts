/** Workbook files as the world makes them, written by hand from what a generator chose, with what stands in them as the generator knows it. */
import fc from "fast-check";
import { cellReference } from "../../xlsx/workbook-file";
import { MAIN, type Parts, relationships, RELATIONSHIPS, workbookParts, zipped } from "./hand-made";

/** A cell's contents as they are to be read. */
export interface Known {
  value: string | number | boolean | null;
  isError: boolean;
  formula: string | undefined;
}

export type Model = Map<string, Known>;

/** How the command sees a formula of ours. */
type OursState = "live" | "stuck" | "gone";

export interface MadeFile {
  bytes: Uint8Array;
  /** The worksheets that can be read, in order, with their cells. */
  sheets: { name: string; part: string; cells: Model }[];
  /** The formulas of ours by sheet and place. */
  ours: Map<string, OursState>;
}

const rowCount = 9;
/** Columns A to F have cells of all kinds; H has a shared formula, and J one that spills. */
const columnCount = 6;
const sharedColumn = 7;
const spillColumn = 9;

const texts = ["", "first", "caf\u00e9 \u00fc", " a  b ", "_x005F_x0041_", "1,5"];
const shownTexts = ["", "first", "caf\u00e9 \u00fc", " a  b ", "_x0041_", "1,5"];

/** Errors newer than the file format, as numbers of rich values. Source: Excel's API, ErrorCellValueType. */
const newerErrors: [number, string][] = [
  [14, "#BUSY!"],
  [8, "#SPILL!"],
  [13, "#CALC!"],
  [12, "#FIELD!"],
];

/** The content of a cell: its attributes, the XML in it, and how it is to be read. */
interface Content {
  attributes?: string;
  xml: string;
  known: Omit<Known, "formula">;
}

const plain = (xml: string, value: Known["value"], type = ""): Content => ({
  ...(type !== "" && { attributes: ` t="${type}"` }),
  ...{ xml, known: { value, isError: type === "e" } },
});

const contents: Content[] = [
  plain("", null),
  plain("<v>7</v>", 7),
  plain("<v>1.5E-3</v>", 0.0015, "n"),
  plain("<v>NaN</v>", "NaN"),
  plain("<v>28.01.2007</v>", "28.01.2007", "n"),
  plain("<v></v>", null),
  plain("<v/>", null, "s"),
  plain("<v></v>", null, "s"),
  plain("<v>-1</v>", null, "s"),
  plain("<v>99</v>", null, "s"),
  ...shownTexts.map((text, index) => plain(`<v>${index}</v>`, text, "s")),
  plain("<v>1</v>", true, "b"),
  plain("<v>TRUE</v>", true, "b"),
  plain("<v>false</v>", false, "b"),
  plain("<v>#N/A</v>", "#N/A", "e"),
  plain("<v>#DIV/0!</v>", "#DIV/0!", "e"),
  plain("<v>tab_x0009_&lt;</v>", "tab\t<", "str"),
  plain('<is><t xml:space="preserve"> in </t></is>', " in ", "inlineStr"),
  plain("<is><r><t>a</t></r><r><rPr><b/></rPr><t><![CDATA[<b>]]></t></r></is>", "a<b>", "inlineStr"),
  ...newerErrors.map(([, error], index) => ({
    ...{
      attributes: ` t="e" vm="${index + 1}"`,
      xml: "<v>#VALUE!</v>",
      known: { value: error, isError: true },
    },
  })),
];

/** A day that a cell has as a text: 31 March 2026 is day 46,112 of the usual calendar, and day 44,650 of the one from 1904. */
const dateOf = (uses1904: boolean) => plain("<v>2026-03-31</v>", uses1904 ? 44_650 : 46_112, "d");

const ours: Record<string, OursState> = {
  '_xldudf_REGDATA_VALUE("06001",1003)': "live",
  'IF(A1=1,_xldudf_REGDATA_VALUE("06001",1003),"")': "live",
  'REGDATA.VALUE("06001",1003)': "stuck",
  'regdata.value("06001",1003)&amp;"x"': "stuck",
  '[1]!_xldudf_REGDATA_VALUE("06001",1003)': "stuck",
  'X.xla!_xldudf_REGDATA_VALUE("06001",1003)': "stuck",
  '_xll.REGDATA.VALUE("06001",1003)': "stuck",
  '#REF!("06001",1003)': "gone",
};

const others = [
  ...[
    "A1+1",
    "SUM(A1:B9)",
    '"REGDATA.VALUE("&amp;A1',
    "_xlfn._TRO_TRAILING(A2:A9)",
    "_xlfn._TRO_ALL($A$2:$A$9)",
  ],
  ...["_xlfn.FUTURE9(1,_xlfn._xlws.FUTURE8(A1))", "_xldudf_OTHER_FUN(1)", "IFERROR(#REF!,0)"],
];

const cell = fc.record({
  row: fc.nat(rowCount - 1),
  column: fc.nat(columnCount - 1),
  content: fc.oneof(
    { weight: 3, arbitrary: fc.nat(contents.length) },
    { weight: 1, arbitrary: fc.nat(newerErrors.length - 1).map((index) => contents.length - 1 - index) },
  ),
  formula: fc.oneof(
    { weight: 1, arbitrary: fc.constant("") },
    fc.constantFrom(...others, ...Object.keys(ours)),
  ),
  /** 0 to 2 are formats that the workbook has; 3 is none. */
  style: fc.nat(3),
});

const encodings = ["UTF-8", "UTF-8 with mark", "ISO-8859-1", "UTF-16LE", "UTF-16BE"] as const;

const features = fc.record({
  cells: fc.uniqueArray(cell, { maxLength: 24, selector: ({ row, column }) => row * columnCount + column }),
  /** The row of the shared formula's text among its four; null for none. */
  sharedAt: fc.option(fc.nat(3)),
  spills: fc.boolean(),
  /** Rows and cells in this order, by a number for each. */
  shuffle: fc.option(fc.array(fc.nat(1_000), { minLength: rowCount, maxLength: rowCount })),
  /** Rows and cells say where they stand; otherwise they follow one another, with blank ones between. Only where they are in order. */
  hasPlaces: fc.boolean(),
  dimension: fc.constantFrom("", "A1", "A1:J9"),
  encoding: fc.constantFrom(...encodings),
  textEncoding: fc.constantFrom(...encodings),
  xmlType: fc.constantFrom("usual", "none", "the workbook's"),
  prefix: fc.constantFrom("", "", "x:"),
  uses1904: fc.boolean(),
  hasBackslashes: fc.boolean(),
  hasSheetWithoutPart: fc.boolean(),
  hidden: fc.constantFrom("", "hidden", "veryHidden"),
  around: fc.subarray(["merged", "rules", "validation", "links", "margins", "protection", "extension"]),
  hasChain: fc.boolean(),
  hasNames: fc.boolean(),
});

type Features = typeof features extends fc.Arbitrary<infer Value> ? Value : never;

/** Any workbook's file, with what stands in it. */
export const madeFile: fc.Arbitrary<MadeFile> = features.map(made);

function made(chosen: Features): MadeFile {
  const { encoding, textEncoding, hidden, hasSheetWithoutPart, uses1904, xmlType, prefix, hasBackslashes } =
    chosen;
  const ours = new Map<string, OursState>();
  const one = sheetOf(chosen, "One", ours);
  const two: Model = new Map([["B2", { value: "second", isError: false, formula: undefined }]]);
  const state = hidden === "" ? "" : ` state="${hidden}"`;
  const parts = workbookParts({
    sheets: {
      One: prefixed(one.xml, prefix),
      [`Two"${state} x="`]: `<worksheet xmlns="${MAIN}"><sheetData><row r="2"><c r="B2" t="inlineStr"><is><t>second</t></is></c></row></sheetData></worksheet>`,
    },
    beforeSheets: `<workbookPr${uses1904 ? ' date1904="true"' : ""}/>`,
    afterSheets: chosen.hasNames
      ? '<definedNames><definedName name="Rate">One!$A$1</definedName><definedName name="Ours">REGDATA.VALUE("06001",1)</definedName></definedNames><calcPr calcId="191029"/>'
      : "",
    sharedStrings: texts.map((text) => `<si><t xml:space="preserve">${text}</t></si>`).join(""),
    styles,
    parts: {
      "xl/metadata.xml": metadata,
      "xl/richData/rdrichvalue.xml": richValues,
      "xl/richData/rdrichvaluestructure.xml": `<rvStructures xmlns="${rich}" count="1"><s t="_error"><k n="errorType" t="i"/></s></rvStructures>`,
      "xl/worksheets/_rels/sheet1.xml.rels": relationships([
        "rId1",
        "hyperlink",
        "https://example.com/",
        "External",
      ]),
      "xl/mine.bin": Uint8Array.from([0, 1, 2, 255]),
      ...(chosen.hasChain && {
        "xl/calcChain.xml": `<calcChain xmlns="${MAIN}"><c r="A1" i="1"/></calcChain>`,
      }),
    },
    related: [
      ["rId70", "sheetMetadata", "metadata.xml"],
      [
        "rId71",
        "http://schemas.microsoft.com/office/2017/06/relationships/rdRichValue",
        "richData/rdrichvalue.xml",
      ],
      [
        "rId72",
        "http://schemas.microsoft.com/office/2017/06/relationships/rdRichValueStructure",
        "richData/rdrichvaluestructure.xml",
      ],
      ["rId73", "urn:mine", "mine.bin"],
      ...(chosen.hasChain ? [["rId74", "calcChain", "calcChain.xml"] as [string, string, string]] : []),
    ],
    types: {
      "xl/metadata.xml": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheetMetadata+xml",
      "xl/richData/rdrichvalue.xml": "application/vnd.ms-excel.rdrichvalue+xml",
      "xl/richData/rdrichvaluestructure.xml": "application/vnd.ms-excel.rdrichvaluestructure+xml",
    },
  });
  const change = (name: string, edit: (text: string) => string) => (parts[name] = edit(String(parts[name])));
  change("xl/workbook.xml", (text) => text.replace(/ x="" /, " "));
  if (hasSheetWithoutPart)
    change("xl/workbook.xml", (text) =>
      text.replace("</sheets>", '<sheet name="Module1" sheetId="9" r:id="rId99"/></sheets>'),
    );
  if (xmlType !== "usual")
    change("[Content_Types].xml", (text) =>
      text.replace(
        /<Default Extension="xml"[^>]*>/,
        xmlType === "none"
          ? ""
          : '<Default Extension="xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>',
      ),
    );
  for (const [name, text] of Object.entries(parts))
    if (typeof text === "string" && /sheet1\.xml$|workbook\.xml$/.test(name))
      parts[name] = encoded(text, encoding);
    else if (typeof text === "string" && /sharedStrings\.xml$|styles\.xml$/.test(name))
      parts[name] = encoded(text, textEncoding);
  return {
    bytes: zipped(hasBackslashes ? withBackslashes(parts) : parts),
    sheets: [
      { name: "One", part: "xl/worksheets/sheet1.xml", cells: one.cells },
      { name: "Two", part: "xl/worksheets/sheet2.xml", cells: two },
    ],
    ours,
  };
}

function sheetOf(
  chosen: Features,
  name: string,
  oursFound: Map<string, OursState>,
): { xml: string; cells: Model } {
  const cells: Model = new Map();
  const rows = new Map<number, { column: number; xml: string }[]>();
  const put = (row: number, column: number, attributes: string, inner: string, known: Known) => {
    const at = cellReference(row, column);
    const ofRow = rows.get(row) ?? [];
    rows.set(row, ofRow);
    ofRow.push({
      column,
      xml: inner === "" ? `<c r="${at}"${attributes}/>` : `<c r="${at}"${attributes}>${inner}</c>`,
    });
    if (known.value !== null || known.formula !== undefined) cells.set(at, known);
  };
  for (const { row, column, content, formula, style } of chosen.cells) {
    const { attributes = "", xml, known } = contents[content] ?? dateOf(chosen.uses1904);
    // A text within the cell is no result of a formula.
    const hasFormula = formula !== "" && !attributes.includes("inlineStr");
    const shown = hasFormula ? formula.replaceAll("&amp;", "&") : undefined;
    const inner = (hasFormula ? `<f>${formula}</f>` : "") + xml;
    put(row, column, `${style < 3 ? ` s="${style}"` : ""}${attributes}`, inner, { ...known, formula: shown });
    const state = hasFormula ? ours[formula] : undefined;
    const isStuck = state === "live" && (known.value === "#BUSY!" || known.value === "#NAME?");
    if (state) oursFound.set(`${name}!${cellReference(row, column)}`, isStuck ? "stuck" : state);
  }
  if (chosen.sharedAt !== null)
    for (let row = 0; row < 4; row += 1) {
      const isFirst = row === chosen.sharedAt;
      const text = `$A$1*B${row + 1}`;
      const inner = `<f t="shared"${isFirst ? ' ref="H1:H4"' : ""} si="0">${isFirst ? text : ""}</f><v>${row}</v>`;
      put(row, sharedColumn, "", inner, { value: row, isError: false, formula: text });
    }
  if (chosen.spills) {
    put(4, spillColumn, ' cm="1"', '<f t="array" ref="J5:J7">_xlfn.SEQUENCE(3)</f><v>1</v>', {
      ...{ value: 1, isError: false, formula: "_xlfn.SEQUENCE(3)" },
    });
    for (const row of [5, 6])
      put(row, spillColumn, "", `<v>${row - 3}</v>`, { value: row - 3, isError: false, formula: undefined });
  }
  const { shuffle, around } = chosen;
  const inOrder = [...rows].sort(([a], [b]) => (shuffle ? (shuffle[a] ?? 0) - (shuffle[b] ?? 0) : a - b));
  const written = inOrder.map(([row, all]) => {
    const turn = shuffle && (shuffle[row] ?? 0) % 2 === 1 ? -1 : 1;
    const inner = all.sort((one, other) => turn * (one.column - other.column)).map(({ xml }) => xml);
    return `<row r="${row + 1}" ht="20" customHeight="1">${inner.join("")}</row>`;
  });
  const data = shuffle || chosen.hasPlaces ? written : withoutPlaces(rows);
  const has = (feature: Features["around"][number], xml: string) => (around.includes(feature) ? xml : "");
  const xml =
    `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="${MAIN}" xmlns:r="${RELATIONSHIPS}">` +
    (chosen.dimension === "" ? "" : `<dimension ref="${chosen.dimension}"/>`) +
    `<sheetFormatPr defaultRowHeight="15"/><sheetData>${data.join("")}</sheetData>` +
    has("protection", '<sheetProtection sheet="1"/>') +
    has("merged", '<mergeCells count="1"><mergeCell ref="L1:M2"/></mergeCells>') +
    has(
      "rules",
      '<conditionalFormatting sqref="A1:B2"><cfRule type="expression" priority="1"><formula>REGDATA.VALUE(A1,1)=1</formula></cfRule></conditionalFormatting>',
    ) +
    has(
      "validation",
      '<dataValidations count="1"><dataValidation type="list" sqref="C1"><formula1>$A$1:$A$3</formula1></dataValidation></dataValidations>',
    ) +
    has("links", '<hyperlinks><hyperlink ref="L9" r:id="rId1"/></hyperlinks>') +
    has(
      "margins",
      '<pageMargins left="0.7" right="0.7" top="0.75" bottom="0.75" header="0.3" footer="0.3"/>',
    ) +
    has("extension", '<extLst><ext uri="{00000000-0000-0000-0000-000000000001}"/></extLst>') +
    "</worksheet>";
  return { xml, cells };
}

/** Rows and cells that follow one another, with blank ones between. */
function withoutPlaces(rows: ReadonlyMap<number, readonly { column: number; xml: string }[]>): string[] {
  return Array.from({ length: rowCount }, (_, row) => {
    const cells = Array.from(
      { length: spillColumn + 1 },
      (__, column) =>
        rows
          .get(row)
          ?.find((each) => each.column === column)
          ?.xml.replace(/ r="[^"]*"/, "") ?? "<c/>",
    );
    return rows.has(row) ? `<row>${cells.join("")}</row>` : "<row/>";
  });
}

/** The XML with a prefix for each element of the main namespace. */
function prefixed(xml: string, prefix: string): string {
  if (prefix === "") return xml;
  const parts = xml.split(/(<!\[CDATA\[.*?\]\]>)/s);
  return parts
    .map((part) => (part.startsWith("<![") ? part : part.replace(/<(\/?)(?=[a-z])/gi, `<$1${prefix}`)))
    .join("")
    .replace(` xmlns="`, ` xmlns:${prefix.slice(0, -1)}="`);
}

function encoded(text: string, encoding: (typeof encodings)[number]): Uint8Array {
  const declared = (name: string) => {
    const declaration = `<?xml version="1.0" encoding="${name}"?>`;
    return declaration + text.replace(/^<\?xml[^>]*\?>\s*/, "");
  };
  switch (encoding) {
    case "UTF-8":
      return new TextEncoder().encode(text);
    case "UTF-8 with mark":
      return new TextEncoder().encode(`\uFEFF${text}`);
    case "ISO-8859-1":
      return new Uint8Array(Buffer.from(declared("ISO-8859-1"), "latin1"));
    case "UTF-16LE":
      return new Uint8Array(Buffer.from(`\uFEFF${declared("UTF-16")}`, "utf16le"));
    case "UTF-16BE":
      return new Uint8Array(Buffer.from(`\uFEFF${declared("UTF-16")}`, "utf16le").swap16());
  }
}

function withBackslashes(parts: Parts): Parts {
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name.replaceAll("/", "\\"), part]));
}

const rich = "http://schemas.microsoft.com/office/spreadsheetml/2017/richdata";

const block = (xml: string, uri: string) => `<bk><extLst><ext uri="${uri}">${xml}</ext></extLst></bk>`;
const metadata =
  `<metadata xmlns="${MAIN}" xmlns:xlrd="${rich}" xmlns:xda="http://schemas.microsoft.com/office/spreadsheetml/2017/dynamicarray">` +
  '<metadataTypes count="2"><metadataType name="XLDAPR" minSupportedVersion="120000" cellMeta="1"/><metadataType name="XLRICHVALUE" minSupportedVersion="120000"/></metadataTypes>' +
  `<futureMetadata name="XLDAPR" count="1">${block('<xda:dynamicArrayProperties fDynamic="1" fCollapsed="0"/>', "{bdbb8cdc-fa1e-496e-a857-3c3f30c029c3}")}</futureMetadata>` +
  `<futureMetadata name="XLRICHVALUE" count="${newerErrors.length}">${newerErrors.map((_, index) => block(`<xlrd:rvb i="${index}"/>`, "{3e2802c4-a4d2-4d8b-9148-e3be6c30e623}")).join("")}</futureMetadata>` +
  '<cellMetadata count="1"><bk><rc t="1" v="0"/></bk></cellMetadata>' +
  `<valueMetadata count="${newerErrors.length}">${newerErrors.map((_, index) => `<bk><rc t="2" v="${index}"/></bk>`).join("")}</valueMetadata></metadata>`;
const richValues = `<rvData xmlns="${rich}" count="${newerErrors.length}">${newerErrors.map(([code]) => `<rv s="0"><v>${code}</v></rv>`).join("")}</rvData>`;

/** A plain format, one with a border, and one that shows a checkbox. */
const styles =
  `<?xml version="1.0" encoding="UTF-8"?><styleSheet xmlns="${MAIN}"><fonts count="1"><font/></fonts><fills count="1"><fill/></fills>` +
  '<borders count="2"><border/><border><left style="thin"/></border></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf/><xf borderId="1"/>' +
  '<xf><extLst><ext xmlns:xfpb="http://schemas.microsoft.com/office/spreadsheetml/2022/featurepropertybag" uri="{C7286773-470A-42A8-94C5-96B5CB345126}"><xfpb:xfComplement i="0"/></ext></extLst></xf></cellXfs></styleSheet>';
