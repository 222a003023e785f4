/**
 * Numbers as the number formats of imports show them. A change has to suit `cell-value.ts`, which writes the formats;
 * number-format.test.ts reads back all formats that are written.
 */
import { msOfSerial } from "./serial-date";
import { moneySign, unitForm, withUnit } from "./units";

/** True if a number format shows a day. */
export function isDateFormat(numberFormat: string): boolean {
  return /y/i.test(numberFormat.replace(/"[^"]*"|\\./g, ""));
}

/** The parts of an amount's format: a currency's sign, figures with their decimals, a percent sign, and words. */
const amountParts = new RegExp(`^(?:"(${moneySign})")?(#,##0|0)(?:\\.(0+))?(%)?(.*)$`);

/** A number as a cell of an import shows it. A number in a format that imports don't use is shown in plain figures. */
export function shownNumber(value: number, numberFormat: string): string {
  if (isDateFormat(numberFormat)) {
    const ms = msOfSerial(value);
    return Number.isNaN(ms) ? String(value) : new Date(ms).toISOString().slice(0, 10);
  }
  const parts = amountParts.exec(numberFormat);
  if (!parts) return value.toLocaleString("en-US", { maximumFractionDigits: 15 });
  const [, sign = "", whole, places = "", percent = "", suffix = ""] = parts;
  const figures = figuresIn(places.length, whole === "#,##0").format(percent ? value * 100 : value);
  const words = suffix.replace(/\\(.)|"([^"]*)"/g, "$1$2");
  return `${sign}${figures}${percent}${words}`;
}

/** Number formats are kept, because there are few and making one takes longer than formatting a hundred numbers. */
const numberFormats = new Map<string, Intl.NumberFormat>();

function figuresIn(places: number, useGrouping: boolean): Intl.NumberFormat {
  const name = `${places} ${useGrouping}`;
  let format = numberFormats.get(name);
  if (!format) {
    const digits = { minimumFractionDigits: places, maximumFractionDigits: places };
    numberFormats.set(name, (format = new Intl.NumberFormat("en-US", { useGrouping, ...digits })));
  }
  return format;
}

/** A value as a cell of an import shows it. `unit` is the unit that the column's header names for its amounts, or null. */
export function shownInCell(value: unknown, numberFormat: string, unit: string | null = null): string {
  if (typeof value === "boolean") return value ? "TRUE" : "FALSE";
  if (typeof value !== "number") return String(value);
  const text = shownNumber(value, numberFormat);
  const saysUnit = isDateFormat(numberFormat) || wordsOf(numberFormat) !== "";
  return unit === null || saysUnit ? text : withUnit(text, unit);
}

/** The words in a format of an import: a unit with its qualifier, or "". */
export function wordsOf(numberFormat: string): string {
  if (isDateFormat(numberFormat)) return "";
  return [...numberFormat.matchAll(/\\(.)|"([^"]*)"/g)].map(([, one, other]) => one ?? other).join("");
}

/**
 * The format without words that only name the unit: `0" days"` and `0" day"` become `0` if the unit is days, but `0" working days"` stays.
 * The remaining format shows the same figures.
 */
export function withoutUnit(numberFormat: string, unitOfMeasure: string): string {
  const form = unitForm(unitOfMeasure);
  const [, sign = "", whole = "", places, percent = "", suffix = ""] = amountParts.exec(numberFormat) ?? [];
  if (!form || whole === "" || isDateFormat(numberFormat)) return numberFormat;
  if (sign !== "" && form.currency?.sign !== sign) return numberFormat;
  if (suffix !== "" && !form.spelling.test(wordsOf(suffix).trim())) return numberFormat;
  return whole + (places === undefined ? "" : `.${places}`) + percent;
}

/** The unit that a number format names, unless it is the question's own unit; "" if it names no other. */
export function otherUnit(numberFormat: string, unitOfMeasure: string): string {
  return wordsOf(withoutUnit(numberFormat, unitOfMeasure));
}

/** The number of characters that a number takes in its cell; months count with their longest name. */
export function formattedLength(value: number, numberFormat: string): number {
  if (numberFormat === "General") return String(value).length;
  if (isDateFormat(numberFormat)) return numberFormat.replace("mmmm", "September").length;
  return shownNumber(value, numberFormat).length;
}
