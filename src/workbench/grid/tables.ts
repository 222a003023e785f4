import { BooleanNumber, type IRange, generateRandomId } from "@univerjs/core";
import { RangeThemeStyle, SheetRangeThemeModel } from "@univerjs/preset-sheets-core";
import {
  AddSheetTableMutation,
  DeleteSheetTableMutation,
  SetSheetTableMutation,
  TableManager,
} from "@univerjs/preset-sheets-table";
import { intersect, parseAddress } from "../address";
import type { Rect, Spreadsheet, TableInfo } from "../spreadsheet";
import { type Book, toRange, toRect } from "./univer";

type Tables = Pick<Spreadsheet, "tables" | "addTable" | "updateTable" | "deleteTable">;

const DEFAULT_STYLE = "TableStyleMedium2";

/** How many table styles Excel has of each kind. */
const STYLE_COUNTS = { Light: 21, Medium: 28, Dark: 11 };

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

export function createTables(book: Book, clear: Spreadsheet["clear"]): Tables {
  const manager = book.injector.get(TableManager);
  const themes = book.injector.get(SheetRangeThemeModel);

  const tables = (): TableInfo[] =>
    manager.getTableList(book.unitId()).map(({ id, name, subUnitId, range }) => ({
      id,
      name,
      sheetId: subUnitId,
      rect: toRect(range as IRange),
      style: manager.getTableById(book.unitId(), id)?.getTableStyleId() ?? DEFAULT_STYLE,
    }));

  function find(tableId: string): TableInfo {
    const table = tables().find(({ id }) => id === tableId);
    if (!table) throw new Error(`There is no table with the id ${tableId}.`);
    return table;
  }

  function mayBeNamed(name: string, except?: string) {
    const fits =
      /^[\p{L}_\\][\p{L}\p{N}_.\\]{0,254}$/u.test(name) && !parseAddress(name) && !/^[rc]$/i.test(name);
    if (!fits) throw new Error(`"${name}" is not a valid name for a table.`);
    if (tables().some((table) => table.id !== except && table.name.toLowerCase() === name.toLowerCase())) {
      throw new Error(`A table named "${name}" exists already.`);
    }
  }

  function mayOccupy(sheetId: string, rect: Rect, except?: string) {
    const other = tables().find(
      (table) => table.id !== except && table.sheetId === sheetId && intersect(table.rect, rect),
    );
    if (other) throw new Error(`A table cannot overlap another table: ${other.name}.`);
  }

  function nextName(): string {
    const taken = new Set(tables().map(({ name }) => name.toLowerCase()));
    let number = 1;
    while (taken.has(`table${number}`)) number += 1;
    return `Table${number}`;
  }

  function known(style: string): string {
    if (!themes.getDefaultRangeThemeStyle(style))
      throw new Error(`The table style ${style} is not modelled.`);
    return style;
  }

  for (const theme of tableStyles()) themes.registerDefaultRangeTheme(theme);

  return {
    tables,

    addTable(sheetId, rect, name = nextName()) {
      mayBeNamed(name);
      mayOccupy(sheetId, rect);
      book.makeRoom(sheetId, rect);
      const tableId = generateRandomId();
      book.run(AddSheetTableMutation.id, {
        subUnitId: sheetId,
        tableId,
        name,
        range: toRange(rect),
        header: manager.getColumnHeader(book.unitId(), sheetId, toRange(rect)),
        options: { tableStyleId: DEFAULT_STYLE, showHeader: true },
      });
      return find(tableId);
    },

    updateTable(tableId, { name, rect, style }) {
      const table = find(tableId);
      if (name !== undefined) mayBeNamed(name, tableId);
      if (rect) {
        mayOccupy(table.sheetId, rect, tableId);
        book.makeRoom(table.sheetId, rect);
      }
      book.run(SetSheetTableMutation.id, {
        subUnitId: table.sheetId,
        tableId,
        config: {
          name,
          updateRange: rect && { newRange: toRange(rect) },
          theme: style && known(style),
        },
      });
    },

    deleteTable(tableId, keepCells) {
      const { sheetId, rect } = find(tableId);
      book.run(DeleteSheetTableMutation.id, { subUnitId: sheetId, tableId });
      if (!keepCells) clear(sheetId, rect, "all");
    },
  };
}

/** What Univer needs to draw Excel's styles: not their every line, but header, colour and bands. */
function tableStyles(): RangeThemeStyle[] {
  return Object.entries(STYLE_COUNTS).flatMap(([kind, count]) =>
    Array.from({ length: count }, (_, index) => {
      const [strong, pale] = COLORS[index % COLORS.length]!;
      return new RangeThemeStyle(`TableStyle${kind}${index + 1}`, {
        headerRowStyle:
          kind === "Light"
            ? { cl: { rgb: strong }, bl: BooleanNumber.TRUE }
            : { bg: { rgb: strong }, cl: { rgb: "#FFFFFF" }, bl: BooleanNumber.TRUE },
        firstRowStyle: { bg: { rgb: pale } },
        secondRowStyle: { bg: { rgb: "#FFFFFF" } },
      });
    }),
  );
}
