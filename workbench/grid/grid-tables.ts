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
import type { Rect, Spreadsheet, TableInfo } from "../spreadsheet";
import { type Book, toRange, toRect } from "./univer";

type Tables = Pick<
  Spreadsheet,
  "tables" | "addTable" | "updateTable" | "deleteTable" | "filterTable" | "tableFilter"
>;

/** Black and the accent colors of Excel's theme, each with a pale shade. The table styles use these pairs in turn. */
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
  tableStyles.forEach((name, index) => themes.registerDefaultRangeTheme(rangeTheme(name, index)));

  registerTableKeys(book);
  useDefaultStyle(book);

  /** Tables with a totals row. Univer has none: its tables end above it, so that its filters leave it alone. */
  const withTotals = new Set<string>();
  const tables = (): TableInfo[] =>
    manager.getTableList(book.unitId()).map(({ id, name, subUnitId, range }) => {
      const rect = toRect(range as IRange);
      return {
        id,
        name,
        sheetId: subUnitId,
        rect: withTotals.has(id) ? { ...rect, rows: rect.rows + 1 } : rect,
        style: manager.getTableById(book.unitId(), id)!.getTableStyleId()!,
        ...(withTotals.has(id) && { showsTotals: true }),
      };
    });
  const inUniver = (tableId: string, rect: Rect) =>
    toRange({ ...rect, rows: rect.rows - Number(withTotals.has(tableId)) });
  const sheetOf = (tableId: string) => tables().find(({ id }) => id === tableId)!.sheetId;

  return {
    tables,

    addTable({ sheetId, name, rect, style, id: tableId = newGuid(), showsTotals = false }) {
      book.makeRoom(sheetId, rect);
      if (showsTotals) withTotals.add(tableId);
      else withTotals.delete(tableId);
      const range = inUniver(tableId, rect);
      book.run(AddSheetTableMutation.id, {
        subUnitId: sheetId,
        tableId,
        name,
        range,
        header: manager.getColumnHeader(book.unitId(), sheetId, range),
        options: { tableStyleId: style, showHeader: true },
      });
      return { id: tableId, sheetId, name, rect, style, ...(showsTotals && { showsTotals }) };
    },

    updateTable(tableId, { name, rect: wanted, style, showsTotals }) {
      const subUnitId = sheetOf(tableId);
      const before = tables().find(({ id }) => id === tableId)?.rect;
      const rect = wanted ?? (showsTotals === undefined ? undefined : before);
      if (showsTotals === true) withTotals.add(tableId);
      if (showsTotals === false) withTotals.delete(tableId);
      if (rect) book.makeRoom(subUnitId, rect);
      book.run(SetSheetTableMutation.id, {
        subUnitId,
        tableId,
        config: { name, updateRange: rect && { newRange: inUniver(tableId, rect) }, theme: style },
      });
    },

    deleteTable: (tableId) => book.run(DeleteSheetTableMutation.id, { subUnitId: sheetOf(tableId), tableId }),

    filterTable(tableId, column, texts) {
      // Univer compares a cell that shows a plain number by its number, and any other cell by its text.
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
  };
}

/** Univer's operation that asks the user which cells will form a table. */
const ASK_FOR_TABLE = "sheet.operation.open-table-selector";

const DEFAULT_STYLE = "TableStyleMedium2";

/** Makes Ctrl+T and Ctrl+L ask for a table's cells, as in Excel. Most browsers open a new tab on Ctrl+T, so only Ctrl+L works there. */
function registerTableKeys(book: Book): void {
  const shortcuts = book.injector.get(IShortcutService);
  for (const key of [KeyCode.T, KeyCode.L])
    shortcuts.registerShortcut({ id: ASK_FOR_TABLE, binding: MetaKeys.CTRL_COMMAND | key });
}

/** Gives Excel's default style to a table that the user adds without a style. */
function useDefaultStyle(book: Book): void {
  book.beforeRun(({ id, params }) => {
    if (id !== AddSheetTableMutation.id) return;
    params.options = { tableStyleId: DEFAULT_STYLE, showHeader: true, ...(params.options as object) };
  });
}

/** One of Excel's table styles as a theme of Univer: the header's colors and the row bands. Lines between cells are left out. */
function rangeTheme(name: string, index: number): RangeThemeStyle {
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
