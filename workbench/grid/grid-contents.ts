import {
  BooleanNumber,
  CellValueType,
  type ICellData,
  type IStyleData,
  type IWorkbookData,
  type IWorksheetData,
} from "@univerjs/core";
import { FormulaDataModel } from "@univerjs/preset-sheets-core";
import {
  type BookContents,
  type CellContents,
  type CellStyle,
  createStyles,
  plainStyle,
} from "../book-contents";
import { type CellValue, type Spreadsheet } from "../spreadsheet";
import { shownIn, storedReferences, tableNameAt } from "../structured-references";
import { lookOf, toUniverStyle } from "./appearance";
import { attachmentOf, contents as valueOf, numberFormatOf, shownCell } from "./cells";
import { GENERAL } from "./calculation/calculated-values";
import { replaceWorkbook } from "./saving";
import { type Book, emptySheet, sizeFor, toRange } from "./univer";

type Inside = Pick<
  Spreadsheet,
  | "sheets"
  | "names"
  | "addName"
  | "merged"
  | "tables"
  | "addTable"
  | "tableFilter"
  | "filterTable"
  | "spillOf"
  | "read"
  | "drawings"
  | "sheetFilters"
  | "autofitRows"
>;

/** The workbook in the grid as a file of any kind carries it. `opened` runs when another one is in place. */
export function createContents(
  book: Book,
  inside: Inside,
  opened: () => void,
): Pick<Spreadsheet, "contents" | "openContents"> {
  const formulas = book.injector.get(FormulaDataModel);

  function cellsOf(sheetId: string, styleOf: (style: CellStyle) => CellStyle): CellContents[] {
    const cells: CellContents[] = [];
    book
      .sheet(sheetId)
      .getCellMatrix()
      .forValue((row, column) => {
        const look = lookOf(book, sheetId, row, column);
        const style = styleOf({ ...look, numberFormat: shownFormat(sheetId, row, column) });
        const entered = formulas.getFormulaStringByCell(row, column, sheetId, book.unitId()) ?? undefined;
        const formula = entered && shownIn(inside.tables, entered, { sheetId, row, column });
        const shown = shownCell(book, sheetId, row, column);
        const own = book.sheet(sheetId).getCellMatrix().getValue(row, column);
        const value = formula === undefined ? valueOf(own) : valueOf(shown);
        const { link, isStuck } = attachmentOf(own);
        if (value === "" && formula === undefined && style === plainStyle && link === undefined) return;
        const spill = formula === undefined ? null : inside.spillOf(sheetId, row, column);
        cells.push({
          ...{ row, column, value, style },
          ...(formula !== undefined && { formula }),
          ...(link !== undefined && { link }),
          ...(isStuck && { isStuck }),
          ...(spill && { spill: inside.read(sheetId, spill).map((line) => line.map((cell) => cell.value)) }),
        });
      });
    cells.push(...formattedSpills(sheetId, cells, styleOf));
    return cells.sort((one, other) => one.row - other.row || one.column - other.column);
  }

  /** A data type's format where the cell has none of its own: a file keeps the value alone. */
  function shownFormat(sheetId: string, row: number, column: number): string {
    const own = numberFormatOf(book, sheetId, row, column);
    if (own !== GENERAL) return own;
    return attachmentOf(shownCell(book, sheetId, row, column)).dataType?.numberFormat ?? own;
  }

  /** Cells that formulas fill and that hold nothing of their own but such a format. */
  function formattedSpills(
    sheetId: string,
    cells: readonly CellContents[],
    styleOf: (style: CellStyle) => CellStyle,
  ): CellContents[] {
    const parents = cells.filter(({ spill }) => spill);
    if (parents.length === 0) return [];
    const known = new Set(cells.map(({ row, column }) => `${row} ${column}`));
    return parents.flatMap(({ row: top, column: left, spill = [] }) =>
      spill.flatMap((line, down) =>
        line.flatMap((_, across) => {
          const [row, column] = [top + down, left + across];
          const numberFormat = shownFormat(sheetId, row, column);
          if (numberFormat === GENERAL || known.has(`${row} ${column}`)) return [];
          return { row, column, value: "", style: styleOf({ ...plainStyle, numberFormat }) };
        }),
      ),
    );
  }

  return {
    contents() {
      const styleOf = createStyles();
      return {
        sheets: inside.sheets().map(({ id, name, isHidden }) => {
          const sheet = book.sheet(id);
          const { columnData, freeze } = sheet.getConfig();
          return {
            ...{ id, name, isHidden, cells: cellsOf(id, styleOf), merged: inside.merged(id) },
            columnWidths: new Map(
              Object.entries(columnData).flatMap(([column, data]): [number, number][] =>
                data?.w === undefined ? [] : [[Number(column), data.w]],
              ),
            ),
            frozen: { rows: freeze.ySplit, columns: freeze.xSplit },
          };
        }),
        activeSheetId: book.workbook().getActiveSheet().getSheetId(),
        tables: inside.tables().map((table) => ({
          ...table,
          filters: Object.fromEntries(
            Array.from({ length: table.rect.columns }, (_, column) => column).flatMap((column) => {
              const texts = inside.tableFilter(table.id, column);
              return texts ? [[column, [...texts]] as const] : [];
            }),
          ),
        })),
        names: inside.names(),
      };
    },

    openContents(contents) {
      replaceWorkbook(book, univerWorkbook(contents));
      for (const name of contents.names) inside.addName(name);
      for (const { filters = {}, ...table } of contents.tables) {
        inside.addTable(table);
        for (const [column, texts] of Object.entries(filters))
          inside.filterTable(table.id, Number(column), texts);
      }
      // Rows have no height of their own in it: Excel makes those that wrap as high as their text.
      for (const { id, cells } of contents.sheets) {
        const wrapping = new Set(cells.filter(({ style }) => style.wrapText).map(({ row }) => row));
        for (const row of wrapping) inside.autofitRows(id, { row, column: 0, rows: 1, columns: 1 });
      }
      inside.drawings.open([]);
      inside.sheetFilters.open([]);
      opened();
    },
  };
}

function univerWorkbook({
  sheets,
  tables,
  activeSheetId,
}: BookContents): Parameters<typeof replaceWorkbook>[1] {
  const styles = new Map<CellStyle, string>();
  const styleId = (style: CellStyle) => {
    if (style === plainStyle) return undefined;
    const id = styles.get(style) ?? String(styles.size);
    styles.set(style, id);
    return id;
  };
  const spillRanges: Record<string, unknown> = {};
  const spilledCells: Record<string, unknown> = {};
  const worksheets: Record<string, IWorksheetData> = {};
  for (const sheet of sheets) {
    const cellData: Record<number, Record<number, ICellData>> = {};
    const ranges: Record<number, Record<number, unknown>> = {};
    const spilled: Record<number, Record<number, ICellData>> = {};
    for (const cell of sheet.cells) {
      const { row, column, spill } = cell;
      const table = tableNameAt(tables, { sheetId: sheet.id, row, column });
      (cellData[row] ??= {})[column] = { ...cellOf(cell, table), s: styleId(cell.style) };
      if (!spill) continue;
      const rect = { row, column, rows: spill.length, columns: spill[0]?.length ?? 1 };
      (ranges[row] ??= {})[column] = toRange(rect);
      spill.forEach((values, down) =>
        values.forEach((value, across) => {
          if (down + across > 0) (spilled[row + down] ??= {})[column + across] = typedValue(value);
        }),
      );
    }
    spillRanges[sheet.id] = ranges;
    spilledCells[sheet.id] = spilled;
    worksheets[sheet.id] = {
      ...emptySheet(sheet),
      ...sizeFor(sheet.cells),
      ...{ cellData, hidden: sheet.isHidden ? BooleanNumber.TRUE : BooleanNumber.FALSE },
      mergeData: sheet.merged.map(toRange),
      columnData: Object.fromEntries([...sheet.columnWidths].map(([column, w]) => [column, { w }])),
      freeze: {
        ...{ ySplit: sheet.frozen.rows, xSplit: sheet.frozen.columns },
        startRow: sheet.frozen.rows > 0 ? sheet.frozen.rows : -1,
        startColumn: sheet.frozen.columns > 0 ? sheet.frozen.columns : -1,
      },
    };
  }
  const workbook: Partial<IWorkbookData> = {
    sheetOrder: sheets.map(({ id }) => id),
    sheets: worksheets,
    styles: Object.fromEntries([...styles].map(([style, id]) => [id, univerStyle(style)])),
  };
  return { workbook, activeSheetId, spillRanges, spilledCells };
}

function cellOf({ value, formula, link, isStuck }: CellContents, table: string | undefined): ICellData {
  const attachment = { ...(link !== undefined && { link }), ...(isStuck && { isStuck }) };
  const custom = Object.keys(attachment).length > 0 ? { custom: attachment } : {};
  if (formula !== undefined) return { f: storedReferences(formula, table), ...typedValue(value), ...custom };
  return value === "" ? custom : { ...typedValue(value), ...custom };
}

function typedValue(value: CellValue): ICellData {
  if (typeof value === "boolean") return { v: value ? 1 : 0, t: CellValueType.BOOLEAN };
  return { v: value, t: typeof value === "number" ? CellValueType.NUMBER : CellValueType.STRING };
}

function univerStyle({ numberFormat, fontColor, fillColor, bold, ...look }: CellStyle): IStyleData {
  return {
    // A cell of a table without a fill of its own has that of the table's style; the same goes for bold letters.
    ...toUniverStyle({
      ...look,
      ...(fillColor !== null && { fillColor }),
      ...(fontColor !== null && { fontColor }),
      ...(bold && { bold }),
    }),
    ...(numberFormat !== plainStyle.numberFormat && { n: { pattern: numberFormat } }),
  };
}
