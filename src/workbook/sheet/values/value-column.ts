import {
  type Figures,
  type FormattedCell,
  generalCharacters,
  linkedText,
  literal,
  type Reading,
  readValue,
} from "./cell-value";
import { withoutUnit } from "./shown-number";
import { unitForm, type UnitForm, withUnit } from "./units";

/**
 * The cell of a column for a published text. `columnFormat` is the single format of the column's amounts in the type's unit, which the header
 * names, or else the format itself: an amount in another unit keeps its own format, and no amount loses a decimal. Without it, each cell has
 * its own format.
 */
export function columnCell(raw: string, unitOfMeasure: string, columnFormat?: string | null): FormattedCell {
  const reading = readValue(raw, unitOfMeasure);
  if (!reading) return linkedText(raw);
  if (columnFormat === undefined || columnFormat === null) return reading.cell;
  return { ...reading.cell, numberFormat: formatInColumn(reading, unitOfMeasure, columnFormat) };
}

function formatInColumn({ cell, unsaid, figures }: Reading, unit: string, columnFormat: string): string {
  const form = unitForm(unit);
  if (unsaid === "date") return isPublishedDateFormat(columnFormat) ? columnFormat : cell.numberFormat;
  if (!form || !figures || unsaid) return cell.numberFormat;
  const shown = figuresShown(form, columnFormat);
  if (shown) return figuresFormat(form, commonFigures(shown, figures));
  const beforeUnit = figuresShown(form, withoutUnit(columnFormat, unit));
  if (!beforeUnit) return cell.numberFormat;
  return formatWithUnit(unit, form, commonFigures({ ...beforeUnit, hasSign: true }, figures), cell.value);
}

/** The format and unit that the values of a column share. */
export interface ColumnLook {
  /** The single format of the column's amounts in the type's unit, or of its dates; undefined if there are none. */
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
  const qualified = new Set<FormattedCell>();
  const formats = new Set<string>();
  let shown: Figures | undefined;

  function commonFormat(): string | undefined {
    if (form && shown) return figuresFormat(form, shown);
    const [format, other] = formats;
    return other === undefined ? format : unambiguousDate;
  }

  return {
    cell(raw) {
      const reading = readValue(raw, unitOfMeasure);
      if (!reading) return linkedText(raw);
      const { cell, unsaid, figures } = reading;
      if (unsaid === "qualifier") qualified.add(cell);
      else if (figures) shown = shown ? commonFigures(shown, figures) : figures;
      else if (unsaid === "date") formats.add(cell.numberFormat);
      if (typeof cell.value === "number") made.push(cell);
      return cell;
    },
    settle() {
      if (form && shown && qualified.size > 0) {
        // The header names no unit, so each amount names its own: "8 days" beside "5 working days".
        const figures = shown;
        const formatOf = (value: unknown) => formatWithUnit(unitOfMeasure, form, figures, value);
        for (const cell of made) if (!qualified.has(cell)) cell.numberFormat = formatOf(cell.value);
        return { numberFormat: formatOf(0), hasOneUnit: false };
      }
      const numberFormat = commonFormat();
      if (numberFormat !== undefined) for (const cell of made) cell.numberFormat = numberFormat;
      return { numberFormat, hasOneUnit: shown !== undefined };
    },
  };
}

/** The format for dates that were published in different formats. */
const unambiguousDate = "yyyy-mm-dd";

/** Figures in which both amounts can be shown as they were published. */
function commonFigures(one: Figures, other: Figures): Figures {
  return {
    hasSign: one.hasSign && other.hasSign,
    places: Math.max(one.places, other.places),
    isGrouped: one.isGrouped || other.isGrouped,
    characters: Math.max(one.characters, other.characters),
  };
}

/**
 * The format of a column whose header names the unit: figures alone. Money keeps its sign, as everywhere else; so does a percentage, because
 * its value is a hundredth of its figures.
 */
function figuresFormat({ kind, currency }: UnitForm, figures: Figures): string {
  const { hasSign, places, isGrouped, characters } = figures;
  const decimals = places > 0 ? `.${"0".repeat(places)}` : "";
  if (kind === "percent") return `0${decimals}%`;
  if (kind === "money") return `${hasSign ? literal(currency?.sign ?? "") : ""}#,##0${decimals}`;
  if (!isGrouped && places === 0 && characters <= generalCharacters) return "General";
  return (isGrouped ? "#,##0" : "0") + decimals;
}

/** The format of an amount in a column without a unit in its header: the figures with the unit, in the singular for 1. */
function formatWithUnit(unitOfMeasure: string, form: UnitForm, figures: Figures, value: unknown): string {
  const format = figuresFormat(form, figures);
  const digit = value === 1 ? "1" : "0";
  const [, suffix = ""] = withUnit(digit, unitOfMeasure).split(digit);
  return (format === "General" && suffix !== "" ? "0" : format) + literal(suffix);
}

/** The figures that a format of `figuresFormat` has room for; null for any other format, which may hide or change a number. */
function figuresShown({ kind, currency }: UnitForm, numberFormat: string): Figures | null {
  const sign = literal(currency?.sign ?? "");
  const hasSign = sign !== "" && numberFormat.startsWith(sign);
  const bare = hasSign ? numberFormat.slice(sign.length) : numberFormat;
  if (bare === "General" && kind !== "percent")
    return { hasSign, places: 0, isGrouped: false, characters: 0 };
  const [, whole, decimals = "", percent] = /^(#,##0|0)(?:\.(0{1,6}))?(%)?$/.exec(bare) ?? [];
  if (whole === undefined || (percent !== undefined) !== (kind === "percent")) return null;
  return { hasSign, places: decimals.length, isGrouped: whole === "#,##0", characters: Infinity };
}

/** True if a format is one of those that `readDay` gives. */
function isPublishedDateFormat(numberFormat: string): boolean {
  return /^(?:yyyy-mm-dd|mmmm?(?:"\.")? d, yyyy|d mmmm?(?:"\.")? yyyy)$/.test(numberFormat);
}
