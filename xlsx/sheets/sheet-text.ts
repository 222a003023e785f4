import { broken, declaresEntities } from "../workbook-file-error";
import { localName } from "../xml/xml-events";

/** A worksheet's XML in three parts. */
interface SheetText {
  /** The XML before `sheetData`. */
  head: string;
  /** The element `sheetData`, which has the cells. */
  data: string;
  /** The XML after `sheetData`. */
  tail: string;
}

/**
 * Cuts a worksheet's XML at its `sheetData`, without reading the cells. Throws a WorkbookFileError if it has none, or declares a document
 * type. Comments and CDATA before it are skipped. No program writes any among cells. If some there hold the end tag, `data` ends too
 * early and is not well-formed.
 */
export function sheetText(xml: string, partName: string): SheetText {
  const start = sheetDataStart(xml, partName);
  const tagEnd = xml.indexOf(">", start);
  if (tagEnd < 0) throw broken(`${partName} is cut off`);
  const name = /^<([^\s/>]+)/.exec(xml.slice(start, tagEnd + 1))?.[1] ?? "";
  let end = tagEnd + 1;
  if (xml[tagEnd - 1] !== "/") {
    const closing = xml.indexOf(`</${name}`, tagEnd);
    end = closing < 0 ? 0 : xml.indexOf(">", closing) + 1;
    if (end === 0) throw broken(`${partName} is cut off`);
  }
  return { head: xml.slice(0, start), data: xml.slice(start, end), tail: xml.slice(end) };
}

/** The position of the start tag of `sheetData`. */
function sheetDataStart(xml: string, partName: string): number {
  const skipped: [opening: string, closing: string][] = [
    ["<!--", "-->"],
    ["<![CDATA[", "]]>"],
    ["<?", "?>"],
  ];
  let at = xml.indexOf("<");
  while (at >= 0) {
    const [, closing] = skipped.find(([opening]) => xml.startsWith(opening, at)) ?? [];
    if (closing) {
      const end = xml.indexOf(closing, at);
      at = end < 0 ? -1 : xml.indexOf("<", end + closing.length);
      continue;
    }
    if (xml.startsWith("<!", at)) throw declaresEntities(partName);
    const name = /^<([^\s/>]+)/.exec(xml.slice(at, at + 80))?.[1] ?? "";
    if (localName(name) === "sheetData") return at;
    at = xml.indexOf("<", at + 1);
  }
  throw broken(`${partName} has no cells`);
}
