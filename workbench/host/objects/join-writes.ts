import type { Rect, Spreadsheet } from "../../spreadsheet";

type Write = "writeFormulas" | "writeNumberFormats";
type Rows = (string | number | boolean | null)[][];

/**
 * office.js cuts a write of more than 1,500 cells into pieces, one below the other. This joins them to one write
 * again, which is made when anything else is asked of the spreadsheet, or by `flush`: 300,000 cells would else
 * be 200 writes.
 */
export function joinWrites(spreadsheet: Spreadsheet): Spreadsheet & { flush(): void } {
  let pending: { name: Write; sheetId: string; rect: Rect; rows: Rows } | null = null;

  const flush = () => {
    const write = pending;
    pending = null;
    if (write) spreadsheet[write.name](write.sheetId, write.rect, write.rows as string[][]);
  };
  const add = (name: Write) => (sheetId: string, rect: Rect, rows: Rows) => {
    const above = pending?.name === name && pending.sheetId === sheetId ? pending.rect : null;
    const continues =
      above?.column === rect.column && above.columns === rect.columns && above.row + above.rows === rect.row;
    if (!continues) flush();
    pending ??= { name, sheetId, rect: { ...rect, rows: 0 }, rows: [] };
    pending.rect = { ...pending.rect, rows: pending.rect.rows + rect.rows };
    for (const row of rows) pending.rows.push(row);
  };
  const joined = {
    writeFormulas: add("writeFormulas"),
    writeNumberFormats: add("writeNumberFormats"),
    flush,
    // Each write asks these, and no write changes them.
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
