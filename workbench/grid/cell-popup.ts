import {
  CellAlertManagerService,
  CellAlertType,
  FormulaDataModel,
  HoverManagerService,
} from "@univerjs/preset-sheets-core";
import { debounceTime } from "rxjs";
import type { Card, Spreadsheet } from "../spreadsheet";
import type { Book } from "./univer";

/** Univer's own popup on an error, which says only what kind it is, bears this key and comes after 100 ms. */
const POPUP_KEY = "SHEET_FORMULA_ALERT";
const AFTER_UNIVER_MS = 150;

export interface Popups {
  /** Takes the way to say why a formula is #NAME?; it gives null where it does not know. */
  explainNames(explain: (formula: string) => string | null): void;
}

/** Shows a data type's card, an error's message, in the place of Univer's, or a link's screen tip while the pointer rests on the cell. */
export function showPopups(
  book: Book,
  { errorMessage, card, link, linkTip }: Pick<Spreadsheet, "errorMessage" | "card" | "link" | "linkTip">,
): Popups {
  const popups = book.injector.get(CellAlertManagerService);
  const formulas = book.injector.get(FormulaDataModel);
  let explainName: (formula: string) => string | null = () => null;

  function messageAt(sheetId: string, row: number, column: number): string | null {
    const message = errorMessage(sheetId, row, column);
    if (message || book.sheet(sheetId).getCell(row, column)?.v !== "#NAME?") return message;
    const formula = formulas.getFormulaStringByCell(row, column, sheetId, book.unitId());
    return formula ? explainName(formula) : null;
  }

  function contentAt(sheetId: string, row: number, column: number) {
    const shown = card(sheetId, row, column);
    if (shown) return { type: CellAlertType.INFO, title: shown.title, message: lines(shown) };
    const message = messageAt(sheetId, row, column);
    const tip = linkTip(sheetId, row, column);
    if (!message && tip !== null)
      return { type: CellAlertType.INFO, title: tip, message: link(sheetId, row, column) ?? "" };
    if (!message) return null;
    const title = book.sheet(sheetId).getCell(row, column)?.v?.toString();
    return { type: CellAlertType.ERROR, title, message };
  }

  book.injector
    .get(HoverManagerService)
    .currentCell$.pipe(debounceTime(AFTER_UNIVER_MS))
    .subscribe((cell) => {
      if (!cell) return;
      const { subUnitId, row, col } = cell.location;
      const content = contentAt(subUnitId, row, col);
      if (!content) return;
      popups.removeAlert(POPUP_KEY);
      popups.showAlert({ key: POPUP_KEY, ...content, location: cell.location, width: 240, height: 74 });
    });
  return { explainNames: (explain) => void (explainName = explain) };
}

function lines({ subtitle, fields, provider }: Card): string {
  const listed = Object.entries(fields).map(([name, text]) => `${name}: ${text}`);
  return [subtitle, ...listed, provider].filter((line) => line !== undefined).join("\n");
}
