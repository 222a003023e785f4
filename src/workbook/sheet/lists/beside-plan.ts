import type { Area } from "../layout/area";
import { besideArea, type BesideList } from "./list-column";

/** Where new columns go. */
export type BesideWay =
  /** Right of the list, over whatever stands there. */
  | { kind: "beside" }
  /** Right of the list, in columns that are inserted: all that stands there moves to the right. */
  | { kind: "inserted" }
  /** From this column on, behind all that stands in the list's rows. */
  | { kind: "behind"; column: number };

/** The user's columns that become one table with the new ones. */
export interface ListBlock {
  column: number;
  /** A new one is written into a blank cell. */
  headers: readonly { text: string; isNew: boolean }[];
}

/** A list, where the new columns go, and what becomes a table with them. */
export interface BesideChoice extends BesideList {
  way: BesideWay;
  /** Null: the new columns are a table of their own. Of a list that is in a table it says nothing. */
  block: ListBlock | null;
}

/** A list beside which columns are written. Without `way`, they go right of it; without `block`, its own column is in their table. */
export type BesideTarget = BesideList & Partial<Pick<BesideChoice, "way" | "block">>;

export function choiceOf({ list, header, way = { kind: "beside" }, block }: BesideTarget): BesideChoice {
  const isNew = header.from === "new" || header.from === "inserted";
  const ownColumn = { column: list.column, headers: [{ text: header.text, isNew }] };
  return { list, header, way, block: block === undefined ? ownColumn : block };
}

/** What is to be done in the sheet. */
export interface BesidePlan {
  /** The new columns, header row included, as they stand once columns and cells have been inserted. */
  target: Area;
  /** The table that the list is in grows; one is made of the list and the new columns; or of the new columns alone. */
  table: "grows" | "made" | "apart";
  /** All that is made a table. */
  whole: Area;
  /** The column before which as many as the target has are inserted; null for none. */
  insertedBefore: number | null;
  /** The cells that are inserted for a header: what is below them moves down. */
  headerCells: Area | null;
}

/** Whether the new columns and the list are in one table, so that sorting keeps their rows together. */
export function isInOneTable({ list, way, block }: BesideChoice): boolean {
  if (list.table) return way.kind !== "behind";
  return block !== null && (way.kind !== "behind" || way.column === endOf(block));
}

/** The headers that new columns must not have, too. */
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

/** The first and the last of some columns. */
interface Columns {
  column: number;
  columns: number;
}

/** What stands in the rows of a list. */
export interface Neighbors {
  /** The columns in which something stands. */
  filled: ReadonlySet<number>;
  /** The tables that reach into these rows, but for the one that the list is in. */
  tables: readonly (Columns & { name: string })[];
}

/** The columns that stand together with a list's, without a blank one between. */
export function columnsAround({ list }: BesideList, { filled }: Pick<Neighbors, "filled">): Columns {
  if (list.table) return { column: list.table.column, columns: list.table.headers.length };
  let [first, end] = [list.column, list.column + 1];
  while (filled.has(first - 1)) first -= 1;
  while (filled.has(end)) end += 1;
  return { column: first, columns: end - first };
}

/**
 * Where new columns have room without moving or overwriting anything: right behind the list's own columns, or else behind all that
 * stands in its rows. `after` is the column that they follow.
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
  // What is written right beside a table, Excel may take into it.
  const isBesideTable = tableEnds.includes(last + 1);
  return { column: isBesideTable ? last + 2 : last + 1, after: last };
}
