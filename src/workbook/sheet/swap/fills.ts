import { groupBy } from "../../../lists";
import { isNotFound } from "../excel-failure";
import { cellAddress } from "../layout/cell-address";
import type { Channel, Place } from "./swap";

/** The fill of a cell; null if it has none. Some Excel versions don't return the pattern. */
export type CellFill = { color: string; pattern: string | null; patternColor: string | null } | null;

/** How a cell looks. Only its fill is written. */
export interface CellLook {
  fill: CellFill;
  /** "" if its characters differ in their colors. */
  fontColor: string;
}

/** The most cells whose fills are read in one request; each takes some 200 bytes. */
const mostRead = 10_000;
/** The most ranges in one request. Each range that is read is also filled, so half of them are read. */
const mostRanges = 500;
/** The most cells between two wanted ones that are read along, to have fewer ranges. */
const mostGap = 20;

/**
 * The fills of a range's cells. `range` is called for each request, so that places count from where the range begins then: Excel moves a
 * range object along, and a table whose first row is a new one begins above it.
 */
export function fillsOf(range: () => Excel.Range): Channel<CellLook> {
  return channelOf(() => {
    const now = range();
    return ({ row, column }) => now.getCell(row, column);
  });
}

function channelOf(open: () => (place: Place) => Excel.Range, isPinned = false): Channel<CellLook> {
  const rangeOf = (cellAt: (place: Place) => Excel.Range, { column, first, last }: Run) =>
    cellAt({ row: first, column }).getAbsoluteResizedRange(last - first + 1, 1);
  // Cells that Excel has moved apart are taken one by one.
  const runsOf = (cells: readonly Place[], distance: number) => runs(cells, isPinned ? 0 : distance);
  return {
    leftBehind: "Cells that had been marked could not get their colors back.",
    // All that is filled is read before in the same request.
    wasRefusedWhole: isNotFound,
    isSame: ({ fill: one }, { fill: other }) =>
      one?.color.toUpperCase() === other?.color.toUpperCase() && patternOf(one) === patternOf(other),
    partsOf: partsToFill,
    queueReading(cells) {
      const cellAt = open();
      const read = runsOf(cells, mostGap).map((run) => {
        const range = rangeOf(cellAt, run).load("address");
        return { run, range, looks: queueLooks(range) };
      });
      return () => {
        const found = new Map<string, { look: CellLook; address: string }>();
        for (const { run, range, looks } of read)
          for (const [down, look] of looks().entries())
            found.set(`${run.first + down} ${run.column}`, {
              look,
              address: cellAddress(range.address, down, 0),
            });
        const at = ({ row, column }: Place) => found.get(`${row} ${column}`);
        return {
          states: cells.map((cell) => at(cell)?.look ?? noLook),
          isInPlace: true,
          addressOf: (index) => at(cells[index] as Place)?.address ?? "",
        };
      };
    },
    queueWriting(cells) {
      const cellAt = open();
      for (const alike of groupBy(cells, ({ next }) => JSON.stringify(next.fill)).values())
        for (const run of runsOf(alike, 1)) fillWith(rangeOf(cellAt, run), alike[0]?.next.fill ?? null);
    },
    pinned(cells) {
      const cellAt = open();
      const ranges = new Map(cells.map((cell) => [`${cell.row} ${cell.column}`, cellAt(cell)]));
      return channelOf(() => (place) => ranges.get(`${place.row} ${place.column}`) ?? cellAt(place), true);
    },
  };
}

const noLook: CellLook = { fill: null, fontColor: "" };

/** A plain fill is solid. Some Excel versions don't return the pattern. */
const patternOf = (fill: CellFill) => (fill ? (fill.pattern ?? "Solid") : null);

/** Groups of cells that are read and filled together, column by column from top to bottom. */
function partsToFill<Cell extends Place>(cells: readonly Cell[]): Cell[][] {
  const sorted = [...cells].sort((one, other) => one.column - other.column || one.row - other.row);
  const parts: Cell[][] = [];
  let [ranges, count] = [Infinity, 0];
  let last: Cell | undefined;
  for (const cell of sorted) {
    const gap = last?.column === cell.column ? cell.row - last.row : Infinity;
    ranges += gap > 1 ? 1 : 0;
    count += gap > mostGap ? 1 : gap;
    if (ranges > mostRanges / 2 || count > mostRead) {
      parts.push([]);
      [ranges, count] = [1, 1];
    }
    parts.at(-1)?.push(cell);
    last = cell;
  }
  return parts;
}

/** Queues the reading of a column's looks. Call the returned function after the request. */
function queueLooks(range: Excel.Range): () => CellLook[] {
  const result = range.getCellProperties({
    format: {
      fill: { color: true, pattern: true, patternColor: true, tintAndShade: true },
      font: { color: true },
    },
  });
  return () => result.value.map(([look]) => lookOf(look));
}

function lookOf(look: Excel.CellProperties | undefined): CellLook {
  const { color = "", pattern = null, patternColor = null, tintAndShade } = look?.format?.fill ?? {};
  // Excel returns white for a cell without a fill. Such a cell has no pattern; in an Excel version that never returns the pattern, it has
  // no tint (OfficeDev/office-js#4900).
  const isFilled = color !== "" && pattern !== "None" && (pattern !== null || tintAndShade !== null);
  const fill = isFilled ? { color, pattern, patternColor } : null;
  return { fill, fontColor: look?.format?.font?.color ?? "" };
}

/** Queues the fill of a range. */
export function fillWith(range: Excel.Range, wanted: CellFill): void {
  const { fill } = range.format;
  if (!wanted) {
    fill.clear();
    return;
  }
  fill.color = wanted.color;
  if (wanted.pattern === null || wanted.pattern === "Solid") return;
  fill.pattern = wanted.pattern as Excel.FillPattern;
  if (wanted.patternColor !== null) fill.patternColor = wanted.patternColor;
}

/** Cells of a column, from the first row to the last one. */
interface Run {
  column: number;
  first: number;
  last: number;
}

/** Runs of cells in a column, with at most this distance from one cell to the next. */
function runs(cells: readonly Place[], distance: number): Run[] {
  const sorted = [...cells].sort((one, other) => one.column - other.column || one.row - other.row);
  const found: Run[] = [];
  for (const { row, column } of sorted) {
    const before = found.at(-1);
    if (before?.column === column && row - before.last <= distance) before.last = row;
    else found.push({ column, first: row, last: row });
  }
  return found;
}
