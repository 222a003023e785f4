interface PlayedArea {
  row: number;
  column: number;
  rows: number;
  columns: number;
}

export interface PlayedTable extends PlayedArea {
  id: string;
  name: string;
  hasTotals?: boolean;
}

/** The protected parts of the sheet and the workbook. */
interface Protection {
  sheet?: boolean;
  structure?: boolean;
}

/** One of Excel's objects: only properties that `load` names can be read, as in Excel. */
export function loadable<Item extends object>(item: Item): Item & { load(names: string): Item } {
  const load = (names: string) => {
    mustName(names);
    return item;
  };
  return Object.assign(item, { load });
}

export function mustName(names: string): void {
  if (!names) throw new Error("This load names nothing.");
}

/** A sheet with the part of Excel's API that tables need; each request acts at once. */
export function playSheet(
  cells: Map<string, unknown>,
  tables: PlayedTable[] = [],
  protection: Protection = {},
) {
  const key = (row: number, column: number) => `${row} ${column}`;
  const log: string[] = [];
  const rowOf = (place: string) => Number(place.split(" ")[0]);
  const columnOf = (place: string) => Number(place.split(" ")[1]);
  const isIn = ({ row, column, rows, columns }: PlayedArea, place: string) =>
    rowOf(place) >= row &&
    rowOf(place) < row + rows &&
    columnOf(place) >= column &&
    columnOf(place) < column + columns;
  const doMeet = (one: PlayedArea, other: PlayedArea) =>
    one.row < other.row + other.rows &&
    other.row < one.row + one.rows &&
    one.column < other.column + other.columns &&
    other.column < one.column + one.columns;

  function rangeAt(row: number, column: number, rows: number, columns: number): object {
    const area = { row, column, rows, columns };
    const address = `R${row}C${column}:R${row + rows - 1}C${column + columns - 1}`;
    const values = () =>
      Array.from({ length: rows }, (_, down) =>
        Array.from(
          { length: columns },
          (_unused, across) => cells.get(key(row + down, column + across)) ?? "",
        ),
      );
    return loadable({
      isNullObject: false,
      address,
      ...{ rowIndex: row, columnIndex: column, rowCount: rows, columnCount: columns },
      worksheet: sheet,
      get values() {
        return values();
      },
      set values(given: unknown[][]) {
        log.push(`values ${address}`);
        given.forEach((line, down) =>
          line.forEach((value, across) => cells.set(key(row + down, column + across), value)),
        );
      },
      getCell: (down: number, across: number) => rangeAt(row + down, column + across, 1, 1),
      getRow: (down: number) => rangeAt(row + down, column, 1, columns),
      getAbsoluteResizedRange: (height: number, width: number) => rangeAt(row, column, height, width),
      getUsedRangeOrNullObject() {
        const used = [...cells].filter(([place, value]) => value !== "" && isIn(area, place));
        if (used.length === 0) return loadable({ isNullObject: true });
        const [at, across] = [used.map(([place]) => rowOf(place)), used.map(([place]) => columnOf(place))];
        const [top, left] = [Math.min(...at), Math.min(...across)];
        return rangeAt(top, left, Math.max(...at) - top + 1, Math.max(...across) - left + 1);
      },
      getMergedAreasOrNullObject: () => loadable({ isNullObject: true }),
      hasSpill: false,
      getTables: () => loadable({ items: tables.filter((table) => doMeet(area, table)).map(tableOf) }),
      insert: () => void log.push(`insert ${address}`),
      delete: () => void log.push(`delete ${address}`),
      copyFrom: (_: object, what: string) => void log.push(`copyFrom ${address} ${what}`),
      clear: (what: string) => void log.push(`clear ${address} ${what}`),
    });
  }
  function tableOf(table: PlayedTable) {
    const { id, name, row, column, rows, columns, hasTotals } = table;
    return loadable({
      ...{ id, name, isNullObject: false, showHeaders: true },
      getRange: () => rangeAt(row, column, rows, columns),
      getHeaderRowRange: () => rangeAt(row, column, 1, columns),
      getDataBodyRange: () => rangeAt(row + 1, column, rows - (hasTotals ? 2 : 1), columns),
      convertToRange: () => void log.push(`convertToRange ${name}`),
      resize: ({ address }: { address: string }) => void log.push(`resize ${name} ${address}`),
    });
  }
  const sheet: object = loadable({
    ...{ id: "s", name: "Sheet1", visibility: "" },
    protection: loadable({ protected: protection.sheet ?? false }),
    getRangeByIndexes: rangeAt,
    delete: () => void log.push("delete sheet"),
  });
  const context = {
    workbook: {
      protection: loadable({ protected: protection.structure ?? false }),
      worksheets: { getItem: () => sheet, add: () => sheet, getActiveWorksheet: () => sheet },
      tables: {
        getItemOrNullObject(id: string) {
          const table = tables.find((each) => each.id === id);
          return table ? tableOf(table) : loadable({ isNullObject: true });
        },
      },
    },
    sync: () => Promise.resolve(),
  } as unknown as Excel.RequestContext;
  return { context, log, cells, tables };
}

/** The part of Office's API that the add-in uses outside Excel. */
export const playedOffice = {
  context: { document: { mode: "readWrite" } },
  DocumentMode: { ReadOnly: "readOnly" },
};
