import {
  HoverManagerService,
  IRenderManagerService,
  SHEET_VIEWPORT_KEY,
  SheetSkeletonManagerService,
} from "@univerjs/preset-sheets-core";
import type { SpreadsheetEvent } from "../spreadsheet";
import type { Book } from "./univer";

/** Office.js measures in points: 72 to the inch instead of 96. */
const POINTS_PER_PIXEL = 0.75;

/** Tells of clicks on cells with the left button. */
export function tellClicks(book: Book, emit: (event: SpreadsheetEvent) => void): void {
  const hover = book.injector.get(HoverManagerService);
  /** Where the button went down: Univer does not say it with the click. */
  let down: { button: number; offsetX: number; offsetY: number } | undefined;
  hover.currentPointerDownCell$.subscribe(({ event }) => (down = event));
  hover.currentClickedCell$.subscribe(({ location }) => {
    if (down?.button !== 0) return;
    const { subUnitId: sheetId, row, col: column } = location;
    const start = startOf(book, row, column);
    const points = (pixels: number) => Math.max(0, pixels * POINTS_PER_PIXEL);
    const [offsetX, offsetY] = [points(down.offsetX - start.x), points(down.offsetY - start.y)];
    emit({ kind: "clicked", sheetId, row, column, offsetX, offsetY });
  });
}

/** The upper left corner of a cell of the active sheet, in pixels of the canvas. */
function startOf(book: Book, row: number, column: number): { x: number; y: number } {
  const render = book.injector.get(IRenderManagerService).getRenderById(book.unitId());
  const skeleton = render?.with(SheetSkeletonManagerService).getCurrentSkeleton();
  const viewport = render?.scene.getViewport(SHEET_VIEWPORT_KEY.VIEW_MAIN);
  if (!skeleton || !viewport) return { x: 0, y: 0 };
  const { startX, startY } = skeleton.getNoMergeCellWithCoordByIndex(row, column, false);
  return {
    x: skeleton.rowHeaderWidthAndMarginLeft + startX - viewport.viewportScrollX,
    y: skeleton.columnHeaderHeightAndMarginTop + startY - viewport.viewportScrollY,
  };
}
