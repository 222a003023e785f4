import { sharedTexts } from "./cells/shared-texts";
import type { FileLimits } from "./file-limits";
import { richErrors } from "./cells/rich-errors";
import { dynamicIndexes, ensureDynamicIndex } from "./formulas/array-metadata";
import { type FoundCall, foundCalls } from "./formulas/found-calls";
import { renameInFormulas } from "./formulas/renamed-sheet";
import { handleSignature } from "./package/digital-signature";
import { WorkbookPackage } from "./package/workbook-package";
import { writingProgram } from "./package/writing-program";
import { blankSheet, blankWorkbook, SHEET_RELATIONSHIP, SHEET_TYPE } from "./parts/blank-workbook";
import {
  addCustomXml,
  type CustomXmlPart,
  customXmlParts,
  removeCustomXml,
  replaceCustomXml,
} from "./parts/custom-xml";
import { type DefinedName, definedNames, insertElement, setDefinedNames } from "./parts/defined-names";
import {
  addWebExtension,
  type NewExtension,
  setExtensionFunctions,
  setExtensionProperties,
  type WebExtension,
  webExtensions,
} from "./parts/web-extensions";
import type { OtherFormula } from "./sheets/other-formulas";
import { type SheetEntry, SheetFile, type SheetHost, type SheetVisibility } from "./sheets/sheet-file";
import { CellStyles } from "./styles/cell-styles";
import { broken, withPlace, WorkbookFileError } from "./workbook-file-error";
import { childOf, childrenOf, isOn, prefixedAttribute, prefixOf, type XmlElement } from "./xml/xml-tree";
import { xmlAttributes } from "./xml/xml-text";

export type { Rect } from "./cells/cell-reference";
export type { CellChange, NewFormula } from "./cells/cell-xml";
export type { CellFormula, CellScalar, FileCell } from "./cells/read-cells";
export { cellReference, rectOf, rectReference } from "./cells/cell-reference";
export type { FileLimits } from "./file-limits";
export type { FoundCall } from "./formulas/found-calls";
export { customCalls, shownFormula, storedFormula } from "./formulas/stored-formula";
export { type CustomXmlPart, rootNamespace } from "./parts/custom-xml";
export type { CellComment } from "./sheets/cell-comments";
export type { DefinedName } from "./parts/defined-names";
export type { ExtensionReference, NewExtension, WebExtension } from "./parts/web-extensions";
export type { OtherFormula } from "./sheets/other-formulas";
export type { SheetFile, SheetVisibility } from "./sheets/sheet-file";
export type { CellLink, ColumnRange, Frozen } from "./sheets/sheet-frame";
export type { PrintSetup } from "./sheets/print-setup";
export type { NewTable, TableChange, TableFile } from "./sheets/table-file";
export type { CellLook, CellStyles } from "./styles/cell-styles";
export { WorkbookFileError, type WorkbookFileErrorKind } from "./workbook-file-error";

export interface OpenOptions {
  /** Takes the digital signature of a signed workbook away; without it such a workbook is refused. */
  dropSignature?: boolean;
  limits?: Partial<FileLimits>;
}

/**
 * Opens a workbook from the bytes of its .xlsx or .xlsm file; the bytes are kept and must not change. Throws a WorkbookFileError,
 * whose message a user understands, for whatever is no workbook, or one that can't be changed without harm. Cells are read when
 * they are asked for, so a sheet that is damaged is refused then.
 */
export function openWorkbookFile(bytes: Uint8Array, options: OpenOptions = {}): WorkbookFile {
  const workbookPackage = new WorkbookPackage(bytes, options.limits);
  const [main] = workbookPackage.related("", "officeDocument");
  if (!main || !workbookPackage.has(main.part)) throw broken("its main part is missing");
  const type = workbookPackage.contentType(main.part) ?? "";
  if (/\.sheet\.binary\./.test(type)) {
    throw new WorkbookFileError(
      "unsupported",
      "The file is an Excel binary workbook (.xlsb). Open it in Excel and save it as .xlsx.",
    );
  }
  if (!/^application\/vnd\.(?:openxmlformats-officedocument\.spreadsheetml|ms-excel)\./.test(type)) {
    throw new WorkbookFileError(
      "not-a-workbook",
      "The file is not an Excel workbook. Choose an .xlsx file.",
      type,
    );
  }
  handleSignature(workbookPackage, options.dropSignature ?? false);
  try {
    return new WorkbookFile(workbookPackage, main.part);
  } catch (error) {
    throw withPlace(error, writingProgram(workbookPackage));
  }
}

/** A new workbook with empty sheets. Throws a RangeError for names that sheets can't have. */
export function newWorkbookFile(sheetNames: readonly string[]): WorkbookFile {
  const workbook = openWorkbookFile(blankWorkbook());
  sheetNames.forEach((name) => workbook.addSheet(name));
  if (workbook.sheets.length === 0) throw new RangeError("A workbook has at least one sheet.");
  workbook.setActiveSheet(0);
  return workbook;
}

/** A tab: a worksheet, or a sheet of another kind, which has none. */
interface Tab extends SheetEntry {
  sheet: SheetFile | null;
}

/**
 * A workbook's file. Only what is told to change changes: each other part of the package keeps its bytes, and within a sheet
 * each other cell.
 */
export class WorkbookFile {
  /** Looks of cells, by the index that cells have. */
  readonly styles: CellStyles;
  private readonly host: SheetHost;
  private readonly sheetFiles = new Map<string, SheetFile>();
  private tabs: Tab[] = [];
  /** The tabs' worksheets and the way back, kept because each of a workbook's thousand sheets asks for them again and again. */
  private listedSheets: readonly SheetFile[] = [];
  private tabsOfSheets = new Map<SheetFile, Tab>();
  private knownTexts: readonly string[] | undefined;
  private knownDynamic: ReadonlySet<number> | undefined;
  private knownErrors: ReadonlyMap<number, string> | undefined;

  /** @internal Use `openWorkbookFile`. */
  constructor(
    private readonly workbookPackage: WorkbookPackage,
    private readonly workbookPart: string,
  ) {
    this.styles = new CellStyles(workbookPackage, workbookPart);
    const uses1904 = this.uses1904;
    const listed = () => this.sheets;
    this.host = {
      ...{ workbookPackage, workbookPart, uses1904 },
      sharedTexts: () => this.sharedTexts(),
      isDynamic: (cellMetadata) => this.dynamicIndexes().has(cellMetadata),
      errorOf: (valueMetadata) => this.richErrors().get(valueMetadata),
      dynamicIndex: () => {
        const [known] = this.dynamicIndexes();
        if (known !== undefined) return known;
        this.knownDynamic = undefined;
        return ensureDynamicIndex(workbookPackage, workbookPart);
      },
      formulasChanged: () => this.dropCalculationChain(),
      styleCount: () => Math.max(1, this.styles.count),
      definedNames: () => this.definedNames.map(({ name }) => name),
      entryOf: (sheet) => this.tabOf(sheet),
      get sheets() {
        return listed();
      },
    };
    this.readTabs();
  }

  /** The worksheets, in the order of their tabs. */
  get sheets(): readonly SheetFile[] {
    return this.listedSheets;
  }

  /** The names of tabs that are no worksheets, such as chart sheets, or have no part. They are kept. */
  get otherSheets(): string[] {
    return this.tabs.filter(({ sheet }) => sheet === null).map(({ name }) => name);
  }

  /** The place in `sheets` of the sheet that is shown; -1 if a tab of another kind is. */
  get activeSheet(): number {
    const sheet = this.tabs[this.activeTab()]?.sheet;
    return sheet ? this.sheets.indexOf(sheet) : -1;
  }

  setActiveSheet(index: number): void {
    const active = this.sheets[index];
    if (!active) throw new RangeError(`There is no sheet ${index}.`);
    this.setActiveTab(this.tabs.findIndex(({ sheet }) => sheet === active));
    for (const sheet of this.sheets) sheet.setSelected(sheet === active);
  }

  /** Adds an empty sheet as the last tab. Throws a RangeError for a name that Excel would not take. */
  addSheet(name: string): SheetFile {
    this.checkName(name, undefined);
    const { workbookPackage, workbookPart } = this;
    const part = workbookPackage.freeName("xl/worksheets/sheet#.xml");
    const relationship = workbookPackage.add({
      ...{ name: part, text: blankSheet, contentType: SHEET_TYPE },
      ...{ source: workbookPart, type: SHEET_RELATIONSHIP },
    });
    workbookPackage.edit(workbookPart, (root, edits) => {
      const list = childOf(root, "sheets");
      if (!list) throw broken("it has no list of sheets");
      const sheetId =
        Math.max(0, ...list.children.map(({ attributes }) => Number(attributes["sheetId"]) || 0)) + 1;
      const attributes = xmlAttributes({
        name,
        sheetId,
        "xmlns:r": workbookPackage.relationshipsNamespace,
        "r:id": relationship,
      });
      edits.append(list, `<${prefixOf(root)}sheet${attributes}/>`);
    });
    this.readTabs();
    const added = this.sheets.at(-1);
    if (!added) throw broken("it has no list of sheets");
    return added;
  }

  /**
   * Removes a sheet with what belongs to it alone; formulas that named it have `#REF!` instead. Throws a RangeError for the last
   * one that is visible.
   */
  removeSheet(sheet: SheetFile): void {
    const { workbookPackage, workbookPart } = this;
    const place = this.tabs.findIndex((tab) => tab.sheet === sheet);
    const tab = this.tabOf(sheet);
    if (!this.tabs.some((other) => other !== tab && other.visibility === "visible")) {
      throw new RangeError("A workbook has at least one visible sheet.");
    }
    const active = this.activeTab();
    this.renameInFormulas(tab.name, null);
    workbookPackage.edit(workbookPart, (root, edits) => {
      const element = childOf(root, "sheets")?.children[place];
      if (element) edits.remove(element);
      const names = childOf(root, "definedNames");
      const own = (names?.children ?? []).filter(
        ({ attributes }) => attributes["localSheetId"] === String(place),
      );
      if (names && own.length === names.children.length) edits.remove(names);
      else own.forEach((each) => edits.remove(each));
      for (const each of names?.children ?? []) {
        const local = Number(each.attributes["localSheetId"] ?? -1);
        if (local > place) edits.setAttributes(each, { localSheetId: local - 1 });
      }
    });
    workbookPackage.unrelate(workbookPart, ({ id }) => id === tab.relationship);
    workbookPackage.remove(tab.part);
    this.sheetFiles.delete(tab.part);
    this.dropCalculationChain();
    this.readTabs();
    const next = active > place ? active - 1 : Math.min(active, this.tabs.length - 1);
    const shown =
      this.tabs[next]?.visibility === "visible"
        ? next
        : this.tabs.findIndex((each) => each.visibility === "visible");
    const shownSheet = this.tabs[shown]?.sheet;
    if (shownSheet) this.setActiveSheet(this.sheets.indexOf(shownSheet));
    else this.setActiveTab(shown);
  }

  /**
   * Gives a sheet another name, also in formulas, names, rules, charts and links. Throws a RangeError for a name that Excel would
   * not take.
   */
  renameSheet(sheet: SheetFile, name: string): void {
    this.checkName(name, sheet);
    const before = sheet.name;
    if (name === before) return;
    this.renameInFormulas(before, name);
    this.editTab(sheet, { name });
  }

  /** Shows or hides a sheet. Throws a RangeError if none would be visible. */
  setVisibility(sheet: SheetFile, visibility: SheetVisibility): void {
    const tab = this.tabOf(sheet);
    if (
      visibility !== "visible" &&
      !this.tabs.some((other) => other !== tab && other.visibility === "visible")
    ) {
      throw new RangeError("A workbook has at least one visible sheet.");
    }
    this.editTab(sheet, { state: visibility === "visible" ? undefined : visibility });
  }

  get definedNames(): DefinedName[] {
    return definedNames(
      this.root(),
      this.tabs.map(({ name }) => name),
    );
  }

  /** Replaces all names. */
  setDefinedNames(names: readonly DefinedName[]): void {
    if (JSON.stringify(names) === JSON.stringify(this.definedNames)) return;
    const sheetNames = this.tabs.map(({ name }) => name);
    this.workbookPackage.edit(this.workbookPart, (root, edits) =>
      setDefinedNames(root, edits, names, sheetNames),
    );
  }

  /** Days are counted from 1904, as old Excels for the Mac did. */
  get uses1904(): boolean {
    return isOn(childOf(this.root(), "workbookPr")?.attributes["date1904"]);
  }

  /** No sheet can be added, deleted, renamed, hidden or shown in Excel. This module can do all that. */
  get isStructureProtected(): boolean {
    return isOn(childOf(this.root(), "workbookProtection")?.attributes["lockStructure"]);
  }

  /** Numbers stay as they are, and so show other days. */
  setDateSystem(uses1904: boolean): void {
    if (uses1904 === this.uses1904) return;
    this.workbookPackage.edit(this.workbookPart, (root, edits) => {
      const properties = childOf(root, "workbookPr");
      const date1904 = uses1904 ? 1 : undefined;
      if (properties) edits.setAttributes(properties, { date1904 });
      else insertElement(root, edits, "workbookPr", `<${prefixOf(root)}workbookPr date1904="1"/>`);
    });
  }

  /** Has Excel calculate all formulas when it opens the file. */
  calculateOnOpening(): void {
    this.workbookPackage.edit(this.workbookPart, (root, edits) => {
      const calculation = childOf(root, "calcPr");
      if (isOn(calculation?.attributes["fullCalcOnLoad"])) return;
      if (calculation) edits.setAttributes(calculation, { fullCalcOnLoad: 1 });
      else insertElement(root, edits, "calcPr", `<${prefixOf(root)}calcPr fullCalcOnLoad="1"/>`);
    });
  }

  /** The formulas that stand in no cell, each with the sheet that it is on; null for a name. */
  get otherFormulas(): (OtherFormula & { sheet: string | null })[] {
    return [
      ...this.definedNames.map(({ name, formula }) => ({
        ...{ of: "name" as const, where: name, text: formula, sheet: null },
      })),
      ...this.sheets.flatMap((sheet) =>
        sheet.otherFormulas.map((formula) => ({ ...formula, sheet: sheet.name })),
      ),
    ];
  }

  get customXmlParts(): CustomXmlPart[] {
    return customXmlParts(this.workbookPackage, this.workbookPart);
  }

  /** Adds a custom XML part and gives its id. Throws a WorkbookFileError if the text is not well-formed. */
  addCustomXml(xml: string, id?: string): string {
    return addCustomXml(this.workbookPackage, this.workbookPart, xml, id);
  }

  replaceCustomXml(part: CustomXmlPart, xml: string): void {
    replaceCustomXml(this.workbookPackage, part, xml);
  }

  removeCustomXml(part: CustomXmlPart): void {
    removeCustomXml(this.workbookPackage, this.workbookPart, part);
  }

  /** The add-ins with a task pane that the workbook knows. */
  get webExtensions(): WebExtension[] {
    return webExtensions(this.workbookPackage);
  }

  /** Adds an add-in with its task pane. */
  addWebExtension(extension: NewExtension): WebExtension {
    const part = addWebExtension(this.workbookPackage, extension);
    const added = this.webExtensions.find((each) => each.part === part);
    if (!added) throw new Error("The add-in was not added.");
    return added;
  }

  /** Replaces an add-in's settings. */
  setExtensionProperties({ part }: WebExtension, properties: Record<string, string>): void {
    setExtensionProperties(this.workbookPackage, part, properties);
  }

  /** Replaces the list of an add-in's custom functions. */
  setExtensionFunctions({ part }: WebExtension, ids: readonly string[]): void {
    setExtensionFunctions(this.workbookPackage, part, ids);
  }

  /** The names of all parts of the package. */
  get partNames(): string[] {
    for (const sheet of this.sheets) sheet.flush();
    return this.workbookPackage.names();
  }

  /** The bytes of a part as the file would be saved now. Throws a WorkbookFileError if it is missing or can't be read. */
  partContent(name: string): Uint8Array {
    for (const sheet of this.sheets) sheet.flush();
    return this.workbookPackage.content(name);
  }

  /** Every cell whose formula calls custom functions of a namespace, such as CONTOSO. */
  customFunctions(namespace: string): FoundCall[] {
    return foundCalls(this.sheets, namespace);
  }

  /** The file with all changes. It can be changed further and saved again. */
  save(): Uint8Array {
    for (const sheet of this.sheets) sheet.flush();
    this.styles.flush();
    return this.workbookPackage.save();
  }

  private root(): XmlElement {
    return this.workbookPackage.tree(this.workbookPart);
  }

  private readTabs(): void {
    const { workbookPackage, workbookPart } = this;
    const relationships = new Map(workbookPackage.relationships(workbookPart).map((each) => [each.id, each]));
    this.tabs = childrenOf(childOf(this.root(), "sheets"), "sheet").map((element) => {
      const { name = "", state } = element.attributes;
      const relationship = prefixedAttribute(element, "id") ?? "";
      const target = relationships.get(relationship);
      const part = target?.part ?? "";
      const visibility = state === "hidden" || state === "veryHidden" ? state : "visible";
      // An old macro module has an entry without a part.
      const isWorksheet = target?.type.endsWith("/worksheet") === true && workbookPackage.has(part);
      return { name, visibility, relationship, part, sheet: isWorksheet ? this.sheetFile(part) : null };
    });
    this.listedSheets = this.tabs.flatMap(({ sheet }) => sheet ?? []);
    this.tabsOfSheets = new Map(
      // The first tab counts where a damaged file names a sheet twice.
      [...this.tabs].reverse().flatMap((tab) => (tab.sheet ? [[tab.sheet, tab] as const] : [])),
    );
    const [tab] = this.tabs;
    if (tab && this.tabs.every(({ part }) => !workbookPackage.has(part)))
      throw broken(`the sheet ${tab.name} is missing`);
  }

  private sheetFile(part: string): SheetFile {
    const known = this.sheetFiles.get(part);
    if (known) return known;
    const sheet = new SheetFile(this.host, part);
    this.sheetFiles.set(part, sheet);
    return sheet;
  }

  private tabOf(sheet: SheetFile): Tab {
    const tab = this.tabsOfSheets.get(sheet);
    if (!tab) throw new RangeError("The sheet is no longer in the workbook.");
    return tab;
  }

  private editTab(sheet: SheetFile, attributes: Record<string, string | undefined>): void {
    const place = this.tabs.indexOf(this.tabOf(sheet));
    this.workbookPackage.edit(this.workbookPart, (root, edits) => {
      const element = childOf(root, "sheets")?.children[place];
      if (element) edits.setAttributes(element, attributes);
    });
    this.readTabs();
  }

  private renameInFormulas(from: string, to: string | null): void {
    for (const sheet of this.sheets) sheet.flush();
    renameInFormulas(this.workbookPackage, from, to);
    for (const sheet of this.sheets) sheet.forget();
  }

  private activeTab(): number {
    const [view] = childrenOf(childOf(this.root(), "bookViews"), "workbookView");
    return Number(view?.attributes["activeTab"] ?? 0) || 0;
  }

  private setActiveTab(place: number): void {
    if (this.activeTab() === place) return;
    this.workbookPackage.edit(this.workbookPart, (root, edits) => {
      const [view] = childrenOf(childOf(root, "bookViews"), "workbookView");
      const prefix = prefixOf(root);
      if (view) edits.setAttributes(view, { activeTab: place, firstSheet: undefined });
      else {
        const xml = `<${prefix}bookViews><${prefix}workbookView activeTab="${place}"/></${prefix}bookViews>`;
        insertElement(root, edits, "bookViews", xml);
      }
    });
  }

  /** Excel's rules for the names of sheets. */
  private checkName(name: string, own: SheetFile | undefined): void {
    const isName = name.length > 0 && name.length <= 31 && !/[[\]:*?/\\\p{Cc}]|^'|'$/u.test(name);
    if (!isName || name.toLowerCase() === "history")
      throw new RangeError(`A sheet can't be called "${name}".`);
    const isTaken = this.tabs.some(
      (tab) => (tab.sheet === null || tab.sheet !== own) && tab.name.toLowerCase() === name.toLowerCase(),
    );
    if (isTaken) throw new RangeError(`There is a sheet "${name}" already.`);
  }

  private sharedTexts(): readonly string[] {
    if (this.knownTexts) return this.knownTexts;
    const [part] = this.workbookPackage.related(this.workbookPart, "sharedStrings");
    this.knownTexts =
      part && this.workbookPackage.has(part.part)
        ? sharedTexts(this.workbookPackage.text(part.part), part.part)
        : [];
    return this.knownTexts;
  }

  private dynamicIndexes(): ReadonlySet<number> {
    return (this.knownDynamic ??= new Set(dynamicIndexes(this.workbookPackage, this.workbookPart)));
  }

  private richErrors(): ReadonlyMap<number, string> {
    return (this.knownErrors ??= richErrors(this.workbookPackage, this.workbookPart));
  }

  /** The list of formula cells. It would name wrong ones; Excel makes it anew. */
  private dropCalculationChain(): void {
    for (const { part } of this.workbookPackage.related(this.workbookPart, "calcChain")) {
      this.workbookPackage.unrelate(this.workbookPart, (each) => each.part === part);
      this.workbookPackage.remove(part);
    }
  }
}
