import { config } from "../../config";
import { columnLetters } from "../sheet/layout/cell-address";
import type { Area } from "../sheet/layout/area";

/** How a group of cells looks. Input cells are those that a user fills in. */
export type Look = "title" | "heading" | "tableHeader" | "input" | "total" | "wrapped";

/** A call of one of the add-in's functions, with the values of its arguments. */
export type PlannedCall =
  | { name: "VALUE"; geoid: string; typeId: number; field: AnswerField; ifMissing: string }
  | { name: "AHJ"; geoid: string; field: "name" | "state_code" };

type AnswerField = "value" | "text" | "citation" | "updated_at";

export type PlannedContent =
  /** Stays a text, whatever it looks like. */
  | { text: string }
  | { number: number }
  /** With its leading "=". Of a formula that is one call of the add-in's functions, the call as well. */
  | { formula: string; call?: PlannedCall }
  /** To be filled in by the user. */
  | "blank";

/** Rows and columns count from zero. */
export interface PlannedCell {
  row: number;
  column: number;
  content: PlannedContent;
  numberFormat: string;
}

/** A sheet that is to be made. */
export interface PlannedSheet {
  /** The name that it gets where that is free. */
  name: string;
  cells: PlannedCell[];
  looks: { look: Look; area: Area }[];
  /** In points, from the first column on. */
  columnWidths: number[];
  frozen: { rows: number; columns: number };
  /** The rows with its headers become a table's, with all below them. */
  table: Area | null;
  print: {
    area: Area;
    orientation: "Portrait" | "Landscape";
    /** Printed on one page; otherwise on one page across, with `titleRows` on each. */
    isOnePage: boolean;
    titleRows: { first: number; last: number } | null;
  };
}

/** The text that stands where the service records no value. */
export const noValue = "no value";

export const usd = '"$"#,##0.00';
export const isoDate = "yyyy-mm-dd";

/** Collects a sheet's cells. Every cell is written once. */
export interface SheetDraft {
  readonly cells: PlannedCell[];
  readonly looks: PlannedSheet["looks"];
  text(row: number, column: number, text: string): void;
  number(row: number, column: number, value: number, numberFormat?: string): void;
  formula(row: number, column: number, formula: string, numberFormat?: string): void;
  blank(row: number, column: number, numberFormat: string): void;
  /** A call of `=REGDATA.VALUE` on two cells: `geoid` and `type` name them and say what they hold. */
  answer(row: number, column: number, geoid: CellOf<string>, type: CellOf<number>, form?: AnswerForm): void;
  /** A call of `=REGDATA.AHJ`. */
  ahj(row: number, column: number, geoid: CellOf<string>, field?: "name" | "state_code"): void;
  look(look: Look, row: number, column: number, rows: number, columns: number): void;
}

/** A cell as formulas name it, such as `$C6`, and what it holds; "" where it is blank. */
export interface CellOf<Value> {
  cell: string;
  holds: Value;
}

interface AnswerForm {
  field?: AnswerField;
  ifMissing?: string;
  numberFormat?: string;
}

export function createDraft(): SheetDraft {
  const cells: PlannedCell[] = [];
  const looks: PlannedSheet["looks"] = [];
  const put = (row: number, column: number, content: PlannedContent, numberFormat: string) =>
    void cells.push({ row, column, content, numberFormat });
  const { namespace } = config;
  return {
    cells,
    looks,
    text: (row, column, text) => put(row, column, { text }, "@"),
    number: (row, column, number, numberFormat = "General") => put(row, column, { number }, numberFormat),
    formula: (row, column, formula, numberFormat = "General") => put(row, column, { formula }, numberFormat),
    blank: (row, column, numberFormat) => put(row, column, "blank", numberFormat),
    answer(row, column, geoid, type, form = {}) {
      const { field = "value", ifMissing = noValue, numberFormat = "General" } = form;
      const formula = `=${namespace}.VALUE(${geoid.cell},${type.cell},"${field}","${ifMissing}")`;
      const call = { name: "VALUE" as const, geoid: geoid.holds, typeId: type.holds, field, ifMissing };
      put(row, column, { formula, call }, numberFormat);
    },
    ahj(row, column, geoid, field = "name") {
      const formula = `=${namespace}.AHJ(${geoid.cell},"${field}")`;
      put(row, column, { formula, call: { name: "AHJ", geoid: geoid.holds, field } }, "General");
    },
    look: (look, row, column, rows, columns) =>
      void looks.push({ look, area: { row, column, rows, columns } }),
  };
}

/** `A1` for 0 and 0. "$" before the column or the row keeps it when the formula is copied. */
export function cellName(
  row: number,
  column: number,
  kept: { column?: boolean; row?: boolean } = {},
): string {
  return `${kept.column ? "$" : ""}${columnLetters(column)}${kept.row ? "$" : ""}${row + 1}`;
}

/** `A$1:A$9`: a part of a column, whose rows stay when the formula is copied. */
export function columnPart(column: number, firstRow: number, lastRow: number): string {
  return `${cellName(firstRow, column, { row: true })}:${cellName(lastRow, column, { row: true })}`;
}
