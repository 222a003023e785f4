import {
  type CellFormula,
  type CellLook as FileLook,
  customCalls,
  type FileCell,
  type Rect,
  type SheetFile,
  type TableFile,
  type WorkbookFile,
} from "../../xlsx/workbook-file";
import type { BookContents, CellContents, CellStyle, FilteredTable, SheetContents } from "../book-contents";
import { createStyles } from "../book-contents";
import type { SavedDocument } from "../host/office-document";
import { type CellValue, horizontalAlignments, tableStyles, verticalAlignments } from "../spreadsheet";
import { shownIn } from "../structured-references";
import { pixelsOf } from "./column-width";
import { readPrintSetups } from "./printed-sheets";

/** The add-in that the workbench runs, as a file knows it. */
export interface FileAddin {
  /** The id of its manifest. */
  id: string;
  /** The namespace of its custom functions. */
  namespace: string;
}

/** A workbook's file as a spreadsheet and the host take it. */
export interface OpenedXlsx {
  contents: BookContents;
  document: SavedDocument;
}

/** The ids by which the workbench calls the sheets and tables of a file. */
export interface FileIds {
  sheet(sheet: SheetFile): string;
  table(table: TableFile): string;
}

/**
 * The ids of sheets and tables as Excel's API gives them. If two have the same id, the later one is called by its part. The ids stay
 * as they are while the file is changed.
 */
export function idsOf(file: WorkbookFile): FileIds {
  const ids = new Map<string, string>();
  const taken = new Set<string>();
  const tables = file.sheets.flatMap((sheet) => sheet.tables);
  for (const { uid, part } of [...file.sheets, ...tables]) {
    const id = taken.has(uid) ? part : uid;
    taken.add(id);
    ids.set(part, id);
  }
  return { sheet: ({ part }) => ids.get(part) ?? part, table: ({ part }) => ids.get(part) ?? part };
}

/**
 * Reads all that the workbench shows and what the add-in keeps; the rest stays in the file. Throws a WorkbookFileError where a
 * sheet can't be read.
 */
export function readXlsx(
  file: WorkbookFile,
  addin: FileAddin,
  { sheet: sheetIdOf, table: tableIdOf }: FileIds = idsOf(file),
): OpenedXlsx {
  const styleOf = createStyles();
  const styles = new Map<number, CellStyle>();
  const styleAt = (index: number) => {
    const style = styles.get(index) ?? styleOf(cellStyle(file.styles.look(index)));
    styles.set(index, style);
    return style;
  };
  const [first] = file.sheets;
  const active = file.sheets[file.activeSheet] ?? first;
  const idsByName = new Map<string | null, string>(
    file.sheets.map((sheet) => [sheet.name, sheetIdOf(sheet)]),
  );
  return {
    contents: {
      sheets: file.sheets.map((sheet) => sheetContents(sheet, sheetIdOf(sheet), addin, styleAt)),
      activeSheetId: active ? sheetIdOf(active) : "",
      ...(file.uses1904 && { uses1904: true }),
      tables: file.sheets.flatMap((sheet) =>
        sheet.tables.map((table) => tableContents(table, tableIdOf(table), sheetIdOf(sheet))),
      ),
      names: file.definedNames
        // Excel's own, such as those of print areas, are no names of a user's.
        .filter(({ name }) => !name.startsWith("_xlnm."))
        .map(({ name, formula, comment, sheet, hidden }) => ({
          ...{ name, formula: `=${formula}`, comment, isHidden: hidden },
          sheetId: idsByName.get(sheet) ?? null,
        })),
    },
    document: {
      settings: Object.entries(extensionOf(file, addin)?.properties ?? {}),
      customXmlParts: file.customXmlParts.map(({ id, part, xml }) => [id || part, xml]),
      isStructureProtected: file.isStructureProtected,
      protectedSheets: file.sheets.filter(({ isProtected }) => isProtected).map(sheetIdOf),
      veryHiddenSheets: file.sheets.filter(({ visibility }) => visibility === "veryHidden").map(sheetIdOf),
      calculationMode: "Automatic",
      loadsAtOpening: false,
      printSetups: readPrintSetups(file, sheetIdOf),
      facts: [],
      bindings: [],
    },
  };
}

/** The add-in in the file: by its id, in any case, or by its functions where it has come from a store, by whose id the file knows it. */
export function extensionOf(file: WorkbookFile, { id, namespace }: FileAddin) {
  const prefix = `_xldudf_${namespace.replaceAll(".", "_")}_`.toLowerCase();
  const all = file.webExtensions;
  return (
    all.find(({ reference }) => reference.id.toLowerCase() === id.toLowerCase()) ??
    all.find(({ customFunctionIds }) =>
      customFunctionIds.some((each) => each.toLowerCase().startsWith(prefix)),
    )
  );
}

function sheetContents(
  sheet: SheetFile,
  id: string,
  { namespace }: FileAddin,
  styleAt: (index: number) => CellStyle,
): SheetContents {
  const { visibility, frozen, merged } = sheet;
  return {
    ...{ id, name: sheet.name, isHidden: visibility !== "visible", merged, frozen },
    columnWidths: new Map(
      sheet.columnWidths.flatMap(({ column, columns, width }) =>
        width === null
          ? []
          : Array.from({ length: columns }, (_, index): [number, number] => [
              column + index,
              pixelsOf(width),
            ]),
      ),
    ),
    cells: withLinks(cellsOf(sheet, id, namespace, styleAt), sheet, styleAt),
  };
}

function cellsOf(
  sheet: SheetFile,
  sheetId: string,
  namespace: string,
  styleAt: (index: number) => CellStyle,
): CellContents[] {
  const fileCells: readonly FileCell[] = [...sheet.cells([namespace])];
  const tables = sheet.tables.map(({ displayName, ref }) => ({ name: displayName, sheetId, rect: ref }));
  /** Values of cells that formulas fill, by place. */
  const filled = new Map<number, CellValue>();
  for (const { formula } of fileCells)
    if (isSpill(formula)) for (const key of rowsOf(formula.area, keyOf).flat()) filled.set(key, "");
  for (const { row, column, value } of filled.size > 0 ? fileCells : [])
    if (filled.has(keyOf(row, column))) filled.set(keyOf(row, column), value ?? "");
  return fileCells.map(({ row, column, value, formula, style }) => {
    const cell: CellContents = { row, column, value: value ?? "", style: styleAt(style) };
    if (formula) {
      cell.formula = shownIn(() => tables, `=${formula.shown}`, { sheetId, row, column });
      if (customCalls(formula.text, namespace) === "shown")
        Object.assign(cell, { value: "#NAME?", isStuck: true });
      if (isSpill(formula))
        cell.spill = rowsOf(formula.area, (...place) => filled.get(keyOf(...place)) ?? "");
    } else if (filled.has(keyOf(row, column))) {
      // It belongs to the formula that fills it.
      cell.value = "";
    }
    return cell;
  });
}

/** Gives cells their links. A link may lie over cells that hold nothing. */
function withLinks(
  cells: CellContents[],
  sheet: SheetFile,
  styleAt: (index: number) => CellStyle,
): CellContents[] {
  const links = new Map(
    sheet.hyperlinks
      .filter(({ area }) => area.rows * area.columns === 1)
      .map(({ area, target, location }) => [keyOf(area.row, area.column), target ?? `#${location ?? ""}`]),
  );
  if (links.size === 0) return cells;
  for (const cell of cells) {
    const key = keyOf(cell.row, cell.column);
    const link = links.get(key);
    if (link === undefined) continue;
    cell.link = link;
    links.delete(key);
  }
  if (links.size === 0) return cells;
  const blank = [...links].map(([key, link]): CellContents => ({
    ...placeOf(key),
    value: "",
    style: styleAt(0),
    link,
  }));
  return [...cells, ...blank].sort((one, other) => one.row - other.row || one.column - other.column);
}

/** A file may name any area; one that no formula of a real workbook fills counts as the cell alone. */
const mostFilled = 1_000_000;

function isSpill(formula: CellFormula | undefined): formula is CellFormula & { area: Rect } {
  if (!formula?.isArray || !formula.area) return false;
  const cells = formula.area.rows * formula.area.columns;
  return cells > 1 && cells <= mostFilled;
}

function rowsOf<Value>(area: Rect, valueAt: (row: number, column: number) => Value): Value[][] {
  return Array.from({ length: area.rows }, (_, down) =>
    Array.from({ length: area.columns }, (__, across) => valueAt(area.row + down, area.column + across)),
  );
}

function tableContents(
  { displayName, ref, styleName, hasHeaderRow, hasTotalsRow, filteredColumns }: TableFile,
  id: string,
  sheetId: string,
): FilteredTable {
  return {
    ...{ id, name: displayName, sheetId, rect: ref },
    style: styleName !== null && tableStyles.includes(styleName) ? styleName : plainTableStyle,
    ...(!hasHeaderRow && { hidesHeaders: true }),
    ...(hasTotalsRow && { showsTotals: true }),
    ...(filteredColumns.length > 0 && {
      filters: Object.fromEntries(
        filteredColumns.map(({ column, values, withBlanks }) => [
          column,
          withBlanks ? [...values, ""] : values,
        ]),
      ),
    }),
  };
}

/** A style that the workbench does not draw is shown as this one, and stays what it is in the file. */
const plainTableStyle = "TableStyleMedium2";

export function cellStyle(look: FileLook): CellStyle {
  const { numberFormat, fillColor, fontColor, bold, italic, wrapText } = look;
  const capitalized = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1);
  const alike = <Name extends string>(names: readonly Name[], word: string, otherwise: Name) =>
    names.find((name) => name === capitalized(word)) ?? otherwise;
  return {
    ...{ numberFormat, fillColor, bold, italic, wrapText },
    // Black is what a cell without a color of its own has.
    fontColor: fontColor.toUpperCase() === "#000000" ? null : fontColor,
    horizontalAlignment: alike(horizontalAlignments, look.horizontalAlignment, "General"),
    verticalAlignment: alike(verticalAlignments, look.verticalAlignment, "Bottom"),
    indentLevel: look.indent,
  };
}

export const keyOf = (row: number, column: number) => row * 16_384 + column;
const placeOf = (key: number) => ({ row: Math.floor(key / 16_384), column: key % 16_384 });
