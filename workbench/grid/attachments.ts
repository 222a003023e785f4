import { CellValueType, type ICellData, InterceptorEffectEnum, type Nullable } from "@univerjs/core";
import {
  BaseReferenceObject,
  INTERCEPTOR_POINT,
  SetRangeValuesMutation,
  SheetInterceptorService,
} from "@univerjs/preset-sheets-core";
import type { Spreadsheet } from "../spreadsheet";
import { attach } from "./calculation/call-arguments";
import { attachmentOf, contents, numberFormatOf, shownCell } from "./cells";
import { type Book, type CellMatrix, isEntered } from "./univer";
import { cardTexts, GENERAL, textOf } from "./calculation/calculated-values";

/** Passes the error message or data type that is attached to a cell's value on to formulas that refer to the cell. */
const readCell = BaseReferenceObject.prototype.getCellValueObject;
BaseReferenceObject.prototype.getCellValueObject = function (this: BaseReferenceObject, cell) {
  const { message, dataType } = attachmentOf(cell);
  return message !== undefined || dataType
    ? attach(contents(cell), attachmentOf(cell))
    : readCell.call(this, cell);
};

/** Displays cells as their data types say, and gives the messages and cards that are attached to cells. */
export function createAttachments(book: Book): Pick<Spreadsheet, "errorMessage" | "card"> {
  removeWithValue(book);
  paint(book);
  return {
    errorMessage: (...place) => attachmentOf(shownCell(book, ...place)).message ?? null,
    card(...place) {
      const { dataType } = attachmentOf(shownCell(book, ...place));
      return dataType?.card ? cardTexts(dataType.card) : null;
    },
  };
}

/** Removes the attachment of a cell's old value when a new value without one is entered, because Univer keeps it. */
function removeWithValue(book: Book): void {
  book.beforeRun(({ id, params }, { fromFormula }) => {
    if (id !== SetRangeValuesMutation.id || params.unitId !== book.unitId()) return;
    const stored = book.sheet(params.subUnitId as string).getCellMatrix();
    for (const [row, cells] of Object.entries(params.cellValue as CellMatrix)) {
      for (const [column, cell] of Object.entries<Nullable<ICellData>>(cells ?? {})) {
        if (!cell || cell.custom !== undefined || !isEntered(cell)) continue;
        const before = attachmentOf(stored.getValue(Number(row), Number(column)));
        const { link, linkTip, isStuck, message, dataType, ...looks } = before;
        const stays = {
          ...looks,
          ...(link !== undefined && { link }),
          ...(linkTip !== undefined && { linkTip }),
          ...(fromFormula === true && isStuck && { isStuck }),
        };
        const isGone = message !== undefined || dataType || (isStuck && !fromFormula);
        if (isGone) cell.custom = Object.keys(stays).length > 0 ? stays : null;
      }
    }
  });
}

/** With this priority, the handler runs after Univer has applied spills, and before it looks for errors in cells. */
const PRIORITY = 50;

function paint(book: Book): void {
  book.injector.get(SheetInterceptorService).intercept(INTERCEPTOR_POINT.CELL_CONTENT, {
    priority: PRIORITY,
    effect: InterceptorEffectEnum.Value | InterceptorEffectEnum.Style,
    handler(cell, location, next) {
      const { subUnitId: sheetId, row, col: column } = location;
      const { dataType } = attachmentOf(shownCell(book, sheetId, row, column));
      if (!dataType) return next(cell);
      if (dataType.text !== undefined) return next({ ...cell, v: dataType.text, t: CellValueType.STRING });
      const painted = next(cell);
      const isFormatted = dataType.numberFormat !== undefined;
      if (!isFormatted || numberFormatOf(book, sheetId, row, column) !== GENERAL) return painted;
      return { ...painted, v: textOf(dataType), t: CellValueType.NUMBER };
    },
  });
}
