import type { Rect } from "./spreadsheet";

/** Rows or columns that are inserted or deleted, in a whole sheet or in a strip of it. */
export interface LineShift {
  axis: "row" | "column";
  /** The first line that is inserted, or deleted. */
  at: number;
  /** How many are inserted; below zero, how many are deleted. */
  by: number;
  /** The lines across, as far as the cells move; all without it. */
  strip?: { from: number; size: number } | undefined;
}

/** Lines in a strip of a sheet. */
export type StripShift = LineShift & { strip: NonNullable<LineShift["strip"]> };

/** Where a rectangle stands after that; null where it is gone. One that is only partly in the strip stays. */
export function shiftedRect(rect: Rect, { axis, at, by, strip }: LineShift): Rect | null {
  const size = axis === "row" ? "rows" : "columns";
  const [across, acrossSize] = axis === "row" ? (["column", "columns"] as const) : (["row", "rows"] as const);
  const isMoved =
    !strip || (rect[across] >= strip.from && rect[across] + rect[acrossSize] <= strip.from + strip.size);
  if (!isMoved) return rect;
  const [first, end] = [rect[axis], rect[axis] + rect[size]];
  const placeOf = (line: number) => (line < at ? line : by > 0 ? line + by : Math.max(at, line + by));
  // A line that is inserted at the beginning moves all; at the end it is none of the rectangle's.
  const firstNow = by > 0 && first >= at ? first + by : placeOf(first);
  const endNow = by > 0 ? (end > at ? end + by : end) : placeOf(end);
  return endNow > firstNow ? { ...rect, [axis]: firstNow, [size]: endNow - firstNow } : null;
}
