import { contains } from "./address";
import { type CellRule, type ColorScale, scaleColor } from "./drawings";
import { type CellValue, errorTexts, type RangeStyle } from "./spreadsheet";

/** The numbers of a conditional format's cells. */
export type NumbersOf = (format: CellRule | ColorScale) => readonly number[];

export interface CellAt {
  row: number;
  column: number;
  value: CellValue;
  /** As displayed. */
  text: string;
}

/**
 * The looks that conditional formats give to a cell, the first of them before the others. Formulas of one's own, data bars and icons are
 * not shown.
 */
export function conditionalLook(
  formats: readonly (CellRule | ColorScale)[],
  cell: CellAt,
  numbersOf: NumbersOf,
): RangeStyle {
  let look: RangeStyle = {};
  for (const format of formats) {
    if (!contains(format.rect, cell.row, cell.column)) continue;
    if (format.kind === "color-scale") {
      const fillColor = scaleColor([format], cell, () => numbersOf(format));
      if (fillColor !== null) look = { fillColor, ...look };
      continue;
    }
    if (!isMet(format, cell, numbersOf)) continue;
    look = { ...format.look, ...look };
    if (format.stopsIfTrue) break;
  }
  return look;
}

function isMet(format: CellRule, cell: CellAt, numbersOf: NumbersOf): boolean {
  const { rule } = format;
  switch (rule?.type) {
    case "CellValue":
      return meetsValue(rule, cell);
    case "ContainsText":
      return meetsText(rule, cell.text);
    case "TopBottom":
      return meetsRank(rule, cell, numbersOf(format));
    case "PresetCriteria":
      return meetsPreset(rule.criterion, cell, () => numbersOf(format));
    default:
      return false;
  }
}

type RuleOf<Type extends NonNullable<CellRule["rule"]>["type"]> = Extract<
  NonNullable<CellRule["rule"]>,
  { type: Type }
>;

/** The value of a formula that is a constant, such as `=0` or `="late"`; null for any other. */
export function constantOf(formula: string): CellValue | null {
  const operand = formula.replace(/^=/, "").trim();
  const [, quoted] = /^"((?:[^"]|"")*)"$/.exec(operand) ?? [];
  if (quoted !== undefined) return quoted.replaceAll('""', '"');
  if (/^(true|false)$/i.test(operand)) return operand.toLowerCase() === "true";
  return operand === "" || Number.isNaN(Number(operand)) ? null : Number(operand);
}

/** In Excel's order texts come after numbers. Blank cells meet no rule here. */
function meetsValue({ operator, formula1, formula2 }: RuleOf<"CellValue">, { value }: CellAt): boolean {
  if (value === "" || errorTexts.has(String(value))) return false;
  const [first, second] = [constantOf(formula1), formula2 === undefined ? null : constantOf(formula2)];
  if (first === null) return false;
  const compared = (other: CellValue) => compare(value, other);
  const isBetween = () => {
    if (second === null) return false;
    const [low, high] = compare(first, second) <= 0 ? [first, second] : [second, first];
    return compared(low) >= 0 && compared(high) <= 0;
  };
  switch (operator) {
    case "Between":
      return isBetween();
    case "NotBetween":
      return second !== null && !isBetween();
    case "EqualTo":
      return compared(first) === 0;
    case "NotEqualTo":
      return compared(first) !== 0;
    case "GreaterThan":
      return compared(first) > 0;
    case "LessThan":
      return compared(first) < 0;
    case "GreaterThanOrEqual":
      return compared(first) >= 0;
    default:
      return compared(first) <= 0;
  }
}

function compare(one: CellValue, other: CellValue): number {
  const rank = (value: CellValue) => (typeof value === "number" ? 0 : typeof value === "string" ? 1 : 2);
  if (rank(one) !== rank(other)) return rank(one) - rank(other);
  if (typeof one === "string") return one.localeCompare(String(other), "en-US", { sensitivity: "accent" });
  return Number(one) - Number(other);
}

function meetsText({ operator, text: wanted }: RuleOf<"ContainsText">, text: string): boolean {
  const [shown, part] = [text.toLowerCase(), wanted.toLowerCase()];
  if (operator === "BeginsWith") return shown.startsWith(part);
  if (operator === "EndsWith") return shown.endsWith(part);
  return shown.includes(part) === (operator === "Contains");
}

/** A percent stands for one cell at least. */
function meetsRank(
  { rank, kind }: RuleOf<"TopBottom">,
  { value }: CellAt,
  numbers: readonly number[],
): boolean {
  if (typeof value !== "number") return false;
  const count = kind.endsWith("Percent") ? Math.max(1, Math.floor((numbers.length * rank) / 100)) : rank;
  const isTop = kind.startsWith("Top");
  const sorted = numbers.toSorted((one, other) => (isTop ? other - one : one - other));
  const last = sorted[Math.min(count, sorted.length) - 1];
  return last !== undefined && (isTop ? value >= last : value <= last);
}

const deviations: Record<string, number> = { One: 1, Two: 2, Three: 3 };

function meetsPreset(
  criterion: string,
  { value, text }: CellAt,
  numbersOf: () => readonly number[],
): boolean {
  const isError = errorTexts.has(String(value));
  switch (criterion) {
    case "Blanks":
      return text.trim() === "";
    case "NonBlanks":
      return text.trim() !== "";
    case "Errors":
      return isError;
    case "NonErrors":
      return !isError;
  }
  if (typeof value !== "number") return false;
  const numbers = numbersOf();
  const mean = numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
  const [, count, side] = /^(One|Two|Three)StdDev(Above|Below)Average$/.exec(criterion) ?? [];
  if (count !== undefined) {
    const square = numbers.reduce((sum, one) => sum + (one - mean) ** 2, 0) / Math.max(1, numbers.length - 1);
    const distance = Math.sqrt(square) * deviations[count]!;
    return side === "Above" ? value > mean + distance : value < mean - distance;
  }
  if (criterion.startsWith("EqualOr") && value === mean) return true;
  return criterion.endsWith("AboveAverage") ? value > mean : value < mean;
}
