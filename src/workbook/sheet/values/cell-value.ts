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
import { readDay } from "./date-text";
import { serialOfMs } from "./serial-date";
import { unitForm, type UnitForm } from "./units";
import { wholeWebAddress } from "./web-address";

/** A value that a cell can hold. A string is meant as text even if it looks like a number or a formula. */
export type Scalar = string | number | boolean;

/** A cell of an import. Its number format keeps the unit visible; the format `@` keeps text as text. */
export interface FormattedCell {
  value: Scalar;
  numberFormat: string;
  /** A web address that the cell leads to. */
  link?: string;
  /** The address of a cell of the workbook that the cell leads to. */
  documentReference?: string;
}

/**
 * The value that a formula returns: a number only if the text is a single amount in the type's own unit, a boolean only for words of a
 * fixed list, and otherwise the text as published. A formula has no number format for its result, so dates and amounts with a qualifier
 * (working days, kW DC) stay text.
 */
export function formulaValue(raw: string, unitOfMeasure: string): Scalar {
  const reading = read(raw, unitOfMeasure);
  return reading && !reading.unsaid ? reading.cell.value : cellText(raw);
}

/**
 * The value that a formula may return if it can send a number format along: the numbers of `formulaValue`, and dates as Excel's serial
 * numbers in the format of an import. Null for anything else.
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
 * The cell of an import for a published text: also dates as serial numbers, and amounts with unit and qualifier in the number format.
 * `columnFormat` is the single format of a column whose header names the unit: an amount in another unit keeps its own format, and no
 * amount loses a decimal.
 */
export function importCell(raw: string, unitOfMeasure: string, columnFormat?: string | null): FormattedCell {
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

/** The format and unit that the values of a column share. */
export interface ColumnLook {
  /** The single format of the column's amounts or dates; undefined if each keeps its own. */
  numberFormat: string | undefined;
  /** True if the column has amounts and all are in the unit of its type, so that the header can name it. */
  hasOneUnit: boolean;
}

/** Makes the cells of a column. `settle` gives all of them the column's format once they are known. */
export function createValueColumn(unitOfMeasure: string): {
  cell(raw: string): FormattedCell;
  settle(): ColumnLook;
} {
  const form = unitForm(unitOfMeasure);
  const made: FormattedCell[] = [];
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

/** The format for dates that were published in different formats. */
const unambiguousDate = "yyyy-mm-dd";

/** A text that stays text: geoIDs keep their zeros, `4-12-7` does not become a date, and `=…` never becomes a formula. */
export function textCell(text: string): FormattedCell {
  // Excel reads a leading apostrophe as its own mark for text, but perhaps not in the format "@".
  return text.startsWith("'")
    ? { value: cellText(`'${text}`), numberFormat: "General" }
    : { value: cellText(text), numberFormat: "@" };
}

/** A text that stays text. If it is a web address, the cell leads there. */
export function linkedText(text: string): FormattedCell {
  const link = wholeWebAddress(text);
  return { ...textCell(text), ...(link !== undefined && { link }) };
}

export const blankCell: FormattedCell = { value: "", numberFormat: "General" };

const cutMark = "… [cut]";

/** A text with Excel's line breaks. A text that is longer than a cell holds is cut, with a mark at its end. */
export function cellText(text: string): string {
  const lines = text.replace(/\r\n?/g, "\n");
  return lines.length <= config.cellCharacters
    ? lines
    : lines.slice(0, config.cellCharacters - cutMark.length).replace(/[\ud800-\udbff]$/, "") + cutMark;
}

interface Reading {
  cell: FormattedCell;
  /**
   * Facts that only the number format shows: that the value is a date, or that it has a qualifier beside the type's unit (working days, kW
   * DC).
   */
  unsaid?: "date" | "qualifier" | undefined;
  /** The figures of an amount; undefined for other values. */
  figures?: Figures;
}

function read(raw: string, unitOfMeasure: string): Reading | null {
  // Web pages join words with non-breaking spaces.
  const text = raw.trim().replaceAll("\u00a0", " ");
  const form = unitForm(unitOfMeasure);
  if (!form) return null;
  if (form.kind === "boolean") return readBoolean(text);
  if (form.kind !== "date") return readAmount(text, form);
  const day = readDay(text);
  const value = day ? serialOfMs(day.ms) : NaN;
  return day && !Number.isNaN(value)
    ? { cell: { value, numberFormat: day.numberFormat }, unsaid: "date" }
    : null;
}

const booleanWord = /^(?:(true|yes|y|required)|false|no|n|not required)$/i;

function readBoolean(text: string): Reading | null {
  const word = booleanWord.exec(text);
  return word && { cell: { value: word[1] !== undefined, numberFormat: "General" } };
}

/**
 * An amount with thousands in groups of three, without a sign and without leading zeros. More digits than a double holds are not read as a
 * number.
 */
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
  // The format of a percentage has no room for a qualifier.
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
