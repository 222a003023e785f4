import type { CellView } from "../../../spreadsheet";
import { HostError, notModelled } from "../../host-error";
import type { FilterCriteria } from "../../../sheet-filters";
import { mustNotBeProtected, position } from "../object-model";
import type { Classes, Members, Model } from "../object-model";
import { body } from "./table-names";
import { partOf, tableOf } from "./table-place";

/** Filters by numbers: each tells which numbers are shown, from all numbers of the column and the criterion. */
const numberTests: Record<string, (numbers: number[], criterion: number) => (number: number) => boolean> = {
  TopItems: (numbers, count) => atLeast(numbers, count),
  BottomItems: (numbers, count) => atMost(numbers, count),
  TopPercent: (numbers, percent) => atLeast(numbers, itemsOf(numbers, percent)),
  BottomPercent: (numbers, percent) => atMost(numbers, itemsOf(numbers, percent)),
};

export const filterClasses: Classes<"Filter"> = {
  Filter({ tableId, index }, model) {
    const apply = (criteria: FilterCriteria) => applyFilter(tableId, index, criteria, model);
    return {
      properties: { Criteria: { get: () => criteriaOf(tableId, index, model) } },
      calls: {
        Apply: (criteria) => apply(readCriteria(criteria)),
        ApplyValuesFilter: (values) => apply(readCriteria({ filterOn: "Values", values })),
        ApplyCustomFilter: (criterion1, criterion2, operator) =>
          apply(readCriteria({ filterOn: "Custom", criterion1, criterion2, operator })),
        ApplyDynamicFilter: (dynamicCriteria) =>
          apply(readCriteria({ filterOn: "Dynamic", dynamicCriteria })),
        ...Object.fromEntries(
          Object.keys(numberTests).map((filterOn) => [
            `Apply${filterOn}Filter`,
            (count: unknown) => apply(readCriteria({ filterOn, criterion1: String(count) })),
          ]),
        ),
        Clear: () => clearFilter(tableId, index, model),
      },
    };
  },
};

/** The filters of all columns of a table. */
export function tableAutoFilter(tableId: string, model: Model): Members {
  const range = () => partOf(tableId, ({ rect }) => rect, model);
  const columnAt = (column: unknown) => position(column, tableOf(tableId, model).rect.columns);
  return {
    properties: {
      IsDataFiltered: {
        get: () => columnsOf(tableId, model).some((column) => isFiltered(tableId, column, model)),
      },
    },
    objects: { GetRange: range, GetRangeOrNullObject: range },
    calls: {
      Apply: (_range, column, criteria) =>
        applyFilter(tableId, columnAt(column), readCriteria(criteria), model),
      ClearColumnCriteria: (column) => clearFilter(tableId, columnAt(column), model),
      ClearCriteria: () => clearFilters(tableId, model),
      Reapply: () => reapplyFilters(tableId, model),
    },
  };
}

export function clearFilters(tableId: string, model: Model): void {
  for (const column of columnsOf(tableId, model)) clearFilter(tableId, column, model);
}

/** Applies all filters of a table again. */
export function reapplyFilters(tableId: string, model: Model): void {
  for (const column of columnsOf(tableId, model)) {
    const criteria = criteriaOf(tableId, column, model);
    if (criteria) applyFilter(tableId, column, criteria, model);
  }
}

function clearFilter(tableId: string, column: number, model: Model): void {
  mustNotBeProtected(tableOf(tableId, model).sheetId, model);
  model.document.tableFilters.delete(`${tableId} ${column}`);
  model.spreadsheet.filterTable(tableId, column, null);
}

function columnsOf(tableId: string, model: Model): number[] {
  return Array.from({ length: tableOf(tableId, model).rect.columns }, (_, column) => column);
}

function isFiltered(tableId: string, column: number, { spreadsheet }: Model): boolean {
  return spreadsheet.tableFilter(tableId, column) !== null;
}

/** The criteria of a column's filter as the add-in gave them, or as values if the user has filtered the column since. */
function criteriaOf(
  tableId: string,
  column: number,
  { spreadsheet, document }: Model,
): FilterCriteria | null {
  const values = spreadsheet.tableFilter(tableId, column);
  if (values === null) return null;
  const given = document.tableFilters.get(`${tableId} ${column}`);
  if (given && JSON.stringify(given.values) === JSON.stringify(values)) return given.criteria;
  return { filterOn: "Values", values: [...values] };
}

/**
 * Hides rows by a filter, and moves none. The spreadsheet knows only filters by values, so filters of other kinds become the list of
 * texts that they show.
 */
function applyFilter(tableId: string, column: number, criteria: FilterCriteria, model: Model): void {
  const { spreadsheet, document } = model;
  const table = tableOf(tableId, model);
  const { sheetId, rect } = table;
  mustNotBeProtected(sheetId, model);
  const place = { ...body(table), column: rect.column + column, columns: 1 };
  const cells = spreadsheet.read(sheetId, place).flat();
  const values = criteria.values ?? shownTexts(cells, criteria);
  spreadsheet.filterTable(tableId, column, values);
  document.tableFilters.set(`${tableId} ${column}`, { criteria, values: [...values] });
}

export function readCriteria(given: unknown): FilterCriteria {
  const { filterOn, values, criterion1, criterion2, operator, dynamicCriteria, ...others } = given as Record<
    string,
    unknown
  >;
  const [other] = Object.entries(others).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (other !== undefined) throw notModelled(`FilterCriteria.${other}`);
  const text = (value: unknown) => {
    if (typeof value !== "string") throw new HostError("InvalidArgument", "a criterion is a text");
    return value;
  };
  if (filterOn === "Values") {
    // `Excel.FilterDatetime` is not modeled.
    if (!Array.isArray(values) || !values.every((value) => typeof value === "string"))
      throw notModelled("Filter.ApplyValuesFilter but by texts");
    return { filterOn, values: [...values] };
  }
  if (filterOn === "Custom") {
    if (operator !== undefined && operator !== null && operator !== "And" && operator !== "Or")
      throw new HostError("InvalidArgument", `operator ${String(operator)}`);
    const second = criterion2 === undefined || criterion2 === null ? {} : { criterion2: text(criterion2) };
    const criteria: FilterCriteria = { filterOn, criterion1: text(criterion1), ...second };
    return operator === "Or" || operator === "And" ? { ...criteria, operator } : criteria;
  }
  if (filterOn === "Dynamic") {
    if (dynamicCriteria !== "AboveAverage" && dynamicCriteria !== "BelowAverage")
      throw notModelled(`a filter by ${String(dynamicCriteria)}`);
    return { filterOn, dynamicCriteria };
  }
  if (typeof filterOn === "string" && filterOn in numberTests) {
    const count = Number(text(criterion1));
    if (!Number.isInteger(count) || count < 1) throw new HostError("InvalidArgument", `criterion ${count}`);
    return { filterOn, criterion1: text(criterion1) };
  }
  throw notModelled(`a filter on ${String(filterOn)}`);
}

/** The texts of the cells that meet the criteria. A text that is in cells of both kinds is not modeled. */
function shownTexts(cells: readonly CellView[], criteria: FilterCriteria): string[] {
  const takes = showingTest(cells, criteria);
  const verdicts = new Map<string, boolean>();
  for (const cell of cells) {
    const verdict = takes(cell);
    if ((verdicts.get(cell.text) ?? verdict) !== verdict)
      throw notModelled(`a filter that takes some of the cells that show ${cell.text}`);
    verdicts.set(cell.text, verdict);
  }
  return [...verdicts].flatMap(([text, isShown]) => (isShown ? [text] : []));
}

/** Tells which cells of a column are shown. */
export function showingTest(
  cells: readonly CellView[],
  criteria: FilterCriteria,
): (cell: CellView) => boolean {
  const { values } = criteria;
  if (values) return ({ text }) => values.includes(text);
  const { filterOn, criterion1 = "", criterion2, operator, dynamicCriteria } = criteria;
  if (filterOn === "Custom") {
    const first = criterionTest(criterion1);
    if (criterion2 === undefined) return first;
    const second = criterionTest(criterion2);
    return (cell) => (operator === "Or" ? first(cell) || second(cell) : first(cell) && second(cell));
  }
  const numbers = cells.flatMap(({ value }) => (typeof value === "number" ? [value] : []));
  const average = numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
  const test =
    numberTests[filterOn]?.(numbers, Number(criterion1)) ??
    ((number: number) => (dynamicCriteria === "AboveAverage" ? number > average : number < average));
  return ({ value }) => typeof value === "number" && test(value);
}

/** ">50" or "=*s" (FilterCriteria.criterion1 in @types/office-js): numbers by size, texts whatever their case, with * and ?. */
function criterionTest(criterion: string): (cell: CellView) => boolean {
  const [, operator = "=", operand = ""] = /^(<>|<=|>=|=|<|>)?(.*)$/s.exec(criterion) ?? [];
  const number = operand.trim() === "" ? Number.NaN : Number(operand);
  if (operator === "=" || operator === "<>") {
    const pattern = wildcardPattern(operand);
    const isEqual = ({ value, text }: CellView) =>
      (typeof value === "number" && value === number) || pattern.test(text);
    return operator === "=" ? isEqual : (cell) => !isEqual(cell);
  }
  const holds: Record<string, (order: number) => boolean> = {
    "<": (order) => order < 0,
    "<=": (order) => order <= 0,
    ">": (order) => order > 0,
    ">=": (order) => order >= 0,
  };
  return ({ value }) => {
    if (!Number.isNaN(number)) return typeof value === "number" && holds[operator]!(value - number);
    const isText = typeof value === "string" && value !== "";
    return isText && holds[operator]!(value.localeCompare(operand, "en-US", { sensitivity: "accent" }));
  };
}

function wildcardPattern(operand: string): RegExp {
  const source = operand.replaceAll(/~[*?~]|[*?]|[\\^$.+()[\]{}|]/g, (sign) => {
    if (sign === "*") return ".*";
    if (sign === "?") return ".";
    return `\\${sign.at(-1) ?? ""}`;
  });
  return new RegExp(`^${source}$`, "is");
}

function atLeast(numbers: number[], count: number): (number: number) => boolean {
  const last = numbers.toSorted((one, other) => other - one)[Math.min(count, numbers.length) - 1];
  return (number) => last !== undefined && number >= last;
}

function atMost(numbers: number[], count: number): (number: number) => boolean {
  const last = numbers.toSorted((one, other) => one - other)[Math.min(count, numbers.length) - 1];
  return (number) => last !== undefined && number <= last;
}

/** At least one. */
function itemsOf(numbers: number[], percent: number): number {
  return Math.max(Math.floor((numbers.length * percent) / 100), 1);
}
