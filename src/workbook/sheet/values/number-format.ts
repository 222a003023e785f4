/**
 * The number formats that imports give: written by `amountFormat`, and read again by `shownNumber` and `formattedLength`. A
 * change of one has to suit the others; number-format.test.ts reads back whatever is written.
 */
import { msOfSerial } from "./serial-date";
import { type UnitForm, unitForm, withUnit } from "./units";

/** Whether a number format shows a day. */
export function isDateFormat(numberFormat: string): boolean {
  return /y/i.test(numberFormat.replace(/"[^"]*"|\\./g, ""));
}

/** A dollar sign, figures with their decimals, a percent sign, and words. */
const amountParts = /^("\$")?(#,##0|0)(?:\.(0+))?(%)?(.*)$/;

/** A number as a cell of an import shows it: by the formats that imports give, any other in plain figures. */
export function shownNumber(value: number, numberFormat: string): string {
  if (isDateFormat(numberFormat)) {
    const ms = msOfSerial(value);
    return Number.isNaN(ms) ? String(value) : new Date(ms).toISOString().slice(0, 10);
  }
  const parts = amountParts.exec(numberFormat);
  if (!parts) return value.toLocaleString("en-US", { maximumFractionDigits: 15 });
  const [, money, whole, places = "", percent = "", suffix = ""] = parts;
  const figures = figuresIn(places.length, whole === "#,##0").format(percent ? value * 100 : value);
  const words = suffix.replace(/\\(.)|"([^"]*)"/g, "$1$2");
  return `${money ? "$" : ""}${figures}${percent}${words}`;
}

/** Making one takes longer than a hundred numbers, and there are few. */
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

/** A value as a cell of an import shows it. `unit`: what the column's header says of its amounts, if it does. */
export function shownInCell(value: unknown, numberFormat: string, unit: string | null = null): string {
  if (typeof value === "boolean") return value ? "TRUE" : "FALSE";
  if (typeof value !== "number") return String(value);
  const text = shownNumber(value, numberFormat);
  const saysUnit = isDateFormat(numberFormat) || wordsOf(numberFormat) !== "";
  return unit === null || saysUnit ? text : withUnit(text, unit);
}

/** Excel's General rounds what is longer than a column of standard width. */
const generalCharacters = 8;

/** The figures of an amount as it was published, or of all amounts of a column together. */
export interface Figures {
  /** Decimal places. */
  places: number;
  /** Thousands stand apart. */
  isGrouped: boolean;
  /** How many there are, with separators. */
  characters: number;
}

/** `digits` such as "1,250.00". */
export function figuresOf(digits: string): Figures {
  const [, decimals = ""] = digits.split(".");
  return { places: decimals.length, isGrouped: digits.includes(","), characters: digits.length };
}

/** Figures in which either can be shown as they were published. */
export function commonFigures(one: Figures, other: Figures): Figures {
  return {
    places: Math.max(one.places, other.places),
    isGrouped: one.isGrouped || other.isGrouped,
    characters: Math.max(one.characters, other.characters),
  };
}

/** The format of a column whose header names the unit: figures alone, but for a percentage, whose value is a hundredth of them. */
export function figuresFormat({ kind }: UnitForm, { places, isGrouped, characters }: Figures): string {
  const decimals = places > 0 ? `.${"0".repeat(places)}` : "";
  if (kind === "percent") return `0${decimals}%`;
  const hasSeparators = kind === "money" || isGrouped;
  if (!hasSeparators && places === 0 && characters <= generalCharacters) return "General";
  return (hasSeparators ? "#,##0" : "0") + decimals;
}

/** The figures that a format of `figuresFormat` has room for; null for any other format, which may hide or change a number. */
export function figuresShown({ kind }: UnitForm, numberFormat: string): Figures | null {
  if (numberFormat === "General" && kind !== "percent") return { places: 0, isGrouped: false, characters: 0 };
  const [, whole, decimals = "", percent] = /^(#,##0|0)(?:\.(0{1,6}))?(%)?$/.exec(numberFormat) ?? [];
  if (whole === undefined || (percent !== undefined) !== (kind === "percent")) return null;
  return { places: decimals.length, isGrouped: whole === "#,##0", characters: Infinity };
}

/** Whether a format is one of those that `readDate` gives. */
export function isPublishedDateFormat(numberFormat: string): boolean {
  return /^(?:yyyy-mm-dd|mmmm?(?:"\.")? d, yyyy|d mmmm?(?:"\.")? yyyy)$/.test(numberFormat);
}

/** The words of a format that imports give: a unit with its qualifier, or "". */
export function wordsOf(numberFormat: string): string {
  if (isDateFormat(numberFormat)) return "";
  return [...numberFormat.matchAll(/\\(.)|"([^"]*)"/g)].map(([, one, other]) => one ?? other).join("");
}

/**
 * The same format without words that only name the unit: `0` of `0" days"` and of `0" day"` where the unit is days, but all of
 * `0" working days"`. What is left shows the same figures.
 */
export function withoutUnit(numberFormat: string, unitOfMeasure: string): string {
  const form = unitForm(unitOfMeasure);
  const [, money = "", whole = "", places, percent = "", suffix = ""] = amountParts.exec(numberFormat) ?? [];
  if (!form || whole === "" || isDateFormat(numberFormat)) return numberFormat;
  if (money !== "" && form.kind !== "money") return numberFormat;
  if (suffix !== "" && !form.spelling.test(wordsOf(suffix).trim())) return numberFormat;
  return whole + (places === undefined ? "" : `.${places}`) + percent;
}

/** The format that shows an amount as it was published; `digits` are its figures, with separators. */
export function amountFormat(digits: string, { kind }: UnitForm, suffix: string): string {
  const [, decimals] = digits.split(".");
  const places = decimals ? `.${"0".repeat(decimals.length)}` : "";
  if (kind === "percent") return `0${places}%`;
  const isGrouped = kind === "money" || digits.includes(",");
  if (!suffix && !isGrouped && !decimals?.endsWith("0") && digits.length <= generalCharacters)
    return "General";
  return (kind === "money" ? '"$"' : "") + (isGrouped ? "#,##0" : "0") + places + literal(suffix);
}

/** Text in a number format stands in quotes; a quote itself behind a backslash. */
function literal(suffix: string): string {
  return suffix.replace(/"|[^ "][^"]*/g, (text) => (text === '"' ? '\\"' : `"${text}"`));
}

/** How many characters a number takes as its cell shows it; the names of months at their longest. */
export function formattedLength(value: number, numberFormat: string): number {
  if (numberFormat === "General") return String(value).length;
  if (isDateFormat(numberFormat)) return numberFormat.replace("mmmm", "September").length;
  return shownNumber(value, numberFormat).length;
}
