import { BooleanNumber } from "@univerjs/core";
import {
  INTERCEPTOR_POINT,
  IRenderManagerService,
  SetColHiddenMutation,
  SetColVisibleMutation,
  SetRowHiddenMutation,
  SetRowVisibleMutation,
  SetWorksheetRowHeightMutation,
  SetWorksheetRowIsAutoHeightMutation,
  SheetInterceptorService,
} from "@univerjs/preset-sheets-core";
import { between, MAX_COLUMNS } from "../address";
import type { SheetFilters } from "../sheet-filters";
import type { Rect, Spreadsheet, SpreadsheetEvent } from "../spreadsheet";
import { type Book, toRange } from "./univer";

type Lines = Pick<
  Spreadsheet,
  | "isRowHidden"
  | "isRowFiltered"
  | "isColumnHidden"
  | "hideRows"
  | "hideColumns"
  | "setRowHeight"
  | "rowHeight"
>;

/** Before Univer's own filters of tables. */
const PRIORITY = 200;

/** Rows and columns that are hidden, by filters or by hand, and the heights of rows. */
export function createLines(
  book: Book,
  sheetFilters: SheetFilters,
): Lines & { follow(event: SpreadsheetEvent): void } {
  book.injector.get(SheetInterceptorService).intercept(INTERCEPTOR_POINT.ROW_FILTERED, {
    priority: PRIORITY,
    handler: (isFiltered, { subUnitId, row }, next) =>
      isFiltered === true || sheetFilters.hides(subUnitId, row) ? true : next(isFiltered),
  });
  const renders = book.injector.get(IRenderManagerService);
  sheetFilters.onChange((sheetId) => {
    const isShown = book.workbook().getActiveSheet().getSheetId() === sheetId;
    // A workbook that is being opened is drawn anyway.
    if (isShown && renders.getRenderById(book.unitId())) book.facade().getActiveSheet().refreshCanvas();
  });

  const mark = (id: string, sheetId: string, rect: Rect) => {
    book.makeRoom(sheetId, rect);
    book.run(id, { subUnitId: sheetId, ranges: [toRange(rect)] });
  };
  const wholeRows = (sheetId: string, row: number, rows: number): Rect => ({
    ...{ row, rows, column: 0 },
    columns: book.sheet(sheetId).getColumnCount(),
  });
  const lines: Lines = {
    isRowHidden: (sheetId, row) => !book.sheet(sheetId).getRowVisible(row),
    isRowFiltered: (sheetId, row) => book.sheet(sheetId).isRowFiltered(row),
    isColumnHidden: (sheetId, column) => !book.sheet(sheetId).getColVisible(column),
    hideRows: (sheetId, row, rows, isHidden) =>
      mark(
        isHidden ? SetRowHiddenMutation.id : SetRowVisibleMutation.id,
        sheetId,
        wholeRows(sheetId, row, rows),
      ),
    hideColumns: (sheetId, column, columns, isHidden) =>
      mark(isHidden ? SetColHiddenMutation.id : SetColVisibleMutation.id, sheetId, {
        ...{ column, columns, row: 0 },
        rows: book.sheet(sheetId).getRowCount(),
      }),
    setRowHeight(sheetId, row, rows, rowHeight) {
      const rect = wholeRows(sheetId, row, rows);
      book.makeRoom(sheetId, rect);
      const ranges = [toRange(rect)];
      book.run(SetWorksheetRowHeightMutation.id, { subUnitId: sheetId, ranges, rowHeight });
      book.run(SetWorksheetRowIsAutoHeightMutation.id, {
        ...{ subUnitId: sheetId, ranges },
        autoHeightInfo: BooleanNumber.FALSE,
      });
    },
    rowHeight: (sheetId, row) => book.sheet(sheetId).getRowHeight(row),
  };
  return {
    ...lines,
    /** Univer moves hidden columns along, but not the rows, because cells that move down are copied (moving.ts). */
    follow(event) {
      if (event.kind !== "moved") return;
      const { sheetId, follow } = event;
      const count = book.sheet(sheetId).getRowCount();
      const hidden = Array.from({ length: count }, (_, row) => row).filter(
        (row) => !book.sheet(sheetId).getRowRawVisible(row),
      );
      const places = hidden.map((row) => follow(between(row, 0, row, MAX_COLUMNS - 1))?.row);
      if (hidden.every((row, index) => row === places[index])) return;
      for (const row of hidden) lines.hideRows(sheetId, row, 1, false);
      for (const row of places) if (row !== undefined) lines.hideRows(sheetId, row, 1, true);
    },
  };
}
