import { BooleanNumber, HorizontalAlign, type IStyleData, VerticalAlign, WrapStrategy } from "@univerjs/core";
import { SetWorksheetColWidthMutation } from "@univerjs/preset-sheets-core";
import { between } from "../address";
import {
  type CellLook,
  horizontalAlignments,
  type Rect,
  type RangeStyle,
  type Spreadsheet,
  verticalAlignments,
} from "../spreadsheet";
import { kindOf } from "./cells";
import { type Book, type CellMatrix, toRange } from "./univer";

type Appearance = Pick<
  Spreadsheet,
  | "writeNumberFormats"
  | "applyStyle"
  | "look"
  | "setColumnWidth"
  | "autofitColumns"
  | "autofitRows"
  | "freeze"
>;

/** Pixels: what a character takes on average, and what is left free beside a text. */
const CHARACTER_WIDTH = 7;
const PADDING = 12;

const horizontal: Record<NonNullable<RangeStyle["horizontalAlignment"]>, HorizontalAlign> = {
  General: HorizontalAlign.UNSPECIFIED,
  Left: HorizontalAlign.LEFT,
  Center: HorizontalAlign.CENTER,
  Right: HorizontalAlign.RIGHT,
  Justify: HorizontalAlign.JUSTIFIED,
};

const vertical: Record<NonNullable<RangeStyle["verticalAlignment"]>, VerticalAlign> = {
  Top: VerticalAlign.TOP,
  Center: VerticalAlign.MIDDLE,
  Bottom: VerticalAlign.BOTTOM,
};

export function createAppearance(book: Book, cells: Pick<Spreadsheet, "read" | "usedRect">): Appearance {
  const facade = (sheetId: string) => book.facade().getSheetBySheetId(sheetId)!;

  /** Adds to the style of a rectangle's cells; `styleAt` counts from its corner, null leaves a cell as it is. */
  function restyle(sheetId: string, rect: Rect, styleAt: (y: number, x: number) => IStyleData | null) {
    const matrix: CellMatrix = {};
    for (let y = 0; y < rect.rows; y += 1) {
      for (let x = 0; x < rect.columns; x += 1) {
        const s = styleAt(y, x);
        const [row, column] = [rect.row + y, rect.column + x];
        if (s) (matrix[row] ??= {})[column] = { s, ...kindOf(book, sheetId, row, column) };
      }
    }
    book.makeRoom(sheetId, rect);
    book.setCells(sheetId, matrix, { calculate: false });
  }

  function setWidths(sheetId: string, rect: Rect, colWidth: number | Record<number, number>) {
    book.makeRoom(sheetId, rect);
    book.run(SetWorksheetColWidthMutation.id, { subUnitId: sheetId, ranges: [toRange(rect)], colWidth });
  }

  return {
    writeNumberFormats(sheetId, rect, rows) {
      restyle(sheetId, rect, (y, x) => {
        const pattern = rows[y]?.[x] ?? null;
        return pattern === null ? null : { n: { pattern } };
      });
    },

    applyStyle(sheetId, rect, style) {
      const added = toUniverStyle(style);
      restyle(sheetId, rect, () => added);
    },

    look: (sheetId, row, column) => lookOf(book, sheetId, row, column),

    setColumnWidth: (sheetId, column, columns, width) =>
      setWidths(sheetId, between(0, column, 0, column + columns - 1), width),

    autofitColumns(sheetId, rect) {
      const area = cells.usedRect(sheetId, true, rect);
      if (!area) return;
      const widths: Record<number, number> = {};
      for (const row of cells.read(sheetId, area)) {
        for (const [x, { text }] of row.entries()) {
          const width = text.length * CHARACTER_WIDTH + PADDING;
          widths[area.column + x] = Math.max(widths[area.column + x] ?? 0, width);
        }
      }
      setWidths(sheetId, area, widths);
    },

    autofitRows: (sheetId, { row, rows }) => void facade(sheetId).autoResizeRows(row, rows),

    freeze: (sheetId, { rows, columns }) =>
      void facade(sheetId).setFreeze({
        ...{ ySplit: rows, xSplit: columns },
        ...{ startRow: rows > 0 ? rows : -1, startColumn: columns > 0 ? columns : -1 },
      }),
  };
}

/** See Spreadsheet. */
export function lookOf(book: Book, sheetId: string, row: number, column: number): CellLook {
  const stored = book.sheet(sheetId).getCellMatrix().getValue(row, column)?.s;
  const own = book.workbook().getStyles().get(stored);
  const [atHeight = "Bottom"] = verticalAlignments.filter((name) => vertical[name] === own?.vt);
  const [atWidth = "General"] = horizontalAlignments.filter((name) => horizontal[name] === own?.ht);
  return {
    fillColor: own?.bg?.rgb ?? null,
    fontColor: own?.cl?.rgb ?? null,
    bold: own?.bl === BooleanNumber.TRUE,
    italic: own?.it === BooleanNumber.TRUE,
    wrapText: own?.tb === WrapStrategy.WRAP,
    horizontalAlignment: atWidth,
    verticalAlignment: atHeight,
  };
}

export function toUniverStyle(style: RangeStyle): IStyleData {
  const { bold, italic, fontColor, wrapText, fillColor, horizontalAlignment, verticalAlignment } = style;
  return {
    ...(bold !== undefined && { bl: bold ? BooleanNumber.TRUE : BooleanNumber.FALSE }),
    ...(italic !== undefined && { it: italic ? BooleanNumber.TRUE : BooleanNumber.FALSE }),
    ...(fontColor !== undefined && { cl: fontColor === null ? null : { rgb: fontColor } }),
    ...(wrapText !== undefined && { tb: wrapText ? WrapStrategy.WRAP : WrapStrategy.OVERFLOW }),
    ...(fillColor !== undefined && { bg: fillColor === null ? null : { rgb: fillColor } }),
    ...(horizontalAlignment !== undefined && { ht: horizontal[horizontalAlignment] }),
    ...(verticalAlignment !== undefined && { vt: vertical[verticalAlignment] }),
  };
}
