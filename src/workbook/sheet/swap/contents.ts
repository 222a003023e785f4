import { config } from "../../../config";
import { gridOf, groupBy, partsWithin } from "../../../lists";
import {
  bytesOfCells,
  type CellContent,
  contentAfter,
  type Entry,
  entryOf,
  heldBy,
  isFormula,
} from "../cells/cell-content";
import { type CellArea, cellKey, joined, rangeOf, rangesAtOnce } from "../cells/formula-search";
import { isNotFound } from "../excel-failure";
import { cellAddress } from "../layout/cell-address";
import type { Scalar } from "../values/cell-value";
import { shownValue } from "../values/shown-value";
import { wholeWebAddress } from "../values/web-address";
import type { Channel, Place, Strayed, Write } from "./swap";

/** A cell of a sheet, whose row and column count from the sheet's first cell, from 0; or a cell of a table's body, without a sheet's id. */
export interface ContentPlace extends Place {
  sheetId?: string | undefined;
}

export interface SheetPlace extends ContentPlace {
  sheetId: string;
}

/** The content of a cell, as a user would type it, and its number format. */
export interface Held extends Omit<CellContent, "numberFormat"> {
  /** Null if it is not known. */
  numberFormat: string | null;
  /** The value that it shows, if it was read; see `shownValue`. */
  shown?: Scalar | undefined;
  /** True if a formula in another cell, which is calculated and has room for its result, fills this one. */
  isFilled?: boolean;
  /** How to write it. Default: what gives the cell this content again. */
  entry?: Entry;
  /** True if the cell is to be as it was before the work began; see `queueEarlier`. */
  isEarlier?: boolean;
  /** The names that Excel gives the cell if it is blank. It is set only for the header of a table's column. */
  givenNames?: ReadonlySet<unknown>;
}

/** The content of a cell after this was entered. With `isFilled`, a formula fills it then. */
export function heldAfter(entry: Entry, isFilled = false): Held {
  const { value, formula = value } = contentAfter(entry);
  return { value, formula, numberFormat: entry.numberFormat, isFilled, entry };
}

/** The cell of a formula that fills other cells, too. */
export interface SpilledResult extends SheetPlace {
  formula: unknown;
}

/** Cells that are read and written as one range. Its row and column count as those of the cells do. */
export interface Piece extends ContentPlace {
  rows: number;
  columns: number;
  /** The formula whose spilled result the cells are, before or after the write. */
  result?: SpilledResult | undefined;
  /** An upper bound of the bytes that the cells take in a request. */
  bytes: number;
}

/** A piece of a sheet. */
export interface SheetPiece extends Piece {
  sheetId: string;
}

/** The contents of a range whose values, formulas and number formats are loaded, row by row. */
export function contentsOfRange({
  values,
  formulas,
  numberFormat,
}: Pick<Excel.Range, "values" | "formulas" | "numberFormat">): CellContent[][] {
  return values.map((line: unknown[], row) =>
    line.map((value, column) => {
      const formula = formulas[row]?.[column] as unknown;
      return { value, formula, numberFormat: String(numberFormat[row]?.[column]) };
    }),
  );
}

const keyOf = ({ sheetId = "", row, column }: ContentPlace) => cellKey(sheetId, row, column);

/** The most cells that one request writes one by one: each takes some 700 bytes besides its content. */
const mostOneByOne = 2_000;

/** The most cells in a piece. Office.js splits larger writes itself, in a way that Excel can't undo (OfficeDev/office-js#6491). */
const mostCells = 1_500;

/**
 * Cuts areas into pieces, each from its last row up. Cells that adjoin become one piece; an area of several cells stays apart from others.
 * `contentsAt` gives all that is read and written in a cell.
 */
export function piecesOf<Area extends CellArea & Pick<Piece, "result">>(
  areas: readonly Area[],
  contentsAt: (place: SheetPlace) => readonly unknown[],
): SheetPiece[][] {
  return (joined(areas) as Area[]).map(({ sheetId, row, column, rows, columns, result }) => {
    const pieces: SheetPiece[] = [];
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
 * The contents of cells of sheets that lie in these pieces. From the first request on, Excel moves a piece along when rows or columns are
 * inserted or deleted (Range.track); a piece that has got another size is not found anymore.
 */
export function contentsOfSheets(
  context: Excel.RequestContext,
  pieces: readonly SheetPiece[],
): Channel<Held, ContentPlace> {
  return contentsOf(pieces, {
    rangeOf: (piece) => rangeOf(context, piece),
    firstCellOf: ({ result }) => result && rangeOf(context, { ...result, rows: 1, columns: 1 }),
    ranges: new Map(),
  });
}

export interface ContentsOptions<OnePiece extends Piece = Piece> {
  /** The range of a piece. It may be a null object, or smaller than the piece, if its last cells are gone. */
  rangeOf(piece: OnePiece): Excel.Range;
  /** The cell with the formula of a piece's spilled result. If it is given, the values that cells show are read, too. */
  firstCellOf?: ((piece: OnePiece) => Excel.Range | undefined) | undefined;
  /** The ranges that Excel moves along. Without it, each request makes the ranges anew. */
  ranges?: Map<OnePiece, Excel.Range> | undefined;
  /** Finds a cell in a piece whose rows may have moved. Default: it is where it was, and nowhere if the piece has got another size. */
  seek?: ((cell: ContentPlace, now: PieceNow) => Offset | undefined) | undefined;
  /**
   * Queues giving cells the content and the look that they had before the work began: those of `from`, which counts as the pieces do. It is
   * needed where states are `isEarlier`.
   */
  queueEarlier?:
    | ((to: Excel.Range, from: Pick<Piece, "row" | "column" | "rows" | "columns">) => void)
    | undefined;
  /** True if the cells are headers of a table, which get names that are free before they get their own. */
  areHeaders?: boolean | undefined;
  /** "set" makes a cell with a web address lead there; "clear" lets no cell lead where its earlier text said. Default: links stay. */
  links?: "set" | "clear" | undefined;
}

/** The contents of cells that lie in these pieces. They are read and written in the order in which they are given, piece by piece. */
export function contentsOf<OnePiece extends Piece>(
  pieces: readonly OnePiece[],
  options: ContentsOptions<OnePiece>,
): Channel<Held, ContentPlace> {
  const { ranges: followed, links, seek } = options;
  const pieceAt = new Map<string, OnePiece>();
  for (const piece of pieces)
    for (let down = 0; down < piece.rows; down += 1)
      for (let across = 0; across < piece.columns; across += 1)
        pieceAt.set(keyOf({ ...piece, row: piece.row + down, column: piece.column + across }), piece);
  /** The ranges of the request that is being queued. */
  let queued = new Map<OnePiece, Excel.Range>();
  /** The pieces as they were read last. */
  let contents = new Map<OnePiece, PieceNow>();
  /** The places of the cells that the request being queued writes, whatever it reads there. */
  let writtenAt = new Map<string, Offset | undefined>();
  /** The cells that the request being queued writes in one step for each piece. */
  let writtenWhole = new Map<OnePiece, readonly (Place & { next: Held })[]>();
  const pieceOf = (cell: ContentPlace) => {
    const piece = pieceAt.get(keyOf(cell));
    if (!piece) throw new RangeError("The cell lies in no piece.");
    return piece;
  };
  const offsetOf = (cell: ContentPlace): Offset | undefined => {
    const piece = pieceOf(cell);
    const now = contents.get(piece);
    if (!now) return undefined;
    if (writtenAt.has(keyOf(cell))) return writtenAt.get(keyOf(cell));
    if (seek) return seek(cell, now);
    return now.hasSize || !followed ? offsetIn(piece, cell) : undefined;
  };
  const channel: Channel<Held, ContentPlace> = {
    leftBehind: "What had been written could not be taken back.",
    partsOf(cells) {
      const groups = partsWithin(byPiece(cells), ([{ bytes }]) => bytes, {
        room: config.writeBytes,
        mostItems: rangesAtOnce,
      });
      return groups.map((group) => group.flatMap(([, inPiece]) => inPiece));
    },
    mostAtOnce: () => ([...contents.values()].some(({ isFiltered }) => isFiltered) ? mostOneByOne : Infinity),
    apart<Cell extends ContentPlace>(part: readonly Cell[]) {
      const groups = new Map<OnePiece | SpilledResult, Cell[]>();
      for (const [piece, cells] of byPiece(part)) {
        const whole = piece.result ?? piece;
        groups.set(whole, [...(groups.get(whole) ?? []), ...cells]);
      }
      return [...groups.values()];
    },
    queueReading(cells) {
      const read = [...byPiece(cells).keys()].map((piece) => {
        const range = followed?.get(piece) ?? options.rangeOf(piece);
        return { piece, range, result: queuePiece(piece, range, options) };
      });
      writtenAt = new Map();
      writtenWhole = new Map();
      queued = new Map(read.map(({ piece, range }) => [piece, range]));
      return () => {
        // An object of a request that Excel refuses can't be used anymore, so ranges are kept only now.
        for (const { piece, range } of read) followed?.set(piece, range);
        contents = new Map(read.map(({ piece, result }) => [piece, result()]));
        const found = contents;
        return {
          strayed: strayedOf(cells),
          states: cells.map((cell) => {
            const offset = offsetOf(cell);
            return offset && found.get(pieceOf(cell))?.held[offset.down]?.[offset.across];
          }),
          isInPlace: true,
          addressOf(index) {
            const cell = cells[index] as ContentPlace;
            const address = found.get(pieceOf(cell))?.address ?? "";
            const offset = offsetOf(cell);
            return offset ? cellAddress(address, offset.down, offset.across) : address;
          },
        };
      };
    },
    queueWriting(cells) {
      const writes = [...byPiece(cells)].map(([piece, inPiece]) => {
        const isFiltered = contents.get(piece)?.isFiltered ?? false;
        return { piece, inPiece, isFiltered, range: queued.get(piece) ?? options.rangeOf(piece) };
      });
      if (options.areHeaders)
        for (const { piece, inPiece, range } of writes)
          for (const cell of inPiece) queueFreeName(range, offsetIn(piece, cell));
      if (!seek) {
        for (const { piece, inPiece, isFiltered } of writes)
          if (!isFiltered) writtenWhole.set(piece, inPiece);
        return queuePieces(writes, links);
      }
      writtenAt = new Map(cells.map((cell) => [keyOf(cell), offsetOf(cell)]));
      for (const { inPiece, range } of writes) {
        const sought = inPiece.flatMap((cell) => {
          const offset = offsetOf(cell);
          return offset ? [{ ...cell, ...offset }] : [];
        });
        for (const cell of sought) if (cell.next.givenNames) queueFreeName(range, cell);
        for (const cell of sought) if (!cell.next.isEarlier) queueCell(range, cell, links);
        const earlier = sought.filter(({ next }) => next.isEarlier);
        for (const { down, across, ...from } of blocksThatMoved(earlier)) {
          const to = range.getCell(down, across).getAbsoluteResizedRange(from.rows, from.columns);
          options.queueEarlier?.(to, from);
        }
      }
    },
    isSame: (one, other) =>
      isSameContent(one, other) && isSameFormat(one, other) && one.isEarlier === other.isEarlier,
    wasWritten(has, { before, after }) {
      if (after.givenNames?.has(has.value) === true) return true;
      if ((after.givenNames || options.areHeaders) && isFreeName(has.value)) return true;
      // The cell gets its earlier look, too.
      if (before.isEarlier && isSameContent(has, before)) return true;
      // Until all of its cells are written, or if a text is in its way, a formula fills none.
      if (after.isFilled) return has.isFilled === true || heldBy(has) === "";
      if (isSameContent(has, after)) return true;
      // Excel may have accepted the format and then refused the content.
      return isSameContent(has, before) && !isSameFormat(has, before);
    },
    // All that a write names is read before in the same request.
    wasRefusedWhole: isNotFound,
    textOf: heldBy,
    pinned(cells) {
      if (followed && !seek) return channel;
      return contentsOf(pieces, { ...options, ranges: queued, seek: seekWritten(cells, pieceOf, contents) });
    },
  };
  return channel;

  /** The cells of pieces that were written in one step though a filter had just hidden rows of them; see `queuePieces`. */
  function strayedOf(read: readonly ContentPlace[]): Strayed<Held> | undefined {
    const strayed = [...writtenWhole].filter(
      ([piece]) => piece.rows > 1 && contents.get(piece)?.isFiltered === true,
    );
    if (strayed.length === 0) return undefined;
    const inStrayed = new Set(strayed.map(([piece]) => piece));
    return {
      includes: (index) => inStrayed.has(pieceOf(read[index] as ContentPlace)),
      writes: strayed.flatMap(([piece, inPiece]) => strayedWrites(piece, contents.get(piece)?.held, inPiece)),
      channel: contentsOf(pieces, { ...options, ranges: queued }),
    };
  }

  /** The cells by their pieces, in the order of the cells. */
  function byPiece<Cell extends ContentPlace>(cells: readonly Cell[]): Map<OnePiece, Cell[]> {
    return groupBy(cells, pieceOf);
  }
}

/** All cells of a piece that stood as `held`. Each may have got what another cell of its column was to get. */
function strayedWrites(
  { row, column, sheetId }: Piece,
  held: PieceNow["held"] = [],
  written: readonly (Place & { next: Held })[],
): Write<ContentPlace, Held>[] {
  const inColumn = groupBy(written, (cell) => cell.column);
  return held.flatMap((line, down) =>
    line.flatMap((before, across) => {
      const mayHave = inColumn.get(column + across)?.map(({ next }) => next) ?? [];
      const [after] = mayHave;
      const cell = { sheetId, row: row + down, column: column + across };
      return after ? [{ cell, before, after, mayHave, isOthers: true }] : [];
    }),
  );
}

/** The row and column of a cell within a range, from 0. */
interface Offset {
  down: number;
  across: number;
}

const offsetIn = (piece: Piece, { row, column }: Place): Offset => {
  return { down: row - piece.row, across: column - piece.column };
};

/**
 * Finds cells that a request has written, though rows have moved since: where they were, if that cell still has what was written, or else the
 * only cell of the piece that has it. A content that other cells of the piece had or got is sought in its own place only.
 */
function seekWritten<OnePiece extends Piece>(
  cells: readonly (ContentPlace & { next: Held })[],
  pieceOf: (cell: ContentPlace) => OnePiece,
  before: ReadonlyMap<OnePiece, PieceNow>,
): ContentsOptions<OnePiece>["seek"] {
  const written = new Map(cells.map((cell) => [keyOf(cell), cell]));
  const inPiece = groupBy(cells, pieceOf);
  return (cell, { held, hasSize }) => {
    const piece = pieceOf(cell);
    const own = offsetIn(piece, cell);
    const next = written.get(keyOf(cell))?.next;
    const hasIt = (one: Held | undefined) =>
      one !== undefined && next !== undefined && isSameContent(one, next);
    if (hasSize && hasIt(held[own.down]?.[own.across])) return own;
    const others = [
      ...(before.get(piece)?.held.flat() ?? []),
      ...(inPiece.get(piece) ?? []).map((each) => each.next),
    ];
    const found = held.flatMap((line, down) =>
      line.flatMap((one, across) => (hasIt(one) ? [{ down, across }] : [])),
    );
    const isOnlyOne = found.length === 1 && others.filter(hasIt).length === 1;
    return isOnlyOne ? found[0] : hasSize ? own : undefined;
  };
}

/**
 * Queues the writing of cells of pieces. The other cells of the pieces stay as they are. Where a filter hides rows, cells are written one by
 * one, because Excel may put what several rows are to get into other rows (OfficeDev/office-js#224).
 */
function queuePieces(
  writes: readonly {
    piece: Piece;
    isFiltered: boolean;
    range: Excel.Range;
    inPiece: readonly (Place & { has: Held; next: Held })[];
  }[],
  links: ContentsOptions["links"],
): void {
  // These null formats change nothing. A sheet that refuses changes refuses them here, before anything is written, and so does a range
  // that has lost rows; if Excel refused a later step, the result of the reading would be lost.
  for (const { piece, range } of writes) range.numberFormat = unchanged(piece);
  for (const { piece, inPiece, range, isFiltered } of writes) {
    if (isFiltered) {
      for (const cell of inPiece) queueCell(range, { ...cell, ...offsetIn(piece, cell) }, links);
      continue;
    }
    const [formats, formulas] = [unchanged(piece), unchanged(piece)];
    for (const cell of inPiece) {
      const { down, across } = offsetIn(piece, cell);
      const { value, numberFormat } = entryFor(cell.next);
      formats[down]![across] = numberFormat;
      formulas[down]![across] = value;
    }
    // The format is set first, because Excel would turn texts that look like numbers or dates into them.
    range.numberFormat = formats;
    range.formulas = formulas;
    for (const { row, column, has, next } of links ? inPiece : [])
      queueLink(() => range.getCell(row - piece.row, column - piece.column), {
        before: has.value,
        after: entryFor(next).value,
        isSet: links === "set",
      });
  }
}

function queueCell(
  range: Excel.Range,
  { down, across, has, next }: Offset & { has: Held; next: Held },
  links: ContentsOptions["links"],
): void {
  const cell = range.getCell(down, across);
  const { value, numberFormat } = entryFor(next);
  cell.numberFormat = [[numberFormat]];
  cell.formulas = [[value]];
  if (links) queueLink(() => cell, { before: has.value, after: value, isSet: links === "set" });
}

/**
 * Queues a new name for a header of a table that gets another in the same request. Excel changes a name that another column has, and that
 * column may be about to lose it.
 */
function queueFreeName(range: Excel.Range, { down, across }: Offset): void {
  range.getCell(down, across).values = [[freeName()]];
}

/** A header that no column has, for the moment before it gets its own. */
export const freeName = () => `RegData ${crypto.randomUUID()}`;

const isFreeName = (value: unknown) => /^RegData [0-9a-f-]{36}$/.test(String(value));

/** Joins cells to blocks whose cells have all moved by as much: first cells of a row, then rows of as many cells. */
function blocksThatMoved(
  cells: readonly (Place & Offset)[],
): (Offset & Pick<Piece, "row" | "column" | "rows" | "columns">)[] {
  const runs: (Offset & Pick<Piece, "row" | "column" | "rows" | "columns">)[] = [];
  for (const { row, column, down, across } of cells) {
    const last = runs.at(-1);
    const adjoins =
      last?.row === row &&
      last.down === down &&
      last.column + last.columns === column &&
      last.across + last.columns === across;
    if (adjoins) last.columns += 1;
    else runs.push({ row, column, down, across, rows: 1, columns: 1 });
  }
  const blocks: typeof runs = [];
  for (const run of runs) {
    const last = blocks.at(-1);
    const adjoins =
      last?.column === run.column &&
      last.columns === run.columns &&
      last.across === run.across &&
      last.row + last.rows === run.row &&
      last.down + last.rows === run.down;
    if (adjoins) last.rows += 1;
    else blocks.push(run);
  }
  return blocks;
}

/** A piece as it was read. */
export interface PieceNow {
  /** The cells that are there, row by row. */
  held: Held[][];
  /** True if the piece has its size. If its range is moved along, cells have otherwise been inserted among its cells or deleted. */
  hasSize: boolean;
  address: string;
  /** True if some of its rows are hidden; see `queuePieces`. */
  isFiltered: boolean;
}

/** Queues the reading of a piece. Call the returned function after the request. */
function queuePiece<OnePiece extends Piece>(
  piece: OnePiece,
  range: Excel.Range,
  { firstCellOf }: ContentsOptions<OnePiece>,
): () => PieceNow {
  const { rows, columns, result } = piece;
  range.load(`formulas,values,numberFormat,address,rowHidden${firstCellOf ? ",text" : ""}`);
  const first = firstCellOf?.(piece)?.load("formulas,values");
  return () => {
    if (range.isNullObject) return { held: [], hasSize: false, address: "", isFiltered: false };
    const { address, values, formulas, numberFormat } = range;
    const isFiltered = range.rowHidden !== false;
    const hasSize = values.length === rows && values[0]?.length === columns;
    const [filling, shown] = [first?.formulas, first?.values].map((line) => line?.[0]?.[0] as unknown);
    // A formula that is not calculated, or has no room for its result, fills no cells.
    const doesSpill =
      result !== undefined && filling === result.formula && !["#SPILL!", "#BUSY!", filling].includes(shown);
    const texts = firstCellOf && range.text;
    const held = values.map((line: Scalar[], down) =>
      line.map((value, across): Held => {
        const formula = formulas[down]?.[across] as unknown;
        return {
          value,
          formula,
          numberFormat: String(numberFormat[down]?.[across]),
          shown: texts && shownValue({ value, text: String(texts[down]?.[across]) }),
          isFilled: doesSpill && !isFormula({ value, formula }),
        };
      }),
    );
    return { held, hasSize, address, isFiltered };
  };
}

/**
 * Queues the link of a cell, so that it leads where the new text says. Otherwise a link would stay on its cell whatever is written there.
 */
function queueLink(
  cell: () => Excel.Range,
  { before, after, isSet }: { before: unknown; after: Entry["value"]; isSet: boolean },
): void {
  const [linkBefore, link] = [before, after].map((value) => wholeWebAddress(String(value)));
  if (link !== undefined && isSet) cell().hyperlink = { address: link, textToDisplay: String(after) };
  else if (linkBefore !== undefined) cell().clear("Hyperlinks");
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

/** Leaves the cells of a piece as they are. */
const unchanged = (piece: Piece): (Scalar | null)[][] => gridOf(piece, () => null);
