import {
  amountFormat,
  commonFigures,
  type Figures,
  figuresFormat,
  figuresOf,
  figuresShown,
  isPublishedDateFormat,
} from "./number-format";
import { config } from "../../../config";
import { readDate } from "./date-text";
import { unitForm, type UnitForm } from "./units";
import { wholeWebAddress } from "./web-address";

/** What a cell can hold. Text is meant as text, whatever it looks like. */
export type Scalar = string | number | boolean;

/** A cell of an import: its number format keeps the unit visible; `@` writes text as text. */
export interface Cell {
  value: Scalar;
  numberFormat: string;
  /** A web address that the cell leads to. */
  link?: string;
  /** A cell of the workbook that it leads to. */
  documentReference?: string;
}

/**
 * The value a formula returns: a number only where the text is one amount in the type's own unit and nothing
 * else, a boolean only by a fixed word list; anything else as published. A formula can't format, so a date and
 * a qualifier (working days, kW DC) keep the text.
 */
export function formulaValue(raw: string, unitOfMeasure: string): Scalar {
  const reading = read(raw, unitOfMeasure);
  return reading && !reading.unsaid ? reading.cell.value : cellText(raw);
}

/**
 * What a formula may return where it can send a number format along: the numbers of `formulaValue`, and dates as
 * Excel's serial numbers, with the look of the import; null for anything else.
 */
export function formattedValue(
  raw: string,
  unitOfMeasure: string,
): { value: number; numberFormat: string } | null {
  const { cell, unsaid } = read(raw, unitOfMeasure) ?? { cell: blankCell };
  const { value, numberFormat } = cell;
  return typeof value === "number" && unsaid !== "qualifier" ? { value, numberFormat } : null;
}

/**
 * The same value as an import writes it: dates too, and an amount with its unit and qualifier in the number format. `columnFormat`
 * is the one format of a column whose header names the unit: an amount in another unit keeps its own, and none loses a decimal.
 */
export function importCell(raw: string, unitOfMeasure: string, columnFormat?: string | null): Cell {
  const reading = read(raw, unitOfMeasure);
  if (!reading) return linkedText(raw);
  if (columnFormat === undefined || columnFormat === null) return reading.cell;
  return { ...reading.cell, numberFormat: formatInColumn(reading, unitOfMeasure, columnFormat) };
}

function formatInColumn({ cell, unsaid, figures }: Reading, unit: string, columnFormat: string): string {
  const form = unitForm(unit);
  if (unsaid === "date") return isPublishedDateFormat(columnFormat) ? columnFormat : cell.numberFormat;
  const shown = form && figuresShown(form, columnFormat);
  if (!figures || unsaid || !shown) return cell.numberFormat;
  return figuresFormat(form, commonFigures(shown, figures));
}

/** What the values of a column have in common. */
export interface ColumnLook {
  /** The one format of its amounts or dates; undefined where each keeps its own. */
  numberFormat: string | undefined;
  /** Whether it has amounts and all are in the unit of its type, so that the header can name it. */
  hasOneUnit: boolean;
}

/** Makes the cells of a column. Those that were made get the column's format when all are known, with `settle`. */
export function createValueColumn(unitOfMeasure: string): {
  cell(raw: string): Cell;
  settle(): ColumnLook;
} {
  const form = unitForm(unitOfMeasure);
  const made: Cell[] = [];
  const formats = new Set<string>();
  let shown: Figures | undefined;
  let hasQualified = false;

  function commonFormat(): string | undefined {
    if (form && shown) return hasQualified ? undefined : figuresFormat(form, shown);
    const [format, other] = formats;
    return other === undefined ? format : unambiguousDate;
  }

  return {
    cell(raw) {
      const reading = read(raw, unitOfMeasure);
      if (!reading) return linkedText(raw);
      const { cell, unsaid, figures } = reading;
      if (unsaid === "qualifier") hasQualified = true;
      else if (figures) shown = shown ? commonFigures(shown, figures) : figures;
      else if (unsaid === "date") formats.add(cell.numberFormat);
      if (typeof cell.value === "number") made.push(cell);
      return cell;
    },
    settle() {
      const numberFormat = commonFormat();
      if (numberFormat !== undefined) for (const cell of made) cell.numberFormat = numberFormat;
      return { numberFormat, hasOneUnit: shown !== undefined && !hasQualified };
    },
  };
}

/** For days that were published in different ways. */
const unambiguousDate = "yyyy-mm-dd";

/** Text that stays text: geoIDs keep their zeros, `4-12-7` stays no date, `=…` never becomes a formula. */
export function textCell(text: string): Cell {
  // Excel takes one leading apostrophe as its own mark for text; in the format "@" perhaps not.
  return text.startsWith("'")
    ? { value: cellText(`'${text}`), numberFormat: "General" }
    : { value: cellText(text), numberFormat: "@" };
}

/** The same; one that is a web address leads there. */
export function linkedText(text: string): Cell {
  const link = wholeWebAddress(text);
  return { ...textCell(text), ...(link !== undefined && { link }) };
}

export const blankCell: Cell = { value: "", numberFormat: "General" };

const cutMark = "… [cut]";

/** Line breaks as Excel has them; cut, with a mark, at what a cell holds. */
export function cellText(text: string): string {
  const lines = text.replace(/\r\n?/g, "\n");
  return lines.length <= config.cellCharacters
    ? lines
    : lines.slice(0, config.cellCharacters - cutMark.length).replace(/[\ud800-\udbff]$/, "") + cutMark;
}

interface Reading {
  cell: Cell;
  /** What only the number format says: that it is a date, or more than the type's unit (working days, kW DC). */
  unsaid?: "date" | "qualifier" | undefined;
  /** Of an amount. */
  figures?: Figures;
}

function read(raw: string, unitOfMeasure: string): Reading | null {
  // Web pages hold their words together with spaces that don't break.
  const text = raw.trim().replaceAll("\u00a0", " ");
  const form = unitForm(unitOfMeasure);
  if (!form) return null;
  if (form.kind === "boolean") return readBoolean(text);
  if (form.kind !== "date") return readAmount(text, form);
  const cell = readDate(text);
  return cell && { cell, unsaid: "date" };
}

const booleanWord = /^(?:(true|yes|y|required)|false|no|n|not required)$/i;

function readBoolean(text: string): Reading | null {
  const word = booleanWord.exec(text);
  return word && { cell: { value: word[1] !== undefined, numberFormat: "General" } };
}

/** An amount with thousands in threes, no sign, no leading zeros; more digits than a double holds are no number. */
const amountPattern =
  /^(\$ ?|USD ?)?((?:[1-9]\d{0,2}(?:,\d{3}){1,4}|0|[1-9]\d{0,14})(?:\.\d{1,6})?)( ?)(.*)$/is;
const maxDigits = 15;

const qualifiers = /^(?:working|business|calendar) | (?:ac|dc)$/gi;

function readAmount(text: string, form: UnitForm): Reading | null {
  const match = amountPattern.exec(text);
  if (!match) return null;
  const [, currency = "", digits = "", gap = "", suffix = ""] = match;
  if (currency && form.kind !== "money") return null;

  const isOwnUnit = !suffix || form.spelling.test(suffix);
  // A percentage's format has no room for a qualifier.
  const isQualified = form.kind !== "percent" && form.spelling.test(suffix.replace(qualifiers, ""));
  if (!isOwnUnit && !isQualified) return null;

  const plain = digits.replaceAll(",", "");
  if (plain.replace(".", "").length > maxDigits) return null;
  return {
    cell: {
      value: Number(form.kind === "percent" ? `${plain}e-2` : plain),
      numberFormat: amountFormat(digits, form, gap + suffix),
    },
    unsaid: isOwnUnit ? undefined : "qualifier",
    figures: figuresOf(digits),
  };
}
