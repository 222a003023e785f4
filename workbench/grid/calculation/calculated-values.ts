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
export function parseValue(text: string, cellFormat: string): ParsedValue {
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

/** A cell's text as displayed. */
export function formatValue(value: string | number | boolean, numberFormat: string): string {
  if (typeof value === "boolean") return value ? "TRUE" : "FALSE";
  if (isTextFormat(numberFormat)) return String(value);
  try {
    return numfmt.format(numberFormat, value, { locale: "en-US", throws: true });
  } catch {
    return String(value);
  }
}

/** A value with its own text or number format, as displayed in a cell with the number format `cellFormat`. */
export function textOf({ value, numberFormat = GENERAL, text }: ShownValue, cellFormat = GENERAL): string {
  return text ?? formatValue(value, cellFormat === GENERAL ? numberFormat : cellFormat);
}

/** The texts of a data type's card, as displayed. */
export function cardTexts({ title, subtitle, fields, provider }: NonNullable<DataType["card"]>): Card {
  return {
    title: textOf(title),
    ...(subtitle && { subtitle: textOf(subtitle) }),
    fields: Object.fromEntries(
      Object.entries(fields).map(([name, { sublabel, ...field }]) => {
        const text = textOf(field);
        return [name, sublabel === undefined ? text : `${text} ${sublabel}`];
      }),
    ),
    ...(provider !== undefined && { provider }),
  };
}

export function isTextFormat(numberFormat: string): boolean {
  return numberFormat === "@";
}
