import {
  IRenderManagerService,
  SetRangeValuesMutation,
  SetWorksheetActiveOperation,
  SetWorksheetColWidthMutation,
  SHEET_VIEWPORT_KEY,
  SheetSkeletonManagerService,
} from "@univerjs/preset-sheets-core";
import { SetSheetTableFilterMutation } from "@univerjs/preset-sheets-table";
import { type Chart, type ChartData, chartData, countSeries, type Drawings } from "../../drawings";
import type { Rect, Spreadsheet } from "../../spreadsheet";
import type { Book } from "../univer";
import { chartSvg } from "./chart-svg";

/** Office.js measures in points: 72 to the inch instead of 96. */
const PIXELS_PER_POINT = 4 / 3;
const SHEET_CANVAS = "canvas[id^=univer-sheet-main-canvas]";

/** After these a chart may show something else, or stand elsewhere. */
const changing: readonly string[] = [
  SetRangeValuesMutation.id,
  SetWorksheetActiveOperation.id,
  SetWorksheetColWidthMutation.id,
  SetSheetTableFilterMutation.id,
];

type Reading = Pick<Spreadsheet, "read" | "tables" | "isRowHidden">;

/** Shows charts and pictures over the cells of the active sheet. They let the pointer through: nobody moves them here. */
export function showDrawings(book: Book, container: HTMLElement, drawings: Drawings, cells: Reading): void {
  const layer = document.createElement("div");
  layer.className = "drawings";
  const sheet = document.createElement("div");
  layer.append(sheet);
  let isDirty = true;
  let isDrawing = false;

  const mark = () => {
    isDirty = true;
    if (isDrawing) return;
    isDrawing = true;
    requestAnimationFrame(draw);
  };
  drawings.onChange(mark);
  book.onRun(({ id }) => {
    if (changing.includes(id)) mark();
  });

  /** Once a frame as long as there is something to be scrolled along. */
  function draw(): void {
    const sheetId = book.workbook().getActiveSheet().getSheetId();
    const isEmpty = drawings.of("chart", sheetId).length + drawings.of("picture", sheetId).length === 0;
    layer.hidden = isEmpty;
    isDrawing = !isEmpty;
    if (isEmpty) return sheet.replaceChildren();
    requestAnimationFrame(draw);
    const view = viewOf(book, container);
    if (!view) return;
    // Univer empties the container when it begins to draw.
    if (!layer.isConnected) container.append(layer);
    Object.assign(layer.style, view.cellArea);
    sheet.style.transform = `translate(${-view.scrollX}px, ${-view.scrollY}px)`;
    if (!isDirty) return;
    isDirty = false;
    sheet.replaceChildren(...elements(sheetId, view.placeOf));
  }

  function allData(chart: Chart): ChartData[] {
    return Array.from({ length: countSeries(chart, cells) }, (_, index) => chartData(chart, cells, index));
  }

  function elements(sheetId: string, placeOf: (rect: Rect) => DOMRect): HTMLElement[] {
    const charts = drawings.of("chart", sheetId).map((chart) => {
      const place = placeOf(chart.place);
      return placed(place, chartSvg(chart, allData(chart), place));
    });
    const pictures = drawings.of("picture", sheetId).map((picture) => {
      const image = new Image();
      image.src = `data:image/png;base64,${picture.base64}`;
      image.alt = picture.altTextDescription;
      const [left, top, width, height] = [picture.left, picture.top, picture.width, picture.height].map(
        (points) => points * PIXELS_PER_POINT,
      );
      return placed(new DOMRect(left, top, width, height), image);
    });
    return [...charts, ...pictures];
  }
}

function placed({ x, y, width, height }: DOMRect, content: Element): HTMLElement {
  const frame = document.createElement("div");
  Object.assign(frame.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
  frame.append(content);
  return frame;
}

/** Where the cells are seen, how far they are scrolled, and where they stand from the first on; undefined until Univer has drawn. */
function viewOf(book: Book, container: HTMLElement) {
  const render = book.injector.get(IRenderManagerService).getRenderById(book.unitId());
  const canvas = container.querySelector(SHEET_CANVAS)?.getBoundingClientRect();
  const skeleton = render?.with(SheetSkeletonManagerService).getCurrentSkeleton();
  const viewport = render?.scene.getViewport(SHEET_VIEWPORT_KEY.VIEW_MAIN);
  if (!canvas || !skeleton || !viewport) return undefined;
  const outer = container.getBoundingClientRect();
  const [headerX, headerY] = [skeleton.rowHeaderWidthAndMarginLeft, skeleton.columnHeaderHeightAndMarginTop];
  const px = (pixels: number) => `${pixels}px`;
  return {
    cellArea: {
      left: px(canvas.left - outer.left + headerX),
      top: px(canvas.top - outer.top + headerY),
      width: px(canvas.width - headerX),
      height: px(canvas.height - headerY),
    },
    scrollX: viewport.viewportScrollX,
    scrollY: viewport.viewportScrollY,
    placeOf({ row, column, rows, columns }: Rect): DOMRect {
      const first = skeleton.getNoMergeCellWithCoordByIndex(row, column, false);
      const last = skeleton.getNoMergeCellWithCoordByIndex(row + rows - 1, column + columns - 1, false);
      return new DOMRect(first.startX, first.startY, last.endX - first.startX, last.endY - first.startY);
    },
  };
}
