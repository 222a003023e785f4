import { generateRandomId } from "@univerjs/core";
import {
  AddWorksheetMergeMutation,
  InsertSheetMutation,
  RemoveSheetCommand,
  SetWorksheetActiveOperation,
  SetWorksheetHideMutation,
  SheetsSelectionsService,
} from "@univerjs/preset-sheets-core";
import { MAX_COLUMNS, MAX_ROWS, between, cellAt, intersect } from "../address";
import type { Spreadsheet } from "../spreadsheet";
import { type Book, emptySheet, toRange, toRect } from "./univer";

type Sheets = Pick<
  Spreadsheet,
  | "sheets"
  | "names"
  | "addSheet"
  | "deleteSheet"
  | "activateSheet"
  | "hideSheet"
  | "selection"
  | "select"
  | "merge"
  | "merged"
>;

export function createSheets(book: Book): Sheets {
  const selections = book.injector.get(SheetsSelectionsService);

  const sheets = () =>
    book
      .workbook()
      .getSheets()
      .map((sheet) => ({ id: sheet.getSheetId(), name: sheet.getName() }));

  const activeId = () => book.workbook().getActiveSheet().getSheetId();

  function activateSheet(sheetId: string) {
    if (sheetId !== activeId()) book.run(SetWorksheetActiveOperation.id, { subUnitId: sheetId });
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
        })),

    addSheet(name) {
      const sheet = { id: generateRandomId(), name };
      const index = sheets().length;
      // As if another user added it: Univer would show a sheet of our own, Excel's API does not.
      book.run(InsertSheetMutation.id, { index, sheet: emptySheet(sheet) }, { fromCollab: true });
      return sheet;
    },

    deleteSheet: (sheetId) => book.run(RemoveSheetCommand.id, { subUnitId: sheetId }),

    activateSheet,

    hideSheet(sheetId, isHidden) {
      book.run(SetWorksheetHideMutation.id, { subUnitId: sheetId, hidden: isHidden ? 1 : 0 });
    },

    merge(sheetId, rect) {
      book.run(AddWorksheetMergeMutation.id, { subUnitId: sheetId, ranges: [toRange(rect)] });
    },
    merged: (sheetId) => book.sheet(sheetId).getMergeData().map(toRect),

    selection() {
      const range = selections.getCurrentLastSelection()?.range;
      return { sheetId: activeId(), rect: range ? toRect(range) : cellAt(0, 0) };
    },

    select(sheetId, rect) {
      const isWhole = rect.rows === MAX_ROWS || rect.columns === MAX_COLUMNS;
      if (!isWhole) book.makeRoom(sheetId, rect);
      activateSheet(sheetId);
      // Whole rows and columns are selected as far as the sheet goes, as they are with the mouse.
      const sheet = book.sheet(sheetId);
      const area = intersect(rect, between(0, 0, sheet.getRowCount() - 1, sheet.getColumnCount() - 1));
      if (area) book.facade().getSheetBySheetId(sheetId)?.getRange(toRange(area)).activate();
    },
  };
}
