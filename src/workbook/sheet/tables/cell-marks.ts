import { type CellFill, type CellLook, fillsOf } from "../swap/fills";
import { type Place, type QueueCheck, swap, type Swapped } from "../swap/swap";

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

/** Fills cells of a table's body in the colors of their marks. */
export async function markCells<Cell extends Place & { kind: MarkKind }>(
  context: Excel.RequestContext,
  table: Excel.Table,
  cells: readonly Cell[],
  queueCheck: QueueCheck<Cell>,
): Promise<{ marked: Marked<Cell>[]; moved: Cell[] }> {
  table.load("style");
  const { done, moved } = await swap(context, fillsOf(table.getDataBodyRange()), cells, {
    queueCheck,
    next({ kind }, { fill, fontColor }) {
      const isDark = table.style.startsWith("TableStyleDark");
      const hasLightText = isLight(fontColor) || (isDark && fill === null);
      const color = markColors[kind][hasLightText ? "underLight" : "underDark"];
      return { fill: { color, pattern: "Solid", patternColor: "" }, fontColor };
    },
  });
  const marked = done.map(({ cell, before, after }) => ({
    ...cell,
    ...{ color: after.fill?.color ?? "", before: before.fill },
  }));
  return { marked, moved };
}

/** Gives marked cells their earlier fills, if they still have the mark's fill. */
export function unmarkCells<Cell extends Place>(
  context: Excel.RequestContext,
  table: Excel.Table,
  cells: readonly Marked<Cell>[],
  queueCheck: QueueCheck<Marked<Cell>>,
): Promise<Swapped<Marked<Cell>, CellLook>> {
  return swap(context, fillsOf(table.getDataBodyRange()), cells, {
    queueCheck,
    next: ({ color, before }, { fill, fontColor }) =>
      fill?.color.toUpperCase() === color ? { fill: before, fontColor } : undefined,
  });
}

/** True if text in this color is meant for a dark background. */
function isLight(color: string): boolean {
  const [, red = "0", green = "0", blue = "0"] = /^#(..)(..)(..)$/.exec(color) ?? [];
  const [r, g, b] = [red, green, blue].map((part) => Number.parseInt(part, 16)) as [number, number, number];
  return 0.299 * r + 0.587 * g + 0.114 * b > 140;
}
