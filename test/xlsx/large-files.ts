import { MAIN, relationships, sheetXml, workbookBytes } from "./hand-made";

const numbered = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

/** A workbook of so many sheets, each with a table, a print area and a name of the workbook that leads to it. */
export function bookOfSheets(count: number): Uint8Array {
  const cell = (reference: string, text: string) =>
    `<c r="${reference}" t="inlineStr"><is><t>${text}</t></is></c>`;
  const sheet = sheetXml(
    `<row r="1">${cell("A1", "Place")}${cell("B1", "Fee")}</row><row r="2">${cell("A2", "Alameda")}<c r="B2"><v>300</v></c></row>`,
    { after: '<tableParts count="1"><tablePart r:id="rId1"/></tableParts>' },
  );
  const names = numbered(count).map(
    (number) =>
      `<definedName name="_xlnm.Print_Area" localSheetId="${number - 1}">'Sheet ${number}'!$A$1:$B$2</definedName>` +
      `<definedName name="Fee${number}">'Sheet ${number}'!$B$2</definedName>`,
  );
  return workbookBytes({
    sheets: Object.fromEntries(numbered(count).map((number) => [`Sheet ${number}`, sheet])),
    afterSheets: `<definedNames>${names.join("")}</definedNames>`,
    parts: Object.fromEntries(
      numbered(count).flatMap((number) => [
        [
          `xl/worksheets/_rels/sheet${number}.xml.rels`,
          relationships(["rId1", "table", `../tables/table${number}.xml`]),
        ],
        [
          `xl/tables/table${number}.xml`,
          `<table xmlns="${MAIN}" id="${number}" name="Table${number}" displayName="Table${number}" ref="A1:B2">` +
            '<tableColumns count="2"><tableColumn id="1" name="Place"/><tableColumn id="2" name="Fee"/></tableColumns></table>',
        ],
      ]),
    ),
  });
}

/** A workbook with so many formats of cells, no two alike, and a number in each. */
export function bookOfFormats(count: number): Uint8Array {
  const formats = 200;
  const perRow = 20;
  const fonts = Math.ceil(count / formats);
  const hex = (number: number) => number.toString(16).padStart(6, "0").toUpperCase();
  const styles =
    `<styleSheet xmlns="${MAIN}"><numFmts count="${formats}">` +
    numbered(formats)
      .map((at) => `<numFmt numFmtId="${163 + at}" formatCode="0.0&quot; ${at}&quot;"/>`)
      .join("") +
    `</numFmts><fonts count="${fonts}">` +
    numbered(fonts)
      .map((at) => `<font><sz val="11"/><color rgb="FF${hex(at)}"/><name val="Calibri"/></font>`)
      .join("") +
    '</fonts><fills count="1"><fill><patternFill patternType="none"/></fill></fills><borders count="1"><border/></borders>' +
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
    `<cellXfs count="${count}">` +
    numbered(count)
      .map(
        (at) =>
          `<xf numFmtId="${164 + (at % formats)}" fontId="${Math.floor((at - 1) / formats)}" fillId="0" borderId="0" xfId="0"/>`,
      )
      .join("") +
    "</cellXfs></styleSheet>";
  const rows = numbered(Math.ceil(count / perRow)).map((row) => {
    const cells = numbered(perRow).map((column) => {
      const style = (row - 1) * perRow + column - 1;
      const reference = `${String.fromCharCode(64 + column)}${row}`;
      return style < count ? `<c r="${reference}" s="${style}"><v>${style}</v></c>` : "";
    });
    return `<row r="${row}">${cells.join("")}</row>`;
  });
  return workbookBytes({ sheets: { One: sheetXml(rows.join("")) }, styles });
}
