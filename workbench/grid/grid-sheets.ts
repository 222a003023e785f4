import { BooleanNumber } from "@univerjs/core";
import {
  AddWorksheetMergeMutation,
  InsertSheetMutation,
  RemoveSheetCommand,
  RemoveWorksheetMergeMutation,
  SetSelectionsOperation,
  SetWorksheetActiveOperation,
  SetWorksheetHideMutation,
  SetWorksheetNameMutation,
  SetWorksheetOrderMutation,
  SheetsSelectionsService,
} from "@univerjs/preset-sheets-core";
import { MAX_COLUMNS, MAX_ROWS, between, cellAt, intersect } from "../address";
import { newGuid } from "../guid";
import type { Rect, Spreadsheet } from "../spreadsheet";
import { type Book, emptySheet, toRange, toRect } from "./univer";

type Sheets = Pick<
  Spreadsheet,
  | "sheets"
  | "names"
  | "addName"
  | "deleteName"
  | "addSheet"
  | "deleteSheet"
  | "renameSheet"
  | "activateSheet"
  | "hideSheet"
  | "moveSheet"
  | "selection"
  | "select"
  | "merge"
  | "unmerge"
  | "merged"
  | "insertColumns"
  | "deleteColumns"
>;

export function createSheets(book: Book): Sheets {
  const selections = book.injector.get(SheetsSelectionsService);

  const sheets = () =>
    book
      .workbook()
      .getSheets()
      .map((sheet) => ({
        id: sheet.getSheetId(),
        name: sheet.getName(),
        isHidden: sheet.isSheetHidden() === BooleanNumber.TRUE,
      }));

  /** The grid has no pictures: one is only said to be selected, until cells are. */
  let hasPicture = false;
  book.onRun(({ id }) => {
    if (id === SetSelectionsOperation.id) hasPicture = false;
  });

  const activeId = () => book.workbook().getActiveSheet().getSheetId();

  function activateSheet(sheetId: string) {
    if (sheetId !== activeId()) book.run(SetWorksheetActiveOperation.id, { subUnitId: sheetId });
  }

  /** Univer selects the columns that it inserts, and those where it has deleted; Excel's API does not. */
  function keepSelection(work: () => void) {
    const before = selections.getCurrentSelections();
    const subUnitId = activeId();
    work();
    if (before.length > 0) book.run(SetSelectionsOperation.id, { subUnitId, selections: before });
  }

  return {
    sheets,

    names: () =>
      book
        .facade()
        .getDefinedNames()
        .map((defined) => ({
          name: defined.getName(),
          formula: defined.getFormulaOrRefString().replace(/^=?/, "="),
          comment: defined.getComment() ?? "",
          sheetId: defined.isWorkbookScope() ? null : (defined.getLocalSheetId() ?? null),
          isHidden: defined.toBuilder().build().hidden === true,
        })),

    addName({ name, formula, comment, sheetId, isHidden = false }) {
      const defined = book.facade().newDefinedNameBuilder().setName(name).setRef(formula.slice(1));
      defined.setHidden(isHidden);
      if (comment !== "") defined.setComment(comment);
      const sheet = sheetId === null ? null : book.facade().getSheetBySheetId(sheetId);
      if (sheet) defined.setScopeToWorksheet(sheet);
      else defined.setScopeToWorkbook();
      book.facade().insertDefinedNameBuilder(defined.build());
    },
    deleteName({ name, sheetId }) {
      for (const defined of book.facade().getDefinedNames()) {
        const scope = defined.isWorkbookScope() ? null : (defined.getLocalSheetId() ?? null);
        if (defined.getName() === name && scope === sheetId) defined.delete();
      }
    },

    addSheet(name) {
      const sheet = { id: newGuid(), name, isHidden: false };
      const index = sheets().length;
      // As if another user added it: Univer would show a sheet of our own, Excel's API does not.
      book.run(InsertSheetMutation.id, { index, sheet: emptySheet(sheet) }, { fromCollab: true });
      return sheet;
    },

    deleteSheet: (sheetId) => book.run(RemoveSheetCommand.id, { subUnitId: sheetId }),

    renameSheet: (sheetId, name) => book.run(SetWorksheetNameMutation.id, { subUnitId: sheetId, name }),

    activateSheet,

    moveSheet(sheetId, position) {
      const fromOrder = sheets().findIndex(({ id }) => id === sheetId);
      const toOrder = Math.min(position, sheets().length - 1);
      book.run(SetWorksheetOrderMutation.id, { subUnitId: sheetId, fromOrder, toOrder });
    },

    hideSheet(sheetId, isHidden) {
      book.run(SetWorksheetHideMutation.id, { subUnitId: sheetId, hidden: isHidden ? 1 : 0 });
    },

    merge(sheetId, rect) {
      book.run(AddWorksheetMergeMutation.id, { subUnitId: sheetId, ranges: [toRange(rect)] });
    },
    unmerge(sheetId, rect) {
      book.run(RemoveWorksheetMergeMutation.id, { subUnitId: sheetId, ranges: [toRange(rect)] });
    },
    merged: (sheetId) => book.sheet(sheetId).getMergeData().map(toRect),

    insertColumns(sheetId, column, count) {
      book.makeRoom(sheetId, { row: 0, column, rows: 1, columns: 1 });
      keepSelection(() => book.facade().getSheetBySheetId(sheetId)?.insertColumns(column, count));
    },
    deleteColumns(sheetId, column, count) {
      book.makeRoom(sheetId, { row: 0, column, rows: 1, columns: count + 1 });
      keepSelection(() => book.facade().getSheetBySheetId(sheetId)?.deleteColumns(column, count));
    },

    selection() {
      if (hasPicture) return { sheetId: activeId(), rects: [] };
      const rects = selections.getCurrentSelections().map(({ range }) => toRect(range));
      return { sheetId: activeId(), rects: rects.length > 0 ? rects : [cellAt(0, 0)] };
    },

    select(sheetId, rects) {
      activateSheet(sheetId);
      if (rects.length === 0) hasPicture = true;
      const sheet = book.sheet(sheetId);
      const areas = rects.flatMap((rect) => {
        const isWhole = rect.rows === MAX_ROWS || rect.columns === MAX_COLUMNS;
        if (!isWhole) book.makeRoom(sheetId, rect);
        // Whole rows and columns are selected as far as the sheet goes, as they are with the mouse.
        const whole = between(0, 0, sheet.getRowCount() - 1, sheet.getColumnCount() - 1);
        return intersect(rect, whole) ?? [];
      });
      if (areas.length === 0) return;
      const shown = areas.map((area) => ({ range: toRange(area), primary: primaryOf(area), style: null }));
      book.run(SetSelectionsOperation.id, { subUnitId: sheetId, selections: shown });
    },
  };
}

/** The cell of an area that has the frame. */
function primaryOf({ row, column }: Rect) {
  const area = toRange({ row, column, rows: 1, columns: 1 });
  return { ...area, actualRow: row, actualColumn: column, isMerged: false, isMergedMainCell: false };
}
