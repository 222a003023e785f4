import { type CellValue, type CellView, formulaIn, type Rect } from "../../../spreadsheet";
import { union } from "../../../address";
import { HostError, notModelled } from "../../host-error";
import { mustNotBeProtected, type Family, type Model } from "../object-model";
import { rangeOf } from "../range-object";
import { entryAt } from "./adjusted-formulas";

const fills = ["FillDefault", "FillCopy", "FillSeries", "FillFormats", "FillValues"] as const;
const otherFills = [
  "FillDays",
  "FillWeekdays",
  "FillMonths",
  "FillYears",
  "LinearTrend",
  "GrowthTrend",
  "FlashFill",
];

/** Fills cells from the cells beside or above them. */
export const autoFillFamily: Family<"Range"> = {
  Range: ({ sheetId, rect }, model) => ({
    calls: {
      AutoFill(destination, type) {
        mustNotBeProtected(sheetId, model);
        if (otherFills.includes(String(type))) throw notModelled(`Range.AutoFill ${String(type)}`);
        const fill = fills.find((each) => each === (type ?? "FillDefault"));
        if (fill === undefined) throw new HostError("InvalidArgument", `fill ${String(type)}`);
        if (destination === undefined || destination === null)
          throw notModelled("Range.AutoFill without a destination");
        const to = rangeOf(destination, model, sheetId).rect;
        mustExtend(rect, to);
        fillFrom(sheetId, rect, to, fill, model);
      },
    },
  }),
};

/** "The destination range … can extend the source range either horizontally or vertically" (Range.autoFill in @types/office-js). */
function mustExtend(from: Rect, to: Rect): void {
  const all = union(from, to);
  const holds =
    all.row === to.row && all.column === to.column && all.rows === to.rows && all.columns === to.columns;
  const isOneWay = from.rows === to.rows || from.columns === to.columns;
  if (!holds || !isOneWay)
    throw new HostError("InvalidArgument", "the destination does not extend the range");
  if (from.row !== to.row || from.column !== to.column) throw notModelled("Range.AutoFill up or to the left");
}

function fillFrom(
  sheetId: string,
  from: Rect,
  to: Rect,
  fill: (typeof fills)[number],
  { spreadsheet }: Model,
): void {
  const source = spreadsheet.read(sheetId, from);
  const isDown = to.rows > from.rows;
  const lines = isDown ? source[0]!.map((_, across) => source.map((cells) => cells[across]!)) : source;
  const entry = (down: number, across: number): CellValue | null => {
    if (down < from.rows && across < from.columns) return null;
    const line = lines[isDown ? across : down]!;
    const step = isDown ? down : across;
    const at = step % line.length;
    const cell = line[at]!;
    const place = (along: number) =>
      isDown
        ? { row: from.row + along, column: from.column + across }
        : { row: from.row + down, column: from.column + along };
    if (formulaIn(cell) === undefined && fill !== "FillCopy" && fill !== "FillValues")
      return seriesValue(line, step, fill);
    return entryAt(cell, place(at), place(step));
  };
  if (fill !== "FillFormats") {
    const rows = Array.from({ length: to.rows }, (_, down) =>
      Array.from({ length: to.columns }, (__, across) => entry(down, across)),
    );
    spreadsheet.writeFormulas(sheetId, to, rows);
  }
  if (fill === "FillValues") return;
  for (let row = to.row; row < to.row + to.rows; row += from.rows)
    for (let column = to.column; column < to.column + to.columns; column += from.columns)
      if (row !== from.row || column !== from.column)
        spreadsheet.copy(
          { sheetId, rect: cut(from, row, column, to) },
          { sheetId, row, column },
          { contents: false, formats: true },
        );
}

/** The part of the pattern that still has room at a place of the destination. */
function cut(from: Rect, row: number, column: number, to: Rect): Rect {
  return {
    ...from,
    rows: Math.min(from.rows, to.row + to.rows - row),
    columns: Math.min(from.columns, to.column + to.columns - column),
  };
}

/** One number is repeated, several go on as they began. Texts that Excel counts on, such as Quarter 1 or Monday, are not modeled. */
function seriesValue(line: readonly CellView[], step: number, fill: string): CellValue {
  const cell = line[step % line.length]!;
  const values = line.map(({ value }) => value);
  if (
    values.some(
      (value) =>
        typeof value === "string" &&
        /\d|^(mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i.test(value),
    )
  )
    throw notModelled(`Range.AutoFill ${fill} of texts that Excel counts on`);
  const numbers = values.filter((value) => typeof value === "number");
  if (numbers.length !== values.length || (numbers.length === 1 && fill === "FillDefault"))
    return numbers.length > 0 && numbers.length !== values.length
      ? mixed(fill)
      : typeof cell.value === "string" && cell.value !== ""
        ? `'${cell.value}`
        : cell.value;
  const [first = 0] = numbers;
  const by = numbers.length > 1 ? numbers[1]! - first : 1;
  const isSteady = numbers.every((value, index) => Math.abs(value - first - by * index) < 1e-9);
  if (!isSteady) throw notModelled(`Range.AutoFill ${fill} of numbers without a steady step`);
  return first + by * step;
}

function mixed(fill: string): never {
  throw notModelled(`Range.AutoFill ${fill} of numbers and texts`);
}
