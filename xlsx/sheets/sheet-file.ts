import { type CellChange, checkChange, styleOf } from "../cells/cell-xml";
import { changedCells } from "../cells/change-cells";
import { type Follow, movedCells } from "../cells/moved-cells";
import { moveComments, moveRules } from "./moved-areas";
import { type CellComment, cellComments } from "./cell-comments";
import { checkPlace, type Rect, rectOf, rectReference } from "../cells/cell-reference";
import { orderedCells } from "../cells/ordered-cells";
import { type FileCell, hiddenRows, readCells } from "../cells/read-cells";
import { shownFormula } from "../formulas/stored-formula";
import type { WorkbookPackage } from "../package/workbook-package";
import { writingProgram } from "../package/writing-program";
import { withPlace } from "../workbook-file-error";
import { childOf, prefixedAttribute, prefixOf, XmlEdits, type XmlElement, xmlTree } from "../xml/xml-tree";
import { xmlAttributes, xmlContent } from "../xml/xml-text";
import {
  type CellLink,
  cellLinks,
  type ColumnRange,
  columnRanges,
  type Frozen,
  frozenPanes,
  isProtected,
  mergedAreas,
  setColumnRanges,
  setElement,
  setFrozenPanes,
  setMergedAreas,
  setTabSelected,
  tableRelationships,
  widenDimension,
} from "./sheet-frame";
import { type PrintSetup, printSetup, setPrintSetup } from "./print-setup";
import { revisionAttributes, revisionId, usualSheetId } from "./revision-id";
import { chartFormulas, columnFormulas, type OtherFormula, ruleFormulas } from "./other-formulas";
import { usersOfColumns } from "./column-users";
import { sheetText } from "./sheet-text";
import {
  changeTable,
  goneColumns,
  type NewTable,
  newTableXml,
  readTable,
  TABLE_CONTENT_TYPE,
  TABLE_RELATIONSHIP,
  type TableChange,
  type TableFile,
  uniqueColumnNames,
} from "./table-file";

export type SheetVisibility = "visible" | "hidden" | "veryHidden";

/** A sheet as the workbook's own part names it. */
export interface SheetEntry {
  name: string;
  visibility: SheetVisibility;
  /** The id of its relationship. */
  relationship: string;
  part: string;
}

/** The workbook, as far as a sheet uses it. */
export interface SheetHost {
  workbookPackage: WorkbookPackage;
  workbookPart: string;
  uses1904: boolean;
  sharedTexts(): readonly string[];
  isDynamic(cellMetadata: number): boolean;
  /** The error that value metadata names; undefined if it names none. */
  errorOf(valueMetadata: number): string | undefined;
  dynamicIndex(): number;
  /** Formulas came or went. */
  formulasChanged(): void;
  styleCount(): number;
  definedNames(): string[];
  entryOf(sheet: SheetFile): SheetEntry;
  sheets: readonly SheetFile[];
}

const HYPERLINK = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink";

/** A worksheet of a workbook's file. It reads from the file as it is with all changes, and keeps no cells. */
export class SheetFile {
  /** Changes that are not written yet, by row and column. */
  private pending = new Map<number, CellChange>();
  private knownRoot: XmlElement | undefined;
  /** The parts of the tables that this root names. Each table of a later sheet asks for them, because it counts those before it. */
  private knownTables: { of: XmlElement; parts: string[] } | undefined;
  /** The cells in their order, of this text of the sheet. */
  private ordered: { of: string; data: string } | undefined;

  constructor(
    private readonly host: SheetHost,
    readonly part: string,
  ) {}

  get name(): string {
    return this.host.entryOf(this).name;
  }

  get visibility(): SheetVisibility {
    return this.host.entryOf(this).visibility;
  }

  /** A GUID in braces, by which Excel's API finds it. Where the file gives none, the one that Excel would. */
  get uid(): string {
    return revisionId(this.root()) ?? usualSheetId(this.host.sheets.indexOf(this));
  }

  /** Throws a RangeError for what is no GUID in braces. */
  setUid(uid: string): void {
    if (uid === this.uid) return;
    this.editFrame((root, edits) => edits.setAttributes(root, revisionAttributes(root.attributes, uid)));
  }

  /** Locked cells can't be changed in Excel. This module can change them. */
  get isProtected(): boolean {
    return isProtected(this.root());
  }

  get merged(): Rect[] {
    return mergedAreas(this.root());
  }

  /** Widths that differ from the sheet's default, and hidden columns. */
  get columnWidths(): ColumnRange[] {
    return columnRanges(this.root());
  }

  get frozen(): Frozen {
    return frozenPanes(this.root());
  }

  get printSetup(): PrintSetup {
    return printSetup(this.root());
  }

  /** Rows that are hidden by hand or by a filter. */
  get hiddenRows(): number[] {
    this.flush();
    const { partName, prefix, data } = this.orderedData();
    return hiddenRows(data, { partName, prefix });
  }

  get hyperlinks(): CellLink[] {
    const targets = new Map(
      this.host.workbookPackage.relationships(this.part).map(({ id, target }) => [id, target] as const),
    );
    return cellLinks(this.root(), (id) => targets.get(id));
  }

  /** Notes and threaded comments of its cells, as the file has them. */
  get comments(): CellComment[] {
    return cellComments(this.host.workbookPackage, this.part);
  }

  /** The sheet's tables, in the file's order. */
  get tables(): TableFile[] {
    const { workbookPackage } = this.host;
    const parts = this.tableParts();
    if (parts.length === 0) return [];
    const { sheets } = this.host;
    const before = sheets.slice(0, sheets.indexOf(this));
    const first = before.reduce((count, sheet) => count + sheet.tableParts().length, 0);
    return parts.map((part, index) => readTable(workbookPackage.tree(part), part, first + index));
  }

  /** The formulas that stand in no cell: of rules, of tables' columns and of charts. */
  get otherFormulas(): OtherFormula[] {
    const { workbookPackage } = this.host;
    const columns = this.tableParts().flatMap((part) => columnFormulas(workbookPackage.tree(part)));
    return [...ruleFormulas(this.root()), ...columns, ...chartFormulas(workbookPackage, this.part)];
  }

  /** Gives the columns that a table fills other formulas; both are as the file stores them. The cells keep theirs. */
  changeColumnFormulas(change: (stored: string) => string): void {
    for (const part of this.tableParts())
      this.host.workbookPackage.edit(part, (root, edits) => {
        for (const { element, text } of columnFormulas(root)) {
          const changed = change(text);
          if (changed !== text) edits.setInner(element, xmlContent(changed));
        }
      });
  }

  private tableParts(): string[] {
    const root = this.root();
    if (this.knownTables?.of === root) return this.knownTables.parts;
    const ids = tableRelationships(root);
    const related = ids.length > 0 ? this.host.workbookPackage.related(this.part, "table") : [];
    const partOf = new Map(related.map(({ id, part }) => [id, part]));
    const parts = ids.flatMap((id) => partOf.get(id) ?? []);
    this.knownTables = { of: root, parts };
    return parts;
  }

  /**
   * The cells that stand in the file, row by row. `formula.shown` has the custom functions of `namespaces` as Excel shows them.
   * Throws a WorkbookFileError where the sheet can't be read.
   */
  *cells(namespaces: readonly string[] = []): Generator<FileCell> {
    const { host } = this;
    let texts: readonly string[] | undefined;
    try {
      this.flush();
      const { data, partName, prefix } = this.orderedData();
      yield* readCells(data, {
        ...{ partName, prefix, uses1904: host.uses1904 },
        sharedTexts: () => (texts ??= host.sharedTexts()),
        isDynamic: (cellMetadata) => host.isDynamic(cellMetadata),
        errorOf: (valueMetadata) => host.errorOf(valueMetadata),
        shown: (stored) => shownFormula(stored, namespaces),
      });
    } catch (error) {
      throw withPlace(error, `on the sheet “${this.name}”`, writingProgram(host.workbookPackage));
    }
  }

  /** False only where no cell has a formula. It looks at the text alone, which is much quicker than to read the cells. */
  get mayHaveFormulas(): boolean {
    this.flush();
    const { data, prefix } = this.cellData();
    return data.includes(`<${prefix}f`);
  }

  /**
   * Changes cells. They are written when the file is saved or read again; a later change of a cell adds to an earlier one.
   * Cells that are not named stay as they are, to the byte. Throws a RangeError for what no cell can hold.
   */
  setCells(changes: Iterable<CellChange>): void {
    for (const change of changes) {
      checkChange(change);
      if (typeof change.style === "number" && change.style >= this.host.styleCount()) {
        throw new RangeError(`The workbook has no format ${change.style}.`);
      }
      const key = change.row * 16_384 + change.column;
      const earlier = this.pending.get(key);
      this.pending.set(key, earlier ? joined(earlier, change) : change);
    }
  }

  /**
   * Moves cells to where `follow` says, with all that the file says of them: looks, links, notes, and the areas of rules. Merged areas and
   * tables stay, and formulas keep their text, but for those of rules, which become as `shifted` says.
   */
  moveCells(follow: Follow, shifted: (formula: string) => string): void {
    const cells = [...this.cells()];
    const { data, partName, prefix } = this.orderedData();
    this.setCells(movedCells(data, cells, follow, { partName, prefix }));
    this.flush();
    this.setHyperlinks(
      this.hyperlinks.flatMap((link) => {
        const area = follow(link.area);
        return area ? [{ ...link, area }] : [];
      }),
    );
    this.moveRules(follow, shifted);
    moveComments(this.host.workbookPackage, this.part, follow);
  }

  /** Gives the areas of conditional formats, data validation and the like other places, and their formulas other texts. */
  moveRules(follow: Follow, shifted: (formula: string) => string = (formula) => formula): void {
    this.editFrame((root, edits) => moveRules(root, edits, follow, shifted));
    for (const { part } of this.tables)
      this.host.workbookPackage.edit(part, (root, edits) => moveRules(root, edits, follow, shifted));
  }

  /** Gives columns widths; null is the sheet's default. Other columns stay. */
  setColumnWidths(ranges: readonly ColumnRange[]): void {
    for (const { column, columns } of ranges) {
      checkPlace(0, column);
      checkPlace(0, column + columns - 1);
    }
    if (ranges.length > 0) this.editFrame((root, edits) => setColumnRanges(root, edits, ranges));
  }

  /** Replaces all merged areas. */
  setMerged(areas: readonly Rect[]): void {
    areas.forEach(checkRect);
    if (!isSame(areas.map(rectOnly), this.merged))
      this.editFrame((root, edits) => setMergedAreas(root, edits, areas));
  }

  setFrozen(frozen: Frozen): void {
    checkPlace(frozen.rows, frozen.columns);
    if (!isSame({ rows: frozen.rows, columns: frozen.columns }, this.frozen)) {
      this.editFrame((root, edits) => setFrozenPanes(root, edits, frozen));
    }
  }

  /** Sets what is not null. */
  setPrintSetup(setup: PrintSetup): void {
    const { orientation, fitToPages, footer } = this.printSetup;
    const wanted = {
      orientation: setup.orientation ?? orientation,
      fitToPages: setup.fitToPages ?? fitToPages,
      footer: setup.footer ?? footer,
    };
    if (!isSame(wanted, { orientation, fitToPages, footer }))
      this.editFrame((root, edits) => setPrintSetup(root, edits, setup));
  }

  /** Replaces all links of cells. */
  setHyperlinks(links: readonly CellLink[]): void {
    links.forEach(({ area }) => checkRect(area));
    const plain = links.map(({ area, target, location, tooltip }) => ({
      area: rectOnly(area),
      target,
      location,
      tooltip,
    }));
    if (isSame(plain, this.hyperlinks)) return;
    const { workbookPackage } = this.host;
    workbookPackage.unrelate(this.part, ({ type }) => type.endsWith("/hyperlink"));
    const targets = links.flatMap(({ target }) => target ?? []);
    const ids = workbookPackage.relateAll(this.part, HYPERLINK, targets, true);
    const related = links.map(({ target }) => (target === null ? undefined : ids.shift()));
    this.editFrame((root, edits) => {
      const prefix = prefixOf(root);
      const xml = links.map(({ area, location, tooltip }, index) => {
        const id = related[index];
        const attributes = xmlAttributes({
          ...{
            ref: rectReference(area),
            "xmlns:r": id === undefined ? undefined : workbookPackage.relationshipsNamespace,
            "r:id": id,
          },
          ...{ location: location ?? undefined, tooltip: tooltip ?? undefined },
        });
        return `<${prefix}hyperlink${attributes}/>`;
      });
      const whole = `<${prefix}hyperlinks>${xml.join("")}</${prefix}hyperlinks>`;
      setElement(root, edits, "hyperlinks", xml.length === 0 ? "" : whole);
    });
  }

  /**
   * Makes an area a table, and writes its columns' names into its header row. Throws a RangeError for a name that a table or
   * defined name has, an area of another table, or a wrong number of names.
   */
  addTable(table: NewTable): TableFile {
    checkRect(table.ref);
    const { host } = this;
    const { workbookPackage } = host;
    const all = host.sheets.flatMap((sheet) => sheet.tables);
    this.checkTable(table.name, table.ref, undefined);
    if (table.columnNames.length !== table.ref.columns)
      throw new RangeError("A table needs a name for each of its columns.");
    const columnNames = uniqueColumnNames(table.columnNames);
    const id = Math.max(0, ...all.map((each) => each.id)) + 1;
    const name = workbookPackage.freeName("xl/tables/table#.xml");
    const relationship = workbookPackage.add({
      ...{ name, text: newTableXml({ ...table, columnNames }, id) },
      ...{ contentType: TABLE_CONTENT_TYPE, source: this.part, type: TABLE_RELATIONSHIP },
    });
    this.editFrame((root, edits) => {
      const prefix = prefixOf(root);
      const part = `<${prefix}tablePart xmlns:r="${workbookPackage.relationshipsNamespace}" r:id="${relationship}"/>`;
      const list = childOf(root, "tableParts");
      if (list) edits.append(list, part, { count: list.children.length + 1 });
      else
        setElement(root, edits, "tableParts", `<${prefix}tableParts count="1">${part}</${prefix}tableParts>`);
    });
    if (table.hasHeaderRow ?? true) this.writeHeaders(table.ref, columnNames);
    return this.table(id);
  }

  /** Changes a table, found by its id. New names of columns are written into its header row. */
  updateTable(id: number, change: TableChange): TableFile {
    const table = this.table(id);
    const ref = change.ref ?? table.ref;
    checkRect(ref);
    this.checkTable(change.name ?? table.displayName, ref, id);
    const columnNames = change.columnNames && uniqueColumnNames(change.columnNames);
    if ((columnNames ?? table.columnNames).length !== ref.columns) {
      throw new RangeError("A table needs a name for each of its columns.");
    }
    const { workbookPackage, workbookPart } = this.host;
    if (columnNames) {
      const users = () => usersOfColumns(workbookPackage, workbookPart, this.host.sheets, table);
      mustNotBeUsed(goneColumns(workbookPackage.tree(table.part), columnNames), table, users);
    }
    const text = workbookPackage.text(table.part);
    workbookPackage.edit(table.part, (root, edits) =>
      changeTable(root, edits, text, { ...change, ...(columnNames && { columnNames }) }),
    );
    if (table.hasHeaderRow && columnNames) this.writeHeaders(ref, columnNames);
    return this.table(id);
  }

  /** Turns a table into plain cells. */
  removeTable(id: number): void {
    const table = this.table(id);
    const { workbookPackage } = this.host;
    const relationship = workbookPackage
      .related(this.part, "table")
      .find(({ part }) => part === table.part)?.id;
    this.editFrame((root, edits) => {
      const list = childOf(root, "tableParts");
      const own = list?.children.find((element) => prefixedAttribute(element, "id") === relationship);
      if (!list || !own) return;
      if (list.children.length === 1) edits.remove(list);
      else {
        edits.setAttributes(list, { count: list.children.length - 1 });
        edits.remove(own);
      }
    });
    workbookPackage.unrelate(this.part, ({ id: each }) => each === relationship);
    workbookPackage.remove(table.part);
  }

  /** For the workbook: its tab is the one that is shown, or one of the others. */
  setSelected(isSelected: boolean): void {
    this.editFrame((root, edits) => setTabSelected(root, edits, isSelected));
  }

  /** For the workbook: the sheet's part was written by somebody else. */
  forget(): void {
    this.knownRoot = undefined;
  }

  /** Writes the changes that are not written yet. */
  flush(): void {
    if (this.pending.size === 0) return;
    const changes = this.pending;
    this.pending = new Map();
    const { host } = this;
    const { data, partName, prefix } = this.orderedData();
    this.ordered = undefined;
    const changed = changedCells(data, changes.values(), {
      partName,
      prefix,
      dynamicIndex: () => host.dynamicIndex(),
    });
    if (changed.hasNewFormulas) host.formulasChanged();
    const { written } = changed;
    const hadCells = data.includes(`<${prefix}c`);
    this.editFrame((root, edits) => {
      if (written) widenDimension(root, edits, written, hadCells);
    }, changed.data);
  }

  private writeHeaders(ref: Rect, names: readonly string[]): void {
    this.setCells(
      names.map((value, index) => ({ row: ref.row, column: ref.column + index, value, formula: null })),
    );
  }

  private table(id: number): TableFile {
    const table = this.tables.find((each) => each.id === id);
    if (!table) throw new RangeError(`The sheet ${this.name} has no table ${id}.`);
    return table;
  }

  private checkTable(name: string, ref: Rect, own: number | undefined): void {
    const isNewName = own === undefined || this.table(own).displayName !== name;
    if (isNewName && !isTableName(name)) throw new RangeError(`${name} is no name for a table.`);
    if (isNewName && this.host.definedNames().some((each) => each.toLowerCase() === name.toLowerCase())) {
      throw new RangeError(`There is a name ${name} already.`);
    }
    for (const sheet of this.host.sheets) {
      for (const other of sheet.tables) {
        if (other.id === own && sheet === this) continue;
        if (other.displayName.toLowerCase() === name.toLowerCase())
          throw new RangeError(`There is a table ${name} already.`);
        if (sheet === this && overlap(other.ref, ref))
          throw new RangeError(`The area has cells of the table ${other.displayName}.`);
      }
    }
  }

  private cellData() {
    const text = this.host.workbookPackage.text(this.part);
    const cut = sheetText(text, this.part);
    const prefix = /^<(?:([^\s:/>]+):)?sheetData/.exec(cut.data)?.[1];
    return { ...cut, text, partName: this.part, prefix: prefix ? `${prefix}:` : "" };
  }

  /** As `cellData`, with rows and cells in their order. */
  private orderedData() {
    const cut = this.cellData();
    if (this.ordered?.of !== cut.text) this.ordered = { of: cut.text, data: orderedCells(cut.data, cut) };
    return { ...cut, data: this.ordered.data };
  }

  /** The worksheet's element without its cells. */
  private root(): XmlElement {
    return (this.knownRoot ??= xmlTree(frameOf(this.cellData()), this.part));
  }

  /** Changes the worksheet's element around its cells, and puts other cells into it, if any are given, as a `sheetData`. */
  private editFrame(change: (root: XmlElement, edits: XmlEdits) => void, cells?: string): void {
    const cut = this.cellData();
    const frame = frameOf(cut);
    const edits = new XmlEdits(frame);
    change(xmlTree(frame, this.part), edits);
    if (edits.isEmpty && cells === undefined) return;
    const changed = edits.applied();
    const tag = emptyCells(cut.prefix);
    // The tag is the first of its kind: an element in front of the cells can't be called so.
    const at = changed.indexOf(tag);
    const text = changed.slice(0, at) + (cells ?? cut.data) + changed.slice(at + tag.length);
    this.host.workbookPackage.write(this.part, text, cut.text);
    this.knownRoot = undefined;
  }
}

function emptyCells(prefix: string): string {
  return `<${prefix}sheetData xlsx-cells=""/>`;
}

function frameOf({ head, tail, prefix }: { head: string; tail: string; prefix: string }): string {
  return head + emptyCells(prefix) + tail;
}

/** Throws a RangeError if a slicer or a pivot table uses a column that goes, because Excel would not open the file without repair. */
function mustNotBeUsed(
  gone: readonly string[],
  { displayName }: TableFile,
  users: () => ReadonlyMap<string, string>,
): void {
  const used = gone.length > 0 ? users() : new Map<string, string>();
  const first = gone.find((name) => used.has(name));
  if (first === undefined) return;
  throw new RangeError(
    `The column “${first}” of the table ${displayName} can't be removed from the file, because ${used.get(first)} uses it. Remove the column in Excel.`,
  );
}

/** Two changes of one cell, the later one on top. */
function joined(earlier: CellChange, later: CellChange): CellChange {
  const told = Object.entries(later).filter(([, value]) => value !== undefined);
  const isError = later.value === undefined ? earlier.isError : later.isError;
  const [earlierStyle, laterStyle] = [earlier.style, later.style];
  return {
    ...earlier,
    ...Object.fromEntries(told),
    ...(earlierStyle !== undefined &&
      laterStyle !== undefined && {
        style: (before: number) => styleOf(laterStyle, styleOf(earlierStyle, before)),
      }),
    row: later.row,
    column: later.column,
    ...{ isError: isError === true },
  };
}

function checkRect({ row, column, rows, columns }: Rect): void {
  checkPlace(row, column);
  checkPlace(row + rows - 1, column + columns - 1);
  if (rows < 1 || columns < 1) throw new RangeError("An area has at least one cell.");
}

function rectOnly({ row, column, rows, columns }: Rect): Rect {
  return { row, column, rows, columns };
}

function overlap(one: Rect, other: Rect): boolean {
  return (
    one.row < other.row + other.rows &&
    other.row < one.row + one.rows &&
    one.column < other.column + other.columns &&
    other.column < one.column + one.columns
  );
}

/** Letters, digits, dots and underscores, and nothing that is a cell. */
function isTableName(name: string): boolean {
  return (
    name.length <= 255 &&
    /^[\p{L}_\\][\p{L}\p{N}_.\\]*$/u.test(name) &&
    !/^(?:r\d*c\d*|[rc])$/i.test(name) &&
    rectOf(name) === null
  );
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
