import { groupBy } from "../../../lists";
import { cellAddress } from "../layout/cell-address";

/** Why a cell is marked. */
export type MarkKind = "changed" | "not-refreshed";

/** A cell of a table's body. */
export interface PlacedCell {
  row: number;
  column: number;
}

/** How a cell is filled; null where it is not. Some Excels tell no pattern. */
export type CellFill = { color: string; pattern: string | null; patternColor: string | null } | null;

interface CellLook {
  fill: CellFill;
  fontColor: string;
}

/** Pale under dark text, dark under light text: the text itself stays as it is. */
const markColors: Record<MarkKind, { underDark: string; underLight: string }> = {
  changed: { underDark: "#FFF2CC", underLight: "#7F6000" },
  "not-refreshed": { underDark: "#D9D9D9", underLight: "#595959" },
};

/** A cell that is marked, and how it was filled before. */
export type Marked<Cell> = Cell & { color: string; before: CellFill };

/** Fills cells of a table by why they are marked. */
export async function markCells<Cell extends PlacedCell & { kind: MarkKind }>(
  context: Excel.RequestContext,
  table: Excel.Table,
  cells: readonly Cell[],
): Promise<Marked<Cell>[]> {
  table.load("style");
  const looks = await readLooks(context, table.getDataBodyRange(), cells);
  const isDark = table.style.startsWith("TableStyleDark");
  const marked = cells.map((cell, index): Marked<Cell> => {
    const { fill = null, fontColor = "" } = looks[index] ?? {};
    const hasLightText = isLight(fontColor) || (isDark && fill === null);
    const color = markColors[cell.kind][hasLightText ? "underLight" : "underDark"];
    return { ...cell, color, before: fill };
  });
  await fillCells(
    context,
    table,
    marked.map((cell) => ({ ...cell, fill: { color: cell.color, pattern: "Solid", patternColor: "" } })),
  );
  return marked;
}

/** Gives marked cells their former fills, where they still have the mark's. */
export async function unmarkCells(
  context: Excel.RequestContext,
  table: Excel.Table,
  cells: readonly Marked<PlacedCell>[],
): Promise<void> {
  const looks = await readLooks(context, table.getDataBodyRange(), cells);
  const own = cells.filter(({ color }, index) => looks[index]?.fill?.color.toUpperCase() === color);
  await fillCells(
    context,
    table,
    own.map((cell) => ({ ...cell, fill: cell.before })),
  );
}

/** Whether a text in this colour is written on something dark. */
function isLight(color: string): boolean {
  const [, red = "0", green = "0", blue = "0"] = /^#(..)(..)(..)$/.exec(color) ?? [];
  const [r, g, b] = [red, green, blue].map((part) => Number.parseInt(part, 16)) as [number, number, number];
  return 0.299 * r + 0.587 * g + 0.114 * b > 140;
}

/** Cells of which looks are read in one request: some 200 bytes each. */
const mostRead = 10_000;
/** Ranges at once, in reading and in filling. */
const mostRanges = 500;
/** Cells without interest that are read along, to have fewer ranges. */
const mostGap = 20;

async function readLooks(
  context: Excel.RequestContext,
  body: Excel.Range,
  cells: readonly PlacedCell[],
): Promise<CellLook[]> {
  const looks = new Map<string, CellLook>();
  const key = (row: number, column: number) => `${row} ${column}`;
  let pending: { first: PlacedCell; result: OfficeExtension.ClientResult<Excel.CellProperties[][]> }[] = [];
  let count = 0;
  const take = async () => {
    await context.sync();
    for (const { first, result } of pending) {
      result.value.forEach(([look], down) => looks.set(key(first.row + down, first.column), lookOf(look)));
    }
    pending = [];
    count = 0;
  };
  for (const { column, first, last } of runs(cells, mostGap)) {
    const range = body.getCell(first, column).getAbsoluteResizedRange(last - first + 1, 1);
    const result = range.getCellProperties({
      format: {
        fill: { color: true, pattern: true, patternColor: true, tintAndShade: true },
        font: { color: true },
      },
    });
    pending.push({ first: { row: first, column }, result });
    count += last - first + 1;
    if (count >= mostRead || pending.length >= mostRanges) await take();
  }
  await take();
  return cells.map(({ row, column }) => looks.get(key(row, column)) ?? { fill: null, fontColor: "" });
}

function lookOf(look: Excel.CellProperties | undefined): CellLook {
  const { color = "", pattern = null, patternColor = null, tintAndShade } = look?.format?.fill ?? {};
  // A cell without a fill says that it is white. It has no pattern, or, in an Excel that never tells the pattern, no tint
  // (OfficeDev/office-js#4900).
  const isFilled = color !== "" && pattern !== "None" && (pattern !== null || tintAndShade !== null);
  const fill = isFilled ? { color, pattern, patternColor } : null;
  return { fill, fontColor: look?.format?.font?.color ?? "" };
}

/** What Excel takes as the address of several areas. */
const mostAddressCharacters = 8_000;

async function fillCells(
  context: Excel.RequestContext,
  table: Excel.Table,
  cells: readonly (PlacedCell & { fill: CellFill })[],
): Promise<void> {
  const body = table.getDataBodyRange().load("rowIndex,columnIndex");
  await context.sync();
  const corner = cellAddress("A1", body.rowIndex, body.columnIndex);
  const byFill = groupBy(cells, ({ fill }) => JSON.stringify(fill));
  let ranges = 0;
  for (const alike of byFill.values()) {
    for (const address of addressesOf(corner, alike)) {
      ranges += address.split(",").length;
      if (ranges > mostRanges) {
        // eslint-disable-next-line office-addins/no-context-sync-in-loop
        await context.sync();
        ranges = address.split(",").length;
      }
      const { fill } = table.worksheet.getRanges(address).format;
      const [{ fill: wanted } = { fill: null }] = alike;
      if (!wanted) {
        fill.clear();
        continue;
      }
      fill.color = wanted.color;
      if (wanted.pattern === null || wanted.pattern === "Solid") continue;
      fill.pattern = wanted.pattern as Excel.FillPattern;
      if (wanted.patternColor !== null) fill.patternColor = wanted.patternColor;
    }
  }
  await context.sync();
}

/** The addresses of cells, in as few texts as Excel takes. */
export function addressesOf(corner: string, cells: readonly PlacedCell[]): string[] {
  const addresses: string[] = [];
  let areas = 0;
  for (const { column, first, last } of runs(cells, 1)) {
    const area = [first, last].map((row) => cellAddress(corner, row, column)).join(":");
    const before = addresses.at(-1);
    if (before !== undefined && before.length + area.length < mostAddressCharacters && areas < mostRanges) {
      areas += 1;
      addresses[addresses.length - 1] = `${before},${area}`;
    } else {
      areas = 1;
      addresses.push(area);
    }
  }
  return addresses;
}

/** Cells of a column that stand together, with at most this distance from one to the next. */
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
