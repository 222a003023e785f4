import { partsWithin } from "../../../lists";
import { config } from "../../../config";
import { Failure } from "../../../errors";
import { cellAddress } from "../layout/cell-address";
import type { Scalar } from "../values/cell-value";
import { shownValue } from "../values/shown-value";
import { leftAsTheyAre, withCellsLeft, withTextsLost } from "./changed-meanwhile";
import { type CellContent, entryOf, isFormula } from "./cell-content";
import { type CellArea, cellKey, joined, rangeOf, rangesAtOnce } from "./formula-search";

/** What is put into a cell: a text that begins with "=" is a formula, unless the format is "@". */
export interface CellState {
  content: Scalar;
  /** Null leaves the format as it is. */
  numberFormat: string | null;
  /** A formula in another cell spills into it, so it shows what that formula gives. */
  isSpilledInto?: boolean;
  /** What the cell shows, if that is known: see `shownValue`. */
  shown?: Scalar | undefined;
}

/** What stands in an area and what is to stand there, row by row. */
export interface AreaChange extends CellArea {
  before: CellState[][];
  after: CellState[][];
}

export interface ReplaceOptions {
  signal?: AbortSignal | undefined;
  onReplaced?: ((cells: number) => void) | undefined;
  /** Told which texts of others were overwritten and could not be put back; without it, the failure names them. */
  onTextsLost?: ((texts: readonly unknown[]) => void) | undefined;
}

type When = "before" | "after";
/** Some rows of a change, with what is put into each cell. */
interface Piece extends CellArea, Record<When, CellState[][]> {
  /** Where the cells stand: from the first request on it follows what is inserted and deleted (Range.track). */
  range: Excel.Range;
  /** What is to be put back, once taking back has begun; null for a cell that is as it should be. */
  owed?: (CellState | null)[][];
  /** Texts of others that were overwritten, by row and column of the piece. */
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
 * Replaces what cells hold. A failed or cancelled write is taken back, but for cells that somebody has changed meanwhile: the
 * failure's detail names them. Fails with sheet-refused, too, where a cell no longer holds what it is said to. People type between
 * any two requests, so the request that writes also reads, before it writes: a text of the last moment is put back.
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
      // What Excel refuses, it refuses before anything is written: of a refused request, nobody learns what it has read.
      for (const { range, after } of group) range.numberFormat = after.map((row) => row.map(() => null));
      for (const piece of group) queueWriting(piece, piece.after);
      // One request a group is the point: Excel on the web takes 5 MB at most.
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

/** A cell that held something else when it was written to gets that back, not what was expected there. */
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

/** The addresses of cells that do not hold what is expected: somebody has typed there, or moved rows. */
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
  // A formula may stand in a cell that has the format of texts by now.
  if (typeof content === "string" && content.startsWith("=") && now.formula === content) return true;
  const wanted = typeof content === "string" && numberFormat !== "@" ? content.replace(/^'/, "") : content;
  return now.value === wanted && !isFormula(now);
}

/** Queues the reading of pieces; the result is called after the sync. */
function queueReading(pieces: readonly Piece[]): () => PieceNow[] {
  const ranges = pieces.map(({ range }) => range.load("formulas,values,text,numberFormat,address"));
  return () => ranges.map((range) => ({ cells: cellsOf(range), address: range.address }));
}

/** The cells of a range that was loaded. */
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

/** Null leaves a cell as it is. */
function queueWriting(
  { range }: Piece,
  states: readonly (readonly (Pick<CellState, "content" | "numberFormat"> | null)[])[],
) {
  // The format first: Excel would make numbers and dates of texts that look like them.
  range.numberFormat = states.map((row) => row.map((state) => state?.numberFormat ?? null));
  range.formulas = states.map((row) => row.map((state) => state?.content ?? null));
}

/** Takes pieces back, the last first. Gives the failure, with the cells that somebody has changed meanwhile. */
async function takenBack(
  thrown: unknown,
  context: Excel.RequestContext,
  pieces: readonly Piece[],
): Promise<unknown> {
  const left: string[] = [];
  let refusal: unknown;
  for (const piece of pieces) {
    try {
      // One by one: what a protected sheet refuses must not keep the others from coming back. Excel often takes what it has
      // refused once, such as for too many requests.
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

/** People may type while something is taken back; more often than this, nobody does. */
const mostTries = 5;

/** Gives each cell of a piece its former content, if it still holds what was written. Gives the addresses of others. */
async function takeBack(context: Excel.RequestContext, piece: Piece): Promise<string[]> {
  const left = new Set<string>();
  for (let tries = 0; tries < mostTries; tries += 1) {
    const states = (piece.owed ??= piece.before);
    const looked = queueReading([piece]);
    // eslint-disable-next-line office-addins/no-context-sync-in-loop
    await context.sync();
    const [{ cells: now, address } = { cells: [], address: "" }] = looked();
    // Rows or columns were inserted among the cells, or deleted: nothing tells which is which.
    if (now.length !== piece.rows || now[0]?.length !== piece.columns) {
      left.add(address);
      break;
    }
    const wanted = states.map((row, down) =>
      row.map((state, across) => {
        const cell = now[down]?.[across];
        if (!state || !cell) return null;
        // Nothing was written to the formula, which still fills the cell.
        if (state.isSpilledInto && formulasStand(states, now)) return null;
        if (isAsWritten(piece, now, cell, { down, across })) return state;
        // Excel may have taken the format, and then have refused the content.
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
    // A text that was typed between the two requests comes back in the next round.
    const typed = wanted.map((row, down) =>
      row.map((state, across) => {
        const [cell, looked] = [seen[down]?.[across], now[down]?.[across]];
        if (!state || !cell || !looked) return null;
        const isSame = cell.value === looked.value && cell.formula === looked.formula;
        // A formula that has room for its result gives other values as it is calculated.
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

/** Whether a cell holds what it held before: where a formula filled it, it may be blank until that is back. */
function isAsBefore(state: CellState, cell: CellNow): boolean {
  if (state.isSpilledInto) return cell.value === "" || cell.shown === state.shown;
  return holds({ ...state, shown: undefined }, cell);
}

/** Whether the formulas among these states are there, calculated, and each with room for all that it gives. */
function formulasStand(
  states: readonly (readonly (CellState | null)[])[],
  now: readonly CellNow[][],
): boolean {
  const formulas = states.flatMap((row, down) =>
    row.flatMap((state, across) => {
      const { content } = state ?? {};
      return typeof content === "string" && content.startsWith("=")
        ? [[content, now[down]?.[across]] as const]
        : [];
    }),
  );
  return (
    formulas.length > 0 &&
    formulas.every(
      ([content, cell]) => cell?.formula === content && cell.value !== "#SPILL!" && cell.value !== "#BUSY!",
    )
  );
}

/** Whether there are formulas among these cells, calculated, and each with room for all that it gives. */
function doSpill(now: readonly CellNow[][]): boolean {
  const cells = now.flat();
  return cells.some(isFormula) && !cells.some(({ value }) => value === "#SPILL!" || value === "#BUSY!");
}

/** Whether a cell still holds what was written: of a formula's spilled cells, as long as the formula has room for them. */
function isAsWritten(
  { after }: Piece,
  now: readonly CellNow[][],
  cell: CellNow,
  { down, across }: { down: number; across: number },
): boolean {
  const state = after[down]?.[across];
  if (!state) return false;
  if (!state.isSpilledInto) return holds({ ...state, shown: undefined }, cell);
  // Without its formula, or without room for all that this gives, nothing is spilled.
  return cell.value === "" || formulasStand(after, now);
}

/** Office.js cuts larger writes itself, in a way that Excel can't undo (OfficeDev/office-js#6491). */
const mostCells = 1_500;

/** Lower rows come first, so that the first cell of a result that spills is the last that changes. */
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

/** Pieces that are sent together. */
function groupsOf(pieces: readonly Piece[]): Piece[][] {
  const bytesOfPiece = ({ before, after }: Piece) =>
    [...before, ...after].reduce((sum, row) => sum + bytesOf(row), 0);
  return partsWithin(pieces, bytesOfPiece, { room: config.writeBytes, mostItems: rangesAtOnce });
}

/** Up to three bytes a character in UTF-8; quotes, commas and the format beside it. */
function bytesOf(row: readonly CellState[]): number {
  return row.reduce((sum, { content }) => sum + String(content).length * 3 + 30, 0);
}
