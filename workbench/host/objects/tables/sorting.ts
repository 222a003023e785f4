import { formatAddress, intersect } from "../../../address";
import type { CellValue, Rect } from "../../../spreadsheet";
import { errorTexts } from "../../../spreadsheet";
import { HostError, notModelled } from "../../host-error";
import type { SortState } from "../../office-document";
import { mustMoveAsTheyAre } from "../cells-that-move";
import { found, mustNotBeProtected, position } from "../object-model";
import type { Classes, Model } from "../object-model";
import { bounded } from "../range-format";
import { body } from "./table-names";
import { tableOf } from "./table-place";

export const sortClasses: Classes<"RangeSort" | "TableSort"> = {
  RangeSort: ({ sheetId, rect }, model) => ({
    calls: {
      Apply(fields, matchCase, hasHeaders, orientation, method) {
        const axis = axisOf(orientation, method);
        // Microsoft's own snippet takes the first column as the headers of a sort of columns (event-column-and-row-sort).
        const sorted = hasHeaders === true ? withoutHeaders(rect, axis) : rect;
        const state = stateOf(fields, matchCase, axis === "row" ? rect.columns : rect.rows);
        if (sorted.rows > 0 && sorted.columns > 0) sortLines(sheetId, sorted, { ...state, axis }, model);
      },
    },
  }),

  TableSort({ tableId }, model) {
    const { tableSorts } = model.document;
    const sort = (state: SortState) => {
      const table = tableOf(tableId, model);
      sortLines(table.sheetId, body(table), { ...state, axis: "row" }, model);
    };
    return {
      properties: {
        Fields: { get: () => tableSorts.get(tableId)?.fields ?? [] },
        MatchCase: { get: () => tableSorts.get(tableId)?.matchCase ?? false },
      },
      calls: {
        Apply(fields, matchCase, method) {
          axisOf(undefined, method);
          const state = stateOf(fields, matchCase, tableOf(tableId, model).rect.columns);
          sort(state);
          tableSorts.set(tableId, state);
        },
        // The rows stay as they are (TableSort.clear in @types/office-js).
        Clear() {
          mustNotBeProtected(tableOf(tableId, model).sheetId, model);
          tableSorts.delete(tableId);
        },
        Reapply: () => sort(found(tableSorts.get(tableId))),
      },
    };
  },
};

/** The lines that a sort moves. */
type Axis = "row" | "column";

function axisOf(orientation: unknown, method: unknown): Axis {
  if (![undefined, null, "Rows", "Columns"].includes(orientation as string))
    throw new HostError("InvalidArgument", `a sort by ${String(orientation)}`);
  if (method !== undefined && method !== null && method !== "PinYin")
    throw notModelled(`a sort with the method ${String(method)}`);
  return orientation === "Columns" ? "column" : "row";
}

function withoutHeaders(rect: Rect, axis: Axis): Rect {
  return axis === "row"
    ? { ...rect, row: rect.row + 1, rows: rect.rows - 1 }
    : { ...rect, column: rect.column + 1, columns: rect.columns - 1 };
}

function stateOf(fields: unknown, matchCase: unknown, columns: number): SortState {
  if (!Array.isArray(fields) || fields.length === 0)
    throw new HostError("InvalidArgument", "no fields to sort on");
  const read = (field: unknown) => {
    const { key, ascending, sortOn, dataOption, ...others } = field as Record<string, unknown>;
    const [other] = Object.keys(others);
    if (other !== undefined) throw notModelled(`SortField.${other}`);
    if (sortOn !== undefined && sortOn !== "Value") throw notModelled(`a sort on ${String(sortOn)}`);
    if (dataOption !== undefined && dataOption !== "Normal")
      throw notModelled(`a sort of ${String(dataOption)}`);
    return { key: position(key, columns), ascending: ascending !== false };
  };
  return { fields: fields.map(read), matchCase: matchCase === true };
}

/**
 * Moves whole rows or columns of a rectangle. Hidden ones stay where they are, and merged cells are refused
 * (support.microsoft.com, "Sort data in a range or table").
 */
function sortLines(
  sheetId: string,
  rect: Rect,
  { fields, matchCase, axis }: SortState & { axis: Axis },
  model: Model,
): void {
  const { spreadsheet } = model;
  mustNotBeProtected(sheetId, model);
  bounded(rect);
  if (spreadsheet.merged(sheetId).some((area) => intersect(area, rect)))
    throw new HostError("InvalidOperation", "merged cells are not sorted");
  mustMoveAsTheyAre(sheetId, rect, model, "a sort");
  const isSpilled = (row: number) =>
    Array.from({ length: rect.columns }, (_, across) =>
      spreadsheet.spillParent(sheetId, row, rect.column + across),
    ).some((parent) => parent !== null);
  const rows = spreadsheet.read(sheetId, rect);
  if (rows.some((_row, down) => isSpilled(rect.row + down))) throw notModelled("a sort of spilled cells");
  const lines = axis === "row" ? rows : rows[0]!.map((_, across) => rows.map((cells) => cells[across]!));
  const isHidden = (line: number) =>
    axis === "row"
      ? spreadsheet.isRowHidden(sheetId, rect.row + line)
      : spreadsheet.isColumnHidden(sheetId, rect.column + line);
  const shown = [...lines.keys()].filter((line) => !isHidden(line));
  const compareTexts = new Intl.Collator("en-US", { sensitivity: matchCase ? "variant" : "accent" }).compare;
  const sorted = shown.toSorted((one, other) => {
    for (const { key, ascending } of fields) {
      const [first, second] = [lines[one]?.[key]?.value ?? "", lines[other]?.[key]?.value ?? ""];
      const order = compare(first, second, ascending, compareTexts);
      if (order !== 0) return order;
    }
    return 0;
  });
  const order = [...lines.keys()];
  shown.forEach((place, index) => (order[place] = sorted[index] ?? place));
  if (order.every((from, to) => from === to)) return;
  if (axis === "row") spreadsheet.reorderRows(sheetId, rect, order);
  else spreadsheet.reorderColumns(sheetId, rect, order);
  model.events.tell(`${axis}-sorted`, sheetId, { address: formatAddress(null, rect) });
}

/** Numbers, texts, false, true, errors; blanks are last, whichever way. */
function compare(
  one: CellValue,
  other: CellValue,
  ascending: boolean,
  compareTexts: (one: string, other: string) => number,
): number {
  if (one === "" || other === "") return Number(one === "") - Number(other === "");
  const [first, second] = [rankOf(one), rankOf(other)];
  const isErrors = first === 3 && second === 3;
  const within =
    typeof one === "string" && typeof other === "string"
      ? compareTexts(one, other)
      : Number(one) - Number(other);
  const order = first === second ? (isErrors ? 0 : within) : first - second;
  return ascending ? order : -order;
}

function rankOf(value: CellValue): number {
  if (typeof value === "number") return 0;
  if (typeof value === "boolean") return 2;
  return errorTexts.has(value) ? 3 : 1;
}
