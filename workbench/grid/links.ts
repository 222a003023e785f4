import { BooleanNumber } from "@univerjs/core";
import type { Spreadsheet } from "../spreadsheet";
import { attachmentOf } from "./cells";
import type { Book } from "./univer";

/** Excel's style "Hyperlink". */
const LINK_STYLE = { ul: { s: BooleanNumber.TRUE }, cl: { rgb: "#0563C1" } };

/** Cells that lead to a web address. They are not opened by a click. */
export function createLinks(book: Book): Pick<Spreadsheet, "setLink" | "link" | "linkTip"> {
  const cellAt = (sheetId: string, row: number, column: number) =>
    book.sheet(sheetId).getCellMatrix().getValue(row, column);
  return {
    setLink(sheetId, row, column, link, linkTip) {
      const custom = { ...attachmentOf(cellAt(sheetId, row, column)), link: link ?? undefined, linkTip };
      const look = link === null ? {} : { s: LINK_STYLE };
      book.makeRoom(sheetId, { row, column, rows: 1, columns: 1 });
      book.setCells(sheetId, { [row]: { [column]: { custom, ...look } } }, { calculate: false });
    },
    linkTip: (...place) => attachmentOf(cellAt(...place)).linkTip ?? null,
    link: (...place) => attachmentOf(cellAt(...place)).link ?? null,
  };
}
