/**
 * The number formats of imports: `amountFormat` writes them, and `shownNumber` and `formattedLength` read them again. A change of one has
 * to suit the others; number-format.test.ts reads back all formats that are written.
 */
import { msOfSerial } from "./serial-date";
import { type UnitForm, unitForm, withUnit } from "./units";

/** True if a number format shows a day. */
export function isDateFormat(numberFormat: string): boolean {
  return /y/i.test(numberFormat.replace(/"[^"]*"|\\./g, ""));
}

/** The parts of an amount's format: a dollar sign, figures with their decimals, a percent sign, and words. */
const amountParts = /^("\$")?(#,##0|0)(?:\.(0+))?(%)?(.*)$/;

/** A number as a cell of an import shows it. A number in a format that imports don't use is shown in plain figures. */
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

/** The most characters of a number in the format General, which rounds numbers longer than a column of standard width. */
const generalCharacters = 8;

/** The figures of an amount as it was published, or of all amounts of a column together. */
export interface Figures {
  /** The number of decimal places. */
  places: number;
  /** True if thousands are separated. */
  isGrouped: boolean;
  /** The number of characters, separators included. */
  characters: number;
}

/** The figures of an amount, from digits such as "1,250.00". */
export function figuresOf(digits: string): Figures {
  const [, decimals = ""] = digits.split(".");
  return { places: decimals.length, isGrouped: digits.includes(","), characters: digits.length };
}

/** Figures in which both amounts can be shown as they were published. */
export function commonFigures(one: Figures, other: Figures): Figures {
  return {
    places: Math.max(one.places, other.places),
    isGrouped: one.isGrouped || other.isGrouped,
    characters: Math.max(one.characters, other.characters),
  };
}

/**
 * The format of a column whose header names the unit: figures alone. A percentage keeps its sign, because its value is a hundredth of its
 * figures.
 */
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

/** True if a format is one of those that `readDate` gives. */
export function isPublishedDateFormat(numberFormat: string): boolean {
  return /^(?:yyyy-mm-dd|mmmm?(?:"\.")? d, yyyy|d mmmm?(?:"\.")? yyyy)$/.test(numberFormat);
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

/** A text for a number format: in quotes, with a backslash before each quotation mark in it. */
function literal(suffix: string): string {
  return suffix.replace(/"|[^ "][^"]*/g, (text) => (text === '"' ? '\\"' : `"${text}"`));
}

/** The number of characters that a number takes in its cell; months count with their longest name. */
export function formattedLength(value: number, numberFormat: string): number {
  if (numberFormat === "General") return String(value).length;
  if (isDateFormat(numberFormat)) return numberFormat.replace("mmmm", "September").length;
  return shownNumber(value, numberFormat).length;
}
