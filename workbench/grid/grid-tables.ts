import { BooleanNumber, type IRange } from "@univerjs/core";
import {
  IShortcutService,
  KeyCode,
  MetaKeys,
  RangeThemeStyle,
  SheetRangeThemeModel,
} from "@univerjs/preset-sheets-core";
import {
  AddSheetTableMutation,
  DeleteSheetTableMutation,
  SetSheetTableFilterMutation,
  SetSheetTableMutation,
  TABLE_FILTER_EMPTY_VALUE,
  TableColumnFilterTypeEnum,
  TableManager,
} from "@univerjs/preset-sheets-table";
import { newGuid } from "../guid";
import { tableStyles } from "../spreadsheet";
import type { Spreadsheet, TableInfo } from "../spreadsheet";
import { type Book, toRange, toRect } from "./univer";

type Tables = Pick<
  Spreadsheet,
  "tables" | "addTable" | "updateTable" | "deleteTable" | "filterTable" | "tableFilter" | "isRowHidden"
>;

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

  takeKeysForTables(book);

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

    addTable({ sheetId, name, rect, style, id: tableId = newGuid() }) {
      book.makeRoom(sheetId, rect);
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

    filterTable(tableId, column, texts) {
      // Univer compares plain numbers as numbers, and all else as it is shown.
      const values = texts?.flatMap((text) => {
        const number = Number(text);
        return text === "" ? TABLE_FILTER_EMPTY_VALUE : Number.isNaN(number) ? text : [text, number];
      });
      const tableFilter = values && { filterType: TableColumnFilterTypeEnum.manual, values };
      book.run(SetSheetTableFilterMutation.id, { subUnitId: sheetOf(tableId), tableId, column, tableFilter });
    },

    tableFilter(tableId, column) {
      const filter = manager.getTableById(book.unitId(), tableId)?.getTableFilters().getColumnFilter(column);
      if (filter?.filterType !== TableColumnFilterTypeEnum.manual) return null;
      return filter.values
        .filter((value) => typeof value === "string")
        .map((value) => (value === TABLE_FILTER_EMPTY_VALUE ? "" : value));
    },

    isRowHidden: (sheetId, row) => !book.sheet(sheetId).getRowVisible(row),
  };
}

/** Univer asks which cells are to be a table. */
const ASK_FOR_TABLE = "sheet.operation.open-table-selector";

const DEFAULT_STYLE = "TableStyleMedium2";

/** As in Excel, Ctrl+T and Ctrl+L ask which cells are to be a table. Most browsers keep Ctrl+T for a tab of their own. */
function takeKeysForTables(book: Book): void {
  const shortcuts = book.injector.get(IShortcutService);
  for (const key of [KeyCode.T, KeyCode.L])
    shortcuts.registerShortcut({ id: ASK_FOR_TABLE, binding: MetaKeys.CTRL_COMMAND | key });
  book.beforeRun(({ id, params }) => {
    if (id !== AddSheetTableMutation.id) return;
    params.options = { tableStyleId: DEFAULT_STYLE, showHeader: true, ...(params.options as object) };
  });
}

/** One of Excel's table styles as Univer draws it: header, color and bands, not every line. */
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
