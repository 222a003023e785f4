import { type IStyleData, type Nullable, WrapStrategy } from "@univerjs/core";
import { SetWorksheetColWidthMutation } from "@univerjs/preset-sheets-core";
import { TableManager } from "@univerjs/preset-sheets-table";
import { intersect } from "../address";
import type { Rect, Spreadsheet } from "../spreadsheet";
import { type Book, toRange } from "./univer";

/** Pixels. */
const PADDING = 10;
const FILTER_BUTTON = 22;
const WIDEST_COLUMN = 1_790;
/** Hardly any text is wider on average; so most need not be measured. */
const WIDE_CHARACTER = 10;

/**
 * Makes columns as wide as what they show. Univer's own way measures only the rows on the screen, and the wrong
 * sheet when another is shown.
 */
export function autofitColumns(
  book: Book,
  { read, usedRect }: Pick<Spreadsheet, "read" | "usedRect">,
  sheetId: string,
  rect: Rect,
): void {
  const used = usedRect(sheetId, true);
  const area = used && intersect(rect, used);
  if (!area) return;
  const matrix = book.sheet(sheetId).getCellMatrix();
  const styles = book.workbook().getStyles();
  const headers = book.injector.get(TableManager).getFilterRanges(book.unitId(), sheetId);
  const pen = document.createElement("canvas").getContext("2d")!;
  let lastFont = "";
  const colWidth: Record<number, number> = {};
  for (const [y, texts] of read(sheetId, area).entries()) {
    const row = area.row + y;
    for (const [x, { text }] of texts.entries()) {
      const column = area.column + x;
      const widest = colWidth[column] ?? 0;
      if (text === "" || text.length * WIDE_CHARACTER <= widest) continue;
      const style = styles.getStyleByCell(matrix.getValue(row, column));
      if (style?.tb === WrapStrategy.WRAP) continue;
      const isHeader = headers.some(
        ({ startRow, startColumn, endColumn }) =>
          row === startRow && column >= startColumn && column <= endColumn,
      );
      const font = fontOf(style, isHeader);
      // Setting a font, even the same, costs more than measuring.
      if (font !== lastFont) pen.font = lastFont = font;
      const width = Math.ceil(pen.measureText(text).width) + PADDING + (isHeader ? FILTER_BUTTON : 0);
      colWidth[column] = Math.min(Math.max(width, widest), WIDEST_COLUMN);
    }
  }
  book.run(SetWorksheetColWidthMutation.id, { subUnitId: sheetId, ranges: [toRange(area)], colWidth });
}

function fontOf(style: Nullable<IStyleData>, isHeader: boolean): string {
  const weight = style?.bl || isHeader ? "bold " : "";
  return `${style?.it ? "italic " : ""}${weight}${style?.fs ?? 11}pt ${style?.ff ?? "Arial"}`;
}
