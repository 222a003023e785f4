import type { CellValue, Spreadsheet, TableInfo } from "../../../../workbench/spreadsheet";

/** Numbers that look random and are the same for the same seed (mulberry32). */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}

/** A text that somebody typed, and where. */
export interface Typed {
  text: string;
  /** The value of the table's first column in that row; undefined outside of the table's body. */
  id: CellValue | undefined;
  header: CellValue | undefined;
}

/** People who work in a table while the add-in does, as Excel lets them. */
export interface People {
  /** One of them does something; gives what, for a failed test's message. */
  act(): string;
  /** Their texts that nobody of them has deleted or typed over since. */
  typed(): Typed[];
}

export function peopleIn(
  spreadsheet: Spreadsheet,
  tableId: string,
  random: (below: number) => number,
): People {
  let typed: Typed[] = [];
  let count = 0;
  const table = (): TableInfo | undefined => spreadsheet.tables().find(({ id }) => id === tableId);

  const strip = ({ sheetId, rect }: TableInfo, from: number) => {
    const used = spreadsheet.usedRect(sheetId, false, { row: 0, column: 0, rows: 500, columns: 50 });
    const bottom = Math.max(rect.row + rect.rows, (used?.row ?? 0) + (used?.rows ?? 0));
    return { ...rect, row: from, rows: bottom - from };
  };
  const forget = (rows: readonly (readonly { value: CellValue }[])[]) => {
    const gone = new Set(rows.flat().map(({ value }) => value));
    typed = typed.filter(({ text }) => !gone.has(text));
  };

  const actions: Record<string, (table: TableInfo) => void> = {
    type({ sheetId, rect }) {
      const [row, column] = [
        rect.row + 1 + random(rect.rows - 1),
        rect.column + 1 + random(rect.columns - 1),
      ];
      enter(sheetId, row, column);
    },
    typeBelow({ sheetId, rect }) {
      enter(sheetId, rect.row + rect.rows + 1 + random(2), rect.column + random(rect.columns));
    },
    typeBeside({ sheetId, rect }) {
      enter(sheetId, rect.row + random(rect.rows), rect.column + rect.columns + 1 + random(2));
    },
    sort({ sheetId, rect }) {
      const body = { ...rect, row: rect.row + 1, rows: rect.rows - 1 };
      const rows = spreadsheet.read(sheetId, body);
      for (let at = rows.length - 1; at > 0; at -= 1) {
        const other = random(at + 1);
        [rows[at], rows[other]] = [rows[other]!, rows[at]!];
      }
      write(sheetId, body, rows);
    },
    insertRow(info) {
      const { sheetId, rect } = info;
      const at = rect.row + 1 + random(rect.rows - 1);
      const moved = strip(info, at);
      spreadsheet.copy({ sheetId, rect: moved }, { sheetId, row: at + 1, column: rect.column });
      spreadsheet.clear(sheetId, { ...rect, row: at, rows: 1 }, { contents: true, formats: true });
      spreadsheet.updateTable(tableId, { rect: { ...rect, rows: rect.rows + 1 } });
    },
    deleteRow(info) {
      const { sheetId, rect } = info;
      if (rect.rows <= 2) return;
      const at = rect.row + 1 + random(rect.rows - 1);
      forget(spreadsheet.read(sheetId, { ...rect, row: at, rows: 1 }));
      const moved = strip(info, at + 1);
      if (moved.rows > 0)
        spreadsheet.copy({ sheetId, rect: moved }, { sheetId, row: at, column: rect.column });
      const last = { ...rect, row: moved.row + moved.rows - 1, rows: 1 };
      spreadsheet.clear(sheetId, last, { contents: true, formats: true });
      spreadsheet.updateTable(tableId, { rect: { ...rect, rows: rect.rows - 1 } });
    },
    insertColumn(info) {
      moveColumns(info, info.rect.column + 1 + random(info.rect.columns), 1);
    },
    deleteColumn(info) {
      const { sheetId, rect } = info;
      if (rect.columns <= 2) return;
      const at = rect.column + 1 + random(rect.columns - 1);
      forget(spreadsheet.read(sheetId, { ...rect, column: at, columns: 1 }));
      moveColumns(info, at + 1, -1);
    },
    moveDown(info) {
      const { sheetId, rect } = info;
      const moved = strip(info, rect.row);
      spreadsheet.copy({ sheetId, rect: moved }, { sheetId, row: rect.row + 1, column: rect.column });
      spreadsheet.clear(sheetId, { ...rect, rows: 1 }, { contents: true, formats: true });
      spreadsheet.updateTable(tableId, { rect: { ...rect, row: rect.row + 1 } });
    },
  };

  /** What stands from this column on moves by so many columns; new ones get headers of their own. */
  function moveColumns({ sheetId, rect }: TableInfo, from: number, by: number) {
    const wide = {
      row: rect.row,
      rows: rect.rows + 6,
      column: from,
      columns: rect.column + rect.columns + 5 - from,
    };
    spreadsheet.copy({ sheetId, rect: wide }, { sheetId, row: rect.row, column: from + by });
    if (by > 0) {
      spreadsheet.clear(sheetId, { ...wide, columns: by }, { contents: true, formats: true });
      spreadsheet.writeFormulas(sheetId, { ...wide, rows: 1, columns: 1 }, [[`Column ${(count += 1)}`]]);
    }
    spreadsheet.updateTable(tableId, { rect: { ...rect, columns: rect.columns + by } });
  }

  function write(sheetId: string, rect: TableInfo["rect"], rows: ReturnType<Spreadsheet["read"]>) {
    spreadsheet.writeNumberFormats(
      sheetId,
      rect,
      rows.map((row) => row.map(({ numberFormat }) => numberFormat)),
    );
    spreadsheet.writeFormulas(
      sheetId,
      rect,
      rows.map((row) =>
        row.map(({ formula, value, numberFormat }) =>
          typeof value === "string" && value !== "" && formula === value && numberFormat !== "@"
            ? `'${value}`
            : formula,
        ),
      ),
    );
  }

  function enter(sheetId: string, row: number, column: number) {
    const cell = { row, column, rows: 1, columns: 1 };
    forget(spreadsheet.read(sheetId, cell));
    const text = `typed ${(count += 1)}`;
    spreadsheet.writeFormulas(sheetId, cell, [[text]]);
    const { rect } = table() ?? {};
    const isInside =
      rect &&
      row > rect.row &&
      row < rect.row + rect.rows &&
      column >= rect.column &&
      column < rect.column + rect.columns;
    const at = (atRow: number, atColumn: number) =>
      spreadsheet.read(sheetId, { row: atRow, column: atColumn, rows: 1, columns: 1 })[0]?.[0]?.value;
    typed.push({
      text,
      id: isInside ? at(row, rect.column) : undefined,
      header: isInside ? at(rect.row, column) : undefined,
    });
  }

  return {
    act() {
      const info = table();
      if (!info) return "nothing: the table is gone";
      const names = Object.keys(actions);
      // People type more often than they do anything else.
      const name = random(2) === 0 ? "type" : (names[random(names.length)] ?? "type");
      actions[name]?.(info);
      return name;
    },
    typed: () => typed,
  };
}
