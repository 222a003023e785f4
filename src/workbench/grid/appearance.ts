import {
  BooleanNumber,
  HorizontalAlign,
  type IStyleData,
  type Nullable,
  VerticalAlign,
  WrapStrategy,
} from "@univerjs/core";
import { SetWorksheetColWidthMutation, SetWorksheetRowHeightMutation } from "@univerjs/preset-sheets-core";
import type { RangeStyle, Spreadsheet } from "../spreadsheet";
import { autofitColumns } from "./autofit";
import { restyle } from "./restyle";
import { type Book, toRange } from "./univer";

type Appearance = Pick<
  Spreadsheet,
  | "applyStyle"
  | "readStyle"
  | "columnWidth"
  | "setColumnWidth"
  | "setRowHeight"
  | "autofitColumns"
  | "autofitRows"
  | "freeze"
>;

const horizontal: Record<string, HorizontalAlign> = {
  General: HorizontalAlign.UNSPECIFIED,
  Left: HorizontalAlign.LEFT,
  Center: HorizontalAlign.CENTER,
  Right: HorizontalAlign.RIGHT,
  Justify: HorizontalAlign.JUSTIFIED,
};

const vertical: Record<string, VerticalAlign> = {
  Top: VerticalAlign.TOP,
  Center: VerticalAlign.MIDDLE,
  Bottom: VerticalAlign.BOTTOM,
};

export function createAppearance(book: Book, cells: Pick<Spreadsheet, "read" | "usedRect">): Appearance {
  const facade = (sheetId: string) => {
    const sheet = book.api.getActiveWorkbook()?.getSheetBySheetId(sheetId);
    if (!sheet) throw new Error(`There is no sheet with the id ${sheetId}.`);
    return sheet;
  };

  return {
    applyStyle(sheetId, rect, style) {
      const added = toUniverStyle(style);
      restyle(book, sheetId, rect, () => added);
    },

    readStyle(sheetId, row, column) {
      const sheet = book.sheet(sheetId);
      // The stored cell, without what a table's style adds.
      const cell = sheet.getCellMatrix().getValue(row, column);
      return fromUniverStyle(sheet.getComposedCellStyleByCellData(row, column, cell));
    },

    columnWidth: (sheetId, column) => book.sheet(sheetId).getColumnWidth(column),

    setColumnWidth(sheetId, column, columns, width) {
      const rect = { row: 0, rows: 1, column, columns };
      book.makeRoom(sheetId, rect);
      book.run(SetWorksheetColWidthMutation.id, {
        subUnitId: sheetId,
        ranges: [toRange(rect)],
        colWidth: width,
      });
    },

    setRowHeight(sheetId, row, rows, height) {
      const rect = { row, rows, column: 0, columns: 1 };
      book.makeRoom(sheetId, rect);
      book.run(SetWorksheetRowHeightMutation.id, {
        subUnitId: sheetId,
        ranges: [toRange(rect)],
        rowHeight: height,
      });
    },

    autofitColumns: (sheetId, rect) => autofitColumns(book, cells, sheetId, rect),

    autofitRows(sheetId, { row, rows }) {
      facade(sheetId).autoResizeRows(row, Math.min(rows, book.sheet(sheetId).getRowCount() - row));
    },

    freeze(sheetId, rows, columns) {
      facade(sheetId).setFreeze({
        ySplit: rows,
        xSplit: columns,
        startRow: rows > 0 ? rows : -1,
        startColumn: columns > 0 ? columns : -1,
      });
    },
  };
}

function toUniverStyle(style: RangeStyle): IStyleData {
  const { bold, italic, wrapText, fontColor, fillColor, horizontalAlignment, verticalAlignment } = style;
  return {
    ...(bold !== undefined && { bl: bold ? BooleanNumber.TRUE : BooleanNumber.FALSE }),
    ...(italic !== undefined && { it: italic ? BooleanNumber.TRUE : BooleanNumber.FALSE }),
    ...(wrapText !== undefined && { tb: wrapText ? WrapStrategy.WRAP : WrapStrategy.OVERFLOW }),
    ...(fontColor !== undefined && { cl: fontColor ? { rgb: fontColor } : null }),
    ...(fillColor !== undefined && { bg: fillColor ? { rgb: fillColor } : null }),
    ...(horizontalAlignment !== undefined && { ht: known(horizontal, horizontalAlignment) }),
    ...(verticalAlignment !== undefined && { vt: known(vertical, verticalAlignment) }),
  };
}

function fromUniverStyle(style: Nullable<IStyleData>): RangeStyle {
  return {
    bold: style?.bl === BooleanNumber.TRUE,
    italic: style?.it === BooleanNumber.TRUE,
    wrapText: style?.tb === WrapStrategy.WRAP,
    fontColor: style?.cl?.rgb ?? "#000000",
    fillColor: style?.bg?.rgb ?? "",
    horizontalAlignment: keyOf(horizontal, style?.ht) ?? "General",
    verticalAlignment: keyOf(vertical, style?.vt) ?? "Bottom",
  };
}

function known<T>(table: Record<string, T>, key: string): T {
  const value = table[key];
  if (value === undefined) throw new Error(`The alignment ${key} is not modelled.`);
  return value;
}

function keyOf<T>(table: Record<string, T>, value: T | null | undefined): string | undefined {
  return Object.keys(table).find((key) => table[key] === value);
}
