import { partsWithin } from "../../../lists";
import { config } from "../../../config";
import { Failure } from "../../../errors";
import { cellAddress } from "../layout/cell-address";
import type { Scalar } from "../values/cell-value";
import { shownValue } from "../values/shown-value";
import { changedMeanwhile, leftAsTheyAre, withCellsLeft, withTextsLost } from "./changed-meanwhile";
import { becomesFormula, bytesOfCells, type CellContent, entryOf, isFormula } from "./cell-content";
import { type CellArea, cellKey, joined, rangeOf, rangesAtOnce } from "./formula-search";

/** The content for a cell. A text that begins with "=" is a formula, unless the format is "@". */
export interface ContentState {
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
  before: ContentState[][];
  after: ContentState[][];
}

export interface ReplaceOptions {
  signal?: AbortSignal | undefined;
  onReplaced?: ((cells: number) => void) | undefined;
  /** Called with somebody else's texts that were overwritten and could not be put back. Without it, the failure names them. */
  onTextsLost?: ((texts: readonly unknown[]) => void) | undefined;
}

type When = "before" | "after";
/** Some rows of a change, with the content of each cell before and after. */
interface Piece extends CellArea, Record<When, ContentState[][]> {
  /** The range of the cells. From the first request on, Excel moves it along when rows or columns are inserted or deleted (Range.track). */
  range: Excel.Range;
  /** The content that is still to be put back, once the write is being undone; null for a cell that is as it should be. */
  owed?: (ContentState | null)[][];
  /** Somebody else's texts that were overwritten, by row and column of the piece. */
  overwritten: Map<string, unknown>;
  /** The spilled result of which this is one of several pieces. */
  result?: LongResult;
}

/**
 * A spilled result of several pieces. If a piece of it were replaced alone, the formula would lose its room and fill no cell any more. So
 * a formula is replaced by its whole result before its pieces are written, and a formula that comes back comes first.
 */
interface LongResult extends CellArea {
  formula: Scalar;
  /** True if the formula is replaced, false if it comes back. */
  isReplaced: boolean;
  pieces: Piece[];
  /** The number of pieces whose write has begun. */
  begun: number;
  /** True once the cells hold the result as plain values, which are not yet those to be written. */
  isPlain: boolean;
  /** True if an undo found the formula in its cell, with its result. */
  isUntouched: boolean;
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
      for (const { result } of group) {
        if (!result?.isReplaced || result.isPlain) continue;
        begun.push(...result.pieces);
        // eslint-disable-next-line office-addins/no-context-sync-in-loop
        await makePlain(context, result);
      }
      for (const piece of group) {
        if (piece.result) piece.result.begun += 1;
        if (!piece.result?.isReplaced) begun.push(piece);
      }
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

/**
 * Replaces a formula by its whole result in one request, which Excel refuses where the result has no room. So at any time either the
 * formula or all of its values are there.
 */
async function makePlain(context: Excel.RequestContext, result: LongResult): Promise<void> {
  const { formula, rows, columns, pieces } = result;
  const anchor = rangeOf(context, { ...result, rows: 1, columns: 1 });
  anchor.load("address,formulas,values,numberFormat");
  const spilled = anchor.getSpillingToRange().load("rowCount,columnCount");
  const whole = rangeOf(context, result);
  const isRead = pieces.reduce((sum, piece) => sum + shownBytes(piece), 0) <= mostReadBytes;
  if (isRead) whole.load("values,text");
  whole.copyFrom(whole, "Values");
  await context.sync().catch((cause: unknown) => {
    const isGone = (cause as { code?: unknown }).code === "ItemNotFound";
    throw isGone ? new Failure("sheet-refused", { detail: resultsGone, cause }) : cause;
  });
  result.isPlain = true;
  const [[now], [value], [numberFormat]] = [anchor.formulas[0], anchor.values[0], anchor.numberFormat[0]] as [
    [unknown],
    [Scalar],
    [string],
  ];
  if (now !== formula) {
    const entry = entryOf({ value, formula: now, numberFormat });
    pieces.at(-1)?.before[0]?.splice(0, 1, { content: entry.value, numberFormat: entry.numberFormat });
    mustBeUnchanged([{ address: anchor.address, isBySomebody: true }]);
  }
  const isOtherSize = spilled.rowCount !== rows || spilled.columnCount !== columns;
  const isOther = isRead && noteShown(result, whole);
  if (isOtherSize || isOther) mustBeUnchanged([{ address: anchor.address, isBySomebody: false }]);
}

/** The most bytes of values that are read in the request that also writes: Excel on the web answers with at most 5 MB. */
const mostReadBytes = 4_500_000;

/** An upper bound of the size of the values and texts that a piece shows. */
function shownBytes({ before }: Piece): number {
  const bytes = before.flat().map(({ shown }) => String(shown).length * 3 + 4);
  return 2 * bytes.reduce((sum, each) => sum + each, 0);
}

/** Notes the values that a result had when it was made plain, so that an undo knows them. Returns true if they are not the expected ones. */
function noteShown({ row, pieces }: LongResult, { values, text }: Excel.Range): boolean {
  let isOther = false;
  for (const piece of pieces) {
    piece.before = piece.before.map((states, down) =>
      states.map((state, across) => {
        const at = piece.row + down - row;
        const value = values[at]?.[across] as Scalar;
        const shown = shownValue({ value, text: String(text[at]?.[across]) });
        isOther ||= shown !== state.shown;
        return { ...state, shown };
      }),
    );
  }
  return isOther;
}

/** Notes cells that held something else when they were written to, so that an undo puts back that content and not the expected one. */
function keepOthers(piece: Piece, seen: readonly CellNow[][]): void {
  seen.forEach((cells, down) =>
    cells.forEach((cell, across) => {
      const state = piece.before[down]?.[across];
      const { value, numberFormat } = entryOf(cell);
      if (!state || stands(piece, state, cell)) return;
      piece.before[down]?.splice(across, 1, { content: value, numberFormat });
      if (cell.value !== "") piece.overwritten.set(`${down} ${across}`, cell.value);
    }),
  );
}

interface ChangedCell {
  address: string;
  /** True if no formula explains the cell's content, so that somebody has typed there or moved rows. */
  isBySomebody: boolean;
}

/** The cells that do not hold the expected content. */
function changedCells(pieces: readonly Piece[], now: readonly PieceNow[]): ChangedCell[] {
  return pieces.flatMap((piece, index) => {
    const { cells = [], address = "" } = now[index] ?? {};
    const isBlocked = cells.flat().some((cell) => isFormula(cell) && cell.value === "#SPILL!");
    return piece.before.flatMap((states, down) =>
      states.flatMap((state, across) => {
        const cell = cells[down]?.[across];
        if (cell && stands(piece, state, cell)) return [];
        const isCalculated =
          cell !== undefined &&
          (state.isSpilledInto ? cell.value === "" || !isBlocked : cell.formula === state.content);
        const isBySomebody = !isCalculated && !piece.result?.isPlain;
        return [{ address: cellAddress(address, down, across), isBySomebody }];
      }),
    );
  });
}

function mustBeUnchanged(changed: readonly ChangedCell[]): void {
  if (changed.length === 0) return;
  const bySomebody = changed.filter(({ isBySomebody }) => isBySomebody);
  const addressesOf = (cells: readonly ChangedCell[]) => cells.map(({ address }) => address);
  const detail =
    bySomebody.length > 0 ? leftAsTheyAre(addressesOf(bySomebody)) : changedMeanwhile(addressesOf(changed));
  throw new Failure("sheet-refused", { detail });
}

/** True if a cell still holds the content that is to be replaced. */
function stands({ result }: Piece, state: ContentState, now: CellNow): boolean {
  if (result?.isPlain) return !isFormula(now) && state.shown === now.shown;
  return holds(state, now);
}

function holds({ content, numberFormat, isSpilledInto, shown }: ContentState, now: CellNow): boolean {
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
  states: readonly (readonly (Pick<ContentState, "content" | "numberFormat"> | null)[])[],
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
    const { result } = piece;
    if (result?.isUntouched) break;
    const anchor = result && rangeOf(context, { ...result, rows: 1, columns: 1 }).load("formulas,values");
    const looked = queueReading([piece]);
    // eslint-disable-next-line office-addins/no-context-sync-in-loop
    await context.sync();
    const [{ cells: now, address } = { cells: [], address: "" }] = looked();
    const doesFill = result !== undefined && anchor !== undefined && fillsAll(result, anchor);
    const isFilled = doesFill && !result.isReplaced;
    if (doesFill && result.isReplaced && tries === 0 && piece === result.pieces.at(-1)) {
      result.isUntouched = true;
      break;
    }
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
        if (isFilled && !isFormula(cell)) return state;
        // Excel may have accepted the format and then refused the content.
        const isOtherFormat = state.numberFormat !== null && state.numberFormat !== cell.numberFormat;
        return isOtherFormat && isAsBefore(state, cell) ? state : null;
      }),
    );
    states.forEach((row, down) =>
      row.forEach((state, across) => {
        const cell = now[down]?.[across];
        const isStillFilled = state?.isSpilledInto && formulasStand(states, now);
        if (state && cell && !wanted[down]?.[across] && !isStillFilled && !isAsBefore(state, cell))
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
        const isBlankAgain = cell.value === "" && (result !== undefined || seen.flat().some(isFormula));
        const isCalculated =
          isFilled || doSpill(seen) || isBlankAgain || (isFormula(cell) && cell.formula === looked.formula);
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

/** True if all pieces of a long result are written and its formula has room, so that no other content can be in its cells. */
function fillsAll({ formula, isReplaced, begun, pieces }: LongResult, anchor: Excel.Range): boolean {
  const cell = { formula: anchor.formulas[0]?.[0] as unknown, value: anchor.values[0]?.[0] as unknown };
  const isThere = isFormula(cell) && cell.formula === formula;
  return isThere && cell.value !== "#SPILL!" && (isReplaced || begun === pieces.length);
}

/** True if a cell holds its earlier content. A cell that a formula had filled may be blank until the formula is back. */
function isAsBefore(state: ContentState, cell: CellNow): boolean {
  if (state.isSpilledInto) return cell.value === "" || cell.shown === state.shown;
  return holds({ ...state, shown: undefined }, cell);
}

/** True if all formulas among these states are in their cells, calculated, and have room for their results. */
function formulasStand(
  states: readonly (readonly (ContentState | null)[])[],
  now: readonly CellNow[][],
): boolean {
  const formulas = states.flatMap((row, down) =>
    row.flatMap((state, across) => {
      const { content, numberFormat = null } = state ?? {};
      const cell = now[down]?.[across];
      return cell && becomesFormula(content, numberFormat) ? [{ content, cell }] : [];
    }),
  );
  return (
    formulas.length > 0 &&
    formulas.every(
      ({ content, cell }) => cell.formula === content && cell.value !== "#SPILL!" && cell.value !== "#BUSY!",
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
  { before, after, result }: Piece,
  now: readonly CellNow[][],
  cell: CellNow,
  { down, across }: { down: number; across: number },
): boolean {
  const state = after[down]?.[across];
  if (!state) return false;
  if (result?.isPlain && !isFormula(cell) && before[down]?.[across]?.shown === cell.shown) return true;
  if (!state.isSpilledInto) return holds({ ...state, shown: undefined }, cell);
  // If the formula is gone or lacks room for its result, it spills nothing.
  return cell.value === "" || formulasStand(after, now);
}

const resultsGone = "A result had no room or no value any more when it was to be replaced.";

/** The most cells in a piece. Office.js splits larger writes itself, in a way that Excel can't undo (OfficeDev/office-js#6491). */
const mostCells = 1_500;

/**
 * Cuts changes into pieces. Lower rows come first, so that the first cell of a spilled result changes last; only a formula that comes back
 * comes first.
 */
function piecesOf(context: Excel.RequestContext, changes: readonly AreaChange[]): Piece[] {
  const states = new Map<string, Record<When, ContentState>>();
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
    const all = pieces.map((piece): Piece => ({
      ...piece,
      range: rangeOf(context, piece),
      overwritten: new Map<string, unknown>(),
    }));
    const doesSpillWhen = (when: When) =>
      all.some((piece) => piece[when].flat().some((state) => state.isSpilledInto));
    const isReplaced = doesSpillWhen("before");
    if (all.length === 1 || (!isReplaced && !doesSpillWhen("after"))) return all;
    const formula = all.at(-1)?.[isReplaced ? "before" : "after"][0]?.[0]?.content ?? "";
    const result: LongResult = {
      ...{ ...area, formula, isReplaced, pieces: all },
      ...{ begun: 0, isPlain: false, isUntouched: false },
    };
    for (const piece of all) piece.result = result;
    return isReplaced ? all : [...all].reverse();
  });
}

/** Groups of pieces that are sent together. */
function groupsOf(pieces: readonly Piece[]): Piece[][] {
  const bytesOfPiece = ({ before, after }: Piece) =>
    [...before, ...after].reduce((sum, row) => sum + bytesOf(row), 0);
  return partsWithin(pieces, bytesOfPiece, { room: config.writeBytes, mostItems: rangesAtOnce });
}

function bytesOf(row: readonly ContentState[]): number {
  return bytesOfCells(row.map(({ content }) => content));
}
