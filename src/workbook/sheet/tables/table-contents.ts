import { config } from "../../../config";
import { groupBy } from "../../../lists";
import { bytesOfCells, type CellContent, type Entry, holds } from "../cells/cell-content";
import { contentsOf, type Held, heldAfter, type Piece } from "../swap/contents";
import type { Find } from "../swap/swap";
import { wholeWebAddress } from "../values/web-address";
import { columnPart, inTable, type KeyedCell, type KeyedPlace, type KeyedTable } from "./keyed-cells";

/** A write that is made only if the cell still holds the expected content. */
export interface CheckedWrite extends KeyedCell {
  expected: Partial<CellContent>;
  put: Entry;
}

/** The content that a write gives a cell; undefined if the cell holds something else than is expected. */
export function heldAfterWrite({ expected, put }: CheckedWrite, has: Held): Held | undefined {
  return holds(has, expected) ? heldAfter(put) : undefined;
}

/**
 * Finds cells of a table for their contents, wherever their rows and columns are by then. A cell with a web address leads there, unless more
 * addresses are written than a table may have links.
 */
export function contentsIn(
  keyed: KeyedTable,
  writes: readonly CheckedWrite[],
): Find<CheckedWrite, Held, KeyedPlace> {
  const addresses = writes.filter(({ put }) => wholeWebAddress(String(put.value)) !== undefined);
  const links = addresses.length <= config.mostLinks ? "set" : "clear";
  const channelOf = (table: Excel.Table, placed: readonly PlacedWrite[]) =>
    contentsOf(columnPieces(placed), {
      rangeOf: ({ header, row: first, rows }) => columnPart(table, { header, first, last: first + rows - 1 }),
      links,
    });
  return inTable(keyed, (...found) => Promise.resolve(channelOf(...found)), { areColumnsFound: true });
}

type PlacedWrite = KeyedPlace & { cell: CheckedWrite };

interface ColumnPiece extends Piece {
  header: string;
}

/** The most rows without a write between two rows of a piece. */
const mostGap = 20;

/** Pieces of columns that hold these cells, with the few cells between them. Pieces of nearby rows reach equally far where they can. */
function columnPieces(placed: readonly PlacedWrite[]): ColumnPiece[] {
  const pieces: ColumnPiece[] = [];
  /** The pieces of the present rows, by header. */
  let present = new Map<string, ColumnPiece>();
  let [last, bytes] = [-Infinity, 0];
  for (const [row, cells] of [...groupBy(placed, ({ row: at }) => at)].sort(
    ([one], [other]) => one - other,
  )) {
    const sizes = cells.map(({ cell }) => bytesOf(cell));
    const size = sizes.reduce((sum, each) => sum + each, 0);
    bytes += size;
    if (row - last > mostGap || bytes > config.writeBytes) {
      present = new Map();
      bytes = size;
    }
    cells.forEach(({ column, header }, index) => {
      const piece = present.get(header) ?? { header, row, column, rows: 0, columns: 1, bytes: 0 };
      if (piece.rows === 0) pieces.push(piece);
      present.set(header, piece);
      piece.rows = row - piece.row + 1;
      piece.bytes += sizes[index] ?? 0;
    });
    last = row;
  }
  return pieces;
}

/** An upper bound of what a write takes in a request. A link is a separate step that repeats the text. */
function bytesOf({ expected, put: { value } }: CheckedWrite): number {
  const text = String(value);
  const link = wholeWebAddress(text) === undefined ? 0 : text.length * 6 + linkBytes;
  return Math.max(bytesOfCells([text]), bytesOfCells([expected.formula ?? expected.value])) + 30 + link;
}

/** The bytes of the path to a link's cell and of the change itself. */
const linkBytes = 500;
