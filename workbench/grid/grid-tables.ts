import { BooleanNumber, type IRange, generateRandomId } from "@univerjs/core";
import { RangeThemeStyle, SheetRangeThemeModel } from "@univerjs/preset-sheets-core";
import {
  AddSheetTableMutation,
  DeleteSheetTableMutation,
  SetSheetTableMutation,
  TableManager,
} from "@univerjs/preset-sheets-table";
import { tableStyles } from "../spreadsheet";
import type { Spreadsheet, TableInfo } from "../spreadsheet";
import { type Book, toRange, toRect } from "./univer";

type Tables = Pick<Spreadsheet, "tables" | "addTable" | "updateTable" | "deleteTable">;

/** Black and the accents of Excel's theme, each with a pale companion: the styles go through them in this order. */
const COLORS = [
  ["#000000", "#D9D9D9"],
  ["#4472C4", "#D9E1F2"],
  ["#ED7D31", "#FCE4D6"],
  ["#A5A5A5", "#EDEDED"],
  ["#FFC000", "#FFF2CC"],
  ["#5B9BD5", "#DDEBF7"],
  ["#70AD47", "#E2EFDA"],
] as const;

export function createTables(book: Book): Tables {
  const manager = book.injector.get(TableManager);
  const themes = book.injector.get(SheetRangeThemeModel);
  tableStyles.forEach((name, index) => themes.registerDefaultRangeTheme(drawing(name, index)));

  const tables = (): TableInfo[] =>
    manager.getTableList(book.unitId()).map(({ id, name, subUnitId, range }) => ({
      id,
      name,
      sheetId: subUnitId,
      rect: toRect(range as IRange),
      style: manager.getTableById(book.unitId(), id)!.getTableStyleId()!,
    }));
  const sheetOf = (tableId: string) => tables().find(({ id }) => id === tableId)!.sheetId;

  return {
    tables,

    addTable({ sheetId, name, rect, style }) {
      book.makeRoom(sheetId, rect);
      const tableId = generateRandomId();
      book.run(AddSheetTableMutation.id, {
        subUnitId: sheetId,
        tableId,
        name,
        range: toRange(rect),
        header: manager.getColumnHeader(book.unitId(), sheetId, toRange(rect)),
        options: { tableStyleId: style, showHeader: true },
      });
      return { id: tableId, sheetId, name, rect, style };
    },

    updateTable(tableId, { name, rect, style }) {
      const subUnitId = sheetOf(tableId);
      if (rect) book.makeRoom(subUnitId, rect);
      book.run(SetSheetTableMutation.id, {
        subUnitId,
        tableId,
        config: { name, updateRange: rect && { newRange: toRange(rect) }, theme: style },
      });
    },

    deleteTable: (tableId) => book.run(DeleteSheetTableMutation.id, { subUnitId: sheetOf(tableId), tableId }),
  };
}

/** What Univer needs to draw one of Excel's styles: not its every line, but header, colour and bands. */
function drawing(name: string, index: number): RangeThemeStyle {
  const [strong, pale] = COLORS[index % COLORS.length]!;
  const isLight = name.includes("Light");
  return new RangeThemeStyle(name, {
    headerRowStyle: {
      bl: BooleanNumber.TRUE,
      cl: { rgb: isLight ? strong : "#FFFFFF" },
      bg: { rgb: isLight ? "#FFFFFF" : strong },
    },
    firstRowStyle: { bg: { rgb: pale } },
    secondRowStyle: { bg: { rgb: "#FFFFFF" } },
  });
}
