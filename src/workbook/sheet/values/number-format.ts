/** The number formats that imports write. `shown-number.ts` reads them again. */
import type { UnitForm } from "./units";

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

/** True if a format is one of those that `readDay` gives. */
export function isPublishedDateFormat(numberFormat: string): boolean {
  return /^(?:yyyy-mm-dd|mmmm?(?:"\.")? d, yyyy|d mmmm?(?:"\.")? yyyy)$/.test(numberFormat);
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
