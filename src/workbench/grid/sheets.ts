import { generateRandomId } from "@univerjs/core";
import {
  InsertSheetMutation,
  RemoveSheetCommand,
  SetSelectionsOperation,
  SetWorksheetActiveOperation,
  SetWorksheetNameCommand,
  SheetsSelectionsService,
} from "@univerjs/preset-sheets-core";
import { MAX_COLUMNS, MAX_ROWS, between } from "../address";
import type { Spreadsheet } from "../spreadsheet";
import { type Book, emptySheet, toRange, toRect } from "./univer";

type Sheets = Pick<
  Spreadsheet,
  | "sheets"
  | "activeSheet"
  | "addSheet"
  | "deleteSheet"
  | "renameSheet"
  | "activateSheet"
  | "selection"
  | "select"
>;

const MAX_NAME_LENGTH = 31;

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

  function mayBeNamed(name: string, except?: string) {
    if (name === "" || name.length > MAX_NAME_LENGTH || /[:\\/?*[\]]|^'|'$/.test(name)) {
      throw new Error(`"${name}" is not a valid name for a sheet.`);
    }
    if (sheets().some((sheet) => sheet.id !== except && sheet.name.toLowerCase() === name.toLowerCase())) {
      throw new Error(`A sheet named "${name}" exists already.`);
    }
  }

  function nextName(): string {
    const taken = new Set(sheets().map(({ name }) => name.toLowerCase()));
    let number = 1;
    while (taken.has(`sheet${number}`)) number += 1;
    return `Sheet${number}`;
  }

  function activateSheet(sheetId: string) {
    if (book.sheet(sheetId).getSheetId() !== activeSheet().id) {
      book.run(SetWorksheetActiveOperation.id, { subUnitId: sheetId });
    }
  }

  return {
    sheets,
    activeSheet,

    addSheet(name = nextName()) {
      mayBeNamed(name);
      const sheet = { id: generateRandomId(), name };
      const index = sheets().length;
      // As if another user added it: Univer would show a sheet of our own, Excel's API does not.
      book.run(InsertSheetMutation.id, { index, sheet: emptySheet(sheet) }, { fromCollab: true });
      return sheet;
    },

    deleteSheet(sheetId) {
      book.sheet(sheetId);
      if (sheets().length === 1) throw new Error("A workbook must contain at least one sheet.");
      book.run(RemoveSheetCommand.id, { subUnitId: sheetId });
    },

    renameSheet(sheetId, name) {
      mayBeNamed(name, sheetId);
      book.sheet(sheetId);
      book.run(SetWorksheetNameCommand.id, { subUnitId: sheetId, name });
    },

    activateSheet,

    selection() {
      const sheetId = activeSheet().id;
      const range = selections.getCurrentLastSelection()?.range;
      return { sheetId, rect: range ? toRect(range) : between(0, 0, 0, 0) };
    },

    select(sheetId, rect) {
      const { row, column } = rect;
      const isWhole = rect.rows === MAX_ROWS || rect.columns === MAX_COLUMNS;
      book.makeRoom(sheetId, isWhole ? between(row, column, row, column) : rect);
      activateSheet(sheetId);
      book.run(SetSelectionsOperation.id, {
        subUnitId: sheetId,
        selections: [
          {
            range: toRange(rect),
            primary: {
              ...toRange(between(row, column, row, column)),
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
