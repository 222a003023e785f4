import fc from "fast-check";
import { zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { openWorkbookFile, WorkbookFileError } from "../../xlsx/workbook-file";
import { partsOf, relationships, sheetXml, workbookBytes, workbookParts, zipped } from "./hand-made";

const one = { sheets: { One: sheetXml('<row r="1"><c r="A1"><v>1</v></c></row>') } };

/** The refusal of a file when it is opened or its cells are read. */
function refusal(bytes: Uint8Array, options: Parameters<typeof openWorkbookFile>[1] = {}): WorkbookFileError {
  try {
    const file = openWorkbookFile(bytes, options);
    for (const sheet of file.sheets) for (const _ of sheet.cells());
  } catch (error) {
    if (error instanceof WorkbookFileError) return error;
    throw error;
  }
  throw new Error("The file was opened.");
}

const ole = (text: string) => {
  const bytes = new Uint8Array(2048);
  bytes.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
  [...text].forEach((character, index) => (bytes[1024 + index * 2] = character.charCodeAt(0)));
  return bytes;
};

function withType(type: string): Uint8Array {
  const parts = workbookParts(one);
  const types = String(parts["[Content_Types].xml"]).replace(/application\/[^"]*sheet\.main\+xml/, type);
  return zipped({ ...parts, "[Content_Types].xml": types });
}

describe("a file that is refused", () => {
  it.each([
    ["no zip", "not-a-workbook", new TextEncoder().encode("Name,Value\n1,2")],
    ["nothing", "not-a-workbook", new Uint8Array()],
    ["another zip", "not-a-workbook", zipped({ "readme.txt": "hello" })],
    [
      "an OpenDocument file",
      "not-a-workbook",
      zipped({ mimetype: "application/vnd.oasis.opendocument.spreadsheet", "content.xml": "<a/>" }),
    ],
    [
      "a Word document",
      "not-a-workbook",
      withType("application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"),
    ],
    ["a workbook with a password", "encrypted", ole("EncryptedPackage")],
    [
      "a workbook that a sensitivity label encrypts",
      "encrypted",
      ole("DRMEncryptedDataSpace EncryptedPackage LabelInfo"),
    ],
    ["an .xls", "unsupported", ole("Workbook")],
    ["an .xlsb", "unsupported", withType("application/vnd.ms-excel.sheet.binary.macroEnabled.main")],
    ["a file without its main part", "broken", zipped({ ...workbookParts(one), "xl/workbook.xml": "" })],
    [
      "a sheet without its part",
      "broken",
      workbookBytes({ ...one, parts: { "xl/_rels/workbook.xml.rels": relationships() } }),
    ],
    ["a part outside of the file", "broken", zipped({ ...workbookParts(one), "xl/../../evil.xml": "<a/>" })],
    ["two parts of one name", "broken", zipped({ ...workbookParts(one), "XL/Workbook.xml": "<a/>" })],
    ["a cut-off sheet", "broken", workbookBytes({ sheets: { One: one.sheets.One.slice(0, -30) } })],
    [
      "a sheet in another character set",
      "broken",
      workbookBytes({
        ...one,
        parts: { "xl/worksheets/sheet1.xml": Uint8Array.from([0x3c, 0x61, 0xff, 0x3e]) },
      }),
    ],
    [
      "a character set that nobody knows",
      "unsupported",
      workbookBytes({ sheets: { One: one.sheets.One.replace("UTF-8", "x-made-up") } }),
    ],
    [
      "a row beyond Excel's last",
      "broken",
      workbookBytes({ sheets: { One: sheetXml('<row r="1048577"/>') } }),
    ],
    [
      "a column beyond Excel's last",
      "broken",
      workbookBytes({ sheets: { One: sheetXml('<row r="1"><c r="XFE1"/></row>') } }),
    ],
  ] as const)("%s is refused as %s", (_, kind, bytes) => {
    const error = refusal(bytes);
    expect(error.kind).toBe(kind);
    // The message is a sentence for a user: with a capital, a full stop, and no name of a class.
    expect(error.message).toMatch(/^[A-Z].*\.$/);
    expect(error.message).not.toMatch(/Error|undefined|NaN/);
  });

  it("is one with a document type or entities", () => {
    const bomb = `<!DOCTYPE a [<!ENTITY b "bbbbbbbb"><!ENTITY c "&b;&b;&b;">]>`;
    for (const xml of [
      one.sheets.One.replace("<worksheet", `${bomb}<worksheet`),
      sheetXml('<row r="1"><c r="A1" t="str"><v>&b;</v></c></row>'),
    ]) {
      expect(refusal(workbookBytes({ sheets: { One: xml } })).kind).toBe("broken");
    }
    const parts = workbookParts(one);
    const main = String(parts["xl/workbook.xml"]).replace("<workbook", `${bomb}<workbook`);
    expect(refusal(zipped({ ...parts, "xl/workbook.xml": main })).message).toMatch(/entities/);
  });

  it("is one that unpacks to more than its limits, whatever its headers say", () => {
    const big = sheetXml(" ".repeat(6_000_000));
    const bytes = workbookBytes({ sheets: { One: big } });
    expect(bytes.length).toBeLessThan(15_000);
    expect(refusal(bytes).kind).toBe("too-large");
    expect(refusal(bytes, { limits: { ratio: 10_000, partBytes: 1_000_000 } }).kind).toBe("too-large");
    expect(refusal(bytes, { limits: { ratio: 10_000, totalBytes: 1_000_000 } }).kind).toBe("too-large");
    // The same file with a header that lies: it says 1,000 bytes.
    const lying = bytes.slice();
    const view = new DataView(lying.buffer);
    for (let at = 0; at < lying.length - 4; at++) {
      if (view.getUint32(at, true) === big.length) view.setUint32(at, 1000, true);
    }
    expect(refusal(lying).kind).toBe("broken");
  });

  it("is one with too many parts, too deep XML, or too many bytes", () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`p/${index}.xml`, "<a/>"]));
    expect(refusal(workbookBytes({ ...one, parts: many }), { limits: { entries: 20 } }).kind).toBe(
      "too-large",
    );
    const deep = sheetXml(`<row r="1">${"<a>".repeat(5000)}${"</a>".repeat(5000)}</row>`);
    expect(refusal(workbookBytes({ sheets: { One: deep } })).kind).toBe("too-large");
    expect(refusal(workbookBytes(one), { limits: { fileBytes: 100 } }).kind).toBe("too-large");
  });

  it("is one that was cut off anywhere", () => {
    const bytes = workbookBytes(one);
    for (let length = 4; length < bytes.length; length += 37) {
      expect(refusal(bytes.subarray(0, length)).kind).toBe("broken");
    }
  });

  it("is one whose parts were changed behind the zip's checksums", () => {
    const stored = zipSync(
      Object.fromEntries(
        Object.entries(workbookParts(one)).map(
          ([name, text]) => [name, [new TextEncoder().encode(String(text)), { level: 0 }]] as const,
        ),
      ),
    );
    const at = new TextDecoder("latin1").decode(stored).indexOf("<v>1</v>");
    stored[at + 3] = "2".charCodeAt(0);
    expect(refusal(stored).kind).toBe("broken");
  });
});

describe("the sentence of a damaged file", () => {
  const rows = '<row r="1"><c r="A1"><v>1</v></c><c r="C1"><v>1</c></row>';
  const app = (program: string) => ({
    "_rels/.rels": relationships(
      ["rId1", "officeDocument", "xl/workbook.xml"],
      ["rId2", "extended-properties", "docProps/app.xml"],
    ),
    "docProps/app.xml": `<Properties><Application>${program}</Application></Properties>`,
  });

  it("names part, cell, sheet and the program that probably wrote it, and what to do", () => {
    const bytes = workbookBytes({ sheets: { Fees: sheetXml(rows) }, parts: app("Acme Writer &lt;2&gt;") });
    expect(refusal(bytes).message).toMatch(
      /^The file is damaged and can't be read \(xl\/worksheets\/sheet1\.xml: .+; near C1; on the sheet “Fees”; probably written by “Acme Writer 2”\)\. Open it in Excel, let Excel repair it, save it, and try again\.$/,
    );
  });

  it("names the program also when the workbook can't be opened, and none if the file says Excel", () => {
    const sheets = { One: null as unknown as string };
    const parts = { "xl/workbook.xml": "<workbook>" };
    expect(refusal(workbookBytes({ sheets, parts: { ...parts, ...app("Acme") } })).message).toContain(
      "probably written by “Acme”",
    );
    expect(
      refusal(workbookBytes({ sheets, parts: { ...parts, ...app("Microsoft Excel") } })).message,
    ).not.toContain("written by");
  });
});

describe("a signed workbook", () => {
  const signed = workbookBytes({
    ...one,
    types: {
      "_xmlsignatures/sig1.xml": "application/vnd.openxmlformats-package.digital-signature-xmlsignature+xml",
    },
    parts: {
      "_rels/.rels": relationships(
        ["rId1", "officeDocument", "xl/workbook.xml"],
        [
          "rId2",
          "http://schemas.openxmlformats.org/package/2006/relationships/digital-signature/origin",
          "_xmlsignatures/origin.sigs",
        ],
      ),
      "_xmlsignatures/origin.sigs": "",
      "_xmlsignatures/sig1.xml": "<Signature/>",
      "_xmlsignatures/_rels/origin.sigs.rels": relationships([
        ...([
          "rId1",
          "http://schemas.openxmlformats.org/package/2006/relationships/digital-signature/signature",
          "sig1.xml",
        ] as const),
      ]),
    },
  });

  it("is refused, as any change would break the signature", () => {
    expect(refusal(signed).kind).toBe("signed");
  });

  it("is opened without its signature if told so, and nothing of it is left", () => {
    const parts = partsOf(openWorkbookFile(signed, { dropSignature: true }).save());
    expect(Object.keys(parts).filter((name) => name.includes("signature"))).toEqual([]);
    for (const text of Object.values(parts)) expect(text).not.toContain("signature");
  });
});

describe("relationships of a file", () => {
  it("that lead out of the package are kept and never followed", () => {
    const before = workbookBytes({
      sheets: { One: sheetXml("", { after: '<hyperlinks><hyperlink ref="A1" r:id="rId1"/></hyperlinks>' }) },
      parts: {
        "xl/worksheets/_rels/sheet1.xml.rels": relationships(
          ["rId1", "hyperlink", "file:///etc/passwd", "External"],
          ["rId2", "table", "../../../../etc/passwd"],
        ),
      },
    });
    const file = openWorkbookFile(before);
    expect(file.sheets[0]!.tables).toEqual([]);
    expect(file.sheets[0]!.hyperlinks[0]?.target).toBe("file:///etc/passwd");
    expect(file.save()).toEqual(before);
  });
});

describe("bytes that chance has changed", () => {
  const sheets = {
    One: sheetXml(
      '<row r="1" spans="1:2"><c r="A1" t="s"><v>0</v></c><c r="B1" cm="1"><f t="array" ref="B1:B2">_xldudf_CONTOSO_LIST(1)</f><v>2</v></c></row>' +
        '<row r="2"><c r="B2"><f t="shared" ref="B2:B3" si="0">A1+1</f><v>1</v></c></row><row r="3"><c r="B3"><f t="shared" si="0"/></c></row>',
      {
        before: '<dimension ref="A1:B3"/><cols><col min="1" max="2" width="9"/></cols>',
        after:
          '<mergeCells count="1"><mergeCell ref="A5:B6"/></mergeCells><tableParts count="1"><tablePart r:id="rId1"/></tableParts>',
      },
    ),
  };
  const parts = workbookParts({
    sheets,
    sharedStrings: "<si><r><t>a</t></r></si>",
    styles:
      '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts count="1"><numFmt numFmtId="164" formatCode="0.0"/></numFmts>' +
      '<fonts count="1"><font><color theme="1" tint="0.5"/></font></fonts><fills count="1"><fill/></fills><cellXfs count="1"><xf numFmtId="164" fontId="0" fillId="0"/></cellXfs></styleSheet>',
    parts: {
      "xl/worksheets/_rels/sheet1.xml.rels": relationships(["rId1", "table", "../tables/table1.xml"]),
      "xl/tables/table1.xml":
        '<table id="1" name="T" displayName="T" ref="D1:D2"><autoFilter ref="D1:D2"/><tableColumns count="1"><tableColumn id="1" name="a"/></tableColumns></table>',
      "customXml/item1.xml": '<a xmlns="urn:a"/>',
    },
    related: [["rId9", "customXml", "../customXml/item1.xml"]],
  });
  const texts = Object.entries(parts).map(([name, text]) => [name, String(text)] as const);

  /** Uses all of a file that may be damaged: it must be refused, or work. */
  function use(bytes: Uint8Array): void {
    try {
      const file = openWorkbookFile(bytes);
      for (const sheet of file.sheets) {
        for (const cell of sheet.cells(["CONTOSO"])) file.styles.look(cell.style);
        void [
          sheet.tables,
          sheet.merged,
          sheet.columnWidths,
          sheet.frozen,
          sheet.hyperlinks,
          sheet.hiddenRows,
        ];
        sheet.setCells([{ row: 1, column: 1, value: "x", formula: { text: "_xldudf_CONTOSO_ADD(1)" } }]);
        sheet.setColumnWidths([{ column: 1, columns: 3, width: 4, isHidden: false }]);
      }
      file.styles.styleWith(0, { bold: true });
      void [file.definedNames, file.customXmlParts, file.webExtensions, file.customFunctions("CONTOSO")];
      file.save();
    } catch (error) {
      if (!(error instanceof WorkbookFileError)) throw error;
    }
  }

  it("give a workbook or a refusal, in the zip", () => {
    const whole = zipped(parts);
    const change = fc.tuple(fc.nat(whole.length - 1), fc.nat(255));
    fc.assert(
      fc.property(
        fc.array(change, { minLength: 1, maxLength: 4 }),
        fc.option(fc.nat(whole.length)),
        (changes, length) => {
          const bytes = whole.slice(0, length ?? whole.length);
          for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
          use(bytes);
        },
      ),
      { numRuns: 200, seed: 26 },
    );
  });

  it("give a workbook or a refusal, in the XML", () => {
    const pieces = fc.constantFrom(
      "<",
      ">",
      "/",
      '"',
      "&",
      "=",
      "-1",
      "99999999999",
      "A1",
      "r=",
      "<c/>",
      "</row>",
      "",
      "\u0000",
      "e9",
      ":",
    );
    fc.assert(
      fc.property(
        fc.nat(texts.length - 1),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.nat(12),
        pieces,
        (index, place, gone, piece) => {
          const [name, text] = texts[index]!;
          const at = Math.floor(place * text.length);
          use(zipped({ ...parts, [name]: text.slice(0, at) + piece + text.slice(at + gone) }));
        },
      ),
      { numRuns: 200, seed: 26 },
    );
  });
});
