import type { LineShift } from "./line-shift";
import type { CellLook, CellValue, DefinedName, Rect, TableInfo } from "./spreadsheet";

/** A workbook as a file carries it, whichever spreadsheet it is opened in. Rows and columns count from zero. */
export interface BookContents {
  /** In the order of their tabs. */
  sheets: SheetContents[];
  activeSheetId: string;
  tables: FilteredTable[];
  names: DefinedName[];
  /** Cells that were inserted or deleted since the workbook was opened, in their order. */
  moved?: readonly { sheetId: string; shift: LineShift }[];
  /** Days are counted from 1904. */
  uses1904?: boolean;
}

export interface SheetContents {
  id: string;
  name: string;
  isHidden: boolean;
  /** Cells that hold or look like something, row by row. Spilled values stand with their formula only. */
  cells: CellContents[];
  merged: Rect[];
  /** In pixels, by column; columns of the usual width are left out. */
  columnWidths: ReadonlyMap<number, number>;
  frozen: { rows: number; columns: number };
}

export interface CellContents {
  row: number;
  column: number;
  /** "" when the cell is blank. A formula has the value with which it was saved; an error is its text. */
  value: CellValue;
  /** With its leading "="; absent where the cell holds none. */
  formula?: string | undefined;
  /** The values that the formula fills, its own cell first, row by row; absent when it fills only its own cell. */
  spill?: CellValue[][] | undefined;
  /** The file has the formula by a name that Excel only shows: the cell is #NAME? until it is entered anew. */
  isStuck?: boolean | undefined;
  /** Shared by all cells that look the same. */
  style: CellStyle;
  /** A web address, or behind "#" a place in the workbook. */
  link?: string | undefined;
}

export interface CellStyle extends CellLook {
  numberFormat: string;
}

export interface FilteredTable extends TableInfo {
  /** The texts that are shown, by column of the table; null where it is not filtered. */
  filters?: Record<number, string[] | null>;
}

export const plainStyle: CellStyle = {
  numberFormat: "General",
  ...{ fillColor: null, fontColor: null, bold: false, italic: false, wrapText: false },
  ...{ horizontalAlignment: "General", verticalAlignment: "Bottom", indentLevel: 0 },
};

/** One style for all that are alike, so that they can be compared and counted as objects. */
export function createStyles(): (style: CellStyle) => CellStyle {
  const known = new Map([[JSON.stringify(plainStyle), plainStyle]]);
  return (wanted) => {
    const { numberFormat, fillColor, fontColor, bold, italic, wrapText, ...alignment } = wanted;
    const { horizontalAlignment, verticalAlignment, indentLevel } = alignment;
    const style: CellStyle = {
      ...{ numberFormat, fillColor, fontColor, bold, italic, wrapText },
      ...{ horizontalAlignment, verticalAlignment, indentLevel },
    };
    const name = JSON.stringify(style);
    const found = known.get(name) ?? style;
    known.set(name, found);
    return found;
  };
}
