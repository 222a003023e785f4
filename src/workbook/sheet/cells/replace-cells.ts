import { partsWithin } from "../../../lists";
import { config } from "../../../config";
import { Failure } from "../../../errors";
import type { Scalar } from "../values/cell-value";
import { type CellArea, cellKey, joined, rangeOf, rangesAtOnce, readContents } from "./formula-search";

/** What is put into a cell: a text that begins with "=" is a formula, unless the format is "@". */
export interface CellState {
  content: Scalar;
  /** Null leaves the format as it is. */
  numberFormat: string | null;
  /** The cell may show anything: a formula in another cell spills into it. */
  isSpilledInto?: boolean;
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

/**
 * Replaces what cells hold; a failed or cancelled write leaves all as it was. Fails with sheet-refused, too, where a cell
 * no longer holds what it is said to.
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
      await mustStand(context, group);
      begun.push(...group);
      for (const piece of group) put(context, piece, "after");
      // One request a group is the point: Excel on the web takes 5 MB at most.
      // eslint-disable-next-line office-addins/no-context-sync-in-loop
      await context.sync();
      replaced += group.reduce((sum, { rows, columns }) => sum + rows * columns, 0);
      onReplaced?.(replaced);
    }
  } catch (thrown) {
    await putBack(context, begun.reverse());
    throw thrown;
  }
}

/** Rows may have been inserted or sorted since the cells were read. */
async function mustStand(context: Excel.RequestContext, pieces: readonly Piece[]): Promise<void> {
  const ranges = pieces.map((piece) => rangeOf(context, piece).load("formulas,values"));
  await context.sync();
  const stand = pieces.every(({ before }, index) =>
    before.every((states, down) =>
      states.every((state, across) => {
        const formula: unknown = ranges[index]?.formulas[down]?.[across];
        return holds(state, formula, ranges[index]?.values[down]?.[across]);
      }),
    ),
  );
  if (!stand) throw new Failure("sheet-refused", { detail: "Cells were changed or moved meanwhile." });
}

function holds(
  { content, numberFormat, isSpilledInto }: CellState,
  formula: unknown,
  value: unknown,
): boolean {
  if (isSpilledInto) return true;
  // A formula may stand in a cell that has the format of texts by now.
  if (typeof content === "string" && content.startsWith("=") && formula === content) return true;
  return (
    value === (typeof content === "string" && numberFormat !== "@" ? content.replace(/^'/, "") : content)
  );
}

function put(context: Excel.RequestContext, piece: Piece, when: When) {
  const range = rangeOf(context, piece);
  const states = piece[when];
  // The format first: Excel would make numbers and dates of texts that look like them.
  range.numberFormat = states.map((row) => row.map(({ numberFormat }) => numberFormat));
  range.formulas = states.map((row) => row.map(({ content }) => content));
}

async function putBack(context: Excel.RequestContext, pieces: readonly Piece[]): Promise<void> {
  const refused: Piece[] = [];
  for (const piece of pieces) {
    put(context, piece, "before");
    // One by one: what a protected sheet refuses must not keep the others from coming back.
    // eslint-disable-next-line office-addins/no-context-sync-in-loop
    await context.sync().catch(() => refused.push(piece));
  }
  if (refused.length === 0) return;
  // What refuses this has mostly refused the change as well.
  const now = await readContents(context, refused, ["formula"]).catch(
    () => new Map<string, { formula: string }>(),
  );
  const isAsBefore = ({ sheetId, row, column, before }: Piece) =>
    before.every((states, down) =>
      states.every(({ content, isSpilledInto }, across) => {
        const formula = now.get(cellKey(sheetId, row + down, column + across))?.formula;
        return isSpilledInto || formula === String(content);
      }),
    );
  if (refused.every(isAsBefore)) return;
  throw new Failure("sheet-refused", { detail: "What had been written could not be taken back." });
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
