import { broken, declaresEntities } from "../workbook-file-error";
import { localName } from "../xml/xml-events";

/** A worksheet's XML in three: what stands in front of its cells, the element with the cells, what follows. */
export interface SheetText {
  head: string;
  data: string;
  tail: string;
}

/**
 * Cuts a worksheet's XML at its `sheetData`, without reading the cells. Comments and CDATA in front of it are stepped over;
 * nobody writes any among cells, and if somebody does and they hold its end tag, the cells are not well-formed.
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
