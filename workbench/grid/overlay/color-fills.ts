import { InterceptorEffectEnum } from "@univerjs/core";
import {
  INTERCEPTOR_POINT,
  IRenderManagerService,
  SetRangeValuesMutation,
  SheetInterceptorService,
} from "@univerjs/preset-sheets-core";
import { type ColorScale, type Drawings, scaleColor } from "../../drawings";
import { contents, shownCell } from "../cells";
import type { Book } from "../univer";

/** Before Univer looks at the number format, which makes texts of numbers. */
const PRIORITY = 200;

/** Fills cells as the color scales over them say; they are no fills of the cells' own. */
export function paintColorScales(book: Book, drawings: Drawings): void {
  const ranges = new Map<string, readonly [number, number]>();
  const valueAt = (sheetId: string, row: number, column: number) =>
    contents(shownCell(book, sheetId, row, column));

  const rangeOf = ({ id, sheetId, rect }: ColorScale): readonly [number, number] => {
    const known = ranges.get(id);
    if (known) return known;
    let [lowest, highest] = [Infinity, -Infinity];
    for (let row = rect.row; row < rect.row + rect.rows; row += 1) {
      for (let column = rect.column; column < rect.column + rect.columns; column += 1) {
        const value = valueAt(sheetId, row, column);
        if (typeof value !== "number") continue;
        lowest = Math.min(lowest, value);
        highest = Math.max(highest, value);
      }
    }
    ranges.set(id, [lowest, highest]);
    return [lowest, highest];
  };

  const renders = book.injector.get(IRenderManagerService);
  let isDue = false;
  /** The lowest and highest values may have changed: all cells are drawn anew, once a frame. */
  const drawAgain = () => {
    ranges.clear();
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      // A workbook that is being opened is drawn anyway.
      if (renders.getRenderById(book.unitId())) book.facade().getActiveSheet().refreshCanvas();
    });
  };
  let hadScales = false;
  drawings.onChange(() => {
    const hasScales = drawings.of("color-scale").length > 0;
    if (hasScales || hadScales) drawAgain();
    hadScales = hasScales;
  });
  book.onRun(({ id, params }) => {
    if (id === SetRangeValuesMutation.id && drawings.of("color-scale", params.subUnitId as string).length > 0)
      drawAgain();
  });

  book.injector.get(SheetInterceptorService).intercept(INTERCEPTOR_POINT.CELL_CONTENT, {
    priority: PRIORITY,
    effect: InterceptorEffectEnum.Style,
    handler(cell, { subUnitId: sheetId, row, col: column }, next) {
      const scales = drawings.of("color-scale", sheetId);
      if (scales.length === 0) return next(cell);
      const color = scaleColor(scales, { row, column, value: valueAt(sheetId, row, column) }, rangeOf);
      if (color === null) return next(cell);
      return next({ ...cell, interceptorStyle: { ...cell?.interceptorStyle, bg: { rgb: color } } });
    },
  });
}
