import { config } from "../../../config";
import { SheetFailure } from "../../../sheet-failure";
import { type CellContent, contentAfter, holds, isFormula } from "../cells/cell-content";
import { isNotFound } from "../excel-failure";
import { type TableSize, writePieces } from "../layout/table-plan";
import type { FormattedCell } from "../values/cell-value";
import { contentsOfRange, type ContentPlace, freeName, type Held, type Piece } from "./contents";
import type { FilledCell } from "./inserted-cells";

/**
 * Rows of a table that is being written, which one request takes. Rows and columns count from the table's place, header row included, from 0.
 * A block may have more rows and columns than entries: these are left over from an earlier table, and are emptied.
 */
export interface Block extends Piece {
  entries: readonly (readonly FormattedCell[])[];
}

/** The place where a table is written. */
export interface BlockPlace {
  /** The place, whose size is loaded. Excel moves the range along. */
  target: Excel.Range;
  /** A copy of the cells before anything was written, from the same first cell on; `isBlank` if they were blank. A new sheet needs none. */
  backup?: { range: Excel.Range; isBlank: boolean } | undefined;
  /** True if the cells have been emptied since the copy was made. */
  isEmptied?: boolean;
  /** True if some of its rows are hidden, so that cells are written one by one; see `hasHiddenRows`. */
  isFiltered?: boolean;
  /** The bytes that Excel answers when a row of the place is read with its copy; see `readHeldBytes`. Default: few. */
  heldBytes?: ((row: number) => number) | undefined;
  /** Set if the place becomes a part of a table that stands there. */
  resize?: TableResize | undefined;
}

/** How a table that stands there gets the columns of a place. The request that writes its header does it. */
export interface TableResize {
  queueChange(): void;
  /** The number of the place's columns that the table had before. */
  columnsBefore: number;
}

/** A block that was sent to Excel. */
export interface WrittenBlock {
  block: Block;
  /** The block's cells, which Excel moves along; undefined if Excel has refused the request. */
  range: Excel.Range | undefined;
  /** Cells that held something else than was expected when they were written, because somebody had just typed there. */
  overwritten: OverwrittenCell[];
  /** The size of the place then, by which moved cells are noticed. */
  placeSize: string | undefined;
  /** True if the block only makes room, so that it is taken back last. */
  isRoom: boolean;
  /** The names that Excel has given to columns of the table without a header. */
  givenNames: Set<unknown>;
  /** True if a filter had just hidden some of its rows, so that each may have what another one was to get; see `hasHiddenRows`. */
  hasStrayed: boolean;
}

export interface OverwrittenCell extends ContentPlace {
  held: Held;
}

/** The most cells of an earlier table that are emptied at once; all are read in the same request. */
const mostEmptied = 20_000;

/**
 * Cuts lines of cells, of which the first is a header, into blocks, in the order in which they are to be written. The cells of an earlier
 * table of this size that the lines leave over come first, while that table still holds them: somebody who deletes a column of it deletes its
 * whole column. In a filtered place, each cell is a step of its own.
 *
 * @example
 * for (const block of blocksOf([header, ...rows])) await writeBlock(context, place, block, { written });
 */
export function blocksOf(
  lines: readonly (readonly FormattedCell[])[],
  earlier: TableSize = { rows: 0, columns: 0 },
  { isFiltered, heldBytes = few }: Pick<BlockPlace, "isFiltered" | "heldBytes"> = {},
): Block[] {
  const [header = [], ...below] = lines;
  const columns = Math.max(header.length, earlier.columns);
  const part = { column: 0, columns, bytes: config.writeBytes };
  const answered = (index: number) => heldBytes(index + 1);
  const [first, ...others] = writePieces(below, config.writeBytes, isFiltered ? stepBytes : 0, answered);
  // The header is written with the first rows.
  const top = lines.length > 0 ? [header, ...(first?.rows ?? [])] : [];
  return [
    ...blankBlocks({ ...part, row: lines.length, end: earlier.rows }, heldBytes),
    ...(top.length > 0 ? [{ ...part, row: 0, rows: top.length, entries: top }] : []),
    ...others.map(({ start, rows }) => ({ ...part, row: start + 1, rows: rows.length, entries: rows })),
  ];
}

const few = () => 0;

/** The bytes of the paths to a cell and of the changes of its format and its content. */
const stepBytes = 700;

/**
 * True if a filter hides rows of a range: Excel may put what several rows are to get into other rows then (OfficeDev/office-js#224), but gives
 * a single cell what is written to it.
 */
export async function hasHiddenRows(context: Excel.RequestContext, range: Excel.Range): Promise<boolean> {
  range.load("rowHidden");
  await context.sync();
  return hidesRows(range);
}

/** Null stands for some rows. */
const hidesRows = ({ rowHidden }: Excel.Range) => (rowHidden as boolean | null) !== false;

function blankBlocks(
  { row: first, end, ...part }: Omit<Block, "rows" | "entries"> & { end: number },
  heldBytes: (row: number) => number,
): Block[] {
  const blocks: Block[] = [];
  const most = Math.max(1, Math.floor(mostEmptied / part.columns));
  let bytes = 0;
  for (let row = first; row < end; row += 1) {
    const last = blocks.at(-1);
    bytes += heldBytes(row);
    if (last && last.rows < most && bytes <= config.writeBytes) {
      last.rows += 1;
      continue;
    }
    blocks.push({ ...part, row, rows: 1, entries: [] });
    bytes = heldBytes(row);
  }
  return blocks;
}

/**
 * Writes a block in one request, which also reads what its cells held before. The block is added to `written`, by which it can be taken
 * back. Fails with cells-in-the-way if the cells held something else than their copy, or if cells have been moved since the block before.
 * `queueCheck` queues a check in the same request and returns a function that fails if the block stands in a wrong place.
 *
 * @example
 * await writeBlock(context, place, block, { written }).catch(() => takeBackBlocks(context, place, written, "wide"));
 */
export async function writeBlock(
  context: Excel.RequestContext,
  place: BlockPlace,
  block: Block,
  { written, queueCheck }: { written: WrittenBlock[]; queueCheck?: (() => () => void) | undefined },
): Promise<void> {
  const check = queueCheck?.();
  const resize = block.row === 0 ? place.resize : undefined;
  await send(context, place, { block, written, check }, (range) => {
    resize?.queueChange();
    queueEntries(block, range, { isResized: resize !== undefined, isFiltered: place.isFiltered === true });
    return resize && range.getRow(0).load("values");
  });
}

/**
 * Empties a place, so that a table can be given more columns in an Excel that moves filled cells away from them. It is to be awaited before
 * the table gets them. Fails as `writeBlock` does. The size counts in rows, header row included, and columns.
 *
 * @example
 * await makeRoom(context, place, { rows: 4, columns: 2 }, written);
 */
export async function makeRoom(
  context: Excel.RequestContext,
  place: BlockPlace,
  { rows, columns }: TableSize,
  written: WrittenBlock[],
): Promise<void> {
  const part = { row: 0, end: rows, column: 0, columns, bytes: config.writeBytes };
  for (const block of blankBlocks(part, place.heldBytes ?? few)) {
    await send(context, place, { block, written, isRoom: true }, (range) => void range.clear("All"));
  }
  place.isEmptied = true;
}

/** The lines of a block that are written in one step: all but the header. */
export const rowsBelow = ({ row, entries }: Block) => entries.slice(row === 0 ? 1 : 0);

/** A block of which it is not known whether Excel has written it. */
export function unsure(block: Block): WrittenBlock {
  return {
    block,
    range: undefined,
    overwritten: [],
    placeSize: undefined,
    isRoom: false,
    givenNames: new Set(),
    hasStrayed: false,
  };
}

/**
 * Sends a request that writes a block and reads before what its cells held. `queueWriting` returns the header of a table that stands there.
 * Fails with cells-in-the-way if somebody has changed them, or has moved cells since the block before.
 */
async function send(
  context: Excel.RequestContext,
  place: BlockPlace,
  {
    block,
    written,
    check,
    isRoom = false,
  }: { block: Block; written: WrittenBlock[]; check?: (() => void) | undefined; isRoom?: boolean },
  queueWriting: (range: Excel.Range) => Excel.Range | undefined | void,
): Promise<void> {
  const { target } = place;
  const sizeBefore = sizeWritten(written);
  const range = rangeOf(target, block);
  const sent: WrittenBlock = { ...unsure(block), isRoom };
  const read = queueMet(place, block, range);
  range.load("rowHidden");
  target.load("rowCount,columnCount");
  const header = queueWriting(range);
  written.push(sent);
  await context.sync().catch((thrown: unknown) => {
    // All that a request names is read before anything is written.
    if (isNotFound(thrown)) written.pop();
    throw thrown;
  });
  sent.range = range;
  // Somebody may just have made the table wider, so that emptied cells are headers.
  for (const name of header?.values[0]?.slice(block.entries[0]?.length) ?? [])
    if (name !== "") sent.givenNames.add(name);
  sent.overwritten = read();
  sent.placeSize = sizeOf(target);
  sent.hasStrayed = place.isFiltered !== true && rowsBelow(block).length > 1 && hidesRows(range);
  if (sent.overwritten.length > 0) throw new SheetFailure("cells-in-the-way");
  if (sent.hasStrayed)
    throw new SheetFailure("cells-in-the-way", {
      detail: "Somebody has just filtered rows there.",
      nextStep: "Insert again.",
    });
  check?.();
  if (sizeBefore === undefined || sizeBefore === sent.placeSize) return;
  throw new SheetFailure("cells-in-the-way", {
    detail: "Somebody has moved rows or columns there meanwhile.",
    nextStep: "Look at them, then insert again.",
  });
}

/** The size that a place had when its last block was written. */
export const sizeWritten = (written: readonly WrittenBlock[]) =>
  written.findLast(({ placeSize }) => placeSize !== undefined)?.placeSize;

/** Queues what is entered into a block; `isResized` is true if its first row is the header of a table that stands there. */
function queueEntries(
  { row, rows, columns, entries }: Block,
  range: Excel.Range,
  { isResized, isFiltered }: { isResized: boolean; isFiltered: boolean },
): void {
  const wide = entries[0]?.length ?? 0;
  const part = (down: number, across: number, size: TableSize) =>
    size.rows > 0 && size.columns > 0
      ? range.getCell(down, across).getAbsoluteResizedRange(size.rows, size.columns)
      : undefined;
  // The header comes first, so that a sheet is known for ours if Excel carries out only a part of the request.
  const split = row === 0 ? 1 : 0;
  for (const [down, lines] of [
    [0, entries.slice(0, split)],
    [split, entries.slice(split)],
  ] as const) {
    const table = part(down, 0, { rows: lines.length, columns: wide });
    if (!table) continue;
    // Excel changes a header that another column has, though that one gets another in the same step.
    if (isResized && down < split) table.values = lines.map((line) => line.map(freeName));
    if (!isFiltered) queueLines(table, lines);
    else
      lines.forEach((line, below) =>
        line.forEach((cell, across) => queueLines(table.getCell(below, across), [[cell]])),
      );
    queueLinks(table, lines);
  }
  part(0, wide, { rows: entries.length, columns: columns - wide })?.clear("All");
  part(entries.length, 0, { rows: rows - entries.length, columns })?.clear("All");
}

function queueLines(range: Excel.Range, lines: Block["entries"]): void {
  // The format is set first, because Excel would turn texts that look like numbers or dates into them.
  range.numberFormat = lines.map((line) => line.map(({ numberFormat }) => numberFormat));
  range.values = lines.map((line) => line.map(({ value }) => value));
}

function queueLinks(table: Excel.Range, entries: Block["entries"]): void {
  entries.forEach((line, down) =>
    line.forEach(({ link, documentReference, value }, across) => {
      if (link !== undefined)
        table.getCell(down, across).hyperlink = { address: link, textToDisplay: String(value) };
      if (documentReference === undefined) return;
      const cell = table.getCell(down, across);
      cell.hyperlink = { documentReference, textToDisplay: documentReference };
      // The value is written again, because it is not documented how setting a link treats a leading apostrophe.
      cell.values = [[value]];
    }),
  );
}

/** Queues the reading of a block. The returned function gives, after the request, the cells that held something else than expected. */
function queueMet(place: BlockPlace, block: Block, range: Excel.Range): () => OverwrittenCell[] {
  const copy = copyOf(place, block)?.load("values,formulas");
  range.load("rowIndex,columnIndex");
  // Mostly a blank place has no filled cells.
  const read = copy ? range : range.getUsedRangeOrNullObject(true);
  read.load("values,formulas,numberFormat,rowIndex,columnIndex");
  return () => {
    if (read.isNullObject) return [];
    const [down, across] = [read.rowIndex - range.rowIndex, read.columnIndex - range.columnIndex];
    return contentsOfRange(read).flatMap((line, row) =>
      line.flatMap((held, column): OverwrittenCell[] => {
        const cell = { row: block.row + down + row, column: across + column };
        const [value, formula] = [copy?.values, copy?.formulas].map(
          (lines?: unknown[][]) => lines?.[row]?.[column] ?? "",
        );
        // An older Excel adds columns with their headers before.
        const isAdded =
          place.isEmptied === true && cell.row === 0 && held.value === block.entries[0]?.[cell.column]?.value;
        return isAdded || isCopied(held, { value, formula }) ? [] : [{ ...cell, held }];
      }),
    );
  };
}

/** The copy of a block; undefined if the block was blank. */
export function copyOf({ backup, isEmptied }: BlockPlace, block: Block): Excel.Range | undefined {
  return backup && !backup.isBlank && isEmptied !== true ? rangeOf(backup.range, block) : undefined;
}

/** True if a cell holds what its copy holds. A formula may give another value on the sheet of the copy. */
export function isCopied(
  content: Pick<CellContent, "value" | "formula">,
  copy: Pick<CellContent, "value" | "formula">,
): boolean {
  // A formula that shows a copied constant is somebody's.
  const mayShowCopied = !isFormula(content) || isFormula(copy);
  return (mayShowCopied && content.value === copy.value) || content.formula === copy.formula;
}

/** True if a cell holds what was entered. Excel may write a formula in another way. */
function isEntered(content: CellContent, entry: FormattedCell | undefined): boolean {
  const expected = entry && contentAfter(entry);
  return expected?.formula !== undefined
    ? isFormula(content)
    : expected !== undefined && holds(content, expected);
}

/** True if a cell of a sheet that was added for a table holds what was written there. Its place begins in the sheet's first cell. */
export function isInBlocks(written: readonly WrittenBlock[], cell: FilledCell): boolean {
  return written.some(({ block }) => isEntered(cell, block.entries[cell.row - block.row]?.[cell.column]));
}

/** The range of a block, counted from a place's first cell. */
export function rangeOf(
  first: Excel.Range,
  { row, column, rows, columns }: Omit<Block, "entries" | "bytes">,
): Excel.Range {
  return first.getCell(row, column).getAbsoluteResizedRange(rows, columns);
}

/** The size of a loaded range, to be compared. */
export const sizeOf = ({ rowCount, columnCount }: Excel.Range) => `${rowCount} ${columnCount}`;
