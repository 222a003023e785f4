import { config } from "../config";
import { isBooleanUnit, unitForm, type UnitForm } from "./units";

/** What a cell can hold. Text is meant as text, whatever it looks like. */
export type Scalar = string | number | boolean;

/** A cell of an import: its number format keeps the unit visible; `@` writes text as text. */
export interface Cell {
  value: Scalar;
  numberFormat: string;
}

/**
 * The value a formula returns: a number only where the text is one amount in the type's own unit and nothing
 * else, a boolean only by a fixed word list; anything else as published. A formula can't format, so a
 * qualifier (working days, kW DC) keeps the text.
 */
export function formulaValue(raw: string, unitOfMeasure: string): Scalar {
  const reading = read(raw, unitOfMeasure);
  return reading === null || (typeof reading === "object" && reading.isQualified)
    ? cellText(raw)
    : typeof reading === "object"
      ? reading.value
      : reading;
}

/** The same value as an import writes it: an amount keeps its unit and qualifier in the number format. */
export function importCell(raw: string, unitOfMeasure: string): Cell {
  const reading = read(raw, unitOfMeasure);
  if (reading === null) return textCell(raw);
  return typeof reading === "object"
    ? { value: reading.value, numberFormat: reading.numberFormat }
    : { value: reading, numberFormat: "General" };
}

/** Text that stays text: geoIDs keep their zeros, `4-12-7` stays no date, `=…` never becomes a formula. */
export function textCell(text: string): Cell {
  // Excel takes one leading apostrophe as its own mark for text.
  return { value: cellText(text.startsWith("'") ? `'${text}` : text), numberFormat: "@" };
}

export const blankCell: Cell = { value: "", numberFormat: "General" };

const cutMark = "… [cut]";

/** Line breaks as Excel has them; cut, with a mark, at what a cell holds. */
export function cellText(text: string): string {
  const lines = text.replace(/\r\n?/g, "\n");
  return lines.length <= config.cellCharacters
    ? lines
    : lines.slice(0, config.cellCharacters - cutMark.length) + cutMark;
}

interface Amount {
  value: number;
  numberFormat: string;
  /** The text says more than the type's unit does, such as working days or kW DC. */
  isQualified: boolean;
}

const booleanWords: Record<string, boolean> = {
  true: true,
  yes: true,
  y: true,
  required: true,
  false: false,
  no: false,
  n: false,
  "not required": false,
};

function read(raw: string, unitOfMeasure: string): Amount | boolean | null {
  const text = raw.trim();
  if (isBooleanUnit(unitOfMeasure)) {
    const word = text.toLowerCase();
    return Object.hasOwn(booleanWords, word) ? (booleanWords[word] ?? null) : null;
  }
  const form = unitForm(unitOfMeasure);
  return form ? readAmount(text, form) : null;
}

/** An amount with thousands in threes, no sign, no leading zeros; more digits than a double holds are no number. */
const amountPattern = /^(\$|USD )?((?:[1-9]\d{0,2}(?:,\d{3}){1,4}|0|[1-9]\d{0,14})(?:\.\d{1,6})?)( ?)(.*)$/s;
const maxDigits = 15;

const leadingQualifiers = /^(?:working|business|calendar) /;
const trailingQualifiers = / (?:ac|dc)$/;

function readAmount(text: string, form: UnitForm): Amount | null {
  const match = amountPattern.exec(text);
  if (!match) return null;
  const [, currency = "", digits = "", gap = "", suffix = ""] = match;
  if (currency !== "" && form.kind !== "money") return null;

  const written = suffix.toLowerCase();
  const isOwnUnit = form.suffixes.includes(written);
  const bare = written.replace(leadingQualifiers, "").replace(trailingQualifiers, "");
  if (!isOwnUnit && (bare === written || bare === "" || !form.suffixes.includes(bare))) return null;

  const plain = digits.replaceAll(",", "");
  if (plain.replace(".", "").length > maxDigits) return null;
  return {
    value: Number(form.kind === "percent" ? `${plain}e-2` : plain),
    numberFormat: amountFormat(digits, form, gap + suffix),
    isQualified: !isOwnUnit,
  };
}

function amountFormat(digits: string, form: UnitForm, suffix: string): string {
  const decimals = digits.split(".")[1] ?? "";
  const places = decimals === "" ? "" : `.${"0".repeat(decimals.length)}`;
  if (form.kind === "money") return `"$"#,##0${places}${literal(suffix)}`;
  if (form.kind === "percent") return `0${places}%`;
  if (suffix === "" && !digits.includes(",") && !decimals.endsWith("0")) return "General";
  return (digits.includes(",") ? "#,##0" : "0") + places + literal(suffix);
}

/** Text in a number format stands in quotes; a quote itself behind a backslash. */
function literal(suffix: string): string {
  const gap = suffix.startsWith(" ") ? " " : "";
  const word = suffix.trim();
  if (word === "") return "";
  return gap + (word.includes('"') ? word.replaceAll(/["\\]/g, "\\$&") : `"${word}"`);
}
