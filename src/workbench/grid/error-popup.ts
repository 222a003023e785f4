import { CellAlertManagerService, CellAlertType, HoverManagerService } from "@univerjs/preset-sheets-core";
import { debounceTime } from "rxjs";
import type { Spreadsheet } from "../spreadsheet";
import type { Book } from "./univer";

/** Univer's own popup on an error, which says only what kind it is, bears this key and comes after 100 ms. */
const POPUP_KEY = "SHEET_FORMULA_ALERT";
const AFTER_UNIVER_MS = 150;

/** Shows the add-in's message while the pointer rests on an error, in the place of Univer's. */
export function showErrorMessages(book: Book, errorMessage: Spreadsheet["errorMessage"]): void {
  const popups = book.injector.get(CellAlertManagerService);
  book.injector
    .get(HoverManagerService)
    .currentCell$.pipe(debounceTime(AFTER_UNIVER_MS))
    .subscribe((cell) => {
      if (!cell) return;
      const { subUnitId: sheetId, row, col: column } = cell.location;
      const message = errorMessage(sheetId, row, column);
      if (!message) return;
      popups.removeAlert(POPUP_KEY);
      popups.showAlert({
        key: POPUP_KEY,
        type: CellAlertType.ERROR,
        title: book.sheet(sheetId).getCell(row, column)?.v?.toString(),
        message,
        location: cell.location,
        width: 240,
        height: 74,
      });
    });
}
