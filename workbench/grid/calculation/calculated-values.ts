import * as numfmt from "numfmt";
import { errorTexts } from "../../spreadsheet";
import type { Card, DataType, ShownValue } from "../../spreadsheet";

/** The number format of cells that have none. */
export const GENERAL = "General";

/** The value and number format that a text becomes in a cell. */
interface ParsedValue {
  value: string | number | boolean;
  /** The number format that Excel gives a General cell with it. */
  numberFormat?: string;
}

/** Excel's number formats for the formats that the number format library gives instead. */
const excelFormat: Record<string, string> = {
  "m/d": "d-mmm",
  "m-d": "d-mmm",
  "d-mmmm": "d-mmm",
  "d-mmmm-yy": "d-mmm-yy",
  "mmmm yyyy": "mmm-yy",
  "yyyy-mm-dd": "m/d/yyyy",
  "hh:mm": "h:mm",
};

/** Matches texts that may be converted. Most texts are names, and the library is slow to find that they are no dates. */
const mayConvert =
  /^\s*(?:[\d.,+\-($€£¥'#]|(?:true|false)\s*$|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[\s,.\-/]*\d)/i;

const monthDayYear = /^(\d{1,2})([/-])(\d{1,2})\2(\d{1,2}|\d{4})$/;

/**
 * Reads a text as Excel (en-US) does when a user types it or an add-in writes it: numbers, percentages, currency, dates, times and TRUE
 * or FALSE are converted, unless the cell's format is "@" or the text begins with an apostrophe. "06001" becomes 6001, and "4-12-7" a
 * date.
 */
export function parseValue(text: string, cellFormat: string, uses1904 = false): ParsedValue {
  const parsed = parseIn1900(text, cellFormat);
  const { value, numberFormat } = parsed;
  if (!uses1904 || typeof value !== "number" || numberFormat === undefined || !showsDay(numberFormat))
    return parsed;
  // A day before 1904 has no number.
  return value < daysBetweenSystems ? { value: text } : { ...parsed, value: value - daysBetweenSystems };
}

function parseIn1900(text: string, cellFormat: string): ParsedValue {
  if (isTextFormat(cellFormat) || !mayConvert.test(text)) return { value: text };
  if (text.startsWith("'")) return { value: text.slice(1) };
  const upper = text.trim().toUpperCase();
  if (errorTexts.has(upper)) return { value: upper };
  const date = parseMonthDayYear(text.trim());
  if (date) return date;
  const parsed = numfmt.parseValue(text);
  if (parsed === null || (typeof parsed.v === "number" && !Number.isFinite(parsed.v))) return { value: text };
  const value = parsed.v as number | boolean;
  return parsed.z ? { value, numberFormat: excelFormat[parsed.z] ?? parsed.z } : { value };
}

/** Reads a date such as 4/12/2026. Two-digit years are from 1930 to 2029, as in Excel. */
function parseMonthDayYear(text: string): ParsedValue | null {
  const match = monthDayYear.exec(text);
  if (!match) return null;
  const [month, day, shortYear] = [Number(match[1]), Number(match[3]), Number(match[4])];
  const year = match[4]!.length === 4 ? shortYear : shortYear + (shortYear < 30 ? 2000 : 1900);
  const date = new Date(Date.UTC(year, month - 1, day));
  if (year < 1900 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  const serial = numfmt.dateToSerial([year, month, day]);
  return serial === null ? null : { value: serial, numberFormat: "m/d/yyyy" };
}

/** The days from January 1, 1904, the first of that date system, back to the day before the first of the usual one. */
const daysBetweenSystems = 1_462;

/** The result of DATE: the number of a day in the workbook's date system; null for a day that it can't count. */
export function dateNumber(year: number, month: number, day: number, uses1904: boolean): number | null {
  if (year < (uses1904 ? 1904 : 1900) || year > 9999) return null;
  // Months and days beyond the last go on in the next year and month.
  const date = new Date(Date.UTC(year, month - 1, day));
  const serial = numfmt.dateToSerial([date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]);
  return serial === null ? null : serial - (uses1904 ? daysBetweenSystems : 0);
}

/** True for a format of days; one of hours alone shows the same in both date systems. */
function showsDay(numberFormat: string): boolean {
  const { year, month, day } = numfmt.getFormatDateInfo(numberFormat);
  return year || month || day;
}

/** A cell's text as displayed. */
export function formatValue(
  value: string | number | boolean,
  numberFormat: string,
  uses1904 = false,
): string {
  if (typeof value === "boolean") return value ? "TRUE" : "FALSE";
  if (isTextFormat(numberFormat)) return String(value);
  try {
    if (
      uses1904 &&
      typeof value === "number" &&
      numfmt.isDateFormat(numberFormat) &&
      showsDay(numberFormat)
    ) {
      // A negative number is shown as the day as long after the first, with a minus sign.
      const shown = formatValue(Math.abs(value) + daysBetweenSystems, numberFormat);
      return value < 0 ? `-${shown}` : shown;
    }
    return numfmt.format(numberFormat, value, { locale: "en-US", throws: true });
  } catch {
    return String(value);
  }
}

/** A value with its own text or number format, as displayed in a cell with the number format `cellFormat`. */
export function textOf(
  { value, numberFormat = GENERAL, text }: ShownValue,
  cellFormat = GENERAL,
  uses1904 = false,
): string {
  return text ?? formatValue(value, cellFormat === GENERAL ? numberFormat : cellFormat, uses1904);
}

/** The texts of a data type's card, as displayed. */
export function cardTexts(
  { title, subtitle, fields, provider }: NonNullable<DataType["card"]>,
  uses1904 = false,
): Card {
  const shown = (value: ShownValue) => textOf(value, GENERAL, uses1904);
  return {
    title: shown(title),
    ...(subtitle && { subtitle: shown(subtitle) }),
    fields: Object.fromEntries(
      Object.entries(fields).map(([name, { sublabel, ...field }]) => {
        const text = shown(field);
        return [name, sublabel === undefined ? text : `${text} ${sublabel}`];
      }),
    ),
    ...(provider !== undefined && { provider }),
  };
}

export function isTextFormat(numberFormat: string): boolean {
  return numberFormat === "@";
}
