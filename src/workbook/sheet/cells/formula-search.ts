import { dependentCells, type HasExcelApi, rangesOfSheets } from "../excel-api";
import { addTo, partsOf } from "../../../lists";
import type { Scalar } from "../values/cell-value";
import { selectedAreas } from "./selected-area";
import { isFormula } from "./cell-content";
import { isNotFound } from "../excel-failure";
import { readGroups } from "../read-groups";
import { showRange } from "../show-range";
import { shownValue } from "../values/shown-value";

/** An area of a sheet, by the sheet's id. Rows and columns count from zero. */
export interface CellArea {
  sheetId: string;
  row: number;
  column: number;
  rows: number;
  columns: number;
}

/** A cell with a formula; the area includes the cells into which its result spills. */
export interface FormulaCell extends CellArea {
  sheetName: string;
  /** The formula in Excel's own language, en-US. */
  formula: string;
}

export const formulaScopes = ["selection", "sheet", "workbook"] as const;
export type FormulaScope = (typeof formulaScopes)[number];

/** The sheets and areas of a scope at this moment. */
export interface ScopeNow {
  /** All sheets of the workbook. */
  sheets: { id: string; name: string }[];
  /** The areas of the scope; null for the whole workbook. */
  areas: CellArea[] | null;
}

export interface FindOptions {
  /** The prefix of the add-in's functions, such as REGDATA. */
  namespace: string;
  /** True if Excel has ExcelApi 1.12. Without it, no result is seen to spill. */
  canSeeSpills: boolean;
  signal?: AbortSignal | undefined;
}

/** The cells that are read at once, because a response of Excel on the web holds at most 5 MB. */
const readCells = 20_000;
/** The cells that are read at once if they are read with all details of their data types. */
const readDataTypes = 3_000;
/** The columns that are read at once: Excel gives no contents for whole rows (excel-add-ins-ranges-unbounded.md). */
const readColumns = 8_192;
/** The most ranges that one request names. */
export const rangesAtOnce = 500;

/** True if a formula calls a function of this namespace anywhere, but not if it only names one in a text. */
export function callsFunction(formula: string, namespace: string): boolean {
  return callCount(formula, namespace) > 0;
}

/** The number of calls of functions of this namespace in a formula. */
export function callCount(formula: string, namespace: string): number {
  if (!formula.startsWith("=")) return 0;
  const call = new RegExp(`[^\\w.]${namespace}\\.\\w+(?=\\s*\\()`, "gi");
  if (formula.search(call) < 0) return 0;
  // Texts, names of sheets and columns of tables may hold anything. In a column's name, an apostrophe escapes a special character.
  const anything = /"(?:[^"]|"")*"|'(?:[^']|'')*'|\[(?:[^'[\]]|'.)*\]?/gs;
  return formula.replace(anything, " ").match(call)?.length ?? 0;
}

/** The key of a cell of the workbook. */
export function cellKey(sheetId: string, row: number, column: number): string {
  return `${sheetId} ${row} ${column}`;
}

/** The same cells as few rectangles, which hold no other cells. */
export function areasOf(cells: readonly Omit<CellArea, "rows" | "columns">[]): CellArea[] {
  const sorted = [...cells].sort(
    (a, b) => a.sheetId.localeCompare(b.sheetId) || a.column - b.column || a.row - b.row,
  );
  const runs: CellArea[] = [];
  for (const { sheetId, row, column } of sorted) {
    const last = runs.at(-1);
    if (last?.sheetId === sheetId && last.column === column && last.row + last.rows === row) last.rows += 1;
    else runs.push({ sheetId, row, column, rows: 1, columns: 1 });
  }
  const areas = new Map<string, CellArea>();
  for (const run of runs) {
    const place = (column: number) => `${cellKey(run.sheetId, run.row, column)} ${run.rows}`;
    const beside = areas.get(place(run.column));
    areas.delete(place(run.column));
    const area = beside ? { ...beside, columns: beside.columns + 1 } : run;
    areas.set(place(area.column + area.columns), area);
  }
  return [...areas.values()];
}

export async function readScope(context: Excel.RequestContext, scope: FormulaScope): Promise<ScopeNow> {
  const worksheets = context.workbook.worksheets.load("items/id,items/name");
  // While a chart sheet is in front, Excel gives no active worksheet (OfficeDev/office-js#2444).
  const active = scope === "workbook" ? null : worksheets.getActiveWorksheet().load("id");
  await context.sync();
  const sheets = worksheets.items.map(({ id, name }) => ({ id, name }));
  if (!active) return { sheets, areas: null };
  const whole = { sheetId: active.id, row: 0, column: 0, rows: Infinity, columns: Infinity };
  if (scope === "sheet") return { sheets, areas: [whole] };
  const selected = await selectedAreas(context);
  return { sheets, areas: selected.map((range) => areaOf(active.id, range)) };
}

/** True if two areas share a cell. */
export function doMeet(one: CellArea, other: CellArea): boolean {
  return (
    one.sheetId === other.sheetId &&
    one.row < other.row + other.rows &&
    other.row < one.row + one.rows &&
    one.column < other.column + other.columns &&
    other.column < one.column + one.columns
  );
}

/**
 * The cells of the scope whose formulas call the add-in's functions. A formula that spills into the first selected cell counts as selected.
 */
export async function findFormulas(
  context: Excel.RequestContext,
  scope: FormulaScope,
  { namespace, canSeeSpills, signal }: FindOptions,
): Promise<FormulaCell[]> {
  const { sheets, areas } = await readScope(context, scope);
  const used = await usedAreas(context, sheets, areas);
  const [first] = areas ?? [];
  const parent = scope === "selection" && first && canSeeSpills ? await spillParent(context, first) : null;
  const found = new Map<string, FormulaCell>();
  await readAreas(
    context,
    parent ? [...used, parent] : used,
    { parts: ["formula", "value"], signal },
    (cell, content) => {
      const { formula } = content;
      if (!isFormula(content) || !callsFunction(formula, namespace)) return;
      const sheetName = sheets.find(({ id }) => id === cell.sheetId)?.name ?? "";
      const { sheetId, row, column } = cell;
      found.set(cellKey(sheetId, row, column), { ...cell, rows: 1, columns: 1, sheetName, formula });
    },
  );
  const cells = [...found.values()];
  return canSeeSpills ? withSpills(context, cells) : cells;
}

async function usedAreas(
  context: Excel.RequestContext,
  sheets: ScopeNow["sheets"],
  areas: ScopeNow["areas"],
): Promise<CellArea[]> {
  const wanted =
    areas ?? sheets.map(({ id }) => ({ sheetId: id, row: 0, column: 0, rows: Infinity, columns: Infinity }));
  return (await usedParts(context, wanted)).filter((part) => part !== null);
}

/** The part of each area that has values; null for one that has none. An area of infinitely many rows is a whole sheet. */
export async function usedParts(
  context: Excel.RequestContext,
  areas: readonly CellArea[],
): Promise<(CellArea | null)[]> {
  const ranges = areas.map((area) => {
    const sheet = context.workbook.worksheets.getItem(area.sheetId);
    const range = Number.isFinite(area.rows)
      ? rangeOf(context, area).getUsedRangeOrNullObject(true)
      : sheet.getUsedRangeOrNullObject(true);
    return range.load("rowIndex,columnIndex,rowCount,columnCount");
  });
  await context.sync();
  return ranges.map((range, index) =>
    range.isNullObject ? null : areaOf(areas[index]?.sheetId ?? "", range),
  );
}

async function spillParent(
  context: Excel.RequestContext,
  { sheetId, row, column }: CellArea,
): Promise<CellArea | null> {
  const cell = context.workbook.worksheets.getItem(sheetId).getRangeByIndexes(row, column, 1, 1);
  const parent = cell.getSpillParentOrNullObject().load("rowIndex,columnIndex,rowCount,columnCount");
  await context.sync();
  return parent.isNullObject ? null : areaOf(sheetId, parent);
}

/**
 * The cells with the whole areas of their results. A cell that another formula spills into is left out, in case Excel shows that formula in
 * it.
 */
export async function withSpills(
  context: Excel.RequestContext,
  cells: readonly FormulaCell[],
): Promise<FormulaCell[]> {
  const areas = areasOf(cells).map((area) => ({ area, range: undefined as Excel.Range | undefined }));
  for (const part of partsOf(areas, rangesAtOnce)) {
    for (const entry of part) entry.range = rangeOf(context, entry.area).load("hasSpill");
    // eslint-disable-next-line office-addins/no-context-sync-in-loop
    await context.sync();
  }
  const spilling = areas.filter(({ range }) => range?.hasSpill !== false).map(({ area }) => area);
  if (spilling.length === 0) return [...cells];
  const sizes = new Map<string, CellArea>();
  const isSuspect = liesInAny(spilling);
  const suspects = cells.filter(isSuspect);
  for (const part of partsOf(suspects, rangesAtOnce)) {
    const ranges = part.map((cell) =>
      rangeOf(context, cell)
        .getSpillingToRangeOrNullObject()
        .load("rowIndex,columnIndex,rowCount,columnCount"),
    );
    // eslint-disable-next-line office-addins/no-context-sync-in-loop
    await context.sync();
    part.forEach(({ sheetId, row, column }, index) => {
      const range = ranges[index];
      if (range && !range.isNullObject) sizes.set(cellKey(sheetId, row, column), areaOf(sheetId, range));
    });
  }
  const isSpilledInto = liesInAny([...sizes.values()]);
  return cells.flatMap((cell) => {
    const size = sizes.get(cellKey(cell.sheetId, cell.row, cell.column));
    if (size) return [{ ...cell, rows: size.rows, columns: size.columns }];
    return isSpilledInto(cell) ? [] : [cell];
  });
}

/** Returns a function that is true for cells inside one of these areas. No two areas may share a cell. It stays fast for many areas. */
function liesInAny(areas: readonly CellArea[]): (cell: CellArea) => boolean {
  const columns = new Map<string, CellArea[]>();
  const keyOf = (sheetId: string, column: number) => `${sheetId} ${column}`;
  for (const area of [...areas].sort((one, other) => one.row - other.row))
    for (let across = 0; across < area.columns; across += 1)
      addTo(columns, keyOf(area.sheetId, area.column + across), area);
  return ({ sheetId, row, column }) => {
    const below = columns.get(keyOf(sheetId, column)) ?? [];
    let [first, end] = [0, below.length];
    // Binary search for the last area that begins at or above the cell.
    while (first < end) {
      const middle = (first + end) >>> 1;
      if ((below[middle]?.row ?? 0) <= row) first = middle + 1;
      else end = middle;
    }
    const nearest = below[first - 1];
    return nearest !== undefined && row < nearest.row + nearest.rows;
  };
}

/** The content of a cell. */
export interface CellContents {
  /** The value; for an entity its text, if texts are read too, see `shownValue`. */
  value: Scalar;
  /** The text as displayed. */
  text: string;
  /** The formula; in a cell without one, its value. */
  formula: string;
  numberFormat: string;
}

const properties = {
  value: "values",
  text: "text",
  formula: "formulas",
  numberFormat: "numberFormat",
} as const satisfies Record<keyof CellContents, keyof Excel.Range>;

/** Reads the content of cells, by `cellKey`. */
export async function readCellContents<Part extends keyof CellContents>(
  context: Excel.RequestContext,
  areas: readonly CellArea[],
  parts: readonly Part[],
  signal?: AbortSignal,
): Promise<Map<string, Pick<CellContents, Part>>> {
  const contents = new Map<string, Pick<CellContents, Part>>();
  await readAreas(context, joined(areas), { parts, signal }, ({ sheetId, row, column }, cell) => {
    const { value, text } = cell as Partial<CellContents>;
    const isShown = value !== undefined && text !== undefined;
    const read = isShown ? { ...cell, value: shownValue({ value, text }) } : cell;
    contents.set(cellKey(sheetId, row, column), read);
  });
  return contents;
}

/**
 * The number formats that numbers have as a data type, by `cellKey`. Ask for cells that hold a number in the format General. Undefined if
 * this Excel can't tell (ExcelApi 1.16).
 */
export async function readOwnFormats(
  context: Excel.RequestContext,
  areas: readonly CellArea[],
): Promise<Map<string, string> | undefined> {
  const formats = new Map<string, string>();
  for (const group of groupsOf(joined(areas), readDataTypes)) {
    const ranges = group.map((area) => rangeOf(context, area));
    if (ranges.some((range) => !("valuesAsJson" in range))) return undefined;
    for (const range of ranges) range.load("valuesAsJson");
    // eslint-disable-next-line office-addins/no-context-sync-in-loop
    await context.sync();
    ranges.forEach((range, index) => {
      const { sheetId, row, column } = group[index] as CellArea;
      range.valuesAsJson.forEach((cells, down) =>
        cells.forEach((cell, across) => {
          if ("numberFormat" in cell && typeof cell.numberFormat === "string")
            formats.set(cellKey(sheetId, row + down, column + across), cell.numberFormat);
        }),
      );
    });
  }
  return formats;
}

/** Calculates these cells only. */
export async function calculateCells(
  context: Excel.RequestContext,
  cells: readonly CellArea[],
): Promise<void> {
  for (const part of partsOf(areasOf(cells), rangesAtOnce)) {
    for (const area of part) rangeOf(context, area).calculate();
    // eslint-disable-next-line office-addins/no-context-sync-in-loop
    await context.sync();
  }
}

/** The most areas whose dependents are asked for: each takes a request, because Excel fails where there are none. */
const mostWithDependents = 50;

/**
 * The cells of all sheets whose formulas name one of these cells; null if this Excel can't tell, or not for so many areas.
 */
export async function directDependents(
  context: Excel.RequestContext,
  cells: readonly CellArea[],
  hasExcelApi: HasExcelApi,
): Promise<CellArea[] | null> {
  const areas = joined(cells);
  if (!hasExcelApi(dependentCells) || !hasExcelApi(rangesOfSheets)) return null;
  if (areas.length > mostWithDependents) return null;
  const dependents: CellArea[] = [];
  for (const area of areas) {
    const { ranges } = rangeOf(context, area).getDirectDependents();
    ranges.load("items/rowIndex,items/columnIndex,items/rowCount,items/columnCount,items/worksheet/id");
    try {
      // eslint-disable-next-line office-addins/no-context-sync-in-loop
      await context.sync();
    } catch (thrown) {
      if (isNotFound(thrown)) continue;
      throw thrown;
    }
    dependents.push(...ranges.items.map((found) => areaOf(found.worksheet.id, found)));
  }
  return dependents;
}

export async function goToCells(context: Excel.RequestContext, area: CellArea): Promise<void> {
  await showRange(context, rangeOf(context, area));
}

/**
 * Reads areas in groups that fit into a response, and calls `take` with the content of each cell. A group whose texts are too long for that is
 * halved. Fails with cancelled.
 */
export async function readAreas<Part extends keyof CellContents>(
  context: Excel.RequestContext,
  areas: readonly CellArea[],
  { parts, signal }: { parts: readonly Part[]; signal?: AbortSignal | undefined },
  take: (cell: CellArea, contents: Pick<CellContents, Part>) => void,
): Promise<void> {
  const names = parts.map((part) => properties[part]).join();
  const queue = (group: readonly CellArea[]) => {
    const ranges = group.map((area) => rangeOf(context, area).load(names));
    return () => group.forEach(takeArea(ranges));
  };
  const takeArea =
    (ranges: readonly Excel.Range[]) =>
    ({ sheetId, row, column, ...area }: CellArea, index: number) => {
      const read = parts.map((part) => [part, ranges[index]?.[properties[part]] ?? []] as const);
      for (let down = 0; down < area.rows; down += 1) {
        for (let across = 0; across < area.columns; across += 1) {
          const contents: Partial<Record<keyof CellContents, unknown>> = {};
          for (const [part, rows] of read) {
            const content: unknown = rows[down]?.[across];
            contents[part] = part === "value" ? content : String(content);
          }
          take(
            { sheetId, row: row + down, column: column + across, rows: 1, columns: 1 },
            contents as Pick<CellContents, Part>,
          );
        }
      }
    };
  const halvesOf = (group: readonly CellArea[]) => {
    const cells = group.reduce((sum, { rows, columns }) => sum + rows * columns, 0);
    return groupsOf(group, Math.ceil(cells / 2));
  };
  await readGroups(context, groupsOf(areas), { queue, halvesOf, signal });
}

/** The areas, with single cells that are next to each other joined. */
export function joined(areas: readonly CellArea[]): CellArea[] {
  const isSingle = ({ rows, columns }: CellArea) => rows * columns === 1;
  return [...areasOf(areas.filter(isSingle)), ...areas.filter((area) => !isSingle(area))];
}

/** Groups of areas that are read together; large areas are cut. */
function groupsOf(areas: readonly CellArea[], most = readCells): CellArea[][] {
  const groups: CellArea[][] = [];
  let cells = Infinity;
  for (const area of areas.flatMap((each) => inColumns(each, Math.min(most, readColumns)))) {
    const height = Math.max(1, Math.floor(most / area.columns));
    for (let row = 0; row < area.rows; row += height) {
      const rows = Math.min(height, area.rows - row);
      cells += rows * area.columns;
      if (cells > most || (groups.at(-1)?.length ?? 0) >= rangesAtOnce) {
        groups.push([]);
        cells = rows * area.columns;
      }
      groups.at(-1)?.push({ ...area, row: area.row + row, rows });
    }
  }
  return groups;
}

/** The area in pieces of so many columns at most. */
function inColumns(area: CellArea, most: number): CellArea[] {
  const pieces = Array.from({ length: Math.ceil(area.columns / most) }, (_, index) => index * most);
  return pieces.map((left) => ({
    ...area,
    column: area.column + left,
    columns: Math.min(most, area.columns - left),
  }));
}

/** The area of a range whose place is loaded. */
export function areaOf(
  sheetId: string,
  { rowIndex, columnIndex, rowCount, columnCount }: Excel.Range,
): CellArea {
  return { sheetId, row: rowIndex, column: columnIndex, rows: rowCount, columns: columnCount };
}

export function rangeOf(
  context: Excel.RequestContext,
  { sheetId, row, column, rows, columns }: CellArea,
): Excel.Range {
  return context.workbook.worksheets.getItem(sheetId).getRangeByIndexes(row, column, rows, columns);
}
