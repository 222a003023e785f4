/** A rectangle of a sheet. Rows and columns count from zero. */
export interface Area {
  row: number;
  column: number;
  rows: number;
  columns: number;
}

/** Splits an area into two halves along its longer side. */
export function halves<Cells extends Area>(area: Cells): [Cells, Cells] {
  const { row, column, rows, columns } = area;
  if (rows >= columns) {
    const half = Math.ceil(rows / 2);
    return [
      { ...area, rows: half },
      { ...area, row: row + half, rows: rows - half },
    ];
  }
  const half = Math.ceil(columns / 2);
  return [
    { ...area, columns: half },
    { ...area, column: column + half, columns: columns - half },
  ];
}
