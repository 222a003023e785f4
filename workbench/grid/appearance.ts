import {
  BooleanNumber,
  BorderStyleTypes,
  HorizontalAlign,
  type IBorderData,
  type IStyleData,
  TextDecoration,
  VerticalAlign,
  WrapStrategy,
} from "@univerjs/core";
import { SetWorksheetColWidthMutation } from "@univerjs/preset-sheets-core";
import { between } from "../address";
import {
  borderSides,
  type CellBorder,
  type CellLook,
  type FinerLook,
  horizontalAlignments,
  type Rect,
  type RangeStyle,
  type Spreadsheet,
  verticalAlignments,
} from "../spreadsheet";
import { attachmentOf, type KeptLooks, kindOf } from "./cells";
import { type Book, type CellMatrix, toRange } from "./univer";

type Appearance = Pick<
  Spreadsheet,
  | "writeNumberFormats"
  | "applyStyle"
  | "look"
  | "setColumnWidth"
  | "columnWidth"
  | "autofitColumns"
  | "autofitRows"
  | "freeze"
  | "frozen"
>;

/** Pixels: what a character takes on average, and what is left free beside a text. */
const CHARACTER_WIDTH = 7;
const PADDING = 12;

/** Pixels for each level: three spaces of the usual font. */
const INDENT_WIDTH = 9;

const horizontal: Record<NonNullable<RangeStyle["horizontalAlignment"]>, HorizontalAlign> = {
  General: HorizontalAlign.UNSPECIFIED,
  Left: HorizontalAlign.LEFT,
  Center: HorizontalAlign.CENTER,
  Right: HorizontalAlign.RIGHT,
  Justify: HorizontalAlign.JUSTIFIED,
};

const vertical: Partial<Record<NonNullable<RangeStyle["verticalAlignment"]>, VerticalAlign>> = {
  Top: VerticalAlign.TOP,
  Center: VerticalAlign.MIDDLE,
  Bottom: VerticalAlign.BOTTOM,
};

const lines: Record<CellBorder["style"], BorderStyleTypes> = {
  Continuous: BorderStyleTypes.THIN,
  Dash: BorderStyleTypes.DASHED,
  DashDot: BorderStyleTypes.DASH_DOT,
  DashDotDot: BorderStyleTypes.DASH_DOT_DOT,
  Dot: BorderStyleTypes.DOTTED,
  Double: BorderStyleTypes.DOUBLE,
};

/** The sides of a border, by Univer's letters. */
const sides = { top: "t", bottom: "b", left: "l", right: "r" } as const;

export function createAppearance(book: Book, cells: Pick<Spreadsheet, "read" | "usedRect">): Appearance {
  const facade = (sheetId: string) => book.facade().getSheetBySheetId(sheetId)!;

  /** Adds to the style of a rectangle's cells; `styleAt` counts from its corner, null leaves a cell as it is. */
  function restyle(
    sheetId: string,
    rect: Rect,
    styleAt: (y: number, x: number) => IStyleData | null,
    keptLooks?: KeptLooks | undefined,
  ) {
    const matrix: CellMatrix = {};
    for (let y = 0; y < rect.rows; y += 1) {
      for (let x = 0; x < rect.columns; x += 1) {
        const s = styleAt(y, x);
        const [row, column] = [rect.row + y, rect.column + x];
        if (!s) continue;
        const cell = book.sheet(sheetId).getCellMatrix().getValue(row, column);
        const custom = keptLooks && { custom: { ...attachmentOf(cell), ...keptLooks } };
        (matrix[row] ??= {})[column] = { s, ...custom, ...kindOf(book, sheetId, row, column) };
      }
    }
    book.makeRoom(sheetId, rect);
    book.setCells(sheetId, matrix, { calculate: false });
  }

  /** Excel fits rows whose texts begin to wrap, unless somebody has set their height (Range.WrapText). */
  function fitRows(sheetId: string, { row: first, rows }: Rect) {
    const heights = book.sheet(sheetId).getRowManager();
    const isSetByHand = (row: number) => heights.getRow(row)?.ia === BooleanNumber.FALSE;
    for (let row = first, start = first; row <= first + rows; row += 1) {
      if (row < first + rows && !isSetByHand(row)) continue;
      if (row > start) facade(sheetId).autoResizeRows(start, row - start);
      start = row + 1;
    }
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
      restyle(sheetId, rect, () => added, keptLooksOf(style));
      if (style.wrapText) fitRows(sheetId, rect);
    },

    look: (sheetId, row, column) => lookOf(book, sheetId, row, column),

    setColumnWidth: (sheetId, column, columns, width) =>
      setWidths(sheetId, between(0, column, 0, column + columns - 1), width),

    columnWidth: (sheetId, column) => book.sheet(sheetId).getColumnWidth(column),

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

    frozen(sheetId) {
      const { ySplit, xSplit } = book.sheet(sheetId).getConfig().freeze;
      return { rows: ySplit, columns: xSplit };
    },
    freeze: (sheetId, { rows, columns }) =>
      void facade(sheetId).setFreeze({
        ...{ ySplit: rows, xSplit: columns },
        ...{ startRow: rows > 0 ? rows : -1, startColumn: columns > 0 ? columns : -1 },
      }),
  };
}

/** Looks that Univer has none for: they are kept beside the cell. */
function keptLooksOf(style: RangeStyle): KeptLooks | undefined {
  const { styleName, fillPattern, patternColor, verticalAlignment } = style;
  const isShown = verticalAlignment === undefined || vertical[verticalAlignment] !== undefined;
  const looks = {
    ...(styleName !== undefined && { styleName }),
    ...(fillPattern !== undefined && { fillPattern }),
    ...(patternColor !== undefined && { patternColor }),
    ...(verticalAlignment !== undefined && { keptVertical: isShown ? undefined : verticalAlignment }),
  };
  return Object.keys(looks).length > 0 ? looks : undefined;
}

/** See Spreadsheet. */
export function lookOf(book: Book, sheetId: string, row: number, column: number): CellLook {
  const stored = book.sheet(sheetId).getCellMatrix().getValue(row, column)?.s;
  const own = book.workbook().getStyles().get(stored);
  const { styleName, fillPattern, patternColor, keptVertical } = attachmentOf(
    book.sheet(sheetId).getCellMatrix().getValue(row, column),
  );
  const [atHeight = keptVertical ?? "Bottom"] = verticalAlignments.filter(
    (name) => own?.vt !== undefined && own.vt !== null && vertical[name] === own.vt,
  );
  const [atWidth = "General"] = horizontalAlignments.filter((name) => horizontal[name] === own?.ht);
  return {
    fillColor: own?.bg?.rgb ?? null,
    fontColor: own?.cl?.rgb ?? null,
    bold: own?.bl === BooleanNumber.TRUE,
    italic: own?.it === BooleanNumber.TRUE,
    wrapText: own?.tb === WrapStrategy.WRAP,
    horizontalAlignment: atWidth,
    verticalAlignment: atHeight,
    indentLevel: Math.round(Math.max(own?.pd?.l ?? 0, own?.pd?.r ?? 0) / INDENT_WIDTH),
    ...finerLook(own ?? {}),
    ...(styleName !== undefined && { styleName }),
    ...(fillPattern !== undefined && { fillPattern }),
    ...(patternColor !== undefined && { patternColor }),
  };
}

function finerLook({ ff, fs, ul, st, tr, bd }: IStyleData): FinerLook {
  const look: FinerLook = {};
  if (ff) look.fontName = ff;
  if (fs) look.fontSize = fs;
  if (ul?.s === BooleanNumber.TRUE) look.underline = ul.t === TextDecoration.DOUBLE ? "Double" : "Single";
  if (st) look.strikethrough = st.s === BooleanNumber.TRUE;
  if (tr) look.textOrientation = tr.v === BooleanNumber.TRUE ? 180 : -tr.a;
  const borders: FinerLook["borders"] = {};
  for (const side of borderSides) {
    const border = bd?.[sides[side]];
    const style = Object.entries(lines).find(([, line]) => line === border?.s)?.[0];
    if (style && border)
      borders[side] = { style: style as CellBorder["style"], color: border.cl.rgb ?? "#000000" };
  }
  if (Object.keys(borders).length > 0) look.borders = borders;
  return look;
}

function univerFinerLook({
  fontName,
  fontSize,
  underline,
  strikethrough,
  textOrientation,
  borders,
}: FinerLook) {
  const style: IStyleData = {};
  if (fontName !== undefined) style.ff = fontName;
  if (fontSize !== undefined) style.fs = fontSize;
  if (underline !== undefined)
    style.ul = {
      s: underline === "None" ? BooleanNumber.FALSE : BooleanNumber.TRUE,
      t: underline === "Double" ? TextDecoration.DOUBLE : TextDecoration.SINGLE,
    };
  if (strikethrough !== undefined) style.st = { s: strikethrough ? BooleanNumber.TRUE : BooleanNumber.FALSE };
  // Univer turns clockwise, Excel the other way.
  if (textOrientation !== undefined)
    style.tr = textOrientation === 180 ? { a: 0, v: BooleanNumber.TRUE } : { a: -textOrientation };
  if (borders) {
    const all: IBorderData = {};
    for (const side of borderSides) {
      const border = borders[side];
      all[sides[side]] = border ? { s: lines[border.style], cl: { rgb: border.color } } : null;
    }
    style.bd = all;
  }
  return style;
}

export function toUniverStyle(style: RangeStyle): IStyleData {
  const { bold, italic, fontColor, wrapText, fillColor } = style;
  const { horizontalAlignment, verticalAlignment, indentLevel } = style;
  return {
    ...(bold !== undefined && { bl: bold ? BooleanNumber.TRUE : BooleanNumber.FALSE }),
    ...(italic !== undefined && { it: italic ? BooleanNumber.TRUE : BooleanNumber.FALSE }),
    ...(fontColor !== undefined && { cl: fontColor === null ? null : { rgb: fontColor } }),
    ...(wrapText !== undefined && { tb: wrapText ? WrapStrategy.WRAP : WrapStrategy.OVERFLOW }),
    ...(fillColor !== undefined && { bg: fillColor === null ? null : { rgb: fillColor } }),
    ...(horizontalAlignment !== undefined && { ht: horizontal[horizontalAlignment] }),
    ...(verticalAlignment !== undefined && { vt: vertical[verticalAlignment] ?? null }),
    ...(indentLevel !== undefined && { pd: indentLevel > 0 ? { l: indentLevel * INDENT_WIDTH } : null }),
    ...univerFinerLook(style),
  };
}
