import { groupBy } from "../../../lists";
import type { Standing } from "./checked-writes";

/** The reason why a cell is marked. */
export type MarkKind = "changed" | "edited" | "not-refreshed";

/** A cell of a table's body. */
export interface PlacedCell {
  row: number;
  column: number;
}

/** The fill of a cell; null if it has none. Some Excel versions don't return the pattern. */
export type CellFill = { color: string; pattern: string | null; patternColor: string | null } | null;

interface CellLook {
  fill: CellFill;
  fontColor: string;
}

/** The colors of marks: pale under dark text and dark under light text, since the text keeps its color. */
const markColors: Record<MarkKind, { underDark: string; underLight: string }> = {
  changed: { underDark: "#FFF2CC", underLight: "#7F6000" },
  edited: { underDark: "#DDEBF7", underLight: "#1F4E78" },
  "not-refreshed": { underDark: "#D9D9D9", underLight: "#595959" },
};

/** A marked cell, with the fill that it had before. */
export type Marked<Cell> = Cell & { color: string; before: CellFill };

/** Queues a check that cells are still in the expected rows. Call the returned function after the sync. */
export type QueueCheck<Cell> = (cells: readonly Cell[]) => () => Standing[];

/** The cells that could not be filled. */
export interface Filled<Cell> {
  /** Cells whose rows had moved by then, so that they were not filled. */
  moved: Cell[];
  /** The number of other cells that were met in their places and may not have got their fill back. */
  lost: number;
}

/** Fills cells of a table in the colors of their marks. */
export async function markCells<Cell extends PlacedCell & { kind: MarkKind }>(
  context: Excel.RequestContext,
  table: Excel.Table,
  cells: readonly Cell[],
  queueCheck: QueueCheck<Cell>,
): Promise<{ marked: Marked<Cell>[]; moved: Cell[] }> {
  table.load("style");
  const marked: Marked<Cell>[] = [];
  const { moved } = await fillCells(context, table, cells, {
    fillOf({ kind }, { fill, fontColor }) {
      const isDark = table.style.startsWith("TableStyleDark");
      const hasLightText = isLight(fontColor) || (isDark && fill === null);
      const color = markColors[kind][hasLightText ? "underLight" : "underDark"];
      return { color, pattern: "Solid", patternColor: "" };
    },
    queueCheck,
    onFilled: (cell, fill, before) => marked.push({ ...cell, color: fill?.color ?? "", before }),
  }).catch(async (thrown: unknown) => {
    // A mark that is not returned could never be removed, so it is removed here.
    await unmarkCells(context, table, marked, queueCheck).catch(() => undefined);
    throw thrown;
  });
  return { marked, moved };
}

/** Gives marked cells their earlier fills, if they still have the mark's fill. */
export function unmarkCells<Cell extends PlacedCell>(
  context: Excel.RequestContext,
  table: Excel.Table,
  cells: readonly Marked<Cell>[],
  queueCheck: QueueCheck<Marked<Cell>>,
): Promise<Filled<Marked<Cell>>> {
  return fillCells(context, table, cells, {
    fillOf: ({ color, before }, { fill }) => (fill?.color.toUpperCase() === color ? before : undefined),
    queueCheck,
  });
}

interface Filling<Cell> {
  /** The fill for a cell; undefined if it keeps its own. */
  fillOf(cell: Cell, look: CellLook): CellFill | undefined;
  queueCheck: QueueCheck<Cell>;
  onFilled?(cell: Cell, fill: CellFill, before: CellFill): void;
}

/**
 * Fills cells. The request that fills a cell also reads its row's key and its fill. If the row has moved, the fill that was there is put
 * back.
 */
async function fillCells<Cell extends PlacedCell>(
  context: Excel.RequestContext,
  table: Excel.Table,
  cells: readonly Cell[],
  { fillOf, queueCheck, onFilled }: Filling<Cell>,
): Promise<Filled<Cell>> {
  const body = table.getDataBodyRange();
  const moved: Cell[] = [];
  let lost = 0;
  for (const part of partsToFill(cells)) {
    const [looked, checkFirst] = [queueLooks(body, part), queueCheck(part)];
    // eslint-disable-next-line office-addins/no-context-sync-in-loop
    await context.sync();
    const [looks, wasHere] = [looked(), checkFirst()];
    moved.push(...part.filter((_, index) => !wasHere[index]?.isHere));
    const filled = part.flatMap((cell, index) => {
      if (!wasHere[index]?.isHere) return [];
      const fill = fillOf(cell, looks[index] ?? noLook);
      return fill === undefined ? [] : [{ cell, fill, row: cell.row, column: cell.column }];
    });
    if (filled.length === 0) continue;
    const [before, check] = [queueLooks(body, filled), queueCheck(filled.map(({ cell }) => cell))];
    const cellOf = queueFills(body, filled);
    // eslint-disable-next-line office-addins/no-context-sync-in-loop
    await context.sync();
    const [looksBefore, standing] = [before(), check()];
    const others = filled.flatMap(({ cell, fill }, index) => {
      const was = looksBefore[index]?.fill ?? null;
      const { isHere = false, which } = standing[index] ?? {};
      if (isHere) {
        onFilled?.(cell, fill, was);
        return [];
      }
      moved.push(cell);
      return [{ cell, which, range: cellOf(cell), fill: was }];
    });
    if (others.length === 0) continue;
    const checkAgain = queueCheck(others.map(({ cell }) => cell));
    for (const { range, fill } of others) if (range) fillWith(range, fill);
    // eslint-disable-next-line office-addins/no-context-sync-in-loop
    await context.sync();
    lost += checkAgain().filter(({ which }, index) => which !== others[index]?.which).length;
  }
  return { moved, lost };
}

/** True if text in this color is meant for a dark background. */
function isLight(color: string): boolean {
  const [, red = "0", green = "0", blue = "0"] = /^#(..)(..)(..)$/.exec(color) ?? [];
  const [r, g, b] = [red, green, blue].map((part) => Number.parseInt(part, 16)) as [number, number, number];
  return 0.299 * r + 0.587 * g + 0.114 * b > 140;
}

/** The most cells whose fills are read in one request; each takes some 200 bytes. */
const mostRead = 10_000;
/** The most ranges in one request. Each range that is read is also filled, so half of them are read. */
const mostRanges = 500;
/** The most cells between two wanted ones that are read along, to have fewer ranges. */
const mostGap = 20;

const noLook: CellLook = { fill: null, fontColor: "" };

/** Groups of cells that are read and filled together, column by column from top to bottom. */
function partsToFill<Cell extends PlacedCell>(cells: readonly Cell[]): Cell[][] {
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

/** Queues the reading of cells' fills and font colors. Call the returned function after the sync. */
function queueLooks(body: Excel.Range, cells: readonly PlacedCell[]): () => CellLook[] {
  const read = runs(cells, mostGap).map(({ column, first, last }) => {
    const range = body.getCell(first, column).getAbsoluteResizedRange(last - first + 1, 1);
    const result = range.getCellProperties({
      format: {
        fill: { color: true, pattern: true, patternColor: true, tintAndShade: true },
        font: { color: true },
      },
    });
    return { first, column, result };
  });
  return () => {
    const looks = new Map<string, CellLook>();
    for (const { first, column, result } of read)
      result.value.forEach(([look], down) => looks.set(`${first + down} ${column}`, lookOf(look)));
    return cells.map(({ row, column }) => looks.get(`${row} ${column}`) ?? noLook);
  };
}

function lookOf(look: Excel.CellProperties | undefined): CellLook {
  const { color = "", pattern = null, patternColor = null, tintAndShade } = look?.format?.fill ?? {};
  // Excel returns white for a cell without a fill. Such a cell has no pattern; in an Excel version that never returns the pattern, it has
  // no tint (OfficeDev/office-js#4900).
  const isFilled = color !== "" && pattern !== "None" && (pattern !== null || tintAndShade !== null);
  const fill = isFilled ? { color, pattern, patternColor } : null;
  return { fill, fontColor: look?.format?.font?.color ?? "" };
}

/**
 * Queues fills. The returned function gives the range of a filled cell, which Excel moves along when rows or columns are inserted or
 * deleted (Range.track).
 */
function queueFills(
  body: Excel.Range,
  cells: readonly (PlacedCell & { fill: CellFill })[],
): (cell: PlacedCell) => Excel.Range | undefined {
  const filled: { column: number; first: number; last: number; range: Excel.Range }[] = [];
  for (const alike of groupBy(cells, ({ fill }) => JSON.stringify(fill)).values()) {
    const [{ fill: wanted } = { fill: null }] = alike;
    for (const { column, first, last } of runs(alike, 1)) {
      const range = body.getCell(first, column).getAbsoluteResizedRange(last - first + 1, 1);
      fillWith(range, wanted);
      filled.push({ column, first, last, range });
    }
  }
  return ({ row, column }) => {
    const run = filled.find((each) => each.column === column && each.first <= row && row <= each.last);
    return run?.range.getCell(row - run.first, 0);
  };
}

function fillWith(range: Excel.Range, wanted: CellFill): void {
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

/** Runs of cells in a column, with at most this distance from one cell to the next. */
function runs(cells: readonly PlacedCell[], distance: number) {
  const sorted = [...cells].sort((one, other) => one.column - other.column || one.row - other.row);
  const found: { column: number; first: number; last: number }[] = [];
  for (const { row, column } of sorted) {
    const before = found.at(-1);
    if (before?.column === column && row - before.last <= distance) before.last = row;
    else found.push({ column, first: row, last: row });
  }
  return found;
}
