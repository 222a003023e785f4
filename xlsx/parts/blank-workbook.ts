import { packedEntry, zipOf } from "../archive/zip-writer";
import { XML_DECLARATION } from "../package/workbook-package";
import { blankStyles } from "../styles/cell-styles";

const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATIONSHIPS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** A worksheet without cells. */
export const blankSheet =
  `${XML_DECLARATION}<worksheet xmlns="${MAIN}"><dimension ref="A1"/>` +
  '<sheetViews><sheetView workbookViewId="0"/></sheetViews><sheetFormatPr defaultRowHeight="15"/><sheetData/>' +
  '<pageMargins left="0.7" right="0.7" top="0.75" bottom="0.75" header="0.3" footer="0.3"/></worksheet>';

export const SHEET_TYPE = `${TYPES}.worksheet+xml`;
export const SHEET_RELATIONSHIP = `${RELATIONSHIPS}/worksheet`;

/** The file of a workbook without sheets. Excel opens it only after a sheet has been added. */
export function blankWorkbook(): Uint8Array {
  const parts: [name: string, content: string][] = [
    [
      "[Content_Types].xml",
      `<Types xmlns="${PACKAGE}/content-types">` +
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
        '<Default Extension="xml" ContentType="application/xml"/>' +
        `<Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/>` +
        `<Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/></Types>`,
    ],
    ["_rels/.rels", relationships(["officeDocument", "xl/workbook.xml"])],
    [
      "xl/workbook.xml",
      `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONSHIPS}"><workbookPr/>` +
        '<bookViews><workbookView activeTab="0"/></bookViews><sheets></sheets></workbook>',
    ],
    ["xl/_rels/workbook.xml.rels", relationships(["styles", "styles.xml"])],
    ["xl/styles.xml", blankStyles.slice(XML_DECLARATION.length)],
  ];
  const encoder = new TextEncoder();
  return zipOf(parts.map(([name, content]) => packedEntry(name, encoder.encode(XML_DECLARATION + content))));
}

/** A part with one relationship. */
function relationships([type, target]: [type: string, target: string]): string {
  return (
    `<Relationships xmlns="${PACKAGE}/relationships">` +
    `<Relationship Id="rId1" Type="${RELATIONSHIPS}/${type}" Target="${target}"/></Relationships>`
  );
}
