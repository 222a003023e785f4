import type { Rect } from "../../../spreadsheet";

export interface Place {
  row: number;
  column: number;
}

/** Rectangles that hold these cells and no other: neighbors in a row are one, and so are equal ones below each other. */
export function joinCells(cells: readonly Place[]): Rect[] {
  const rects: Rect[] = [];
  for (const { row, column } of cells) {
    const last = rects.at(-1);
    if (last?.row === row && last.column + last.columns === column) last.columns += 1;
    else rects.push({ row, column, rows: 1, columns: 1 });
  }
  const joined: Rect[] = [];
  for (const rect of rects) {
    const above = joined.find(
      (one) => one.column === rect.column && one.columns === rect.columns && one.row + one.rows === rect.row,
    );
    if (above) above.rows += 1;
    else joined.push(rect);
  }
  return joined;
}
