import type { Area } from "../layout/area";
import { besideArea, type BesideList } from "./list-column";

/** The place where new columns go. */
export type BesideWay =
  /** Right of the list, over the cells that are there. */
  | { kind: "beside" }
  /** Right of the list, in inserted columns; all cells from there on move to the right. */
  | { kind: "inserted" }
  /** From this column on, to the right of everything in the list's rows. */
  | { kind: "behind"; column: number };

/** The user's columns that become one table with the new ones. */
export interface ListBlock {
  column: number;
  /** The headers, one for each column; a new one is written into a blank cell. */
  headers: readonly { text: string; isNew: boolean }[];
}

/** A list, the place for the new columns, and the user's columns that become a table with them. */
export interface BesideChoice extends BesideList {
  way: BesideWay;
  /**
   * The columns that become a table with the new ones; null if the new columns are a table of their own. Without effect if the list is in a
   * table.
   */
  block: ListBlock | null;
}

/**
 * A list beside which columns are written. By default, the columns go right of it (`way`), and its own column joins their table (`block`).
 */
export type BesideTarget = BesideList & Partial<Pick<BesideChoice, "way" | "block">>;

export function choiceOf({ list, header, way = { kind: "beside" }, block }: BesideTarget): BesideChoice {
  const isNew = header.from === "new" || header.from === "inserted";
  const ownColumn = { column: list.column, headers: [{ text: header.text, isNew }] };
  return { list, header, way, block: block === undefined ? ownColumn : block };
}

/** The changes in the sheet for new columns. */
export interface BesidePlan {
  /** The area of the new columns, header row included, after columns and cells have been inserted. */
  target: Area;
  /**
   * "grows" widens the table that the list is in, "made" makes a table of the list and the new columns, "apart" of the new columns alone.
   */
  table: "grows" | "made" | "apart";
  /** The area that becomes a table. */
  whole: Area;
  /** The column before which the new columns are inserted; null if none are inserted. */
  insertedBefore: number | null;
  /** The cells that are inserted for a header, so that those below move down; null if none are inserted. */
  headerCells: Area | null;
}

/** True if the new columns and the list are in one table, so that sorting keeps their rows together. */
export function isInOneTable({ list, way, block }: BesideChoice): boolean {
  if (list.table) return way.kind !== "behind";
  return block !== null && (way.kind !== "behind" || way.column === endOf(block));
}

/** The headers that the new columns must not repeat. */
export function headersTaken(choice: BesideChoice): readonly string[] {
  if (!isInOneTable(choice)) return [];
  return choice.list.table?.headers ?? (choice.block?.headers ?? []).map(({ text }) => text);
}

const endOf = ({ column, headers }: ListBlock) => column + headers.length;

export function planBeside(choice: BesideChoice, columns: number): BesidePlan {
  const { list, header, way, block } = choice;
  const right = besideArea(choice, columns);
  const target = way.kind === "behind" ? { ...right, column: way.column } : right;
  const table = !isInOneTable(choice) ? "apart" : list.table ? "grows" : "made";
  const moved = way.kind === "inserted" ? columns : 0;
  const first = block ? Math.min(block.column, list.column) : list.column;
  const end = Math.max(target.column + columns, block ? endOf(block) + moved : 0);
  const around = { ...target, column: first, columns: end - first };
  return {
    target,
    table,
    whole: table === "made" ? around : target,
    insertedBefore: way.kind === "inserted" ? target.column : null,
    headerCells: header.from === "inserted" ? { ...around, rows: 1 } : null,
  };
}

/** A run of columns: the first one, and how many there are. */
interface Columns {
  column: number;
  columns: number;
}

/** The content of a list's rows. */
export interface Neighbors {
  /** The indexes of the columns that hold something. */
  filled: ReadonlySet<number>;
  /** The tables that reach into these rows, except the one that the list is in. */
  tables: readonly (Columns & { name: string })[];
}

/** The columns around a list's, up to the next blank column on each side. */
export function columnsAround({ list }: BesideList, { filled }: Pick<Neighbors, "filled">): Columns {
  if (list.table) return { column: list.table.column, columns: list.table.headers.length };
  let [first, end] = [list.column, list.column + 1];
  while (filled.has(first - 1)) first -= 1;
  while (filled.has(end)) end += 1;
  return { column: first, columns: end - first };
}

/**
 * The place for new columns that moves and overwrites nothing: right after the list's own columns, or else after everything in its rows.
 * `after` is the column that they follow.
 */
export function roomBehind(
  beside: BesideList,
  neighbors: Neighbors,
  columns: number,
): { column: number; after: number } {
  const { filled, tables } = neighbors;
  const own = columnsAround(beside, neighbors);
  const end = own.column + own.columns;
  const isTaken = (column: number) =>
    filled.has(column) ||
    tables.some((table) => column >= table.column && column <= table.column + table.columns);
  const isFree = Array.from({ length: columns }, (_, across) => end + across).every(
    (column) => !isTaken(column),
  );
  if (isFree) return { column: end, after: end - 1 };
  const tableEnds = tables.map((table) => table.column + table.columns);
  const last = Math.max(end - 1, ...filled, ...tableEnds.map((tableEnd) => tableEnd - 1));
  // Excel may take columns into a table if they are written right beside it.
  const isBesideTable = tableEnds.includes(last + 1);
  return { column: isBesideTable ? last + 2 : last + 1, after: last };
}
