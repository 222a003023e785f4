import { contains, formatAddress, intersect } from "../../workbench/address";
import type { CellValue, CellView, Rect, TableInfo } from "../../workbench/spreadsheet";
import type { LineShift } from "../../workbench/line-shift";
import type { MemorySpreadsheet } from "../../workbench/memory/memory-spreadsheet";
import type { Random } from "../truth/random";
import {
  cellAt,
  isFormula,
  isRefused,
  isSpilledInto,
  type Place,
  readCell,
  reorder,
  reorderColumns,
  tableAround,
  textIn,
  writeCells,
} from "./grid-edits";

/** A text, number or formula that a person has typed. */
export interface Typed {
  /** The entry as the formula bar shows it. */
  text: string;
  /** The text's place in a table's body: the table, the row by its ids, and the column; undefined elsewhere. */
  inTable: { tableId: string; row: string; header: CellValue } | undefined;
  /** All addresses that its cell has had, with the sheet's name. */
  addresses: string[];
}

/** A part of a sheet. */
export interface Spot {
  sheetId: string;
  rect: Rect;
}

export interface PeopleOptions {
  /** The places where people like to type, as of now. */
  spots?: (() => readonly Spot[]) | undefined;
  /** Sheets that nobody deletes or renames. Default: none. */
  keptSheets?: (() => readonly string[]) | undefined;
  /**
   * The actions that they do. Further ones add a sheet, `asideSheet`, for the values that typed formulas show. Default: the usual ones.
   */
  actions?: keyof typeof actionSets | undefined;
  /** The ids of protected sheets; nobody protects any without it. People unprotect a sheet for a moment when they change it. */
  protectedSheets?: Set<string> | undefined;
}

/** A user and a co-author, who change a workbook while the add-in works, as Excel lets them. */
export interface People {
  /** Lets one of them do something, at random unless it is given; returns a description for a failed test's message. */
  act(wanted?: Action): string;
  /** Their texts that neither has deleted or typed over since. */
  typed(): readonly Typed[];
  /** Watches over a text that was already in the workbook, as if they had typed it. */
  adopt(place: Place): void;
  /** How often they have removed a value or a formula, or typed over it. */
  removed(value: CellValue): number;
  /** How often they have put a removed value or formula back. */
  restored(value: CellValue): number;
}

/** How often each action is chosen, relative to the others. */
const shares = {
  type: 10,
  typeBelow: 1,
  typeBeside: 1,
  typeIntoSpilled: 2,
  clear: 2,
  sort: 4,
  insertRow: 3,
  deleteRow: 3,
  insertColumn: 1,
  deleteColumn: 1,
  moveDown: 1,
  insertSheetRow: 1,
  deleteSheetRow: 1,
  insertSheetColumn: 1,
  deleteSheetColumn: 1,
  renameSheet: 1,
  deleteSheet: 0.5,
  renameTable: 1,
  deleteTable: 0.5,
  convertTable: 0.5,
  undo: 3,
};
/** Further actions. They are chosen only if they are asked for, so that the stories of seeds stay as they are. */
const furtherShares = {
  typeFormula: 12,
  typeApostrophe: 2,
  typeErrorLike: 2,
  typeBigNumber: 2,
  filter: 2,
  merge: 2,
  hideHeaders: 1,
  moveColumn: 2,
  selectElsewhere: 2,
  changeFormat: 3,
};
/** The latest actions, which are chosen only if all are asked for. */
const latestShares = {
  protect: 2,
  addTotals: 2,
  renameHeader: 2,
};
export type Action = keyof typeof shares | keyof typeof furtherShares | keyof typeof latestShares;

const actionSets = {
  usual: shares,
  further: { ...shares, ...furtherShares },
  all: { ...shares, ...furtherShares, ...latestShares },
} satisfies Record<string, Partial<Record<Action, number>>>;

/** A sheet beside the workbook's own; the formulas that people type refer to its cells, which hold what the cells showed before. */
export const asideSheet = "Aside";

/** True for a text, number or formula that somebody has typed. */
export const isPeoples = (content: CellValue) =>
  /^(?:#N\/A )?typed \d+$|^=Aside!A\d+$|^90071992547\d{5}$/.test(String(content));

/** Undoes an action if nobody has touched its cells since. True if it did. */
type Undo = () => boolean;
/** A completed action and its undo; null if it cannot be undone. */
interface Done {
  what: string;
  undo: Undo | null;
}

/**
 * The columns by which people know a row of a table: those of ids, and beside a list, whose entries decide about the ids, the list itself.
 * None if the table has neither.
 */
export function columnsOfRows(headers: readonly unknown[]): number[] {
  const isList = headers.includes("geoID") && !headers.includes("Name");
  const isOne = isList ? /^geoID$/ : /^(?:AHJ|Type) ID/;
  return headers.flatMap((header, at) => (isOne.test(String(header)) ? [at] : []));
}

export function peopleIn(
  spreadsheet: MemorySpreadsheet,
  random: Random,
  {
    spots = () => [],
    keptSheets = () => [],
    actions: chosenSet = "usual",
    protectedSheets,
  }: PeopleOptions = {},
): People {
  const aside = chosenSet !== "usual" ? spreadsheet.addSheet(asideSheet).id : undefined;
  let typed: Typed[] = [];
  let count = 0;
  const removed = new Map<CellValue, number>();
  const restored = new Map<CellValue, number>();
  const lastOf: Record<"user" | "co-author", Undo | null> = { user: null, "co-author": null };

  const add = (to: Map<CellValue, number>, value: CellValue) => {
    if (value !== "") to.set(value, (to.get(value) ?? 0) + 1);
  };
  const shownSheets = () => spreadsheet.sheets().filter(({ id, isHidden }) => !isHidden && id !== aside);
  const isShown = (sheetId: string) => shownSheets().some(({ id }) => id === sheetId);
  const shownTables = () => spreadsheet.tables().filter(({ sheetId }) => isShown(sheetId));
  const addressOf = (place: Place) => {
    const name = spreadsheet.sheets().find(({ id }) => id === place.sheetId)?.name ?? "";
    return formatAddress(name, cellAt(place));
  };

  /** Identifies a table's row by the contents of its id columns, or else of its first column. */
  function rowOf({ sheetId, rect }: TableInfo, row: number): string {
    const [headers = []] = spreadsheet.read(sheetId, { ...rect, rows: 1 });
    const [cells = []] = spreadsheet.read(sheetId, { ...rect, row, rows: 1 });
    const ids = columnsOfRows(headers.map(({ value }) => value)).map((at) => cells[at]?.value);
    return JSON.stringify(ids.length > 0 ? ids : [cells[0]?.value]);
  }
  function inTable(place: Place): Typed["inTable"] {
    const table = tableAround(spreadsheet, place);
    if (!table || place.row === table.rect.row) return undefined;
    const header = readCell(spreadsheet, { ...place, row: table.rect.row }).value;
    return { tableId: table.id, row: rowOf(table, place.row), header };
  }

  /** Removes the cell's content as one of them does, with the texts that the add-in has displaced from there and would put back. */
  function take({ value, ...cell }: CellView, place: Place, displaced: readonly Typed[]): Typed[] {
    if (!isSpilledInto(spreadsheet, place))
      add(removed, isFormula({ value, ...cell }) ? cell.formula : value);
    const here = displaced.length > 0 ? inTable(place) : undefined;
    const wasHere = ({ inTable: of, addresses }: Typed) =>
      of
        ? of.tableId === here?.tableId && of.row === here.row && of.header === here.header
        : addresses.at(-1) === addressOf(place);
    const held = textIn({ value, ...cell });
    const gone = [...typed.filter(({ text }) => text === held), ...displaced.filter(wasHere)];
    if (gone.length > 0) typed = typed.filter((one) => !gone.includes(one));
    return gone;
  }
  /** Texts that are in no cell now: the add-in has overwritten them, and may put them back. */
  function displacedTexts(): Typed[] {
    const there = new Set(spreadsheet.ownCells().map(({ content }) => String(content)));
    return typed.filter(({ text }) => !there.has(text));
  }
  function giveBack({ value, ...cell }: CellView, gone: readonly Typed[]) {
    add(restored, isFormula({ value, ...cell }) ? cell.formula : value);
    typed.push(...gone);
  }
  /** Removes the contents of all cells of an area. */
  function takeAll(sheetId: string, rect: Rect): { cells: CellView[][]; back(): void } {
    const cells = spreadsheet.read(sheetId, rect);
    const displaced = displacedTexts();
    const gone = cells.flatMap((row, down) =>
      row.flatMap((cell, across) =>
        take(cell, { sheetId, row: rect.row + down, column: rect.column + across }, displaced),
      ),
    );
    const back = () => {
      cells.flat().forEach((cell) => giveBack(cell, []));
      typed.push(...gone);
    };
    /** Spilled cells are left out, since they come back with their formula. */
    const own = cells.map((row, down) =>
      row.map((cell, across) =>
        isSpilledInto(spreadsheet, { sheetId, row: rect.row + down, column: rect.column + across })
          ? { ...cell, value: "", formula: "" }
          : cell,
      ),
    );
    return { cells: own, back };
  }

  /** The place of a text now; undefined if it is gone. */
  function find(text: string): Place | undefined {
    return spreadsheet.ownCells().find(({ content }) => String(content) === text);
  }

  /** Writes a text into a cell, and returns how to undo it. */
  function put(place: Place, entry: CellValue): Done {
    const { sheetId, row } = place;
    const before = readCell(spreadsheet, place);
    const was = isSpilledInto(spreadsheet, place) ? { ...before, value: "", formula: "" } : before;
    const gone = take(before, place, displacedTexts());
    const table = tableAround(spreadsheet, place);
    const rowBefore = table && rowOf(table, row);
    const follows = (from: string | undefined, to: string | undefined) => {
      // Rows without ids cannot be told apart.
      if (from === undefined || /^\[(?:"",?)*\]$/.test(from)) return;
      for (const one of typed)
        if (one.inTable && one.inTable.tableId === table?.id && one.inTable.row === from)
          one.inTable = { ...one.inTable, row: to ?? "" };
    };
    // Excel keeps a formula as text in a cell with the text format.
    if (String(entry).startsWith("=")) spreadsheet.writeNumberFormats(sheetId, cellAt(place), [["General"]]);
    spreadsheet.writeFormulas(sheetId, cellAt(place), [[entry]]);
    const text = textIn(readCell(spreadsheet, place));
    const rowNow = table && rowOf(table, row);
    if (rowNow !== rowBefore) follows(rowBefore, rowNow);
    if (text !== "") typed.push({ text, inTable: inTable(place), addresses: [addressOf(place)] });
    return {
      what: `${text === "" ? "clear" : "type"} ${addressOf(place)}`,
      undo() {
        const here = text === "" ? place : find(text);
        if (!here || textIn(readCell(spreadsheet, here)) !== text) return false;
        if (text === "" && (readCell(spreadsheet, here).formula !== "" || !isShown(sheetId))) return false;
        writeCells(spreadsheet, here.sheetId, cellAt(here), [[was]]);
        typed = typed.filter((one) => one.text !== text);
        if (rowNow !== rowBefore) follows(rowNow, rowBefore);
        giveBack(was, gone);
        return true;
      },
    };
  }

  function enter(place: Place, entry: CellValue = `typed ${(count += 1)}`): Done {
    const table = spreadsheet
      .tables()
      .find(
        ({ sheetId, rect, showsTotals }) =>
          !showsTotals &&
          sheetId === place.sheetId &&
          place.row === rect.row + rect.rows &&
          place.column >= rect.column &&
          place.column < rect.column + rect.columns,
      );
    const below = table && { ...table.rect, row: place.row, rows: 1 };
    // Excel extends a table over the blank row right below it when a user types there.
    if (table && below && !spreadsheet.usedRect(place.sheetId, false, below))
      spreadsheet.updateTable(table.id, { rect: { ...table.rect, rows: table.rect.rows + 1 } });
    return put(place, entry);
  }

  /** Inserts or deletes lines, and returns how to undo it. */
  function shift(what: string, sheetId: string, lines: LineShift): Done | null {
    if (isRefused(spreadsheet, sheetId, lines)) return null;
    const { axis, at, by, strip } = lines;
    const across = { from: strip?.from ?? 0, size: strip?.size ?? 60 };
    const rect =
      axis === "row"
        ? { row: at, rows: Math.abs(by), column: across.from, columns: across.size }
        : { column: at, columns: Math.abs(by), row: across.from, rows: across.size };
    const taken = by < 0 ? takeAll(sheetId, rect) : undefined;
    spreadsheet.shift(sheetId, lines);
    const rowsNow = () =>
      spreadsheet
        .tables()
        .flatMap((table) =>
          Array.from({ length: table.rect.rows }, (_, row) => rowOf(table, table.rect.row + row)),
        );
    const [after, rowsAfter] = [JSON.stringify(spreadsheet.tables()), JSON.stringify(rowsNow())];
    return {
      what: `${what} ${formatAddress(null, rect)} of ${sheetId}`,
      undo() {
        // Any line that was inserted, deleted or sorted since has moved the place, so it cannot be undone.
        if (!isShown(sheetId) || JSON.stringify(spreadsheet.tables()) !== after) return false;
        if (JSON.stringify(rowsNow()) !== rowsAfter) return false;
        const isBlank = !spreadsheet.usedRect(sheetId, true, rect);
        if (by > 0 && !isBlank) return false;
        spreadsheet.shift(sheetId, { ...lines, by: -by });
        if (!taken) return true;
        writeCells(spreadsheet, sheetId, rect, taken.cells);
        taken.back();
        return true;
      },
    };
  }

  /** Gives a column a header, as Excel names a table's new column. */
  function nameColumn(table: TableInfo, column: number) {
    const header = `Column ${(count += 1)}`;
    spreadsheet.writeFormulas(table.sheetId, cellAt({ row: table.rect.row, column }), [[header]]);
  }

  /** A totals row stays where it is when the rows are sorted, and nobody types into it. */
  const withoutTotals = ({ rect, ...table }: TableInfo): TableInfo => ({
    ...table,
    rect: { ...rect, rows: rect.rows - Number(table.showsTotals ?? false) },
  });
  function someTable(): TableInfo | undefined {
    const sheets = new Set(spots().map(({ sheetId }) => sheetId));
    const near = shownTables().filter(({ sheetId }) => sheets.has(sheetId));
    const tables = near.length > 0 && random.chance(0.9) ? near : shownTables();
    return tables.length > 0 ? withoutTotals(random.one(tables)) : undefined;
  }
  function someSheet(): string {
    const near = spots().flatMap(({ sheetId }) => (isShown(sheetId) ? [sheetId] : []));
    return near.length > 0 && random.chance(0.9) ? random.one(near) : random.one(shownSheets()).id;
  }
  const inRect = (sheetId: string, { row, column, rows, columns }: Rect): Place => ({
    sheetId,
    row: row + random.whole(0, rows - 1),
    column: column + random.whole(0, columns - 1),
  });
  const bodyOf = ({ rect }: TableInfo): Rect => ({ ...rect, row: rect.row + 1, rows: rect.rows - 1 });
  const isHeader = (place: Place) => tableAround(spreadsheet, place)?.rect.row === place.row;
  const onTable = (work: (table: TableInfo) => Done | null) => {
    const table = someTable();
    return table ? work(table) : null;
  };
  /** A cell where people like to type, or one of a table's body; never a header. */
  function somePlace(): Place | undefined {
    const here = spots().filter(({ sheetId }) => isShown(sheetId));
    const spot = here.length > 0 && random.chance(0.7) ? random.one(here) : undefined;
    const table = spot ? undefined : someTable();
    const place = spot ? inRect(spot.sheetId, spot.rect) : table && inRect(table.sheetId, bodyOf(table));
    return place && !isHeader(place) ? place : undefined;
  }
  const enterSomewhere = (entry: CellValue) => {
    const place = somePlace();
    return place ? enter(place, entry) : null;
  };
  const mayGo = (sheetId: string) => !keptSheets().includes(sheetId);

  const actions: Record<Exclude<Action, "undo">, () => Done | null> = {
    type() {
      const here = spots().filter(({ sheetId }) => isShown(sheetId));
      if (here.length > 0 && random.chance(0.7)) {
        const { sheetId, rect } = random.one(here);
        const place = inRect(sheetId, rect);
        return isHeader(place) ? null : enter(place);
      }
      return onTable((table) => enter(inRect(table.sheetId, bodyOf(table))));
    },
    typeBelow: () =>
      onTable(({ sheetId, rect }) =>
        enter({ ...inRect(sheetId, rect), row: rect.row + rect.rows + random.whole(0, 2) }),
      ),
    typeBeside: () =>
      onTable(({ sheetId, rect }) =>
        enter({ ...inRect(sheetId, rect), column: rect.column + rect.columns + 1 + random.whole(0, 1) }),
      ),
    typeIntoSpilled() {
      const spills = spreadsheet.ownCells().flatMap(({ sheetId, row, column, isFormula: isOne }) => {
        const rect = isOne && isShown(sheetId) ? spreadsheet.spillOf(sheetId, row, column) : null;
        return rect && rect.rows * rect.columns > 1 ? [{ sheetId, rect }] : [];
      });
      if (spills.length === 0) return null;
      const { sheetId, rect } = random.one(spills);
      const place = inRect(sheetId, rect);
      return isSpilledInto(spreadsheet, place) ? enter(place) : null;
    },
    clear() {
      const cells = shownSheets().length > 0 ? spreadsheet.ownCells() : [];
      const sheetId = someSheet();
      const own = cells.filter((cell) => cell.sheetId === sheetId && cell.content !== "" && !isHeader(cell));
      return own.length > 0 ? put(random.one(own), "") : null;
    },
    sort: () =>
      onTable((table) => {
        const { sheetId, rect, id } = table;
        const order = random.shuffled(Array.from({ length: rect.rows - 1 }, (_, at) => at));
        reorder(spreadsheet, table, order);
        const bodyNow = () => JSON.stringify(spreadsheet.read(sheetId, bodyOf(table)));
        const [after, tablesAfter] = [bodyNow(), JSON.stringify(spreadsheet.tables())];
        return {
          what: `sort ${id}`,
          undo() {
            if (JSON.stringify(spreadsheet.tables()) !== tablesAfter || bodyNow() !== after) return false;
            reorder(
              spreadsheet,
              table,
              order.map((_, at) => order.indexOf(at)),
            );
            return true;
          },
        };
      }),
    insertRow: () =>
      onTable(({ sheetId, rect }) =>
        shift("insert", sheetId, {
          ...{ axis: "row", at: rect.row + random.whole(1, rect.rows - 1), by: 1 },
          strip: { from: rect.column, size: rect.columns },
        }),
      ),
    deleteRow: () =>
      onTable(({ sheetId, rect }) =>
        shift("delete", sheetId, {
          ...{ axis: "row", at: rect.row + random.whole(1, rect.rows - 1), by: -1 },
          strip: { from: rect.column, size: rect.columns },
        }),
      ),
    insertColumn: () =>
      onTable((table) => {
        const { sheetId, rect } = table;
        if (rect.columns < 2) return null;
        const at = rect.column + random.whole(1, rect.columns - 1);
        const strip = { from: rect.row, size: rect.rows };
        const done = shift("insert", sheetId, { axis: "column", at, by: 1, strip });
        if (done) nameColumn(table, at);
        return done && { ...done, undo: null };
      }),
    deleteColumn: () =>
      onTable(({ sheetId, rect }) => {
        if (rect.columns < 3) return null;
        const at = rect.column + random.whole(1, rect.columns - 1);
        return shift("delete", sheetId, {
          ...{ axis: "column", at, by: -1 },
          strip: { from: rect.row, size: rect.rows },
        });
      }),
    moveDown: () =>
      onTable(({ sheetId, rect }) => shift("insert", sheetId, { axis: "row", at: rect.row, by: 1 })),
    insertSheetRow: () => shift("insert", someSheet(), { axis: "row", at: random.whole(0, 10), by: 1 }),
    deleteSheetRow: () => shift("delete", someSheet(), { axis: "row", at: random.whole(0, 10), by: -1 }),
    insertSheetColumn() {
      const sheetId = someSheet();
      const at = random.whole(0, 8);
      const done = shift("insert", sheetId, { axis: "column", at, by: 1 });
      const table = spreadsheet
        .tables()
        .find((one) => one.sheetId === sheetId && contains({ ...one.rect, rows: 1 }, one.rect.row, at));
      if (done && table) nameColumn(table, at);
      return done && table ? { ...done, undo: null } : done;
    },
    deleteSheetColumn: () => shift("delete", someSheet(), { axis: "column", at: random.whole(0, 8), by: -1 }),
    renameSheet() {
      const sheetId = someSheet();
      if (!mayGo(sheetId)) return null;
      const nameOf = () => spreadsheet.sheets().find(({ id }) => id === sheetId)?.name;
      const [before = "", after] = [nameOf(), `Renamed ${(count += 1)}`];
      spreadsheet.renameSheet(sheetId, after);
      return {
        what: `rename ${before}`,
        undo() {
          if (nameOf() !== after) return false;
          spreadsheet.renameSheet(sheetId, before);
          return true;
        },
      };
    },
    deleteSheet() {
      const sheetId = someSheet();
      if (!mayGo(sheetId) || shownSheets().length < 2) return null;
      takeAll(sheetId, { row: 0, column: 0, rows: 60, columns: 30 });
      spreadsheet.deleteSheet(sheetId);
      return { what: `delete sheet ${sheetId}`, undo: null };
    },
    renameTable: () =>
      onTable(({ id, name }) => {
        const after = `Renamed_${(count += 1)}`;
        const nameOf = () => spreadsheet.tables().find((one) => one.id === id)?.name;
        spreadsheet.updateTable(id, { name: after });
        return {
          what: `rename table ${id}`,
          undo() {
            if (nameOf() !== after) return false;
            spreadsheet.updateTable(id, { name });
            return true;
          },
        };
      }),
    deleteTable: () =>
      onTable(({ id, sheetId, rect }) => {
        takeAll(sheetId, rect);
        spreadsheet.deleteTable(id);
        spreadsheet.clear(sheetId, rect, { contents: true, formats: true });
        return { what: `delete table ${id}`, undo: null };
      }),
    convertTable: () =>
      onTable(({ id }) => {
        spreadsheet.deleteTable(id);
        return { what: `make table ${id} cells`, undo: null };
      }),
    typeFormula() {
      const place = somePlace();
      if (!place || isSpilledInto(spreadsheet, place)) return null;
      const { value } = readCell(spreadsheet, place);
      // A blank cell is what a reference shows as zero.
      if (value === "" || aside === undefined) return null;
      const row = (count += 1);
      const shown = { row, column: 0, rows: 1, columns: 1 };
      spreadsheet.writeNumberFormats(aside, shown, [[typeof value === "string" ? "@" : "General"]]);
      spreadsheet.writeFormulas(aside, shown, [[value]]);
      return enter(place, `=${asideSheet}!A${row + 1}`);
    },
    typeApostrophe: () => enterSomewhere(`'typed ${(count += 1)}`),
    typeErrorLike: () => enterSomewhere(`#N/A typed ${(count += 1)}`),
    typeBigNumber: () => enterSomewhere(9_007_199_254_740_991 - (count += 1)),
    filter: () =>
      onTable(({ id, rect, sheetId }) => {
        const column = random.whole(0, rect.columns - 1);
        const cell = { row: rect.row + 1, column: rect.column + column, rows: 1, columns: 1 };
        const before = spreadsheet.tableFilter(id, column);
        spreadsheet.filterTable(
          id,
          column,
          before ? null : [String(spreadsheet.read(sheetId, cell)[0]?.[0]?.value)],
        );
        return { what: `filter ${id} by column ${column}`, undo: null };
      }),
    merge() {
      const place = somePlace();
      const rect = place && { ...cellAt(place), columns: 2 };
      if (!place || !rect) return null;
      const { sheetId } = place;
      // Excel merges no cells of a table, and would ask before it loses what the second cell holds.
      const isInTable = spreadsheet
        .tables()
        .some((table) => table.sheetId === sheetId && intersect(table.rect, rect));
      const isMerged = spreadsheet.merged(sheetId).some((area) => intersect(area, rect));
      if (isInTable || isMerged || spreadsheet.usedRect(sheetId, true, rect)) return null;
      spreadsheet.merge(sheetId, rect);
      return {
        what: `merge ${formatAddress(sheetId, rect)}`,
        undo() {
          spreadsheet.unmerge(sheetId, rect);
          return true;
        },
      };
    },
    hideHeaders: () =>
      onTable(({ id, hidesHeaders = false }) => {
        spreadsheet.updateTable(id, { hidesHeaders: !hidesHeaders });
        return {
          what: `${hidesHeaders ? "show" : "hide"} headers of ${id}`,
          undo() {
            if (!spreadsheet.tables().some((table) => table.id === id)) return false;
            spreadsheet.updateTable(id, { hidesHeaders });
            return true;
          },
        };
      }),
    moveColumn: () =>
      onTable((table) => {
        const { id, rect } = table;
        const places = Array.from({ length: rect.columns }, (_, at) => at);
        const [from, to] = [random.one(places), random.one(places)];
        if (from === to) return null;
        reorderColumns(spreadsheet, table, places.toSpliced(from, 1).toSpliced(to, 0, from));
        return { what: `move column ${from} of ${id} to ${to}`, undo: null };
      }),
    protect() {
      const sheetId = someSheet();
      if (!protectedSheets) return null;
      const wasProtected = protectedSheets.has(sheetId);
      const protect = (isProtected: boolean) => {
        if (isProtected) protectedSheets.add(sheetId);
        else protectedSheets.delete(sheetId);
      };
      protect(!wasProtected);
      return {
        what: `${wasProtected ? "unprotect" : "protect"} ${sheetId}`,
        undo() {
          if (protectedSheets.has(sheetId) === wasProtected) return false;
          protect(wasProtected);
          return true;
        },
      };
    },
    addTotals: () =>
      onTable(({ id, sheetId, rect, showsTotals }) => {
        const end = rect.row + rect.rows;
        const lines = {
          axis: "row" as const,
          at: end,
          by: 1,
          strip: { from: rect.column, size: rect.columns },
        };
        if (showsTotals || isRefused(spreadsheet, sheetId, lines)) return null;
        spreadsheet.shift(sheetId, lines);
        spreadsheet.updateTable(id, { rect: { ...rect, rows: rect.rows + 1 }, showsTotals: true });
        spreadsheet.writeFormulas(sheetId, cellAt({ row: end, column: rect.column }), [["Total"]]);
        return { what: `add totals to ${id}`, undo: null };
      }),
    renameHeader: () =>
      onTable(({ sheetId, rect, hidesHeaders }) => {
        if (hidesHeaders) return null;
        const column = rect.column + random.whole(0, rect.columns - 1);
        return put({ sheetId, row: rect.row, column }, `typed ${(count += 1)}`);
      }),
    selectElsewhere() {
      const sheetId = someSheet();
      spreadsheet.select(sheetId, [cellAt({ row: random.whole(0, 20), column: random.whole(0, 8) })]);
      return { what: `select elsewhere on ${sheetId}`, undo: null };
    },
    changeFormat() {
      const place = somePlace();
      if (!place || isSpilledInto(spreadsheet, place)) return null;
      const before = readCell(spreadsheet, place);
      const format = random.one(["0.00", "General", "#,##0", "@"]);
      // Nothing else happens to a formula than to become a text when somebody enters it again.
      if (format === "@" && isFormula(before)) return null;
      spreadsheet.writeNumberFormats(place.sheetId, cellAt(place), [[format]]);
      return { what: `format ${addressOf(place)} as ${format}`, undo: null };
    },
  };

  const chosen = Object.entries(actionSets[chosenSet]) as [Action, number][];
  const total = chosen.reduce((sum, [, share]) => sum + share, 0);
  function someAction(): Action {
    let rest = random.next() * total;
    return chosen.find(([, share]) => (rest -= share) < 0)?.[0] ?? "type";
  }

  return {
    act(wanted) {
      const name = wanted ?? someAction();
      const whoever = random.one(["user", "co-author"] as const);
      const who = wanted === "undo" && !lastOf[whoever] ? (lastOf.user ? "user" : "co-author") : whoever;
      let what = `${name}: nothing`;
      if (name === "undo") {
        const undo = lastOf[who];
        lastOf[who] = null;
        if (undo?.()) what = `undo of the ${who}`;
      } else {
        const done = actions[name]();
        if (done) [what, lastOf[who]] = [done.what, done.undo];
      }
      const places = new Map(spreadsheet.ownCells().map((cell) => [String(cell.content), cell]));
      for (const one of typed) {
        const place = places.get(one.text);
        const address = place && addressOf(place);
        if (address !== undefined && !one.addresses.includes(address)) one.addresses.push(address);
      }
      return what;
    },
    typed: () => typed,
    adopt(place) {
      const text = textIn(readCell(spreadsheet, place));
      typed.push({ text, inTable: inTable(place), addresses: [addressOf(place)] });
    },
    removed: (value) => removed.get(value) ?? 0,
    restored: (value) => restored.get(value) ?? 0,
  };
}
