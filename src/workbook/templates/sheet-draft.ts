import { config } from "../../config";
import { columnLetters } from "../sheet/layout/cell-address";
import { importCell } from "../sheet/values/cell-value";
import { unitForm } from "../sheet/values/units";
import type { Area } from "../sheet/layout/area";

/** The appearance of a group of cells. Input cells are those that a user fills in. */
export type Look = "title" | "heading" | "tableHeader" | "input" | "total" | "wrapped";

/** A call of one of the add-in's functions, with the values of its arguments instead of cells. */
export type PlannedCall =
  | { name: "VALUE"; geoid: string; typeId: number; field: AnswerField; ifMissing: string }
  | { name: "AHJ"; geoid: string; field: "name" | "state_code" };

type AnswerField = "value" | "text" | "citation" | "updated_at";

export type PlannedContent =
  /** A text that stays text even if it looks like a number or a formula. */
  | { text: string }
  | { number: number }
  /** A formula with its leading "=". If it is a single call of one of the add-in's functions, `call` is that call. */
  | { formula: string; call?: PlannedCall }
  /** A blank cell for the user to fill in. */
  | "blank";

/** Rows and columns count from zero. */
export interface PlannedCell {
  row: number;
  column: number;
  content: PlannedContent;
  numberFormat: string;
}

/** A sheet that is to be added to a workbook. */
export interface PlannedSheet {
  /** The name that the sheet gets if no other sheet has it. */
  name: string;
  cells: PlannedCell[];
  looks: { look: Look; area: Area }[];
  /** The widths of the columns in points, from the first column on. */
  columnWidths: number[];
  frozen: { rows: number; columns: number };
  /** The area that becomes an Excel table, with its headers in the first row; null for a sheet without a table. */
  table: Area | null;
  print: {
    area: Area;
    orientation: "Portrait" | "Landscape";
    /** True prints everything on one page. False fits it to one page in width, with `titleRows` on each page. */
    isOnePage: boolean;
    titleRows: { first: number; last: number } | null;
  };
}

/** The text of a cell if the service records no value. */
export const noValue = "no value";

/** The format of a cell for answers in this unit. */
export function answerFormat(unitOfMeasure: string): string {
  if (unitOfMeasure === "percent") return "0.0#%";
  return unitForm(unitOfMeasure)?.kind === "money"
    ? importCell("0.00", unitOfMeasure).numberFormat
    : "General";
}

export const isoDate = "yyyy-mm-dd";

/** Collects the cells of a sheet. Each cell may be written only once. */
export interface SheetDraft {
  readonly cells: PlannedCell[];
  readonly looks: PlannedSheet["looks"];
  text(row: number, column: number, text: string): void;
  number(row: number, column: number, value: number, numberFormat?: string): void;
  formula(row: number, column: number, formula: string, numberFormat?: string): void;
  blank(row: number, column: number, numberFormat: string): void;
  /** Adds a cell for a jurisdiction's code or name, or for a formula that gives one; `code` is "" for a blank one. */
  place(row: number, column: number, code: string): void;
  /** Adds `=REGDATA.VALUE` with two cells as arguments: `geoid` and `type` name the cells and say what they hold. */
  answer(row: number, column: number, geoid: CellOf<string>, type: CellOf<number>, form?: AnswerForm): void;
  /** Adds `=REGDATA.AHJ` with a cell as argument. */
  ahj(row: number, column: number, geoid: CellOf<string>, field?: "name" | "state_code"): void;
  look(look: Look, row: number, column: number, rows: number, columns: number): void;
}

/** A cell as formulas name it, such as `$C6`, with its value: "" if it is blank. */
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
    place: (row, column, code) => put(row, column, code === "" ? "blank" : { text: code }, "General"),
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

/** The address of a cell: `A1` for row 0 and column 0. With `kept`, "$" keeps the column or the row when the formula is copied. */
export function cellName(
  row: number,
  column: number,
  kept: { column?: boolean; row?: boolean } = {},
): string {
  return `${kept.column ? "$" : ""}${columnLetters(column)}${kept.row ? "$" : ""}${row + 1}`;
}

/** The address of a part of a column, such as `A$1:A$9`, whose rows stay when the formula is copied. */
export function columnPart(column: number, firstRow: number, lastRow: number): string {
  return `${cellName(firstRow, column, { row: true })}:${cellName(lastRow, column, { row: true })}`;
}
