import { broken } from "../workbook-file-error";
import { readXml } from "../xml/xml-events";
import { cellReference, columnNumber, rectOf } from "./cell-reference";
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

/** Looks at the places alone, which is much quicker than to read the XML. */
function isOrdered(data: string, prefix: string): boolean {
  const name = prefix.replaceAll(".", "\\.");
  const tag = new RegExp(`<${name}(row|c)(?=[\\s/>])(?:\\s+r=["']([A-Za-z]*)(\\d+)["'])?([^>]*)`, "g");
  let [row, column] = [0, -1];
  for (let match = tag.exec(data); match; match = tag.exec(data)) {
    const [, kind, , , rest = ""] = match;
    // Older versions of LibreOffice write the attributes by the alphabet.
    const isElsewhere = match[3] === undefined && /\sr\s*=/.test(rest);
    const place = isElsewhere ? /\sr\s*=\s*["']([A-Za-z]*)(\d+)["']/.exec(rest) : match.slice(1);
    if (!place) return false;
    const [, letters = "", digits] = place;
    if (kind === "row") {
      const next = digits === undefined ? row + 1 : Number(digits);
      if (next <= row) return false;
      [row, column] = [next, -1];
    } else {
      const next = digits === undefined ? column + 1 : columnNumber(letters);
      if (next <= column || (digits !== undefined && Number(digits) !== row)) return false;
      column = next;
    }
  }
  return true;
}

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
