import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { createService } from "../../../reference-service/service";
import { openWorkbookFile } from "../../../xlsx/workbook-file";
import type { Interception } from "../../recorded-service";
import { MAIN, partsOf, RELATIONSHIPS, zipped } from "../../xlsx/hand-made";
import { createPlayer, playFolder } from "../played-io";

const microsoft = "http://schemas.microsoft.com/office";
const x14 = `${microsoft}/spreadsheetml/2009/9/main`;
const threads = `${microsoft}/spreadsheetml/2018/threadedcomments`;
const bag = `${microsoft}/spreadsheetml/2022/featurepropertybag`;
const box = `<extLst><ext xmlns:xfpb="${bag}" uri="{C7286773-470A-42A8-94C5-96B5CB345126}"><xfpb:xfComplement i="0"/></ext></extLst>`;
const question = "Minimum Permit Fee ($)";
const fees = `Table1[${question}]`;
const live = '_xldudf_REGDATA_VALUE("32003",1003)';

/**
 * Pieces of parts that hold features of Excel's in a workbook whose table, Table1, has this many rows of jurisdictions, a calculated column
 * and a totals row, and stands above a text with a note.
 */
function features(rows: number) {
  const [last, totals, text] = [rows + 1, rows + 2, rows + 4];
  const table = [
    `ref="A1:G${totals}"`,
    'totalsRowCount="1"',
    `<autoFilter ref="A1:G${last}"><filterColumn colId="1"><filters><filter val="NV"/></filters></filterColumn></autoFilter>`,
    "<calculatedColumnFormula>E2*2</calculatedColumnFormula>",
    '<tableStyleInfo name="TableStyleMedium2" showFirstColumn="0" showLastColumn="0" showRowStripes="1" showColumnStripes="0"/>',
  ];
  const sheet = [
    `<c r="A${totals}" t="inlineStr"><is><t>Total</t></is></c>`,
    `<f>SUBTOTAL(109,${fees})</f>`,
    `<c r="A${text}" t="inlineStr"><is><r><rPr><b/></rPr><t>Ask</t></r><r><t xml:space="preserve"> first</t></r></is></c>`,
    `<c r="B${text + 1}"><f>LEN(A${text})</f><v>9</v></c>`,
    `<c r="J2" s="6" t="b"><v>1</v></c>`,
    `<c r="J3"><f>LEN($A$${text})</f><v>9</v></c>`,
    '<row r="20" outlineLevel="1">',
    '<row r="21" outlineLevel="1" hidden="1">',
    `<conditionalFormatting sqref="E2:E${last}"><cfRule type="duplicateValues" priority="9"/></conditionalFormatting>`,
    `<conditionalFormatting sqref="A${text}"><cfRule type="expression" priority="10"><formula>$A$${text}="x"</formula></cfRule></conditionalFormatting>`,
    `<dataValidation type="list" sqref="B${text}"><formula1>$A$${text}:$A$${text}</formula1></dataValidation>`,
    `<x14:slicerList><x14:slicer r:id="rIdL"/></x14:slicerList>`,
  ];
  const workbook = [
    `<definedName name="AllFees">${fees}</definedName>`,
    `<definedName name="FirstFee">'NV Minimum Permit Fee'!$E$2</definedName>`,
    `<definedName name="Reminder">'NV Minimum Permit Fee'!$A$${text}</definedName>`,
    `>'NV Minimum Permit Fee'!$A$1:$G$${text + 1}</definedName>`,
  ];
  const comments = [`<comment ref="A${text}" authorId="0">`, '<comment ref="A2" authorId="0">'];
  const frames = [`<x:Row>${text - 1}</x:Row>`, "<x:Row>1</x:Row>"];
  return {
    "xl/tables/table1.xml": table,
    "xl/worksheets/sheet1.xml": sheet,
    "xl/workbook.xml": workbook,
    "xl/comments1.xml": comments,
    "xl/drawings/vmlDrawing1.vml": frames,
    "xl/threadedComments/threadedComment1.xml": [`ref="A${text}"`],
    "xl/styles.xml": [box],
  };
}

/** Parts that know nothing of where cells stand, by name: they stay byte for byte. */
const others: Record<string, string> = {
  "xl/slicerCaches/slicerCache1.xml": `<slicerCacheDefinition xmlns="${x14}" name="Slicer_Type" sourceName="Type"><extLst><x:ext xmlns:x="${MAIN}" uri="{2F2917AC-EB37-4324-AD4E-5DD8C200BD13}"><x15:tableSlicerCache xmlns:x15="${microsoft}/spreadsheetml/2010/11/main" tableId="1" column="3"/></x:ext></extLst></slicerCacheDefinition>`,
  "xl/slicers/slicer1.xml": `<slicers xmlns="${x14}"><slicer name="Type" cache="Slicer_Type" caption="Type" rowHeight="241300"/></slicers>`,
  "xl/pivotCache/pivotCacheDefinition1.xml": `<pivotCacheDefinition xmlns="${MAIN}"><cacheSource type="worksheet"><worksheetSource name="Table1"/></cacheSource><cacheFields count="1"><cacheField name="State"/></cacheFields></pivotCacheDefinition>`,
  "xl/persons/person.xml": `<personList xmlns="${threads}"><person displayName="Maria" id="{11111111-1111-4111-8111-111111111111}" userId="maria" providerId="None"/></personList>`,
};

const related = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="${type.startsWith("http") ? type : `${RELATIONSHIPS}/${type}`}" Target="${target}"/>`;

/** Gives a workbook with a find's table of three rows all the features, a live formula in I2 and a stuck one in I3. */
function withFeatures(bytes: Uint8Array): Uint8Array {
  const parts = partsOf(bytes);
  const change = (name: string, ...changes: [at: string | RegExp, put: string][]) => {
    for (const [at, put] of changes) {
      if (parts[name]!.search(at) < 0 && !parts[name]!.includes(String(at)))
        throw new Error(`${name}: ${at}`);
      parts[name] = parts[name]!.replace(at, () => put);
    }
  };
  const its = features(3);
  const [, , filter, calculated] = its["xl/tables/table1.xml"];
  change(
    "xl/tables/table1.xml",
    ['ref="A1:F4"', 'ref="A1:G5"'],
    ['totalsRowShown="0"', 'totalsRowCount="1"'],
    ['<autoFilter ref="A1:F4"/>', filter!],
    ['count="6"', 'count="7"'],
    ["</tableColumns>", `<tableColumn id="7" name="Twice">${calculated}</tableColumn></tableColumns>`],
  );
  const sheet = its["xl/worksheets/sheet1.xml"];
  const twice = (row: number) => `<c r="G${row}"><f>E${row}*2</f><v>50</v></c>`;
  change(
    "xl/worksheets/sheet1.xml",
    ['<dimension ref="A1:F4"/>', '<dimension ref="A1:K21"/>'],
    [/<\/row>(?=<row r="2">)/, '<c r="G1" t="inlineStr"><is><t>Twice</t></is></c></row>'],
    [
      /<\/row>(?=<row r="3">)/,
      `${twice(2)}<c r="I2" t="str" cm="1"><f t="array" ref="I2">${live}</f><v>2024 NEC</v></c>${sheet[4]}</row>`,
    ],
    [
      /<\/row>(?=<row r="4">)/,
      `${twice(3)}<c r="I3" t="e" cm="1"><f t="array" aca="1" ref="I3" ca="1">REGDATA.VALUE("32003",1003)</f><v>#NAME?</v></c>${sheet[5]}</row>`,
    ],
    [
      "</row></sheetData>",
      `${twice(4)}</row><row r="5">${sheet[0]}<c r="E5">${sheet[1]}<v>75</v></c></row>` +
        `<row r="7">${sheet[2]}</row><row r="8">${sheet[3]}</row>` +
        `${sheet[6]}<c r="K20"><v>1</v></c></row>${sheet[7]}<c r="K21"><v>2</v></c></row></sheetData>` +
        `${sheet[8]}${sheet[9]}<dataValidations count="1">${sheet[10]}</dataValidations>`,
    ],
    ["<tableParts", `<legacyDrawing xmlns:r="${RELATIONSHIPS}" r:id="rIdV"/><tableParts`],
    [
      "</tableParts>",
      `</tableParts><extLst><ext xmlns:x14="${x14}" xmlns:r="${RELATIONSHIPS}" uri="{3A4CF648-6AED-40f4-86FF-DC5316D8AED3}">${sheet[11]}</ext></extLst>`,
    ],
  );
  change(
    "xl/styles.xml",
    ['<cellXfs count="6">', '<cellXfs count="7">'],
    ["</cellXfs>", `<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0">${box}</xf></cellXfs>`],
  );
  const names = its["xl/workbook.xml"];
  change("xl/workbook.xml", [
    /<definedNames>.*<\/definedNames>/,
    `<definedNames><definedName name="_xlnm.Print_Area" localSheetId="0"${names[3]}${names.slice(0, 3).join("")}</definedNames>`,
  ]);
  change("xl/_rels/workbook.xml.rels", [
    "</Relationships>",
    related("rIdC", `${microsoft}/2007/relationships/slicerCache`, "slicerCaches/slicerCache1.xml") +
      related("rIdP", "pivotCacheDefinition", "pivotCache/pivotCacheDefinition1.xml") +
      `${related("rIdM", `${microsoft}/2017/10/relationships/person`, "persons/person.xml")}</Relationships>`,
  ]);
  change("xl/worksheets/_rels/sheet1.xml.rels", [
    "</Relationships>",
    related("rIdL", `${microsoft}/2007/relationships/slicer`, "../slicers/slicer1.xml") +
      related("rIdN", "comments", "../comments1.xml") +
      related("rIdV", "vmlDrawing", "../drawings/vmlDrawing1.vml") +
      related(
        "rIdT",
        `${microsoft}/2017/10/relationships/threadedComment`,
        "../threadedComments/threadedComment1.xml",
      ) +
      "</Relationships>",
  ]);
  const type = (name: string, kind: string) =>
    `<Override PartName="/${name}" ContentType="application/vnd.${kind}+xml"/>`;
  change("[Content_Types].xml", [
    "</Types>",
    '<Default Extension="vml" ContentType="application/vnd.openxmlformats-officedocument.vmlDrawing"/>' +
      type("xl/comments1.xml", "openxmlformats-officedocument.spreadsheetml.comments") +
      type("xl/threadedComments/threadedComment1.xml", "ms-excel.threadedcomments") +
      type("xl/persons/person.xml", "ms-excel.person") +
      type("xl/slicers/slicer1.xml", "ms-excel.slicer") +
      type("xl/slicerCaches/slicerCache1.xml", "ms-excel.slicerCache") +
      type(
        "xl/pivotCache/pivotCacheDefinition1.xml",
        "openxmlformats-officedocument.spreadsheetml.pivotCacheDefinition",
      ) +
      "</Types>",
  ]);
  const said = (text: string) => `<text><t>${text}</t></text></comment>`;
  const [below, first] = its["xl/comments1.xml"];
  const shape = (row: string, index: number) =>
    `<v:shape><x:ClientData ObjectType="Note"><x:Anchor>1, 15, ${index}, 10, 3, 15, ${index + 4}, 4</x:Anchor>${row}<x:Column>0</x:Column></x:ClientData></v:shape>`;
  return zipped({
    ...parts,
    ...others,
    "xl/comments1.xml": `<comments xmlns="${MAIN}"><authors><author>tc={22222222-2222-4222-8222-222222222222}</author></authors><commentList>${first}${said("mine")}${below}${said("[Threaded comment]")}</commentList></comments>`,
    "xl/threadedComments/threadedComment1.xml": `<ThreadedComments xmlns="${threads}"><threadedComment ${its["xl/threadedComments/threadedComment1.xml"][0]} dT="2026-11-02T10:00:00.00" personId="{11111111-1111-4111-8111-111111111111}" id="{22222222-2222-4222-8222-222222222222}"><text>Who asks?</text></threadedComment></ThreadedComments>`,
    "xl/drawings/vmlDrawing1.vml": `<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:x="urn:schemas-microsoft-com:office:excel">${its["xl/drawings/vmlDrawing1.vml"].map((row, index) => shape(row, index === 0 ? 6 : 1)).join("")}</xml>`,
  });
}

/** Clark County (AHJ 11805) asks for $20 and not for $45, so that it meets the find's condition. */
const clarkEnters: Interception = async (request) => {
  const answer = await createService().fetch(request.clone());
  if (!answer.headers.get("Content-Type")?.includes("json")) return answer;
  const changed = JSON.parse(
    await answer.text(),
    (_, value: { ahj?: { id: number }; values?: Record<string, object> }) => {
      const fee = value?.ahj?.id === 11_805 ? value.values?.["1056"] : undefined;
      if (fee) Object.assign(fee, { value: "$20" });
      return value;
    },
  ) as unknown;
  return Response.json(changed, { status: answer.status, headers: answer.headers });
};

let book: string;
let run: ReturnType<typeof createPlayer>;
let before: Uint8Array;
beforeEach(async () => {
  const folder = await playFolder();
  book = join(folder, "fees.xlsx");
  run = createPlayer(folder);
  await run(["find", "--where", "NV", "--if", "1056 at most 30", "-o", book]);
  before = withFeatures(await readFile(book));
  await writeFile(book, before);
});

const now = async () => partsOf(await readFile(book));
const sheetPart = "xl/worksheets/sheet1.xml";

/** A sheet's XML without one cell. */
const without = (cell: string, xml = "") => xml.replace(new RegExp(`<c r="${cell}"(?:[^>]*/>|.*?</c>)`), "");

/** The pieces of features that a workbook lacks, as for a table of so many rows. Excel may have to calculate a formula when it opens it. */
async function lacking(rows: number): Promise<string[]> {
  const parts = await now();
  const inSheet = parts[sheetPart]?.replaceAll('<f ca="1">', "<f>");
  const textOf = (name: string) => (name === sheetPart ? inSheet : parts[name]);
  const pieces = Object.entries(features(rows)).flatMap(([name, all]) =>
    all.filter((piece) => !textOf(name)?.includes(piece)).map((piece) => `${name}: ${piece}`),
  );
  const changed = Object.entries(others).filter(([name, xml]) => parts[name] !== xml);
  return [...pieces, ...changed.map(([name]) => name)];
}

/** The cells by address, as text: a formula with its kept result. */
const cells = async () =>
  Object.fromEntries(
    [...openWorkbookFile(await readFile(book)).sheets[0]!.cells()].map(({ row, column, value, formula }) => [
      `${"ABCDEFGHIJK"[column]}${row + 1}`,
      `${formula ? `=${formula.text} ` : ""}${String(value)}`,
    ]),
  );

describe("a workbook with all of Excel's features around an import", () => {
  it("has them as Excel writes them", async () => {
    expect(await lacking(3)).toEqual([]);
  });

  it("keeps them when a stuck formula is mended: nothing but its cell changes in what the workbook had", async () => {
    const { code, told } = await run(["repair", book]);
    expect([code, told]).toEqual([10, ""]);
    const [then, parts] = [partsOf(before), await now()];
    for (const name of Object.keys(then).filter(
      (each) => !/Content_Types|workbook\.xml\.rels|sheet1\.xml$/.test(each),
    ))
      expect(parts[name], name).toBe(then[name]);
    expect(without("I3", parts[sheetPart])).toBe(without("I3", then[sheetPart]));
    expect(parts[sheetPart]).not.toContain("#NAME?");
    expect(await lacking(3)).toEqual([]);
  });

  it("keeps them when its formula is frozen and unfrozen: nothing but its cell changes, and it is as it was then", async () => {
    const then = partsOf(before);
    expect((await run(["freeze", book])).out).toContain("1 formula frozen.");
    const frozen = await now();
    expect(without("I2", frozen[sheetPart])).toBe(without("I2", then[sheetPart]));
    expect(frozen[sheetPart]).not.toContain(live);
    expect(await lacking(3)).toEqual([]);
    expect((await run(["unfreeze", book])).code).toBe(10);
    expect((await now())[sheetPart]).toBe(then[sheetPart]);
    expect(await lacking(3)).toEqual([]);
  });

  it("keeps them in a refresh, where they stand, and below a jurisdiction that enters", async () => {
    const then = await cells();
    const first = await run(["refresh", book]);
    expect([first.code, first.out]).toEqual([
      expect.any(Number),
      expect.stringContaining("0 values changed"),
    ]);
    expect(await lacking(3)).toEqual([]);
    const { I2, I3, ...kept } = await cells();
    expect({ I2: then.I2, I3: then.I3, ...kept }).toEqual(then);
    expect([I2, I3].join()).toMatch(/^=.*REGDATA.*REGDATA/);

    expect((await run(["refresh", book], { intercept: clarkEnters })).code).toBe(10);
    expect(await lacking(4)).toEqual([]);
    const { A5, E5, G5, A6, A8 } = await cells();
    expect([A5, E5, G5, A6, A8]).toEqual([
      ...["Clark County", "20", expect.stringMatching(/^=E5\*2 /), "Total", "Ask first"],
    ]);
  });
});
