import { config } from "../../../config";
import { readDay } from "./date-text";
import { serialOfMs } from "./serial-date";
import { moneyIn, unitForm, type UnitForm } from "./units";
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
  const reading = readValue(raw, unitOfMeasure);
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
  const { cell, unsaid } = readValue(raw, unitOfMeasure) ?? { cell: blankCell };
  const { value, numberFormat } = cell;
  return typeof value === "number" && unsaid !== "qualifier" ? { value, numberFormat } : null;
}

/** The cell of an import for a published text: also dates as serial numbers, and amounts with unit and qualifier in the number format. */
export function importCell(raw: string, unitOfMeasure: string): FormattedCell {
  return readValue(raw, unitOfMeasure)?.cell ?? linkedText(raw);
}

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

export interface Reading {
  cell: FormattedCell;
  /**
   * Facts that only the number format shows: that the value is a date, or that it has a qualifier beside the type's unit (working days, kW
   * DC).
   */
  unsaid?: "date" | "qualifier" | undefined;
  /** The figures of an amount; undefined for other values. */
  figures?: Figures;
}

/** Reads a published text as a value in its unit; null if it is a text. */
export function readValue(raw: string, unitOfMeasure: string): Reading | null {
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
const amountPattern = /^((?:[1-9]\d{0,2}(?:,\d{3}){1,4}|0|[1-9]\d{0,14})(?:\.\d{1,6})?)( ?)(.*)$/is;
const maxDigits = 15;

const qualifiers = /^(?:working|business|calendar) | (?:ac|dc)$/gi;

function readAmount(text: string, form: UnitForm): Reading | null {
  const { currency, amount } = moneyIn(text);
  const match = amountPattern.exec(amount);
  if (!match || (currency && currency !== form.currency)) return null;
  const [, digits = "", gap = "", suffix = ""] = match;
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

/** The most characters of a number in the format General, which rounds numbers longer than a column of standard width. */
export const generalCharacters = 8;

/** The figures of an amount as it was published, or of all amounts of a column together. */
export interface Figures {
  /** False in a column of an earlier version, whose amounts of money have their sign in the header alone. */
  hasSign: boolean;
  /** The number of decimal places. */
  places: number;
  /** True if thousands are separated. */
  isGrouped: boolean;
  /** The number of characters, separators included. */
  characters: number;
}

/** The figures of an amount, from digits such as "1,250.00". */
function figuresOf(digits: string): Figures {
  const [, decimals = ""] = digits.split(".");
  return {
    hasSign: true,
    places: decimals.length,
    isGrouped: digits.includes(","),
    characters: digits.length,
  };
}

/** The format that shows an amount as it was published; `digits` are its figures, with separators. */
function amountFormat(digits: string, { kind, currency }: UnitForm, suffix: string): string {
  const [, decimals] = digits.split(".");
  const places = decimals ? `.${"0".repeat(decimals.length)}` : "";
  if (kind === "percent") return `0${places}%`;
  const isGrouped = kind === "money" || digits.includes(",");
  if (!suffix && !isGrouped && !decimals?.endsWith("0") && digits.length <= generalCharacters)
    return "General";
  return literal(currency?.sign ?? "") + (isGrouped ? "#,##0" : "0") + places + literal(suffix);
}

/** A text for a number format: in quotes, with a backslash before each quotation mark in it. */
export function literal(suffix: string): string {
  return suffix.replace(/"|[^ "][^"]*/g, (text) => (text === '"' ? '\\"' : `"${text}"`));
}
