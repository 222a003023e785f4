import { addTo } from "../../../lists";
import { heldBy } from "../cells/cell-content";
import type { Block } from "./blocks";
import { type Held, heldAfter, type PieceNow } from "./contents";

/** The rows and columns of a range in which those of a block stand now; undefined for one that is not found. */
export interface BlockLines {
  rows: (number | undefined)[];
  columns: (number | undefined)[];
}

/**
 * Finds where the rows and columns of a block stand now, counted from the first cell of the range that was read, from 0. Rows that are as they
 * were written are found wherever they are, others where their neighbors are. If `mayMove` is false and any have moved, none is found.
 *
 * @example
 * const { rows, columns } = standingOf(block, piece, true); // rows: [0, 2, 1] if the last two of three rows were exchanged
 */
export function standingOf(block: Block, { held, hasSize }: PieceNow, mayMove: boolean): BlockLines {
  const columns = columnsNow(block, held);
  const rows = rowsNow(block, held, columns);
  if (mayMove) return { columns, rows: withNeighbors(rows) };
  const hasMoved = !hasSize || rows.some((down, row) => down !== undefined && down !== row);
  return { columns, rows: hasMoved ? [] : rows.map((_, row) => row) };
}

/** Rows that hold what was written, wherever they are. Alike rows are found in their order, and in their own places if they can be. */
function rowsNow(
  { rows, entries }: Block,
  held: PieceNow["held"],
  columns: BlockLines["columns"],
): BlockLines["rows"] {
  const textOf = (line: readonly (Held | undefined)[]) =>
    JSON.stringify(line.map((cell) => cell && heldBy(cell)));
  const wide = columns.slice(0, entries[0]?.length);
  const texts = held.map((line) =>
    textOf(wide.map((across) => (across === undefined ? undefined : line[across]))),
  );
  const open = new Map<string, number[]>();
  for (let down = texts.length - 1; down >= 0; down -= 1) addTo(open, texts[down] ?? "", down);
  const isTaken = new Set<number>();
  let shift = 0;
  return Array.from({ length: rows }, (_, row) => {
    const entered = entries[row]?.map((entry, column) =>
      wide[column] === undefined ? undefined : heldAfter(entry),
    );
    if (!entered) return undefined;
    const text = textOf(entered);
    let down: number | undefined = row + shift;
    if (texts[down] !== text || isTaken.has(down)) {
      do down = open.get(text)?.pop();
      while (down !== undefined && isTaken.has(down));
    }
    if (down === undefined) return undefined;
    isTaken.add(down);
    shift = down - row;
    return down;
  });
}

/** Rows that are not found as they were written are taken to have moved as far as the row above them. */
function withNeighbors(found: BlockLines["rows"]): BlockLines["rows"] {
  const isTaken = new Set(found);
  let shift = 0;
  return found.map((down, row) => {
    if (down !== undefined) shift = down - row;
    return down ?? (isTaken.has(row + shift) ? undefined : row + shift);
  });
}

/**
 * The columns of a block. If it has become wider or narrower, columns have been inserted or deleted where most cells then hold what was
 * written.
 */
function columnsNow({ columns, entries }: Block, held: PieceNow["held"]): BlockLines["columns"] {
  const own = Array.from({ length: columns }, (_, column) => column);
  const wider = (held[0]?.length ?? columns) - columns;
  if (wider === 0) return own;
  const texts = entries.map((line) => line.map((entry) => heldBy(heldAfter(entry))));
  const alike = (column: number, across: number) =>
    texts.filter((line, row) => {
      const cell = held[row]?.[across];
      return cell !== undefined && heldBy(cell) === line[column];
    }).length;
  const gone = Math.max(0, -wider);
  const splitAt = (at: number) =>
    own.map((column) => (column < at ? column : column < at + gone ? undefined : column + wider));
  const scoreOf = (split: BlockLines["columns"]) =>
    split.reduce<number>(
      (sum, across, column) => sum + (across === undefined ? 0 : alike(column, across)),
      0,
    );
  const splits = [...own, columns].map(splitAt);
  const scores = splits.map(scoreOf);
  return splits[scores.indexOf(Math.max(...scores))] ?? own;
}
