import { config } from "../../../config";
import { partsWithin } from "../../../lists";
import {
  bytesOfCells,
  type CellContent,
  type Entry,
  entryOf,
  heldBy,
  isFormula,
} from "../cells/cell-content";
import { type CellArea, cellKey, joined, rangeOf, rangesAtOnce } from "../cells/formula-search";
import { cellAddress } from "../layout/cell-address";
import type { Scalar } from "../values/cell-value";
import { shownValue } from "../values/shown-value";
import type { Channel, Place } from "./swap";

/** A cell of the workbook. Its row and column count from the first cell of the sheet, from 0. */
export interface SheetPlace extends Place {
  sheetId: string;
}

/** The content of a cell, as a user would type it, and its number format. */
export interface Held extends Omit<CellContent, "numberFormat"> {
  /** Null if it is not known. */
  numberFormat: string | null;
  /** The value that it shows; see `shownValue`. */
  shown?: Scalar | undefined;
  /** True if a formula in another cell, which is calculated and has room for its result, fills this one. */
  isFilled?: boolean;
  /** How to write it. Default: what gives the cell this content again. */
  entry?: Entry;
}

/** The cell of a formula that fills other cells, too. */
export interface SpilledResult extends SheetPlace {
  formula: unknown;
}

/** Cells that are read and written as one range. */
export interface Piece extends CellArea {
  /** The formula whose spilled result the cells are, before or after the write. */
  result?: SpilledResult | undefined;
  /** An upper bound of the bytes that the cells take in a request. */
  bytes: number;
}

/** The most cells in a piece. Office.js splits larger writes itself, in a way that Excel can't undo (OfficeDev/office-js#6491). */
const mostCells = 1_500;

/**
 * Cuts areas into pieces, each from its last row up. Cells that adjoin become one piece; an area of several cells stays apart from others.
 * `contentsAt` gives all that is read and written in a cell.
 */
export function piecesOf<Area extends CellArea & Pick<Piece, "result">>(
  areas: readonly Area[],
  contentsAt: (place: SheetPlace) => readonly unknown[],
): Piece[][] {
  return (joined(areas) as Area[]).map(({ sheetId, row, column, rows, columns, result }) => {
    const pieces: Piece[] = [];
    for (let down = rows - 1; down >= 0; down -= 1) {
      const contents = Array.from({ length: columns }, (_, across) =>
        contentsAt({ sheetId, row: row + down, column: column + across }),
      );
      const bytes = bytesOfCells(contents.flat());
      const last = pieces.at(-1);
      if (last && last.bytes + bytes <= config.writeBytes && (last.rows + 1) * columns <= mostCells) {
        last.row -= 1;
        last.rows += 1;
        last.bytes += bytes;
      } else pieces.push({ sheetId, row: row + down, column, rows: 1, columns, result, bytes });
    }
    return pieces;
  });
}

/**
 * The contents of cells that lie in these pieces. From the first request on, Excel moves a piece along when rows or columns are inserted or
 * deleted (Range.track); a piece that has got another size is not found anymore. Cells are read and written in the order in which they are
 * given, piece by piece.
 */
export function contentsOf(
  context: Excel.RequestContext,
  pieces: readonly Piece[],
): Channel<Held, SheetPlace> {
  const pieceAt = new Map<string, Piece>();
  for (const piece of pieces)
    for (let down = 0; down < piece.rows; down += 1)
      for (let across = 0; across < piece.columns; across += 1)
        pieceAt.set(cellKey(piece.sheetId, piece.row + down, piece.column + across), piece);
  /** The ranges that Excel knows. An object of a request that Excel refuses can't be used anymore. */
  const known = new Map<Piece, Excel.Range>();
  /** The ranges of the request that is being queued. */
  let queued = new Map<Piece, Excel.Range>();
  /** The cells by their pieces, in the order of the cells. */
  function byPiece<Cell extends SheetPlace>(cells: readonly Cell[]): Map<Piece, Cell[]> {
    const found = new Map<Piece, Cell[]>();
    for (const cell of cells) {
      const piece = pieceAt.get(cellKey(cell.sheetId, cell.row, cell.column));
      if (!piece) throw new RangeError("The cell lies in no piece.");
      const there = found.get(piece);
      if (there) there.push(cell);
      else found.set(piece, [cell]);
    }
    return found;
  }

  const channel: Channel<Held, SheetPlace> = {
    leftBehind: "What had been written could not be taken back.",
    partsOf(cells) {
      const groups = partsWithin(byPiece(cells), ([{ bytes }]) => bytes, {
        room: config.writeBytes,
        mostItems: rangesAtOnce,
      });
      return groups.map((group) => group.flatMap(([, inPiece]) => inPiece));
    },
    apart<Cell extends SheetPlace>(part: readonly Cell[]) {
      const groups = new Map<Piece | SpilledResult, Cell[]>();
      for (const [piece, cells] of byPiece(part)) {
        const whole = piece.result ?? piece;
        groups.set(whole, [...(groups.get(whole) ?? []), ...cells]);
      }
      return [...groups.values()];
    },
    queueReading(cells) {
      const ranges = new Map(
        [...byPiece(cells).keys()].map((piece) => [piece, known.get(piece) ?? rangeOf(context, piece)]),
      );
      queued = ranges;
      const read = [...ranges].map(([piece, range]) => [piece, queuePiece(context, piece, range)] as const);
      return () => {
        for (const [piece, range] of ranges) known.set(piece, range);
        const contents = new Map(read.map(([piece, result]) => [piece, result()]));
        const at = ({ sheetId, row, column }: SheetPlace) => {
          const piece = pieceAt.get(cellKey(sheetId, row, column)) as Piece;
          return {
            ...(contents.get(piece) as PieceNow),
            down: row - piece.row,
            across: column - piece.column,
          };
        };
        return {
          states: cells.map((cell) => {
            const { held, down, across } = at(cell);
            return held?.[down]?.[across];
          }),
          isInPlace: true,
          addressOf(index) {
            const { held, address, down, across } = at(cells[index] as SheetPlace);
            return held ? cellAddress(address, down, across) : address;
          },
        };
      };
    },
    queueWriting(cells) {
      const writes = [...byPiece(cells)].map(
        ([piece, inPiece]) => [piece, inPiece, queued.get(piece) ?? rangeOf(context, piece)] as const,
      );
      // These null formats change nothing. A sheet that refuses changes refuses them here, before anything is written; if Excel refused a
      // later step, the result of the reading would be lost.
      for (const [piece, , range] of writes) range.numberFormat = gridOf(piece, () => null);
      for (const [piece, inPiece, range] of writes) {
        const entries = new Map(inPiece.map(({ row, column, next }) => [`${row} ${column}`, entryFor(next)]));
        const entryAt = (row: number, column: number) =>
          entries.get(`${piece.row + row} ${piece.column + column}`) ?? null;
        // The format is set first, because Excel would turn texts that look like numbers or dates into them.
        range.numberFormat = gridOf(piece, (...at) => entryAt(...at)?.numberFormat ?? null);
        range.formulas = gridOf(piece, (...at) => entryAt(...at)?.value ?? null);
      }
    },
    isSame: (one, other) => isSameContent(one, other) && isSameFormat(one, other),
    wasWritten(has, { before, after }) {
      // Until all of its cells are written, or if a text is in its way, a formula fills none.
      if (after.isFilled) return has.isFilled === true || heldBy(has) === "";
      if (isSameContent(has, after)) return true;
      // Excel may have accepted the format and then refused the content.
      return isSameContent(has, before) && !isSameFormat(has, before);
    },
    textOf: (state) => state.value,
    pinned: () => channel,
  };
  return channel;
}

interface PieceNow {
  /** The cells, row by row; undefined if the piece has got another size. */
  held: Held[][] | undefined;
  address: string;
}

/** Queues the reading of a piece. Call the returned function after the request. */
function queuePiece(context: Excel.RequestContext, piece: Piece, range: Excel.Range): () => PieceNow {
  const { rows, columns, result } = piece;
  range.load("formulas,values,text,numberFormat,address");
  const first = result && rangeOf(context, { ...result, rows: 1, columns: 1 }).load("formulas,values");
  return () => {
    const { address, values, formulas, text, numberFormat } = range;
    if (values.length !== rows || values[0]?.length !== columns) return { held: undefined, address };
    const [formula, shown] = [first?.formulas, first?.values].map((line) => line?.[0]?.[0] as unknown);
    // A formula that is not calculated, or has no room for its result, fills no cells.
    const doesSpill =
      result !== undefined && formula === result.formula && !["#SPILL!", "#BUSY!", formula].includes(shown);
    const held = values.map((line: Scalar[], down) =>
      line.map((value, across): Held => {
        const content = { value, formula: formulas[down]?.[across] as unknown };
        return {
          ...content,
          numberFormat: String(numberFormat[down]?.[across]),
          shown: shownValue({ value, text: String(text[down]?.[across]) }),
          isFilled: doesSpill && !isFormula(content),
        };
      }),
    );
    return { held, address };
  };
}

/** The entry that gives a cell this content. A cell that a formula fills is left blank for it. */
function entryFor({ entry, isFilled, value, formula, numberFormat }: Held): Entry {
  if (entry) return entry;
  if (isFilled) return { value: "", numberFormat };
  const { value: content, numberFormat: format } = entryOf({
    value,
    formula,
    numberFormat: numberFormat ?? "General",
  });
  return { value: content, numberFormat: numberFormat === null ? null : format };
}

function isSameContent(one: Held, other: Held): boolean {
  if (one.isFilled || other.isFilled)
    return [one, other].every(({ isFilled, ...held }) => isFilled === true || heldBy(held) === "");
  if (isFormula(one) !== isFormula(other)) return false;
  // The value of a card is an error; see `shownValue`.
  const isShownAlike = !isFormula(one) && one.shown !== undefined && one.shown === other.shown;
  return isShownAlike || heldBy(one) === heldBy(other);
}

const isSameFormat = (one: Held, other: Held) =>
  one.numberFormat === null || other.numberFormat === null || one.numberFormat === other.numberFormat;

const gridOf = <Item>({ rows, columns }: CellArea, itemAt: (row: number, column: number) => Item): Item[][] =>
  Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (__, column) => itemAt(row, column)),
  );
