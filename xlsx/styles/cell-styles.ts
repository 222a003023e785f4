import { WorkbookFileError } from "../workbook-file-error";
import { XML_DECLARATION, type WorkbookPackage } from "../package/workbook-package";
import { childOf, childrenOf, isOn, prefixOf, XmlEdits, type XmlElement, xmlTree } from "../xml/xml-tree";
import { xmlAttributes } from "../xml/xml-text";
import { FileColors } from "./file-colors";
import { builtInFormatIds, builtInFormats, FIRST_CUSTOM_FORMAT } from "./built-in-formats";

const horizontals = [
  ...(["general", "left", "center", "right", "fill", "justify", "centerContinuous", "distributed"] as const),
];
const verticals = ["top", "center", "bottom", "justify", "distributed"] as const;

/** How a cell looks, as far as this module reads and writes it. Colors are `#RRGGBB`. */
export interface CellLook {
  /** As Excel shows it in US English. */
  numberFormat: string;
  bold: boolean;
  italic: boolean;
  wrapText: boolean;
  /** Null for none. */
  fillColor: string | null;
  fontColor: string;
  horizontalAlignment: (typeof horizontals)[number];
  verticalAlignment: (typeof verticals)[number];
  /** Excel indents a text by three spaces for each level, if it is aligned left or right (ECMA-376 Part 1, 18.8.1). */
  indent: number;
  /** It can't be changed while its sheet is protected. */
  isLocked: boolean;
}

/** The indent that a file gives, 0 if it gives none that Excel would. */
function wholeIndent(given = "0"): number {
  return /^\d{1,3}$/.test(given) && Number(given) <= MOST_INDENT ? Number(given) : 0;
}

/** RangeFormat.indentLevel in @types/office-js. */
const MOST_INDENT = 250;

const plainLook: CellLook = {
  ...{ numberFormat: "General", bold: false, italic: false, wrapText: false, fillColor: null },
  ...{ fontColor: "#000000", horizontalAlignment: "general", verticalAlignment: "bottom", indent: 0 },
  isLocked: true,
};

const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATIONSHIP = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles";
const CONTENT_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml";

/** The styles of a new workbook: one font, no fill, no border. */
export const blankStyles =
  `${XML_DECLARATION}<styleSheet xmlns="${MAIN}">` +
  '<fonts count="1"><font><sz val="11"/><color theme="1"/><name val="Calibri"/><family val="2"/><scheme val="minor"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/></cellXfs>' +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>' +
  '<dxfs count="0"/><tableStyles count="0" defaultTableStyle="TableStyleMedium2" defaultPivotStyle="PivotStyleLight16"/></styleSheet>';

/** The order of a styles part's lists. */
const order = [
  ...[
    "numFmts",
    "fonts",
    "fills",
    "borders",
    "cellStyleXfs",
    "cellXfs",
    "cellStyles",
    "dxfs",
    "tableStyles",
    "colors",
  ],
  "extLst",
];

/** A font, fill or format of a cell, as XML within its list. */
interface Entry {
  xml: string;
  element: XmlElement;
  /** Subtracted from a position of the element, it gives the position in its own XML. */
  offset: number;
}

/** One of the lists, with those that were added. */
interface List {
  entries: Entry[];
  /** Two entries with one key are alike. */
  key: (entry: Entry) => string;
  indexes: Map<string, number>;
  added: string[];
}

/** The attributes by which formats name entries of lists. An index that leads nowhere would lead to the next entry that is added. */
const indexNames: Record<string, string> = { fonts: "fontId", fills: "fillId", borders: "borderId" };

/** The most formats of cells. Source: Microsoft's support page "Excel specifications and limits". */
const MOST_FORMATS = 65_490;

/** The formats of cells, by index. New ones go to the end of the file's lists, so that every index keeps its meaning. */
export class CellStyles {
  private text = "";
  private part: string | undefined;
  private prefix = "";
  private colors = new FileColors(undefined, undefined);
  private formats = new Map<number, string>();
  private addedFormats = new Map<string, number>();
  private fonts: List = emptyList();
  private fills: List = emptyList();
  private borders: List = emptyList();
  private styleXfs: List = emptyList();
  private xfs: List = emptyList();
  private looks: CellLook[] = [];
  private isRead = false;
  private isComplete = false;

  constructor(
    private readonly workbookPackage: WorkbookPackage,
    private readonly workbookPart: string,
  ) {}

  /** How many formats there are. */
  get count(): number {
    this.read();
    return this.xfs.entries.length;
  }

  /** The look of a format; that of a plain cell if the file has no such format. */
  look(index: number): CellLook {
    this.read();
    const xf = this.xfs.entries[index]?.element;
    if (!xf) return plainLook;
    return (this.looks[index] ??= this.lookOf(xf));
  }

  /**
   * The index of a format like another but for the change: one that the file has, or a new one. Throws a WorkbookFileError if the file has
   * as many formats as Excel allows.
   */
  styleWith(baseIndex: number, change: Partial<CellLook>): number {
    this.read();
    this.ensurePart();
    const base = this.xfs.entries[baseIndex]?.element ?? this.xfs.entries[0]?.element;
    const look = base ? this.lookOf(base) : plainLook;
    const changed = Object.entries(change).filter(
      ([name, value]) => value !== undefined && value !== look[name as keyof CellLook],
    );
    if (base && this.xfs.entries[baseIndex] && changed.length === 0) return baseIndex;
    const wanted: CellLook = { ...look, ...Object.fromEntries(changed) };
    const isChanged = (...names: (keyof CellLook)[]) =>
      changed.some(([name]) => names.includes(name as keyof CellLook));
    const { prefix } = this;
    const attributes: Record<string, string | number | undefined> = {
      ...{ numFmtId: 0, fontId: 0, fillId: 0, borderId: 0, xfId: 0 },
      ...base?.attributes,
    };
    if (isChanged("numberFormat")) {
      attributes["numFmtId"] = this.formatId(wanted.numberFormat);
      attributes["applyNumberFormat"] = 1;
    }
    if (isChanged("bold", "italic", "fontColor")) {
      attributes["fontId"] = this.fontLike(Number(attributes["fontId"]), wanted, isChanged("fontColor"));
      attributes["applyFont"] = 1;
    }
    if (isChanged("fillColor")) {
      attributes["fillId"] = wanted.fillColor === null ? 0 : this.fillOf(wanted.fillColor);
      attributes["applyFill"] = 1;
    }
    let alignment: Record<string, string | number | undefined> = {
      ...childOf(base, "alignment")?.attributes,
    };
    if (isChanged("wrapText", "horizontalAlignment", "verticalAlignment", "indent")) {
      attributes["applyAlignment"] = 1;
      if (isChanged("wrapText")) alignment = { ...alignment, wrapText: wanted.wrapText ? 1 : undefined };
      if (isChanged("indent")) alignment["indent"] = wanted.indent || undefined;
      if (isChanged("horizontalAlignment")) {
        alignment["horizontal"] =
          wanted.horizontalAlignment === "general" ? undefined : wanted.horizontalAlignment;
      }
      if (isChanged("verticalAlignment")) {
        alignment["vertical"] = wanted.verticalAlignment === "bottom" ? undefined : wanted.verticalAlignment;
      }
    }
    let protection: Record<string, string | number | undefined> = {
      ...childOf(base, "protection")?.attributes,
    };
    if (isChanged("isLocked")) {
      attributes["applyProtection"] = 1;
      protection = { ...protection, locked: wanted.isLocked ? undefined : 0 };
    }
    const known = this.xfs.entries[baseIndex] ?? this.xfs.entries[0];
    const inner =
      (hasAny(alignment) ? `<${prefix}alignment${xmlAttributes(alignment)}/>` : "") +
      (hasAny(protection) ? `<${prefix}protection${xmlAttributes(protection)}/>` : "") +
      (known ? extensionsOf(known) : "");
    const tag = `${prefix}xf${xmlAttributes(attributes)}`;
    const xml = inner === "" ? `<${tag}/>` : `<${tag}>${inner}</${prefix}xf>`;
    return put(this.xfs, xml, MOST_FORMATS);
  }

  /** Writes the new formats into the styles part. */
  flush(): void {
    const { addedFormats, part, prefix } = this;
    const formats = [...addedFormats].map(
      ([formatCode, numFmtId]) => `<${prefix}numFmt${xmlAttributes({ numFmtId, formatCode })}/>`,
    );
    const lists: [name: string, added: string[]][] = [
      ...([
        ["numFmts", formats],
        ...this.lists().map(([name, { added }]) => [name, added] as const),
      ] as const),
    ].map(([name, added]) => [name, [...added]]);
    if (!part || lists.every(([, added]) => added.length === 0)) return;
    const edits = new XmlEdits(this.text);
    const root = xmlTree(this.text, part);
    let atEnd = "";
    for (const [name, added] of lists) {
      if (added.length === 0) continue;
      const list = childOf(root, name);
      const xml = added.join("");
      if (list) {
        edits.append(list, xml, { count: list.children.length + added.length });
        continue;
      }
      const whole = `<${prefix}${name} count="${added.length}">${xml}</${prefix}${name}>`;
      const next = root.children.find(({ local }) => order.indexOf(local) > order.indexOf(name));
      if (next) edits.insertBefore(next, whole);
      else atEnd += whole;
    }
    edits.append(root, atEnd);
    this.text = edits.applied();
    this.workbookPackage.write(part, this.text);
    for (const [, list] of this.lists()) list.added = [];
    addedFormats.clear();
  }

  /** The lists whose entries have no number of their own, by the names that the part gives them, in its order. */
  private lists(): [name: string, list: List][] {
    return [
      ["fonts", this.fonts],
      ["fills", this.fills],
      ["borders", this.borders],
      ["cellStyleXfs", this.styleXfs],
      ["cellXfs", this.xfs],
    ];
  }

  private read(): void {
    if (this.isRead) return;
    this.isRead = true;
    const { workbookPackage, workbookPart } = this;
    const [styles] = workbookPackage.related(workbookPart, "styles");
    const [theme] = workbookPackage.related(workbookPart, "theme");
    const themeRoot = theme && workbookPackage.has(theme.part) ? workbookPackage.tree(theme.part) : undefined;
    if (!styles || !workbookPackage.has(styles.part)) {
      this.colors = new FileColors(themeRoot, undefined);
      return;
    }
    this.part = styles.part;
    this.text = workbookPackage.text(styles.part);
    this.readLists(xmlTree(this.text, styles.part), themeRoot);
  }

  private readLists(root: XmlElement, theme: XmlElement | undefined): void {
    this.prefix = prefixOf(root);
    this.colors = new FileColors(theme, root);
    for (const { attributes } of childrenOf(childOf(root, "numFmts"), "numFmt")) {
      const id = Number(attributes["numFmtId"]);
      if (Number.isInteger(id)) this.formats.set(id, attributes["formatCode"] ?? "General");
    }
    this.fonts = listOf(this.text, childOf(root, "fonts"));
    this.fills = listOf(this.text, childOf(root, "fills"));
    this.borders = listOf(this.text, childOf(root, "borders"));
    this.styleXfs = listOf(this.text, childOf(root, "cellStyleXfs"));
    this.xfs = listOf(this.text, childOf(root, "cellXfs"), xfKey);
  }

  /** A workbook without styles, or without entries that every list begins with, gets those of a new one when it needs one. */
  private ensurePart(): void {
    if (!this.part) {
      const folder = this.workbookPart.slice(0, this.workbookPart.lastIndexOf("/") + 1);
      const name = this.workbookPackage.freeName(`${folder}styles#.xml`, true);
      this.workbookPackage.add({
        ...{ name, text: blankStyles, contentType: CONTENT_TYPE },
        ...{ source: this.workbookPart, type: RELATIONSHIP },
      });
      this.part = name;
      this.text = this.workbookPackage.text(name);
      this.readLists(xmlTree(this.text, name), undefined);
    }
    if (this.isComplete) return;
    this.isComplete = true;
    const blank = xmlTree(blankStyles, this.part);
    for (const [name, list] of this.lists()) {
      const entries = childOf(blank, name)?.children ?? [];
      const count = Math.max(entries.length, this.mostIndex(indexNames[name]) + 1);
      for (let index = list.entries.length; index < count; index += 1) {
        const { start, end } = entries[index] ?? entries[0]!;
        const plain = blankStyles.slice(start, end).replace(/<(\/?)/g, `<$1${this.prefix}`);
        push(list, entries[index] ? plain : (list.entries[0]?.xml ?? plain));
      }
    }
  }

  /** The highest index of a kind that formats name, as far as Excel has so many; -1 for none. */
  private mostIndex(name: string | undefined): number {
    if (name === undefined) return -1;
    let most = -1;
    for (const { element } of [...this.styleXfs.entries, ...this.xfs.entries]) {
      const index = Number(element.attributes[name]);
      if (index > most && index < MOST_FORMATS) most = index;
    }
    return most;
  }

  private lookOf(xf: XmlElement): CellLook {
    const font = this.fonts.entries[Number(xf.attributes["fontId"] ?? 0)]?.element;
    const fill = this.fills.entries[Number(xf.attributes["fillId"] ?? 0)]?.element;
    const alignment = childOf(xf, "alignment")?.attributes ?? {};
    const locked = childOf(xf, "protection")?.attributes["locked"];
    const isSet = (local: string) => {
      const flag = childOf(font, local);
      return flag !== undefined && isOn(flag.attributes["val"] ?? "1");
    };
    const formatId = Number(xf.attributes["numFmtId"] ?? 0);
    return {
      numberFormat: this.formats.get(formatId) ?? builtInFormats.get(formatId) ?? "General",
      bold: isSet("b"),
      italic: isSet("i"),
      wrapText: isOn(alignment["wrapText"]),
      fillColor: this.fillColor(fill),
      fontColor: this.colors.read(childOf(font, "color")) ?? "#000000",
      horizontalAlignment: horizontals.find((each) => each === alignment["horizontal"]) ?? "general",
      verticalAlignment: verticals.find((each) => each === alignment["vertical"]) ?? "bottom",
      indent: wholeIndent(alignment["indent"]),
      isLocked: locked === undefined || isOn(locked),
    };
  }

  private fillColor(fill: XmlElement | undefined): string | null {
    const pattern = childOf(fill, "patternFill");
    const type = pattern?.attributes["patternType"] ?? "none";
    if (!pattern || type === "none") return null;
    const color = this.colors.read(childOf(pattern, type === "solid" ? "fgColor" : "bgColor"));
    return color ?? (type === "solid" ? "#000000" : null);
  }

  private formatId(code: string): number {
    const builtIn = builtInFormatIds.get(code);
    if (builtIn !== undefined && !this.formats.has(builtIn)) return builtIn;
    for (const [id, known] of this.formats) if (known === code) return id;
    const id = Math.max(FIRST_CUSTOM_FORMAT - 1, ...this.formats.keys()) + 1;
    this.formats.set(id, code);
    this.addedFormats.set(code, id);
    return id;
  }

  private fontLike(baseId: number, look: CellLook, hasNewColor: boolean): number {
    const { prefix } = this;
    const base = this.fonts.entries[baseId] ?? this.fonts.entries[0];
    const kept = base?.element.children.filter(({ local }) => local !== "b" && local !== "i") ?? [];
    const texts = kept
      .filter(({ local }) => !hasNewColor || local !== "color")
      .map(({ start, end, local }) => ({
        local,
        xml: base?.xml.slice(start - base.offset, end - base.offset) ?? "",
      }));
    if (hasNewColor) {
      const color = {
        local: "color",
        xml: `<${prefix}color rgb="FF${look.fontColor.slice(1).toUpperCase()}"/>`,
      };
      const name = texts.findIndex(({ local }) => local === "name");
      texts.splice(name < 0 ? texts.length : name, 0, color);
    }
    const flags = (look.bold ? `<${prefix}b/>` : "") + (look.italic ? `<${prefix}i/>` : "");
    const xml = `<${prefix}font>${flags}${texts.map((each) => each.xml).join("")}</${prefix}font>`;
    return put(this.fonts, xml);
  }

  private fillOf(color: string): number {
    const { prefix } = this;
    const rgb = `FF${color.slice(1).toUpperCase()}`;
    const inner = `<${prefix}fgColor rgb="${rgb}"/><${prefix}bgColor indexed="64"/>`;
    const pattern = `<${prefix}patternFill patternType="solid">${inner}</${prefix}patternFill>`;
    return put(this.fills, `<${prefix}fill>${pattern}</${prefix}fill>`);
  }
}

function hasAny(attributes: Record<string, unknown>): boolean {
  return Object.values(attributes).some((value) => value !== undefined);
}

const ownXml = ({ xml }: Entry) => xml;

function emptyList(): List {
  return { entries: [], key: ownXml, indexes: new Map(), added: [] };
}

function listOf(text: string, list: XmlElement | undefined, key = ownXml): List {
  const entries = (list?.children ?? []).map((element) => ({
    ...{ xml: text.slice(element.start, element.end), element, offset: element.start },
  }));
  const indexes = new Map<string, number>();
  entries.forEach((entry, index) => {
    const own = key(entry);
    if (!indexes.has(own)) indexes.set(own, index);
  });
  return { entries, key, indexes, added: [] };
}

/** The index of an entry in its list, where it is put if the list has none like it. Throws a WorkbookFileError if the list is full. */
function put(list: List, xml: string, most = Infinity): number {
  const entry: Entry = { xml, element: xmlTree(xml, "styles"), offset: 0 };
  const known = list.indexes.get(list.key(entry));
  if (known !== undefined) return known;
  if (list.entries.length >= most) {
    throw new WorkbookFileError(
      "too-large",
      "The workbook has as many formats of cells as Excel allows. Give some cells the same format in Excel, save it, and try again.",
      `${most} formats`,
    );
  }
  return push(list, xml, entry);
}

/** Puts an entry at the end of its list, and gives its index. */
function push(
  list: List,
  xml: string,
  entry: Entry = { xml, element: xmlTree(xml, "styles"), offset: 0 },
): number {
  const key = list.key(entry);
  if (!list.indexes.has(key)) list.indexes.set(key, list.entries.length);
  list.added.push(xml);
  return list.entries.push(entry) - 1;
}

/** A format's list of extensions, as XML: its cells may show checkboxes. */
function extensionsOf({ xml, element, offset }: Entry): string {
  const list = childOf(element, "extLst");
  return list ? xml.slice(list.start - offset, list.end - offset) : "";
}

/** Two formats with one key look and behave alike, however their XML is written. */
function xfKey(entry: Entry): string {
  const { element } = entry;
  const attributes = ({ attributes: own }: XmlElement) =>
    Object.entries(own)
      .filter(([name]) => !name.startsWith("apply"))
      .sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([
    attributes(element),
    element.children.map((child) => [child.local, attributes(child), child.children.length]),
    extensionsOf(entry),
  ]);
}
