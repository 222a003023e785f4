import {
  type CellChange,
  type CellLink,
  type CellLook as FileLook,
  newWorkbookFile,
  type SheetFile,
  storedFormula,
  type WorkbookFile,
} from "../../xlsx/workbook-file";
import {
  type BookContents,
  type CellContents,
  type CellStyle,
  plainStyle,
  type SheetContents,
} from "../book-contents";
import { isSameRect } from "../address";
import type { SavedDocument } from "../host/office-document";
import { type CellValue, type DefinedName, errorTexts, type Rect, type TableInfo } from "../spreadsheet";
import { isGuid, newGuid } from "../guid";
import { type LineShift, shiftedRect } from "../line-shift";
import { shiftedFormula } from "../shifted-formula";
import { storedReferences, tableNameAt } from "../structured-references";
import { charactersOf } from "./column-width";
import { writePrintSetups } from "./printed-sheets";
import {
  cellStyle,
  extensionOf,
  type FileAddin,
  type FileIds,
  idsOf,
  keyOf,
  type OpenedXlsx,
  readXlsx,
} from "./read-xlsx";

/** The add-in that is written into a file which does not know it yet. */
export interface WrittenAddin extends FileAddin {
  version: string;
}

/**
 * Brings a file to what the workbook holds now, and changes nothing else in it. Charts, pictures, filters and color scales that
 * were made since it was opened are not written. `opened` is what `readXlsx` gave of the file as it is, for whoever has it.
 * Throws a RangeError for what no file can hold.
 */
export function updateXlsx(
  file: WorkbookFile,
  { contents, document }: OpenedXlsx,
  addin: WrittenAddin,
  opened: OpenedXlsx = readXlsx(file, addin),
): void {
  const ids = idsOf(file);
  const { moved = [], uses1904 = false } = contents;
  file.setDateSystem(uses1904);
  for (const { sheetId, shift } of moved) moveCells(file, ids, sheetId, shift);
  const before = moved.length > 0 ? readXlsx(file, addin, ids) : opened;
  const kept = new Set(contents.sheets.map(({ id }) => id));
  /** Ids of sheets that are new are not the file's. */
  const sheets = new Map(file.sheets.map((sheet) => [ids.sheet(sheet), sheet]));
  for (const { id, name } of contents.sheets) {
    if (sheets.has(id)) continue;
    const added = file.addSheet(freeName(file, name));
    if (isGuid(id)) added.setUid(id);
    sheets.set(id, added);
  }
  showSheets(file, sheets, contents, document);
  const gone = new Set(file.sheets);
  for (const [id, sheet] of sheets) if (kept.has(id)) gone.delete(sheet);
  for (const sheet of gone) file.removeSheet(sheet);
  for (const { id, name } of contents.sheets) {
    const sheet = sheets.get(id);
    if (sheet && sheet.name !== name) file.renameSheet(sheet, name);
  }
  const earlier = new Map(before.contents.sheets.map((sheet) => [sheet.id, sheet]));
  // Tables first: they would refuse an area that another one has left.
  for (const table of before.contents.tables) {
    if (contents.tables.some(({ id }) => id === table.id)) continue;
    const sheet = file.sheets.find((each) => ids.sheet(each) === table.sheetId);
    const own = sheet?.tables.find((each) => ids.table(each) === table.id);
    if (sheet && own) sheet.removeTable(own.id);
  }
  for (const now of contents.sheets) {
    const sheet = sheets.get(now.id);
    if (!sheet) continue;
    const tableAt = (row: number, column: number) =>
      tableNameAt(contents.tables, { sheetId: now.id, row, column });
    updateSheet(file, sheet, now, earlier.get(now.id) ?? emptySheet(now), {
      namespace: addin.namespace,
      tableAt,
    });
  }
  updateTables(sheets, ids, contents, before.contents);
  keepIds(file, ids, contents);
  updateNames(file, sheets, contents.names, before.contents.names);
  const active = sheets.get(contents.activeSheetId);
  if (active && contents.activeSheetId !== before.contents.activeSheetId)
    file.setActiveSheet(file.sheets.indexOf(active));
  updateDocument(file, document, before.document, addin);
  writePrintSetups(file, (id) => sheets.get(id), document.printSetups, before.document.printSetups);
}

/** Adds the names that were made and removes those that were deleted. Excel's own names and the others stay as the file has them. */
function updateNames(
  file: WorkbookFile,
  sheets: ReadonlyMap<string, SheetFile>,
  now: readonly DefinedName[],
  before: readonly DefinedName[],
): void {
  const isSame = (one: DefinedName) => (other: DefinedName) =>
    one.name === other.name && one.sheetId === other.sheetId;
  const sheetOf = ({ sheetId }: DefinedName) =>
    sheetId === null ? null : (sheets.get(sheetId)?.name ?? null);
  const gone = before.filter((name) => !now.some(isSame(name)));
  const added = now.filter((name) => !before.some(isSame(name)));
  const isGone = ({ name, sheet }: { name: string; sheet: string | null }) =>
    gone.some((each) => each.name === name && sheetOf(each) === sheet);
  file.setDefinedNames([
    ...file.definedNames.filter((each) => !isGone(each)),
    ...added.map((each) => ({
      ...{ name: each.name, formula: each.formula.slice(1), comment: each.comment },
      ...{ sheet: sheetOf(each), hidden: each.isHidden === true },
    })),
  ]);
}

/** Moves what the file knows of cells that were moved. Formulas and merged areas follow when the sheets are brought up to date. */
function moveCells(file: WorkbookFile, ids: FileIds, sheetId: string, shift: LineShift): void {
  const moved = file.sheets.find((sheet) => ids.sheet(sheet) === sheetId);
  if (!moved) return;
  const isOfMoved = (own: string | undefined) => (named: string | undefined) => (named ?? own) === moved.name;
  for (const sheet of file.sheets) {
    const shifted = (formula: string) => shiftedFormula(formula, shift, isOfMoved(sheet.name));
    if (sheet === moved) sheet.moveCells((rect) => shiftedRect(rect, shift), shifted);
    else sheet.moveRules((rect) => rect, shifted);
  }
  file.setDefinedNames(
    file.definedNames.map((defined) => ({
      ...defined,
      formula: shiftedFormula(defined.formula, shift, isOfMoved(undefined)),
    })),
  );
}

/** A workbook that was never a file. */
export function newXlsx(opened: OpenedXlsx, addin: WrittenAddin): WorkbookFile {
  const file = newWorkbookFile(opened.contents.sheets.map(({ name }) => name));
  const ids = new Map(
    opened.contents.sheets.map(({ id }, index) => {
      const uid = isGuid(id) ? id : newGuid();
      file.sheets[index]!.setUid(uid);
      return [id, uid];
    }),
  );
  const renamed = (id: string) => ids.get(id) ?? id;
  const { contents, document } = opened;
  updateXlsx(
    file,
    {
      contents: {
        ...contents,
        sheets: contents.sheets.map((sheet) => ({ ...sheet, id: renamed(sheet.id) })),
        activeSheetId: renamed(contents.activeSheetId),
        tables: contents.tables.map((table) => ({ ...table, sheetId: renamed(table.sheetId) })),
        names: contents.names.map((name) => ({
          ...name,
          sheetId: name.sheetId === null ? null : renamed(name.sheetId),
        })),
      },
      document: {
        ...document,
        veryHiddenSheets: document.veryHiddenSheets.map(renamed),
        printSetups: document.printSetups.map(([id, setup]) => [renamed(id), setup]),
      },
    },
    addin,
  );
  return file;
}

function emptySheet({ id, name }: SheetContents): SheetContents {
  return {
    ...{ id, name, isHidden: false, cells: [], merged: [] },
    ...{ columnWidths: new Map(), frozen: { rows: 0, columns: 0 } },
  };
}

/** A sheet that is renamed may still have the name when the one that has it now is added. */
function freeName(file: WorkbookFile, wanted: string): string {
  const taken = new Set(file.sheets.map(({ name }) => name.toLowerCase()));
  for (const name of file.otherSheets) taken.add(name.toLowerCase());
  let name = wanted;
  for (let number = 2; taken.has(name.toLowerCase()); number += 1) name = `${wanted.slice(0, 25)} ${number}`;
  return name;
}

function showSheets(
  file: WorkbookFile,
  sheets: ReadonlyMap<string, SheetFile>,
  contents: BookContents,
  document: SavedDocument,
): void {
  const visibilityOf = ({ id, isHidden }: SheetContents) => {
    if (!isHidden) return "visible";
    return document.veryHiddenSheets.includes(id) ? "veryHidden" : "hidden";
  };
  // Visible sheets come first: a workbook always has one.
  const inOrder = [...contents.sheets].sort((one, other) => Number(one.isHidden) - Number(other.isHidden));
  for (const info of inOrder) {
    const sheet = sheets.get(info.id);
    if (sheet && sheet.visibility !== visibilityOf(info)) file.setVisibility(sheet, visibilityOf(info));
  }
}

function updateSheet(
  file: WorkbookFile,
  sheet: SheetFile,
  now: SheetContents,
  before: SheetContents,
  written: WrittenFormulas,
): void {
  const [cells, cellsBefore] = unlikeCells(now.cells, before.cells);
  /** The file's styles by those of cells and of what the file has there. Cells share the objects of their styles. */
  const found = new Map<CellStyle, Map<number, number>>();
  sheet.setCells(
    cellChanges(fileContents(cells), fileContents(cellsBefore), {
      ...written,
      styleOf(style) {
        const ofStyle = found.get(style) ?? new Map<number, number>();
        found.set(style, ofStyle);
        return (base) => {
          const known = ofStyle.get(base);
          if (known !== undefined) return known;
          const look = cellStyle(file.styles.look(base));
          const made = file.styles.styleWith(base, changedLook(style, look));
          ofStyle.set(base, made);
          return made;
        };
      },
    }),
  );
  sheet.setMerged(now.merged);
  sheet.setFrozen(now.frozen);
  sheet.setColumnWidths(
    [...now.columnWidths]
      .filter(([column, px]) => before.columnWidths.get(column) !== px)
      .map(([column, px]) => ({ column, columns: 1, width: charactersOf(px), isHidden: px === 0 })),
  );
  updateLinks(sheet, cells, cellsBefore);
}

/**
 * The cells of both that may differ: a spreadsheet gives the very objects of cells that nobody has changed. All, where a formula fills
 * others, since these count with it.
 */
function unlikeCells(
  now: readonly CellContents[],
  before: readonly CellContents[],
): [now: readonly CellContents[], before: readonly CellContents[]] {
  const isFilling = ({ spill }: CellContents) => spill !== undefined;
  if (now.some(isFilling) || before.some(isFilling)) return [now, before];
  const [all, allBefore] = [new Set(now), new Set(before)];
  return [now.filter((cell) => !allBefore.has(cell)), before.filter((cell) => !all.has(cell))];
}

/** A cell as the file has it: those that a formula fills are told one by one. */
interface FileContents {
  row: number;
  column: number;
  value: CellValue;
  formula?: string | undefined;
  /** The size of the range that the formula fills. */
  rows: number;
  columns: number;
  style: CellStyle;
  isStuck?: boolean | undefined;
}

function fileContents(cells: readonly CellContents[]): Map<number, FileContents> {
  const all = new Map<number, FileContents>();
  for (const { row, column, value, formula, spill, style, isStuck } of cells) {
    // A file may have blank cells and empty texts without a format. A spreadsheet holds nothing there, so they stay.
    if (value === "" && formula === undefined && isSameStyle(style, plainStyle)) continue;
    const [rows, columns] = [spill?.length ?? 1, spill?.[0]?.length ?? 1];
    all.set(keyOf(row, column), { row, column, value, formula, rows, columns, style, isStuck });
  }
  for (const { row, column, spill = [] } of cells) {
    spill.forEach((values, down) =>
      values.forEach((value, across) => {
        if (down + across === 0) return;
        const place = { row: row + down, column: column + across };
        const { style = plainStyle } = all.get(keyOf(place.row, place.column)) ?? {};
        all.set(keyOf(place.row, place.column), { ...place, value, rows: 1, columns: 1, style });
      }),
    );
  }
  return all;
}

/** The text that a file has for a formula depends on these. */
interface WrittenFormulas {
  /** The add-in's functions. */
  namespace: string;
  /** The name of the table in which a cell stands, if it stands in one. */
  tableAt(row: number, column: number): string | undefined;
}

function* cellChanges(
  now: ReadonlyMap<number, FileContents>,
  before: ReadonlyMap<number, FileContents>,
  { styleOf, ...written }: WrittenFormulas & { styleOf(style: CellStyle): (before: number) => number },
): Generator<CellChange> {
  for (const [key, { row, column, style }] of before) {
    if (now.has(key)) continue;
    const isPlain = isSameStyle(style, plainStyle);
    yield {
      ...{ row, column, value: null, formula: null },
      ...(!isPlain && { style: styleOf(plainStyle) }),
    };
  }
  for (const [key, cell] of now) {
    const old = before.get(key);
    const { row, column, value, formula, style } = cell;
    const change: CellChange = { row, column };
    if (!isSameStyle(style, old?.style ?? plainStyle)) change.style = styleOf(style);
    if (!old || !isSameContent(cell, old)) {
      change.value = value === "" ? null : value;
      change.isError = typeof value === "string" && errorTexts.has(value);
      change.formula = formula === undefined ? null : formulaOf(cell, formula, written);
    }
    if (Object.keys(change).length > 2) yield change;
  }
}

function formulaOf(
  { row, column, rows, columns }: FileContents,
  formula: string,
  { namespace, tableAt }: WrittenFormulas,
) {
  const text = storedFormula(storedReferences(formula, tableAt(row, column)).slice(1), [namespace]);
  return rows * columns > 1 ? { text, area: { row, column, rows, columns } } : { text };
}

function isSameContent(one: FileContents, other: FileContents): boolean {
  return (
    one.value === other.value &&
    one.formula === other.formula &&
    one.isStuck === other.isStuck &&
    one.rows === other.rows &&
    one.columns === other.columns
  );
}

const looks = Object.keys(plainStyle) as (keyof CellStyle)[];

function isSameStyle(one: CellStyle, other: CellStyle): boolean {
  return one === other || looks.every((name) => one[name] === other[name]);
}

/** As the file says it, and only what is other than before: looks that the workbench does not know stay. */
function changedLook(style: CellStyle, known: CellStyle): Partial<FileLook> {
  const { horizontalAlignment, verticalAlignment, indentLevel, fontColor, ...alike } = style;
  const changed: Partial<FileLook> = {};
  for (const name of ["numberFormat", "fillColor", "bold", "italic", "wrapText"] as const)
    if (alike[name] !== known[name]) Object.assign(changed, { [name]: alike[name] });
  if (fontColor !== known.fontColor) changed.fontColor = fontColor ?? "#000000";
  if (indentLevel !== known.indentLevel) changed.indent = indentLevel;
  if (horizontalAlignment !== known.horizontalAlignment)
    changed.horizontalAlignment = horizontalAlignment.toLowerCase() as FileLook["horizontalAlignment"];
  if (verticalAlignment !== known.verticalAlignment)
    changed.verticalAlignment = verticalAlignment.toLowerCase() as FileLook["verticalAlignment"];
  return changed;
}

/** The cells of `now` and `before` are those that may differ. The links of all others stay. */
function updateLinks(sheet: SheetFile, now: readonly CellContents[], before: readonly CellContents[]): void {
  const linksOf = (cells: readonly CellContents[]) =>
    new Map(
      cells.flatMap(({ row, column, link }): [number, string][] =>
        link === undefined ? [] : [[keyOf(row, column), link]],
      ),
    );
  const [links, earlier] = [linksOf(now), linksOf(before)];
  if (links.size + earlier.size === 0) return;
  const stays = ({ area }: CellLink) => {
    const key = keyOf(area.row, area.column);
    return area.rows * area.columns > 1 || links.get(key) === earlier.get(key);
  };
  const added = now.flatMap(({ row, column, link }): CellLink[] => {
    if (link === undefined || earlier.get(keyOf(row, column)) === link) return [];
    const isInside = link.startsWith("#");
    return [
      {
        area: { row, column, rows: 1, columns: 1 },
        ...{ target: isInside ? null : link, location: isInside ? link.slice(1) : null, tooltip: null },
      },
    ];
  });
  const kept = sheet.hyperlinks.filter(stays);
  if (added.length > 0 || kept.length < sheet.hyperlinks.length) sheet.setHyperlinks([...kept, ...added]);
}

/** The ids that a file leaves to Excel go by places, which may be others now. */
function keepIds(file: WorkbookFile, ids: FileIds, { sheets, tables }: BookContents): void {
  // A new table may have got the part of one that is gone.
  const kept = new Set([...sheets, ...tables].map(({ id }) => id).filter(isGuid));
  for (const sheet of file.sheets) {
    const id = ids.sheet(sheet);
    if (kept.has(id)) sheet.setUid(id);
    for (const table of sheet.tables) {
      const uid = ids.table(table);
      if (kept.has(uid) && uid !== table.uid) sheet.updateTable(table.id, { uid });
    }
  }
}

function updateTables(
  sheets: ReadonlyMap<string, SheetFile>,
  ids: FileIds,
  contents: BookContents,
  before: BookContents,
): void {
  for (const {
    id,
    sheetId,
    name,
    rect,
    style,
    hidesHeaders = false,
    showsTotals = false,
  } of contents.tables) {
    const sheet = sheets.get(sheetId);
    if (!sheet) continue;
    const columnNames = headersOf(contents, sheetId, rect);
    const own = sheet.tables.find((each) => ids.table(each) === id);
    if (!own) {
      const uid = isGuid(id) ? id : newGuid();
      const added = { uid, name, ref: rect, columnNames, styleName: style };
      sheet.addTable({ ...added, hasHeaderRow: !hidesHeaders, hasTotalsRow: showsTotals });
      continue;
    }
    const old = before.tables.find((table) => table.id === id);
    // A file may call a column otherwise than its header says. It stays so as long as the header does.
    const headersBefore = old ? headersOf(before, sheetId, old.rect) : own.columnNames;
    const change = {
      ...(own.displayName !== name && { name }),
      ...(!isSameRect(own.ref, rect) && { ref: rect }),
      ...(!hidesHeaders && columnNames.join("\n") !== headersBefore.join("\n") && { columnNames }),
      ...(old && old.style !== style && { styleName: style }),
      ...(own.hasTotalsRow !== showsTotals && { hasTotalsRow: showsTotals }),
    };
    if (Object.keys(change).length > 0) sheet.updateTable(own.id, change);
    const added = rect.rows - own.ref.rows;
    if (added > 0 && old && (old.showsTotals ?? false) === showsTotals)
      sheet.moveRules((area) => grown(area, own.ref, old, added));
  }
}

/** The texts in a table's first row. */
function headersOf({ sheets }: BookContents, sheetId: string, { row, column, columns }: Rect): string[] {
  const texts = new Map<number, string>();
  for (const cell of sheets.find(({ id }) => id === sheetId)?.cells ?? [])
    if (cell.row === row) texts.set(cell.column, String(cell.value));
  return Array.from({ length: columns }, (_, index) => texts.get(column + index) ?? "");
}

/** A rule for all of a column's rows is for new rows, too, as in Excel. */
function grown(area: Rect, { row, column, columns }: Rect, table: TableInfo, added: number): Rect {
  const body = { row: row + 1, rows: table.rect.rows - 1 - Number(table.showsTotals ?? false) };
  const isOfColumn =
    area.row === body.row &&
    area.rows === body.rows &&
    area.column >= column &&
    area.column + area.columns <= column + columns;
  return isOfColumn ? { ...area, rows: area.rows + added } : area;
}

function updateDocument(
  file: WorkbookFile,
  now: SavedDocument,
  before: SavedDocument,
  addin: WrittenAddin,
): void {
  const parts = new Map(file.customXmlParts.map((part) => [part.id || part.part, part]));
  const texts = new Map(now.customXmlParts);
  for (const [id, part] of parts) {
    const xml = texts.get(id);
    if (xml === undefined) file.removeCustomXml(part);
    else if (xml !== part.xml) file.replaceCustomXml(part, xml);
  }
  for (const [id, xml] of texts) if (!parts.has(id)) file.addCustomXml(xml, id);

  const functionIds = new Set(
    file.customFunctions(addin.namespace).flatMap(({ storedText }) => {
      const names = storedText.matchAll(/_xldudf_[A-Za-z0-9_.]+/g);
      return [...names].map(([name]) => name);
    }),
  );
  const settings = Object.fromEntries(now.settings);
  const isUsed = functionIds.size + now.settings.length + now.customXmlParts.length > 0;
  if (!extensionOf(file, addin) && isUsed)
    file.addWebExtension({
      reference: { id: addin.id, version: addin.version, store: "developer", storeType: "Registry" },
      properties: {},
      customFunctionIds: [],
    });
  const extension = extensionOf(file, addin);
  if (!extension) return;
  if (JSON.stringify(now.settings) !== JSON.stringify(before.settings))
    file.setExtensionProperties(extension, settings);
  const added = [...functionIds].filter((id) => !extension.customFunctionIds.includes(id));
  if (added.length > 0) file.setExtensionFunctions(extension, [...extension.customFunctionIds, ...added]);
}
