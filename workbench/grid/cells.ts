import {
  CellValueType,
  type ICellData,
  type Nullable,
  ObjectMatrix,
  extractPureTextFromCell,
} from "@univerjs/core";
import { FormulaDataModel, ReorderRangeMutation } from "@univerjs/preset-sheets-core";
import { cellAt, contains, union } from "../address";
import { errorTexts } from "../spreadsheet";
import type { CellLook, CellValue, CellView, DataType, FinerLook, Rect, Spreadsheet } from "../spreadsheet";
import { shownIn } from "../structured-references";
import type { CellPlace } from "./calculation/calculation";
import { type Book, type CellMatrix, toRange } from "./univer";
import { GENERAL, formatValue, isTextFormat, parseValue, textOf } from "./calculation/calculated-values";

type Cells = Pick<
  Spreadsheet,
  "read" | "writeFormulas" | "clear" | "copy" | "keepValues" | "reorderRows" | "reorderColumns" | "usedRect"
>;

const NO_CONTENTS = { v: null, f: null, si: null, p: null };

export function createCells(book: Book, { tables }: Pick<Spreadsheet, "tables">): Cells {
  const formulas = book.injector.get(FormulaDataModel);

  /** The formula as Excel shows it; null where there is none. */
  function formulaAt(sheetId: string, row: number, column: number): string | null {
    const formula = formulas.getFormulaStringByCell(row, column, sheetId, book.unitId()) ?? null;
    return formula && shownIn(tables, formula, { sheetId, row, column });
  }

  function view(sheetId: string, row: number, column: number): CellView {
    const cell = shownCell(book, sheetId, row, column);
    const value = contents(cell);
    const numberFormat = numberFormatOf(book, sheetId, row, column);
    const formula = formulaAt(sheetId, row, column);
    const { dataType } = attachmentOf(cell);
    const text = dataType ? textOf(dataType, numberFormat) : formatValue(value, numberFormat);
    return { value, formula: formula ?? value, text, numberFormat };
  }

  return {
    read: (sheetId, rect) => mapRect(rect, (row, column) => view(sheetId, row, column)),

    writeFormulas(sheetId, rect, rows) {
      book.makeRoom(sheetId, rect);
      const matrix: CellMatrix = {};
      rows.forEach((values, y) => {
        const row = (matrix[rect.row + y] = {} as CellMatrix[number]);
        values.forEach((value, x) => {
          if (value === null) return;
          const column = rect.column + x;
          row[column] = toCell(value, () => numberFormatOf(book, sheetId, rect.row + y, column));
        });
      });
      book.setCells(sheetId, matrix);
    },

    clear(sheetId, rect, { contents, formats }) {
      const matrix: CellMatrix = {};
      const cleared = { ...(contents && NO_CONTENTS), ...(formats && { s: null }) };
      book
        .sheet(sheetId)
        .getCellMatrix()
        .forValue((row, column, cell) => {
          if (contains(rect, row, column))
            (matrix[row] ??= {})[column] = {
              ...cleared,
              ...(formats && relooked(contents ? linkAlone(cell) : cell)),
              ...(!contents && kindOf(book, sheetId, row, column)),
            };
        });
      book.setCells(sheetId, matrix, { calculate: contents });
    },

    copy({ sheetId, rect }, to, { contents, formats } = { contents: true, formats: true }) {
      book.makeRoom(to.sheetId, { ...rect, row: to.row, column: to.column });
      const source = book.sheet(sheetId).getCellMatrix();
      const target = book.sheet(to.sheetId).getCellMatrix();
      const matrix: CellMatrix = {};
      mapRect(rect, (row, column) => {
        const { s = null, ...entry } = structuredClone(source.getValue(row, column) ?? {});
        const f = formulaAt(sheetId, row, column);
        const [down, across] = [to.row + row - rect.row, to.column + column - rect.column];
        const there = target.getValue(down, across);
        (matrix[down] ??= {})[across] = {
          ...(contents ? { ...NO_CONTENTS, ...entry, f, si: null } : kindOf(book, to.sheetId, down, across)),
          ...(formats && { s }),
          ...relooked(contents ? (entry.custom ? entry : linkAlone(there)) : there, formats ? entry : there),
        };
      });
      book.setCells(to.sheetId, matrix, { calculate: contents });
    },

    keepValues(sheetId, rect) {
      const matrix: CellMatrix = {};
      mapRect(rect, (row, column) => {
        const cell = shownCell(book, sheetId, row, column);
        const value = contents(cell);
        if (value === "") return;
        const isText = typeof value === "string" && !errorTexts.has(value);
        const type = isText ? { t: CellValueType.FORCE_STRING } : cell?.t != null && { t: cell.t };
        (matrix[row] ??= {})[column] = { ...NO_CONTENTS, v: cell?.v, custom: cell?.custom, ...type };
      });
      book.setCells(sheetId, matrix);
    },

    reorderRows(sheetId, rect, order) {
      const places = order.map((from, to) => [rect.row + to, rect.row + from]);
      book.run(ReorderRangeMutation.id, {
        ...{ subUnitId: sheetId, range: toRange(rect), order: Object.fromEntries(places) },
      });
    },

    // Univer's own mutation moves rows alone.
    reorderColumns(sheetId, rect, order) {
      const source = book.sheet(sheetId).getCellMatrix();
      const matrix: CellMatrix = {};
      mapRect(rect, (row, column) => {
        const from = rect.column + (order[column - rect.column] ?? column - rect.column);
        const { s = null, ...entry } = structuredClone(source.getValue(row, from) ?? {});
        const f = formulas.getFormulaStringByCell(row, from, sheetId, book.unitId());
        (matrix[row] ??= {})[column] = {
          ...NO_CONTENTS,
          ...entry,
          f,
          si: null,
          s,
          custom: entry.custom ?? null,
        };
      });
      book.setCells(sheetId, matrix);
    },

    usedRect(sheetId, valuesOnly, within) {
      let used: Rect | null = null;
      const extend = (row: number, column: number, cell: Nullable<ICellData>) => {
        if (!cell || !contains(within, row, column)) return;
        const isFilled = isFormula(cell) || contents(cell) !== "" || (!valuesOnly && Boolean(cell.s));
        if (isFilled) used = union(used, cellAt(row, column));
      };
      book.sheet(sheetId).getCellMatrix().forValue(extend);
      new ObjectMatrix(spilledCells(book, sheetId)).forValue(extend);
      return used;
    },
  };
}

/** Data that a function's result brings along with its value: Univer keeps them in the cell's `custom`. */
export interface Attachment extends KeptLooks {
  /** The message behind an error. */
  message?: string;
  dataType?: DataType;
  /** The web address that the cell leads to; unlike the others it stays when the value changes. */
  link?: string;
  linkTip?: string;
  /** A formula as a file holds it that stays #NAME?; entering it anew takes this away. */
  isStuck?: boolean;
}

/** Looks of a cell that Univer has none for. They go where its style goes. */
export type KeptLooks = Pick<FinerLook, "styleName" | "fillPattern" | "patternColor"> & {
  keptVertical?: CellLook["verticalAlignment"] | undefined;
};
const keptNames = ["styleName", "fillPattern", "patternColor", "keptVertical"] as const;

/** The cell with nothing attached to it but its link, which stays when the value changes. */
function linkAlone(cell: Nullable<ICellData>): Pick<ICellData, "custom"> {
  const { link, linkTip } = attachmentOf(cell);
  return { custom: link === undefined ? null : { link, ...(linkTip !== undefined && { linkTip }) } };
}

/** Without the looks that are kept beside a cell, and with those of another cell, if there is one. */
function relooked(cell: Nullable<ICellData>, like?: Nullable<ICellData>): Pick<ICellData, "custom"> {
  const others = { ...attachmentOf(cell) };
  for (const name of keptNames) delete others[name];
  const looks = Object.fromEntries(
    keptNames.flatMap((name) => {
      const look = attachmentOf(like)[name];
      return look === undefined ? [] : [[name, look]];
    }),
  );
  const custom = { ...others, ...looks };
  return { custom: Object.keys(custom).length > 0 ? custom : null };
}

export function attachmentOf(cell: Nullable<ICellData>): Attachment {
  return cell?.custom ?? {};
}

/** Values that formulas spilled into the sheet: Univer keeps them beside the cells. */
function spilledCells(book: Book, sheetId: string): CellMatrix {
  return book.injector.get(FormulaDataModel).getArrayFormulaCellData()[book.unitId()]?.[sheetId] ?? {};
}

/** The cell as stored, or what was spilled into it. */
export function shownCell(book: Book, sheetId: string, row: number, column: number): Nullable<ICellData> {
  const own = book.sheet(sheetId).getCellMatrix().getValue(row, column);
  return contents(own) === "" ? (spilledCells(book, sheetId)[row]?.[column] ?? own) : own;
}

export function numberFormatOf(book: Book, sheetId: string, row: number, column: number): string {
  const sheet = book.sheet(sheetId);
  // The stored cell: what a table's style adds is of no interest.
  const cell = sheet.getCellMatrix().getValue(row, column);
  return sheet.getComposedCellStyleByCellData(row, column, cell)?.n?.pattern || GENERAL;
}

/** The kind of a cell's value, for a change of its format alone: Univer would make a number of a text, or a text of a number. */
export function kindOf(book: Book, sheetId: string, row: number, column: number): Pick<ICellData, "t"> {
  const { t } = book.sheet(sheetId).getCellMatrix().getValue(row, column) ?? {};
  return t === undefined || t === null ? {} : { t };
}

/** The cell that a value written through Excel's API makes. */
function toCell(value: CellValue, numberFormat: () => string): ICellData {
  const blank = { ...NO_CONTENTS };
  if (value === "") return blank;
  if (typeof value === "boolean") return { ...blank, v: value ? 1 : 0, t: CellValueType.BOOLEAN };
  const format = numberFormat();
  if (typeof value === "number" && !isTextFormat(format))
    return { ...blank, v: value, t: CellValueType.NUMBER };
  const text = String(value);
  if (text.startsWith("=") && text.length > 1 && !isTextFormat(format)) return { ...blank, f: text };
  const parsed = parseValue(text, format);
  if (typeof parsed.value !== "string") {
    const isStyled = parsed.numberFormat !== undefined && format === GENERAL;
    const style = isStyled ? { s: { n: { pattern: parsed.numberFormat! } } } : {};
    return { ...toCell(parsed.value, numberFormat), ...style };
  }
  const isForced = text.startsWith("'") && !isTextFormat(format);
  return { ...blank, v: parsed.value, t: isForced ? CellValueType.FORCE_STRING : CellValueType.STRING };
}

/** A stored cell's value as Excel has it; Univer keeps booleans as 1 and 0. */
export function contents(cell: Nullable<ICellData>): CellValue {
  if (cell?.p) return extractPureTextFromCell(cell);
  if (!cell || cell.v === undefined || cell.v === null) return "";
  if (cell.t === CellValueType.BOOLEAN || typeof cell.v === "boolean")
    return cell.v === true || Number(cell.v) === 1;
  if (cell.t === CellValueType.NUMBER) return Number(cell.v);
  return cell.v;
}

function isFormula(cell: Nullable<ICellData>): boolean {
  return Boolean(cell?.f || cell?.si);
}

/** Every cell with a formula, or every one whose stored cell is of a certain kind. */
export function formulaCells(book: Book, applies: (cell: ICellData) => boolean = () => true): CellPlace[] {
  const found: CellPlace[] = [];
  for (const sheet of book.workbook().getSheets()) {
    const sheetId = sheet.getSheetId();
    sheet.getCellMatrix().forValue((row, column, cell) => {
      if (cell && isFormula(cell) && applies(cell)) found.push({ sheetId, row, column });
    });
  }
  return found;
}

/** Formula cells that show an error or nothing yet: those that Excel calculates when it opens a workbook. */
export function unresolvedCells(book: Book): CellPlace[] {
  return formulaCells(book, (cell) => cell.v === undefined || errorTexts.has(String(cell.v)));
}

function mapRect<T>(rect: Rect, cell: (row: number, column: number) => T): T[][] {
  return Array.from({ length: rect.rows }, (_, y) =>
    Array.from({ length: rect.columns }, (_, x) => cell(rect.row + y, rect.column + x)),
  );
}
