import { type CellFill, type CellLook, fillsOf } from "../swap/fills";
import { type Channel, type Found, type Place, swap } from "../swap/swap";
import { mayChange } from "../write-access";
import { inTable, type KeyedCell, type KeyedPlace, type KeyedTable } from "./keyed-cells";

/** The reason why a cell is marked. */
export type MarkKind = "changed" | "edited" | "not-refreshed";

/** The colors of marks: pale under dark text and dark under light text, since the text keeps its color. */
const markColors: Record<MarkKind, { underDark: string; underLight: string }> = {
  changed: { underDark: "#FFF2CC", underLight: "#7F6000" },
  edited: { underDark: "#DDEBF7", underLight: "#1F4E78" },
  "not-refreshed": { underDark: "#D9D9D9", underLight: "#595959" },
};

/** A marked cell, with the fill that it had before. */
export type Marked<Cell> = Cell & { color: string; before: CellFill };

/** Finds the present places of cells for their fills. */
type FindFills<Cell, At extends Place> = (
  cells: readonly Cell[],
) => Promise<Found<Cell, CellLook, At> & { hasDarkStyle: boolean }>;

/** Fills cells in the colors of their marks. Returns those that were found, with the fills that they had. */
export async function markCells<Cell extends { kind: MarkKind }, At extends Place = Place>(
  context: Excel.RequestContext,
  find: FindFills<Cell, At>,
  cells: readonly Cell[],
): Promise<Marked<Cell>[]> {
  let isDark = false;
  const { done } = await swap<Cell, CellLook, At>(
    context,
    async (open) => {
      const found = await find(open);
      isDark = found.hasDarkStyle;
      return found;
    },
    cells,
    {
      next({ kind }, { fill, fontColor }) {
        const hasLightText = isLight(fontColor) || (isDark && fill === null);
        const color = markColors[kind][hasLightText ? "underLight" : "underDark"];
        return { fill: { color, pattern: "Solid", patternColor: "" }, fontColor };
      },
    },
  );
  return done.map(({ cell, before, after }) => ({
    ...cell,
    ...{ color: after.fill?.color ?? "", before: before.fill },
  }));
}

/**
 * Gives marked cells their earlier fills, if they still have the mark's fill. Returns the number of cells that were not found, or not for
 * certain.
 */
export async function unmarkCells<Cell, At extends Place = Place>(
  context: Excel.RequestContext,
  find: FindFills<Marked<Cell>, At>,
  cells: readonly Marked<Cell>[],
): Promise<number> {
  const { gone, lost } = await swap<Marked<Cell>, CellLook, At>(context, find, cells, {
    next: ({ color, before }, { fill, fontColor }) =>
      fill?.color.toUpperCase() === color ? { fill: before, fontColor } : undefined,
  });
  return gone.length + lost;
}

/** Finds cells of a table for their fills, wherever their rows are by then. It fails if the table's sheet can't be written. */
export function fillsIn<Cell extends KeyedCell>(keyed: KeyedTable): FindFills<Cell, KeyedPlace> {
  return async (cells) => {
    let hasDarkStyle = false;
    const find = inTable<Cell, CellLook, Channel<CellLook>>(keyed, async (table) => {
      table.load("style");
      await mayChange(keyed.context, table.worksheet);
      hasDarkStyle = table.style.startsWith("TableStyleDark");
      return fillsOf(() => table.getDataBodyRange());
    });
    return { ...(await find(cells)), hasDarkStyle };
  };
}

/** True if text in this color is meant for a dark background. */
function isLight(color: string): boolean {
  const [, red = "0", green = "0", blue = "0"] = /^#(..)(..)(..)$/.exec(color) ?? [];
  const [r, g, b] = [red, green, blue].map((part) => Number.parseInt(part, 16)) as [number, number, number];
  return 0.299 * r + 0.587 * g + 0.114 * b > 140;
}
