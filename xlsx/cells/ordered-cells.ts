import { broken } from "../workbook-file-error";
import { readXml } from "../xml/xml-events";
import { cellReference, rectOf } from "./cell-reference";
import { rowOf } from "./read-cells";

/**
 * Gives a `sheetData` element whose rows and cells are in their order, each once. Excel writes them so, and cells are changed in one pass that
 * relies on it; some programs write a row for each cell, or rows in the order in which they were filled. If a cell stands there
 * twice, the last one counts. Returns the same text if nothing is out of order. Throws a WorkbookFileError for what is no XML.
 */
export function orderedCells(
  data: string,
  { prefix, partName }: { prefix: string; partName: string },
): string {
  return isOrdered(data, prefix) ? data : reordered(data, prefix, partName);
}

/** Looks at the places alone, which is much quicker than to read the XML. It runs for each cell of a file, so it makes no strings. */
function isOrdered(data: string, prefix: string): boolean {
  const tags = new RegExp(`<${prefix.replaceAll(".", "\\.")}(?:row|c)(?=[\\s/>])`, "g");
  let [row, column] = [0, -1];
  while (tags.test(data)) {
    const isRow = data[tags.lastIndex - 1] === "w";
    const start = referenceStart(data, tags.lastIndex);
    let at = start;
    let letters = 0;
    for (; isLetter(data.charCodeAt(at)); at++) letters = letters * 26 + (data.charCodeAt(at) & ~0x20) - 64;
    let digits = 0;
    const firstDigit = at;
    for (; isDigit(data.charCodeAt(at)); at++) digits = digits * 10 + data.charCodeAt(at) - 48;
    const isMissing = start < 0;
    if (!isMissing && (at === firstDigit || !/["']/.test(data[at] ?? ""))) return false;
    if (isRow) {
      const next = isMissing ? row + 1 : digits;
      if (next <= row) return false;
      [row, column] = [next, -1];
    } else {
      const next = isMissing ? column + 1 : letters - 1;
      if (next <= column || (!isMissing && digits !== row)) return false;
      column = next;
    }
  }
  return true;
}

/** The position of the place that a tag names, whose attributes begin at `at`; -1 if it names none. */
function referenceStart(data: string, at: number): number {
  if (data.startsWith(' r="', at)) return at + 4;
  // Older versions of LibreOffice write the attributes by the alphabet.
  const match = /\sr\s*=\s*["']/.exec(data.slice(at, data.indexOf(">", at)));
  return match ? at + match.index + match[0].length : -1;
}

const isLetter = (code: number) => (code & ~0x20) >= 65 && (code & ~0x20) <= 90;
const isDigit = (code: number) => code >= 48 && code <= 57;

function reordered(data: string, prefix: string, partName: string): string {
  const rows = new Map<number, { tag: string; cells: Map<number, string> }>();
  const rowAt = (row: number, tag = `<${prefix}row r="${row + 1}">`) => {
    const known = rows.get(row);
    if (known) return known;
    const made = { tag, cells: new Map<number, string>() };
    rows.set(row, made);
    return made;
  };
  let place = { row: -1, column: -1 };
  let cell: { start: number; hasPlace: boolean } | undefined;
  let [head, tail] = ["", ""];
  readXml(data, partName, {
    open(name, attributes, start, end) {
      if (name === `${prefix}sheetData`) head = data.slice(start, end).replace(/\s*\/>$/, ">");
      else if (name === `${prefix}row`) {
        place = { row: rowOf(attributes, place.row, partName), column: -1 };
        const own = data.slice(start, end).replace(/\s*\/?>$/, ">");
        const others = own.slice(1 + name.length).replace(/\s(?:r|spans)\s*=\s*(?:"[^"]*"|'[^']*')/g, "");
        rowAt(place.row, `<${name} r="${place.row + 1}"${others}`);
      } else if (name === `${prefix}c` && !cell) {
        const { r } = attributes;
        const at = r === undefined ? { ...place, column: place.column + 1 } : rectOf(r);
        if (!at) throw broken(`${partName}: ${r} is no cell`);
        place = { row: at.row, column: at.column };
        cell = { start, hasPlace: r !== undefined };
      }
    },
    text() {},
    close(name, _start, end) {
      if (name === `${prefix}sheetData`) tail = `</${name}>`;
      if (name !== `${prefix}c` || !cell) return;
      const xml = data.slice(cell.start, end);
      const named = 1 + name.length;
      const reference = cell.hasPlace ? "" : ` r="${cellReference(place.row, place.column)}"`;
      rowAt(place.row).cells.set(place.column, xml.slice(0, named) + reference + xml.slice(named));
      cell = undefined;
    },
  });
  const ordered = [...rows].sort(([one], [other]) => one - other);
  const written = ordered.map(([, { tag, cells }]) => {
    const inRow = [...cells].sort(([one], [other]) => one - other);
    return `${tag}${inRow.map(([, xml]) => xml).join("")}</${prefix}row>`;
  });
  return head + written.join("") + tail;
}
