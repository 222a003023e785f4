import { partsWithin } from "../../../lists";
import { config } from "../../../config";
import { Failure } from "../../../errors";
import { cellAddress } from "../layout/cell-address";
import type { Scalar } from "../values/cell-value";
import { shownValue } from "../values/shown-value";
import { leftAsTheyAre, withCellsLeft, withTextsLost } from "./changed-meanwhile";
import { becomesFormula, type CellContent, entryOf, isFormula } from "./cell-content";
import { type CellArea, cellKey, joined, rangeOf, rangesAtOnce } from "./formula-search";

/** The content for a cell. A text that begins with "=" is a formula, unless the format is "@". */
export interface CellState {
  content: Scalar;
  /** The format to set; null leaves it as it is. */
  numberFormat: string | null;
  /** True if a formula in another cell spills into this cell, so that it shows that formula's result. */
  isSpilledInto?: boolean;
  /** The value that the cell shows, if it is known; see `shownValue`. */
  shown?: Scalar | undefined;
}

/** The present content of an area, and the content that is to replace it, row by row. */
export interface AreaChange extends CellArea {
  before: CellState[][];
  after: CellState[][];
}

export interface ReplaceOptions {
  signal?: AbortSignal | undefined;
  onReplaced?: ((cells: number) => void) | undefined;
  /** Called with somebody else's texts that were overwritten and could not be put back. Without it, the failure names them. */
  onTextsLost?: ((texts: readonly unknown[]) => void) | undefined;
}

type When = "before" | "after";
/** Some rows of a change, with the content of each cell before and after. */
interface Piece extends CellArea, Record<When, CellState[][]> {
  /** The range of the cells. From the first request on, Excel moves it along when rows or columns are inserted or deleted (Range.track). */
  range: Excel.Range;
  /** The content that is still to be put back, once the write is being undone; null for a cell that is as it should be. */
  owed?: (CellState | null)[][];
  /** Somebody else's texts that were overwritten, by row and column of the piece. */
  overwritten: Map<string, unknown>;
}

/** A cell as it was read. */
interface CellNow extends CellContent {
  shown: Scalar;
}

/** The cells of a piece as they were read, row by row. */
interface PieceNow {
  cells: CellNow[][];
  address: string;
}

/**
 * Replaces the content of cells. A failed or cancelled write is undone, except in cells that somebody has changed meanwhile; the failure's
 * detail names those. Fails with sheet-refused, too, if a cell no longer holds the content that `before` names. Somebody may type between
 * any two requests, so the request that writes also reads first, and a text of the last moment is put back.
 */
export async function replaceCells(
  context: Excel.RequestContext,
  changes: readonly AreaChange[],
  { signal, onReplaced, onTextsLost }: ReplaceOptions,
): Promise<void> {
  const begun: Piece[] = [];
  let replaced = 0;
  try {
    for (const group of groupsOf(piecesOf(context, changes))) {
      if (signal?.aborted) throw new Failure("cancelled");
      const looked = queueReading(group);
      // eslint-disable-next-line office-addins/no-context-sync-in-loop
      await context.sync();
      mustBeUnchanged(changedCells(group, looked()));
      begun.push(...group);
      const reading = queueReading(group);
      // These null formats change nothing. A sheet that refuses changes refuses them here, before anything is written; if Excel refused a
      // later step, the result of the reading would be lost.
      for (const { range, after } of group) range.numberFormat = after.map((row) => row.map(() => null));
      for (const piece of group) queueWriting(piece, piece.after);
      // There is one request for each group, because Excel on the web accepts at most 5 MB.
      // eslint-disable-next-line office-addins/no-context-sync-in-loop
      await context.sync();
      const seen = reading();
      const changed = changedCells(group, seen);
      group.forEach((piece, index) => keepOthers(piece, seen[index]?.cells ?? []));
      mustBeUnchanged(changed);
      replaced += group.reduce((sum, { rows, columns }) => sum + rows * columns, 0);
      onReplaced?.(replaced);
    }
  } catch (thrown) {
    const failure = await takenBack(thrown, context, begun.reverse());
    const lost = begun.flatMap(({ overwritten }) => [...overwritten.values()]);
    onTextsLost?.(lost);
    throw onTextsLost ? failure : withTextsLost(failure, lost);
  }
}

/** Notes cells that held something else when they were written to, so that an undo puts back that content and not the expected one. */
function keepOthers(piece: Piece, seen: readonly CellNow[][]): void {
  seen.forEach((cells, down) =>
    cells.forEach((cell, across) => {
      const state = piece.before[down]?.[across];
      const { value, numberFormat } = entryOf(cell);
      if (!state || holds(state, cell)) return;
      piece.before[down]?.splice(across, 1, { content: value, numberFormat });
      if (cell.value !== "") piece.overwritten.set(`${down} ${across}`, cell.value);
    }),
  );
}

/** The addresses of cells that do not hold the expected content, because somebody has typed there or moved rows. */
function changedCells(pieces: readonly Piece[], now: readonly PieceNow[]): string[] {
  return pieces.flatMap(({ before }, index) => {
    const { cells = [], address = "" } = now[index] ?? {};
    return before.flatMap((states, down) =>
      states.flatMap((state, across) => {
        const cell = cells[down]?.[across];
        return cell && holds(state, cell) ? [] : [cellAddress(address, down, across)];
      }),
    );
  });
}

function mustBeUnchanged(changed: readonly string[]): void {
  if (changed.length > 0) throw new Failure("sheet-refused", { detail: leftAsTheyAre(changed) });
}

function holds({ content, numberFormat, isSpilledInto, shown }: CellState, now: CellNow): boolean {
  if (shown !== undefined && shown !== now.shown) return false;
  if (isSpilledInto) return true;
  // A cell may hold a formula even if it has the text format now.
  if (isFormula(now)) return now.formula === content;
  if (becomesFormula(content, numberFormat)) return false;
  const wanted = typeof content === "string" && numberFormat !== "@" ? content.replace(/^'/, "") : content;
  return now.value === wanted;
}

/** Queues the reading of pieces. Call the returned function after the sync. */
function queueReading(pieces: readonly Piece[]): () => PieceNow[] {
  const ranges = pieces.map(({ range }) => range.load("formulas,values,text,numberFormat,address"));
  return () => ranges.map((range) => ({ cells: cellsOf(range), address: range.address }));
}

/** The cells of a loaded range. */
function cellsOf({ values, formulas, text, numberFormat }: Excel.Range): CellNow[][] {
  return values.map((row: Scalar[], down) =>
    row.map((value, across) => ({
      value,
      formula: formulas[down]?.[across] as unknown,
      numberFormat: String(numberFormat[down]?.[across]),
      shown: shownValue({ value, text: String(text[down]?.[across]) }),
    })),
  );
}

/** Queues the writing of a piece; null leaves a cell as it is. */
function queueWriting(
  { range }: Piece,
  states: readonly (readonly (Pick<CellState, "content" | "numberFormat"> | null)[])[],
) {
  // The format is set first, because Excel would turn texts that look like numbers or dates into them.
  range.numberFormat = states.map((row) => row.map((state) => state?.numberFormat ?? null));
  range.formulas = states.map((row) => row.map((state) => state?.content ?? null));
}

/** Undoes pieces, the last one first. Returns the failure, with the cells that somebody has changed meanwhile. */
async function takenBack(
  thrown: unknown,
  context: Excel.RequestContext,
  pieces: readonly Piece[],
): Promise<unknown> {
  const left: string[] = [];
  let refusal: unknown;
  for (const piece of pieces) {
    try {
      // Pieces are undone one by one, so that a piece that a protected sheet refuses does not stop the others. Excel often accepts at the
      // second try what it refused at the first, for example for too many requests.
      left.push(...(await takeBack(context, piece).catch(() => takeBack(context, piece))));
    } catch (cause) {
      refusal ??= cause;
    }
  }
  if (refusal !== undefined) {
    const detail = "What had been written could not be taken back.";
    return new Failure("sheet-refused", { detail, isPartlyWritten: true, cause: refusal });
  }
  if (left.length === 0) return thrown;
  return withCellsLeft(thrown, left);
}

/** The most rounds of an undo, since somebody may type during each of them. */
const mostTries = 5;

/** Gives each cell of a piece its earlier content back, if it still holds what was written. Returns the addresses of all other cells. */
async function takeBack(context: Excel.RequestContext, piece: Piece): Promise<string[]> {
  const left = new Set<string>();
  for (let tries = 0; tries < mostTries; tries += 1) {
    const states = (piece.owed ??= piece.before);
    const looked = queueReading([piece]);
    // eslint-disable-next-line office-addins/no-context-sync-in-loop
    await context.sync();
    const [{ cells: now, address } = { cells: [], address: "" }] = looked();
    // Rows or columns were inserted among the cells or deleted, and it is not known which, so the piece is left.
    if (now.length !== piece.rows || now[0]?.length !== piece.columns) {
      left.add(address);
      break;
    }
    const wanted = states.map((row, down) =>
      row.map((state, across) => {
        const cell = now[down]?.[across];
        if (!state || !cell) return null;
        // The formula was not overwritten and still fills the cell.
        if (state.isSpilledInto && formulasStand(states, now)) return null;
        if (isAsWritten(piece, now, cell, { down, across })) return state;
        // Excel may have accepted the format and then refused the content.
        const isOtherFormat = state.numberFormat !== null && state.numberFormat !== cell.numberFormat;
        return isOtherFormat && isAsBefore(state, cell) ? state : null;
      }),
    );
    states.forEach((row, down) =>
      row.forEach((state, across) => {
        const cell = now[down]?.[across];
        if (state && cell && !wanted[down]?.[across] && !isAsBefore(state, cell))
          left.add(cellAddress(address, down, across));
      }),
    );
    if (wanted.flat().every((state) => state === null)) break;
    const reading = queueReading([piece]);
    queueWriting(piece, wanted);
    // eslint-disable-next-line office-addins/no-context-sync-in-loop
    await context.sync();
    const seen = reading()[0]?.cells ?? [];
    wanted.forEach((row, down) =>
      row.forEach((state, across) => state && piece.overwritten.delete(`${down} ${across}`)),
    );
    // A text that was typed between the two requests is put back in the next round.
    const typed = wanted.map((row, down) =>
      row.map((state, across) => {
        const [cell, looked] = [seen[down]?.[across], now[down]?.[across]];
        if (!state || !cell || !looked) return null;
        const isSame = cell.value === looked.value && cell.formula === looked.formula;
        // A formula that has room for its result changes other cells while it is calculated.
        const isFilled = doSpill(seen) || (cell.value === "" && seen.flat().some(isFormula));
        const isCalculated = isFilled || (isFormula(cell) && cell.formula === looked.formula);
        if (isSame || isCalculated) return null;
        const { value, numberFormat } = entryOf(cell);
        left.add(cellAddress(address, down, across));
        if (cell.value !== "") piece.overwritten.set(`${down} ${across}`, cell.value);
        return { content: value, numberFormat };
      }),
    );
    if (typed.flat().every((state) => state === null)) break;
    piece.after = piece.after.map((row, down) => row.map((state, across) => wanted[down]?.[across] ?? state));
    piece.owed = typed;
  }
  return [...left];
}

/** True if a cell holds its earlier content. A cell that a formula had filled may be blank until the formula is back. */
function isAsBefore(state: CellState, cell: CellNow): boolean {
  if (state.isSpilledInto) return cell.value === "" || cell.shown === state.shown;
  return holds({ ...state, shown: undefined }, cell);
}

/** True if all formulas among these states are in their cells, calculated, and have room for their results. */
function formulasStand(
  states: readonly (readonly (CellState | null)[])[],
  now: readonly CellNow[][],
): boolean {
  const formulas = states.flatMap((row, down) =>
    row.flatMap((state, across) => {
      const { content, numberFormat = null } = state ?? {};
      return becomesFormula(content, numberFormat) ? [[content, now[down]?.[across]] as const] : [];
    }),
  );
  return (
    formulas.length > 0 &&
    formulas.every(
      ([content, cell]) => cell?.formula === content && cell.value !== "#SPILL!" && cell.value !== "#BUSY!",
    )
  );
}

/** True if there are formulas among these cells, all of them calculated and with room for their results. */
function doSpill(now: readonly CellNow[][]): boolean {
  const cells = now.flat();
  return cells.some(isFormula) && !cells.some(({ value }) => value === "#SPILL!" || value === "#BUSY!");
}

/** True if a cell still holds what was written. The cells into which a formula spills count as long as the formula has room for them. */
function isAsWritten(
  { after }: Piece,
  now: readonly CellNow[][],
  cell: CellNow,
  { down, across }: { down: number; across: number },
): boolean {
  const state = after[down]?.[across];
  if (!state) return false;
  if (!state.isSpilledInto) return holds({ ...state, shown: undefined }, cell);
  // If the formula is gone or lacks room for its result, it spills nothing.
  return cell.value === "" || formulasStand(after, now);
}

/** The most cells in a piece. Office.js splits larger writes itself, in a way that Excel can't undo (OfficeDev/office-js#6491). */
const mostCells = 1_500;

/** Cuts changes into pieces. Lower rows come first, so that the first cell of a spilled result changes last. */
function piecesOf(context: Excel.RequestContext, changes: readonly AreaChange[]): Piece[] {
  const states = new Map<string, Record<When, CellState>>();
  for (const { sheetId, row, column, before, after } of changes) {
    after.forEach((cells, down) =>
      cells.forEach((state, across) => {
        const was = before[down]?.[across] ?? { content: "", numberFormat: null };
        states.set(cellKey(sheetId, row + down, column + across), { before: was, after: state });
      }),
    );
  }
  return joined(changes).flatMap((area) => {
    const { sheetId, row, column, rows, columns } = area;
    const rowOf = (down: number, when: When) =>
      Array.from({ length: columns }, (_, across) => {
        const state = states.get(cellKey(sheetId, row + down, column + across));
        return state?.[when] ?? { content: "", numberFormat: null };
      });
    const pieces: Omit<Piece, "range" | "overwritten">[] = [];
    let bytes = Infinity;
    for (let down = rows - 1; down >= 0; down -= 1) {
      const [before, after] = [rowOf(down, "before"), rowOf(down, "after")];
      bytes += bytesOf(before) + bytesOf(after);
      const last = pieces.at(-1);
      if (last && bytes <= config.writeBytes && (last.rows + 1) * columns <= mostCells) {
        last.row -= 1;
        last.rows += 1;
        last.before.push(before);
        last.after.push(after);
      } else {
        bytes = bytesOf(before) + bytesOf(after);
        pieces.push({ sheetId, row: row + down, column, rows: 1, columns, before: [before], after: [after] });
      }
    }
    for (const { before, after } of pieces) {
      before.reverse();
      after.reverse();
    }
    return pieces.map((piece) => ({
      ...piece,
      range: rangeOf(context, piece),
      overwritten: new Map<string, unknown>(),
    }));
  });
}

/** Groups of pieces that are sent together. */
function groupsOf(pieces: readonly Piece[]): Piece[][] {
  const bytesOfPiece = ({ before, after }: Piece) =>
    [...before, ...after].reduce((sum, row) => sum + bytesOf(row), 0);
  return partsWithin(pieces, bytesOfPiece, { room: config.writeBytes, mostItems: rangesAtOnce });
}

/** An upper bound of a row's size: three bytes for a character in UTF-8, and 30 for quotes, commas and the format of a cell. */
function bytesOf(row: readonly CellState[]): number {
  return row.reduce((sum, { content }) => sum + String(content).length * 3 + 30, 0);
}
