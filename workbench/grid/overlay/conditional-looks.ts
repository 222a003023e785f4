import { InterceptorEffectEnum } from "@univerjs/core";
import {
  INTERCEPTOR_POINT,
  IRenderManagerService,
  SetRangeValuesMutation,
  SheetInterceptorService,
} from "@univerjs/preset-sheets-core";
import { conditionalLook } from "../../cell-rules";
import type { CellRule, ColorScale, Drawings } from "../../drawings";
import { toUniverStyle } from "../appearance";
import { formatValue } from "../calculation/calculated-values";
import { contents, numberFormatOf, shownCell } from "../cells";
import type { Book } from "../univer";

/** Before Univer looks at the number format, which makes texts of numbers. */
const PRIORITY = 200;

/** Gives cells the looks that the conditional formats over them say; they are no looks of the cells' own. */
export function paintConditionalFormats(book: Book, drawings: Drawings): void {
  const numbers = new Map<string, readonly number[]>();
  const valueAt = (sheetId: string, row: number, column: number) =>
    contents(shownCell(book, sheetId, row, column));

  const numbersOf = ({ id, sheetId, rect }: ColorScale | CellRule): readonly number[] => {
    const known = numbers.get(id);
    if (known) return known;
    const found: number[] = [];
    for (let row = rect.row; row < rect.row + rect.rows; row += 1) {
      for (let column = rect.column; column < rect.column + rect.columns; column += 1) {
        const value = valueAt(sheetId, row, column);
        if (typeof value === "number") found.push(value);
      }
    }
    numbers.set(id, found);
    return found;
  };

  const renders = book.injector.get(IRenderManagerService);
  let isDue = false;
  /** The numbers may have changed: all cells are drawn anew, once a frame. */
  const drawAgain = () => {
    numbers.clear();
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      // A workbook that is being opened is drawn anyway.
      if (renders.getRenderById(book.unitId())) book.facade().getActiveSheet().refreshCanvas();
    });
  };
  const count = () => drawings.of("color-scale").length + drawings.of("cell-rule").length;
  let hadFormats = false;
  drawings.onChange(() => {
    const hasFormats = count() > 0;
    if (hasFormats || hadFormats) drawAgain();
    hadFormats = hasFormats;
  });
  book.onRun(({ id, params }) => {
    if (id === SetRangeValuesMutation.id && drawings.formats(params.subUnitId as string).length > 0)
      drawAgain();
  });

  book.injector.get(SheetInterceptorService).intercept(INTERCEPTOR_POINT.CELL_CONTENT, {
    priority: PRIORITY,
    effect: InterceptorEffectEnum.Style,
    handler(cell, { subUnitId: sheetId, row, col: column }, next) {
      const formats = drawings.formats(sheetId);
      if (formats.length === 0) return next(cell);
      const value = valueAt(sheetId, row, column);
      const text = formatValue(value, numberFormatOf(book, sheetId, row, column));
      const look = conditionalLook(formats, { row, column, value, text }, numbersOf);
      if (Object.keys(look).length === 0) return next(cell);
      return next({ ...cell, interceptorStyle: { ...cell?.interceptorStyle, ...toUniverStyle(look) } });
    },
  });
}
