import type { Failure } from "../../../errors";
import { SheetFailure } from "../../../sheet-failure";
import {
  contentsOfSheets,
  type Held,
  heldAfter,
  piecesOf,
  type SheetPiece,
  type SheetPlace,
  type SpilledResult,
} from "../swap/contents";
import { at, type LeftCell, swap, type Write } from "../swap/swap";
import { isNotFound } from "../excel-failure";
import type { Scalar } from "../values/cell-value";
import { shownValue } from "../values/shown-value";
import { changedMeanwhile, leftAsTheyAre } from "./changed-meanwhile";
import { becomesFormula, bytesOfCells, contentAfter, isFormula } from "./cell-content";
import { type CellArea, cellKey, rangeOf } from "./formula-search";

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

/** A cell that is to be replaced. */
interface ReplacedCell extends SheetPlace {
  before: ContentState;
  after: ContentState;
  result: LongResult | undefined;
}

/**
 * A spilled result of several pieces that is to be replaced. If a piece of it were replaced alone, the formula would lose its room and fill
 * no cell any more. So the formula is replaced by its whole result before the pieces are written.
 */
interface LongResult {
  formula: unknown;
  area: CellArea;
  /** The cells, row by row, the first one with the formula. */
  cells: ReplacedCell[];
  /** The plain values that the cells show since the formula is gone, by `cellKey`; undefined until then. */
  plain?: Map<string, Scalar>;
}

/**
 * Replaces the content of cells, all or none. A failed or cancelled write is undone, except in cells that somebody has changed meanwhile; the
 * failure's detail names those. Fails with sheet-refused, too, if a cell no longer holds the content that `before` names.
 */
export async function replaceCells(
  context: Excel.RequestContext,
  changes: readonly AreaChange[],
  { signal, onReplaced, onTextsLost }: ReplaceOptions,
): Promise<void> {
  const { pieces, cells } = planned(changes);
  await swap(context, at(contentsOfSheets(context, pieces)), cells, {
    next: ({ before, after, result, ...place }, has) => {
      const plain = result?.plain?.get(keyOf(place));
      const isExpected = plain === undefined ? holds(before, has) : !isFormula(has) && has.shown === plain;
      return isExpected ? stateAfter(after) : undefined;
    },
    refusal: refusalOf,
    async gate(part, journal) {
      for (const result of new Set(part.map((cell) => cell.result))) {
        if (!result || result.plain) continue;
        const writes: Write<ReplacedCell, Held>[] = [];
        journal.batches.push({ writes });
        // eslint-disable-next-line office-addins/no-context-sync-in-loop
        await makePlain(context, result, writes);
      }
    },
    onWritten: onReplaced,
    ...{ signal, onTextsLost },
  });
}

/** The cells of these changes in the order in which they are written, and the pieces in which they lie. */
function planned(changes: readonly AreaChange[]): { pieces: SheetPiece[]; cells: ReplacedCell[] } {
  const cellAt = new Map<string, ReplacedCell>();
  /** The areas whose formula is replaced. In the others with a result, the formula comes back. */
  const replaced = new Map<SpilledResult, CellArea>();
  const areas = changes.map(({ before, after, ...area }) => {
    const { sheetId, row, column } = area;
    const doesSpill = (states: ContentState[][]) => states.flat().some((state) => state.isSpilledInto);
    const [isReplaced, isBack] = [before, after].map(doesSpill);
    const [[first] = []] = isReplaced ? before : after;
    const result = isReplaced || isBack ? { sheetId, row, column, formula: first?.content } : undefined;
    if (result && isReplaced) replaced.set(result, area);
    after.forEach((states, down) =>
      states.forEach((state, across) => {
        const was = before[down]?.[across] ?? { content: "", numberFormat: null };
        const place = { sheetId, row: row + down, column: column + across };
        cellAt.set(keyOf(place), { ...place, before: was, after: state, result: undefined });
      }),
    );
    return { ...area, result };
  });
  const allPieces = piecesOf(areas, (place) => {
    const cell = cellAt.get(keyOf(place));
    return cell ? [cell.before.content, cell.after.content] : [];
  }).flatMap((pieces) => {
    const [{ result } = {}] = pieces;
    if (pieces.length === 1 || !result) return pieces;
    // A formula that comes back comes first, so that it is there if the work is cut off.
    const area = replaced.get(result);
    if (!area) return pieces.reverse();
    const long: LongResult = { formula: result.formula, area, cells: [] };
    for (const cell of [...pieces].reverse().flatMap((piece) => cellsIn(piece, cellAt))) {
      cell.result = long;
      long.cells.push(cell);
    }
    return pieces;
  });
  return { pieces: allPieces, cells: allPieces.flatMap((piece) => cellsIn(piece, cellAt)) };
}

function cellsIn(
  { sheetId, row, column, rows, columns }: CellArea,
  cellAt: ReadonlyMap<string, ReplacedCell>,
) {
  return Array.from({ length: rows * columns }, (_, index) => {
    const place = { sheetId, row: row + Math.floor(index / columns), column: column + (index % columns) };
    return cellAt.get(keyOf(place)) ?? [];
  }).flat();
}

const keyOf = ({ sheetId, row, column }: SheetPlace) => cellKey(sheetId, row, column);

/** True if a cell still holds the content that is to be replaced. */
function holds({ content, numberFormat, isSpilledInto, shown }: ContentState, has: Held): boolean {
  if (shown !== undefined && shown !== has.shown) return false;
  if (isSpilledInto) return true;
  // A cell may hold a formula even if it has the text format now.
  if (isFormula(has)) return has.formula === content;
  return (
    !becomesFormula(content, numberFormat) &&
    has.value === contentAfter({ value: content, numberFormat }).value
  );
}

/** The content of a cell after this was written. */
const stateAfter = ({ content, numberFormat, isSpilledInto }: ContentState) =>
  heldAfter({ value: content, numberFormat }, isSpilledInto);

/** The failure if cells hold something else than was to be replaced. */
function refusalOf(cells: readonly LeftCell<ReplacedCell, Held>[]): Failure {
  const addressesOf = (changed: typeof cells) => changed.map(({ address }) => address);
  const typed = cells.filter((each) => !isCalculated(each));
  const detail = typed.length > 0 ? leftAsTheyAre(addressesOf(typed)) : changedMeanwhile(addressesOf(cells));
  return new SheetFailure("sheet-refused", { detail });
}

/** True if a calculation may have changed the cell, so that nobody need have typed there or moved rows. */
function isCalculated({ cell: { before, result }, has }: LeftCell<ReplacedCell, Held>): boolean {
  if (!has) return false;
  if (result?.plain) return true;
  return before.isSpilledInto ? has.value === "" || has.isFilled === true : has.formula === before.content;
}

/**
 * Replaces a formula by its whole result in one request, which Excel refuses where the result has no room. So at any time either the
 * formula or all of its values are there. It first adds to `batch` what the cells had and have then.
 */
async function makePlain(
  context: Excel.RequestContext,
  result: LongResult,
  batch: Write<ReplacedCell, Held>[],
): Promise<void> {
  const { formula, area, cells } = result;
  const anchor = rangeOf(context, { ...area, rows: 1, columns: 1 });
  const typedThere = () => new SheetFailure("sheet-refused", { detail: leftAsTheyAre([anchor.address]) });
  anchor.load("address,formulas");
  await context.sync();
  if (anchor.formulas[0]?.[0] !== formula) throw typedThere();
  anchor.load("address,formulas,values,numberFormat");
  const spilled = anchor.getSpillingToRange().load("rowCount,columnCount");
  const whole = rangeOf(context, area);
  const isRead = 2 * bytesOfCells(cells.map(({ before }) => before.shown)) <= mostReadBytes;
  if (isRead) whole.load("values,text");
  batch.push(...cells.map((cell) => writeOf(cell, { shown: cell.before.shown, value: cell.before.shown })));
  whole.copyFrom(whole, "Values");
  await context.sync().catch((cause: unknown) => {
    throw isNotFound(cause) ? new SheetFailure("sheet-refused", { detail: resultsGone, cause }) : cause;
  });
  if (isRead) {
    const texts = whole.text.flat();
    const shown = (whole.values.flat() as Scalar[]).map((value, index) => {
      return { value, shown: shownValue({ value, text: String(texts[index]) }) };
    });
    batch.splice(0, batch.length, ...cells.map((cell, index) => writeOf(cell, shown[index])));
  }
  result.plain = new Map(batch.map(({ cell, after }) => [keyOf(cell), after.shown ?? ""]));
  const [[now], [value], [numberFormat]] = [anchor.formulas[0], anchor.values[0], anchor.numberFormat[0]] as [
    [unknown],
    [Scalar],
    [string],
  ];
  const [first] = batch;
  const isOtherFormula = now !== formula;
  if (isOtherFormula && first) first.before = { value, formula: now, numberFormat };
  const isOtherSize = spilled.rowCount !== area.rows || spilled.columnCount !== area.columns;
  const isOther = batch.some(({ cell, after }) => after.shown !== cell.before.shown);
  if (isOtherFormula) throw typedThere();
  if (isOtherSize || isOther)
    throw new SheetFailure("sheet-refused", { detail: changedMeanwhile([anchor.address]) });
}

/** The write that makes a cell plain, with what it shows then. */
function writeOf(
  cell: ReplacedCell,
  plain: Pick<Held, "value" | "shown"> | undefined,
): Write<ReplacedCell, Held> {
  const { value, shown } = plain ?? { value: "", shown: "" };
  return {
    cell,
    before: stateAfter(cell.before),
    after: { value, formula: value, shown, numberFormat: null },
  };
}

/** The most bytes of values that are read in the request that also writes: Excel on the web answers with at most 5 MB. */
const mostReadBytes = 4_500_000;

const resultsGone = "A result had no room or no value any more when it was to be replaced.";
