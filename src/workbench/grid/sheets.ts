import { generateRandomId } from "@univerjs/core";
import {
  InsertSheetMutation,
  RemoveSheetCommand,
  SetSelectionsOperation,
  SetWorksheetActiveOperation,
  SheetsSelectionsService,
} from "@univerjs/preset-sheets-core";
import { MAX_COLUMNS, MAX_ROWS, cellAt } from "../address";
import type { Spreadsheet } from "../spreadsheet";
import { type Book, emptySheet, toRange, toRect } from "./univer";

type Sheets = Pick<
  Spreadsheet,
  "sheets" | "activeSheet" | "addSheet" | "deleteSheet" | "activateSheet" | "selection" | "select"
>;

export function createSheets(book: Book): Sheets {
  const selections = book.injector.get(SheetsSelectionsService);

  const sheets = () =>
    book
      .workbook()
      .getSheets()
      .map((sheet) => ({ id: sheet.getSheetId(), name: sheet.getName() }));

  const activeSheet = () => {
    const sheet = book.workbook().getActiveSheet();
    return { id: sheet.getSheetId(), name: sheet.getName() };
  };

  function activateSheet(sheetId: string) {
    if (book.sheet(sheetId).getSheetId() !== activeSheet().id) {
      book.run(SetWorksheetActiveOperation.id, { subUnitId: sheetId });
    }
  }

  return {
    sheets,
    activeSheet,

    addSheet(name) {
      const sheet = { id: generateRandomId(), name };
      const index = sheets().length;
      // As if another user added it: Univer would show a sheet of our own, Excel's API does not.
      book.run(InsertSheetMutation.id, { index, sheet: emptySheet(sheet) }, { fromCollab: true });
      return sheet;
    },

    deleteSheet: (sheetId) => book.run(RemoveSheetCommand.id, { subUnitId: sheetId }),

    activateSheet,

    selection() {
      const sheetId = activeSheet().id;
      const range = selections.getCurrentLastSelection()?.range;
      return { sheetId, rect: range ? toRect(range) : cellAt(0, 0) };
    },

    select(sheetId, rect) {
      const { row, column } = rect;
      const isWhole = rect.rows === MAX_ROWS || rect.columns === MAX_COLUMNS;
      book.makeRoom(sheetId, isWhole ? cellAt(row, column) : rect);
      activateSheet(sheetId);
      book.run(SetSelectionsOperation.id, {
        subUnitId: sheetId,
        selections: [
          {
            range: toRange(rect),
            primary: {
              ...toRange(cellAt(row, column)),
              actualRow: row,
              actualColumn: column,
              isMerged: false,
              isMergedMainCell: false,
            },
            style: null,
          },
        ],
      });
    },
  };
}
