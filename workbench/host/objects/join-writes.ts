import type { CellView, Rect, Spreadsheet } from "../../spreadsheet";

type Write = "writeFormulas" | "writeNumberFormats";
type Rows = (string | number | boolean | null)[][];

/**
 * Joins the pieces of a large write. office.js cuts a write of more than 1,500 cells into pieces, each below the one before, so that
 * 300,000 cells would be 200 writes; an add-in may write a row cell by cell. The joined write is made when the spreadsheet is asked for anything else, or by `flush`. Readings of
 * the same cells that follow each other are one: a load asks for them once for each property.
 */
export function joinWrites(spreadsheet: Spreadsheet): Spreadsheet & { flush(): void } {
  let pending: { name: Write; sheetId: string; rect: Rect; rows: Rows } | null = null;

  let known: { sheetId: string; rect: Rect; cells: CellView[][] } | null = null;

  const flush = () => {
    const write = pending;
    pending = null;
    known = null;
    if (write) spreadsheet[write.name](write.sheetId, write.rect, write.rows as string[][]);
  };
  const add = (name: Write) => (sheetId: string, rect: Rect, rows: Rows) => {
    const above = pending?.name === name && pending.sheetId === sheetId ? pending.rect : null;
    const continues =
      above?.column === rect.column && above.columns === rect.columns && above.row + above.rows === rect.row;
    const isBeside =
      above?.row === rect.row &&
      above.rows === 1 &&
      rect.rows === 1 &&
      above.column + above.columns === rect.column;
    known = null;
    if (isBeside && pending) {
      pending.rect = { ...pending.rect, columns: pending.rect.columns + rect.columns };
      // The rows are the caller's own.
      pending.rows = [[...(pending.rows[0] ?? []), ...(rows[0] ?? [])]];
      return;
    }
    if (!continues) flush();
    pending ??= { name, sheetId, rect: { ...rect, rows: 0 }, rows: [] };
    pending.rect = { ...pending.rect, rows: pending.rect.rows + rect.rows };
    for (const row of rows) pending.rows.push(row);
  };
  const joined = {
    writeFormulas: add("writeFormulas"),
    writeNumberFormats: add("writeNumberFormats"),
    flush,
    read(sheetId: string, rect: Rect) {
      if (pending) flush();
      if (known?.sheetId !== sheetId || known.rect !== rect)
        known = { sheetId, rect, cells: spreadsheet.read(sheetId, rect) };
      return known.cells;
    },
    // The host reads these before each piece. They don't flush, because no write of cells changes them.
    merged: (sheetId: string) => spreadsheet.merged(sheetId),
    tables: () => spreadsheet.tables(),
  };

  return new Proxy(spreadsheet, {
    get(target, name) {
      if (name in joined) return joined[name as keyof typeof joined];
      flush();
      return target[name as keyof Spreadsheet];
    },
  }) as Spreadsheet & { flush(): void };
}
