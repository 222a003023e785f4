import { partsWithin } from "../../../lists";
import { config } from "../../../config";
import { Failure } from "../../../errors";
import { cellAddress } from "../layout/cell-address";
import type { Scalar } from "../values/cell-value";
import { shownValue } from "../values/shown-value";
import { leftAsTheyAre, withCellsLeft } from "./changed-meanwhile";
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
}

type When = "before" | "after";
/** Some rows of a change, with what is put into each cell. */
type Piece = CellArea & Record<When, CellState[][]>;

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
  { signal, onReplaced }: ReplaceOptions,
): Promise<void> {
  const begun: Piece[] = [];
  let replaced = 0;
  try {
    for (const group of groupsOf(piecesOf(changes))) {
      if (signal?.aborted) throw new Failure("cancelled");
      const looked = queueReading(context, group);
      // eslint-disable-next-line office-addins/no-context-sync-in-loop
      await context.sync();
      mustBeUnchanged(changedCells(group, looked()));
      begun.push(...group);
      const reading = queueReading(context, group);
      for (const piece of group) queueWriting(context, piece, piece.after);
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
    throw await takenBack(thrown, context, begun.reverse());
  }
}

/** A cell that held something else when it was written to gets that back, not what was expected there. */
function keepOthers(piece: Piece, seen: readonly CellNow[][]): void {
  seen.forEach((cells, down) =>
    cells.forEach((cell, across) => {
      const state = piece.before[down]?.[across];
      const { value, numberFormat } = entryOf(cell);
      if (state && !holds(state, cell))
        piece.before[down]?.splice(across, 1, { content: value, numberFormat });
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
function queueReading(context: Excel.RequestContext, pieces: readonly Piece[]): () => PieceNow[] {
  const ranges = pieces.map((piece) =>
    rangeOf(context, piece).load("formulas,values,text,numberFormat,address"),
  );
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
  context: Excel.RequestContext,
  area: CellArea,
  states: readonly (readonly (Pick<CellState, "content" | "numberFormat"> | null)[])[],
) {
  const range = rangeOf(context, area);
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
  let states: (CellState | null)[][] = piece.before;
  for (let tries = 0; tries < mostTries; tries += 1) {
    const looked = queueReading(context, [piece]);
    // eslint-disable-next-line office-addins/no-context-sync-in-loop
    await context.sync();
    const [{ cells: now, address } = { cells: [], address: "" }] = looked();
    const wanted = states.map((row, down) =>
      row.map((state, across) => {
        const cell = now[down]?.[across];
        if (!state || !cell) return null;
        // Nothing was written to the formula, which still fills the cell.
        if (state.isSpilledInto && formulasStand(states, now)) return null;
        if (isAsWritten(piece, now, cell, { down, across })) return state;
        // Excel may have taken the format, and then have refused the content.
        const isOtherFormat = state.numberFormat !== null && state.numberFormat !== cell.numberFormat;
        return isOtherFormat && holds({ ...state, shown: undefined }, cell) ? state : null;
      }),
    );
    states.forEach((row, down) =>
      row.forEach((state, across) => {
        const cell = now[down]?.[across];
        if (state && cell && !wanted[down]?.[across] && !holds({ ...state, shown: undefined }, cell))
          left.add(cellAddress(address, down, across));
      }),
    );
    if (wanted.flat().every((state) => state === null)) break;
    const reading = queueReading(context, [piece]);
    queueWriting(context, piece, wanted);
    // eslint-disable-next-line office-addins/no-context-sync-in-loop
    await context.sync();
    const seen = reading()[0]?.cells ?? [];
    // A text that was typed between the two requests comes back in the next round.
    const typed = wanted.map((row, down) =>
      row.map((state, across) => {
        const [cell, looked] = [seen[down]?.[across], now[down]?.[across]];
        if (!state || !cell || !looked) return null;
        const isSame = cell.value === looked.value && cell.formula === looked.formula;
        // A formula that has room for its result gives other values as it is calculated.
        const isCalculated = doSpill(seen) || (isFormula(cell) && cell.formula === looked.formula);
        if (isSame || isCalculated) return null;
        const { value, numberFormat } = entryOf(cell);
        left.add(cellAddress(address, down, across));
        return { content: value, numberFormat };
      }),
    );
    if (typed.flat().every((state) => state === null)) break;
    piece.after = piece.after.map((row, down) => row.map((state, across) => wanted[down]?.[across] ?? state));
    states = typed;
  }
  return [...left];
}

/** Whether the formulas among these states are there, each with room for all that it gives. */
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
    formulas.every(([content, cell]) => cell?.formula === content && cell.value !== "#SPILL!")
  );
}

/** Whether there are formulas among these cells, each with room for all that it gives. */
function doSpill(now: readonly CellNow[][]): boolean {
  const cells = now.flat();
  return cells.some(isFormula) && !cells.some(({ value }) => value === "#SPILL!");
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

/** Lower rows come first, so that the first cell of a result that spills is the last that changes. */
function piecesOf(changes: readonly AreaChange[]): Piece[] {
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
    const pieces: Piece[] = [];
    let bytes = Infinity;
    for (let down = rows - 1; down >= 0; down -= 1) {
      const [before, after] = [rowOf(down, "before"), rowOf(down, "after")];
      bytes += bytesOf(before) + bytesOf(after);
      const last = pieces.at(-1);
      if (last && bytes <= config.writeBytes) {
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
    return pieces;
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
