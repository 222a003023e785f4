/**
 * Finds harm that our work has done to a user's workbook: anything of the user's that is not as it was. It uses none of the code that
 * writes.
 */
import { unzipSync } from "fflate";
import { cellReference, type FileCell, openWorkbookFile, type WorkbookFile } from "../../xlsx/workbook-file";
import { blankStyles } from "../../xlsx/styles/cell-styles";
import { formatsOf } from "./resolved-formats";

/** A user's file as it was, read once. */
export interface Kept {
  parts: ReadonlyMap<string, string>;
  cells: ReadonlyMap<string, string>;
  /** The worksheets: name, part and visibility. */
  sheets: readonly { name: string; part: string; visibility: string }[];
  otherSheets: readonly string[];
  names: readonly string[];
  formats: readonly string[];
}

/** The sheets and cells of a file that are ours. */
export interface Ours {
  sheets: ReadonlySet<string>;
  /** From this row on, the cells of a user's sheet are ours. */
  firstRows: ReadonlyMap<string, number>;
}

/** Parts that our work may add. */
const mayCome =
  /^(?:customXml\/.*|xl\/webextensions\/.*|(?:_rels|xl\/_rels)\/.*\.rels|(?:.*\/)?(?:worksheets\/sheet|tables\/table)\d+\.xml|.*\/_rels\/sheet\d+\.xml\.rels|(?:.*\/)?(?:metadata|styles)\d*\.xml)$/i;

/**
 * The parts of the user's that our work may change, and why. The elements named are cut out of them before their texts are compared. All
 * sheets, names, formats and relationships that these elements held must still be there.
 */
const changing: readonly { part: RegExp; elements: readonly string[]; why: string }[] = [
  {
    part: /^\[Content_Types\]\.xml$/i,
    elements: ["Override", "Default"],
    why: "New parts have content types; the calculation chain has gone.",
  },
  {
    part: /\.rels$/i,
    elements: ["Relationship"],
    why: "New parts are led to; the calculation chain has gone.",
  },
  {
    part: /(?:^|\/)[^/]*workbook\d*\.xml$/i,
    elements: ["sheets", "calcPr", "bookViews", "definedNames"],
    why: "New sheets are listed and shown; Excel is told to calculate formulas that depend on what changed; a template's sheet has a print area.",
  },
  {
    part: /(?:^|\/)styles\d*\.xml$/i,
    elements: ["numFmts", "fonts", "fills", "borders", "cellStyleXfs", "cellXfs"],
    why: "New formats come behind the user's own, or behind plain ones where there are none.",
  },
  {
    part: /(?:^|\/)metadata\d*\.xml$/i,
    elements: ["metadataTypes", "futureMetadata", "cellMetadata"],
    why: "A formula whose result may spill has cell metadata.",
  },
  {
    part: /^xl\/webextensions\//i,
    elements: ["webextension", "taskpane"],
    why: "The add-in keeps its settings and its list of functions there.",
  },
];

/** A calculation chain names cells of formulas; Excel makes it anew. */
const mayGo = /(?:^|\/)calcChain\d*\.xml$/i;

/** A sheet's part without its cells, the area that it says they fill, and the mark of a sheet that is shown: another one may be. */
const frameOf = (xml: string) =>
  without(xml, ["sheetData", "dimension"])
    .replace(/ tabSelected="(?:1|true)"/, "")
    .replace(/\s+\/>/g, "/>")
    .replace(/\s+/g, " ");

export function keptOf(bytes: Uint8Array): Kept {
  const file = openWorkbookFile(bytes, { dropSignature: true });
  const parts = textsOf(bytes);
  const formats = formatsIn(file, parts);
  return {
    parts,
    cells: cellsIn(file, formats),
    sheets: file.sheets.map(({ name, part, visibility }) => ({ name, part, visibility })),
    otherSheets: file.otherSheets,
    names: namesIn(file),
    formats,
  };
}

/** The first harm that a user's file has taken; undefined if it took none. */
export function harmTo(
  kept: Kept,
  bytes: Uint8Array,
  { sheets: ourSheets, firstRows }: Ours,
): string | undefined {
  const now = keptOf(bytes);
  const ownSheets = now.sheets.filter(({ name }) => !ourSheets.has(name));
  if (JSON.stringify(ownSheets) !== JSON.stringify(kept.sheets))
    return `sheets: ${JSON.stringify(kept.sheets)}, then ${JSON.stringify(ownSheets)}`;
  if (kept.otherSheets.join("\n") !== now.otherSheets.join("\n")) return "sheets of another kind";
  const names = new Set(now.names);
  const goneName = kept.names.find((name) => !names.has(name));
  if (goneName !== undefined) return `the name ${goneName}`;
  const otherFormat = kept.formats.findIndex((format, index) => now.formats[index] !== format);
  if (otherFormat >= 0)
    return `format ${otherFormat}: ${kept.formats[otherFormat]}, then ${now.formats[otherFormat]}`;
  const isOurs = (key: string) => {
    const [, name = "", row] = /^(.*)![A-Z]+(\d+)$/s.exec(key) ?? [];
    return ourSheets.has(name) || Number(row) - 1 >= (firstRows.get(name) ?? Infinity);
  };
  for (const [key, cell] of kept.cells)
    if (now.cells.get(key) !== cell) return `cell ${key}: ${cell}, then ${now.cells.get(key)}`;
  for (const [key, cell] of now.cells)
    if (!kept.cells.has(key) && !isOurs(key)) return `cell ${key}: blank, then ${cell}`;
  return harmToParts(kept, now, firstRows);
}

function harmToParts(kept: Kept, now: Kept, firstRows: Ours["firstRows"]): string | undefined {
  const userSheets = new Map(kept.sheets.map(({ name, part }) => [part.toLowerCase(), name]));
  for (const [name, text] of kept.parts) {
    const then = now.parts.get(name);
    if (then === text) continue;
    if (then === undefined) {
      if (mayGo.test(name)) continue;
      return `part ${name} has gone`;
    }
    const [before, after] = [decoded(text), decoded(then)];
    const sheet = userSheets.get(name.replace(/^\//, "").toLowerCase());
    if (sheet !== undefined) {
      const frame = differenceOf(frameOf(before), frameOf(after));
      if (frame) return `sheet ${name}: ${frame}`;
      const inside = harmToSheetData(before, after, firstRows.get(sheet) ?? Infinity);
      if (inside) return `sheet ${name}: ${inside}`;
      continue;
    }
    const allowed = changing.find(({ part }) => part.test(name));
    if (!allowed) return `part ${name} has changed`;
    const rest = differenceOf(without(before, allowed.elements), without(after, allowed.elements));
    if (rest) return `part ${name}: ${rest}`;
    if (/\.rels$|^\[Content_Types\]\.xml$/i.test(name)) {
      const listed = new Set(after.match(/<(?:\w+:)?(?:Override|Default|Relationship)\s[^>]*>/g));
      const gone = before
        .match(/<(?:\w+:)?(?:Override|Default|Relationship)\s[^>]*>/g)
        ?.find((tag) => !listed.has(tag) && !/calcChain/i.test(tag));
      if (gone !== undefined) return `part ${name}: ${gone} has gone`;
    }
  }
  for (const name of now.parts.keys())
    if (!kept.parts.has(name) && !mayCome.test(name)) return `part ${name} has come`;
  return undefined;
}

/** Rows with their attributes, and cells to the letter, but for the mark of a formula that Excel is told to calculate. */
function harmToSheetData(before: string, after: string, firstRow: number): string | undefined {
  const [one, other] = [rowsOf(before), rowsOf(after)];
  if (!one || !other) return undefined;
  for (const [row, { attributes, cells }] of one) {
    const now = other.get(row);
    if (!now) return `row ${row} has gone`;
    if (row <= firstRow && now.attributes !== attributes)
      return `row ${row}: ${attributes}, then ${now.attributes}`;
    for (const [at, xml] of cells)
      if (now.cells.get(at) !== xml) return `cell ${at}: ${xml}, then ${now.cells.get(at)}`;
  }
  for (const row of other.keys()) if (!one.has(row) && row <= firstRow) return `row ${row} has come`;
  return undefined;
}

type Rows = Map<number, { attributes: string; cells: Map<string, string> }>;

/** Null for a sheet whose rows or cells have no place of their own, or one twice. */
function rowsOf(xml: string): Rows | null {
  const [data = ""] = /<(?:\w+:)?sheetData\b[^]*<\/(?:\w+:)?sheetData>/.exec(xml) ?? [];
  const rows: Rows = new Map();
  for (const [, tag = "", inner = ""] of data.matchAll(
    /<(?:\w+:)?row\b([^>]*?)(?:\/>|>([^]*?)<\/(?:\w+:)?row>)/g,
  )) {
    const row = Number(/\sr\s*=\s*["'](\d+)["']/.exec(tag)?.[1]);
    if (!row || rows.has(row)) return null;
    const cells = new Map<string, string>();
    for (const [cell, attributes = ""] of inner.matchAll(
      /<(?:\w+:)?c(?=[\s/>])([^>]*?)(?:\/>|>[^]*?<\/(?:\w+:)?c>)/g,
    )) {
      const at = /\sr\s*=\s*["']([A-Z]+\d+)["']/.exec(attributes)?.[1];
      if (at === undefined || cells.has(at)) return null;
      // A cell that is written anew has its attributes in another order, and none that say what is so without them.
      const plain = cell.replace(/^<[\w:]+([^>]*?)(?=\/?>)/, (_, own: string) =>
        own
          .split(/\s+(?=[\w:]+\s*=)/)
          .filter((each) => each !== 's="0"' && each !== 't="n"')
          .sort()
          .join(" "),
      );
      cells.set(at, plain.replace(/(<(?:\w+:)?f\b[^>]*?) ca="1"/, "$1").replace(/>\s+</g, "><"));
    }
    rows.set(row, { attributes: tag.replace(/\sspans\s*=\s*["'][^"']*["']/, "").trim(), cells });
  }
  return rows;
}

const knownFormats = new Map<string, number>([["", 0]]);
/** A number for each format, because a sheet may have many cells. */
function idOf(format: string): number {
  const id = knownFormats.get(format) ?? knownFormats.size;
  knownFormats.set(format, id);
  return id;
}

function cellsIn(file: WorkbookFile, formats: readonly string[]): Map<string, string> {
  const cells = new Map<string, string>();
  const ids = formats.map(idOf);
  for (const sheet of file.sheets) {
    for (const { row, column, value, isError, formula, style } of sheet.cells()) {
      if (value === null && !formula && style === 0) continue;
      cells.set(
        `${sheet.name}!${cellReference(row, column)}`,
        told({ value, isError, formula }, ids[style] ?? 0),
      );
    }
  }
  return cells;
}

function told(
  { value, isError, formula }: Pick<FileCell, "value" | "isError" | "formula">,
  format: number,
): string {
  return JSON.stringify([value, isError, formula && [formula.text, formula.area, formula.isDynamic], format]);
}

function namesIn(file: WorkbookFile): string[] {
  return file.definedNames.map((name) => JSON.stringify(name));
}

/** Most commands leave the formats as they are. */
let lastFormats: { xml: string; formats: string[] } | undefined;

function formatsIn(file: WorkbookFile, parts: ReadonlyMap<string, string>): string[] {
  const part = file.partNames.find((name) => /(?:^|\/)styles\d*\.xml$/i.test(name));
  const xml = part === undefined ? undefined : parts.get(part);
  if (xml === undefined) return formatsOf(blankStyles);
  if (lastFormats?.xml !== xml) lastFormats = { xml, formats: formatsOf(decoded(xml)) };
  return lastFormats.formats;
}

/** A letter for each byte, so that parts are compared byte for byte. */
function textsOf(bytes: Uint8Array): Map<string, string> {
  return new Map(
    Object.entries(unzipSync(bytes)).map(([name, content]) => [
      // Some programs write parts' names with backslashes.
      name.replaceAll("\\", "/"),
      Buffer.from(content).toString("latin1"),
    ]),
  );
}

/** The text of an XML part without its declaration, which names the encoding. */
function decoded(text: string): string {
  const bytes = Buffer.from(text, "latin1");
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? "utf-16le"
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? "utf-16be"
        : (/^<\?xml[^>]*encoding=["']([\w-]+)["']/.exec(text.slice(0, 200))?.[1] ?? "utf-8");
  return new TextDecoder(encoding)
    .decode(bytes)
    .replace(/^\s*<\?xml[^>]*\?>/, "")
    .trim();
}

/** A part without some of its elements, of which none stands in another one of its name. A root that was its own end may have got children. */
function without(xml: string, names: readonly string[]): string {
  return xml
    .replace(new RegExp(`<((?:\\w+:)?(?:${names.join("|")}))(?=[\\s/>])[^>]*?(?:/>|>[^]*?</\\1>)`, "g"), "")
    .replace(/^\s*<([\w:]+)([^>]*?)\s*\/>\s*$/, "<$1$2></$1>");
}

function differenceOf(before: string, after: string): string | undefined {
  if (before === after) return undefined;
  let at = 0;
  while (before[at] === after[at] && at < before.length) at += 1;
  const around = (text: string) => text.slice(Math.max(0, at - 40), at + 120);
  return `…${around(before)}…, then …${around(after)}…`;
}
