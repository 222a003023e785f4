import { Failure } from "../../../errors";

/** A cell of a range: its row and column count from the first cell of the range, from 0. */
export interface Place {
  row: number;
  column: number;
}

/**
 * One thing that the cells of a range have, such as their fill or their note, and how it is read and written. It queues only; the caller
 * sends the request with `context.sync`, and Excel carries out its steps in order.
 */
export interface Channel<State> {
  /** Cuts cells into groups that one request of Excel on the web takes, when they are read and written in it. */
  partsOf<Cell extends Place>(cells: readonly Cell[]): Cell[][];
  /** Queues the reading of cells. Call the returned function after the request. */
  queueReading(cells: readonly Place[]): () => Reading<State>;
  /** Queues the writing of cells. `has` is what they had when they were read last. */
  queueWriting(cells: readonly (Place & { has: State; next: State })[]): void;
  /** True if two states look the same to a user. */
  isSame(one: State, other: State): boolean;
  /**
   * The same channel for cells that this request writes, wherever Excel moves them: Excel moves a range along when rows or columns are
   * inserted or deleted, not when rows are sorted.
   */
  pinned(cells: readonly Place[]): Channel<State>;
  /** A sentence for what was written and could not be taken back. */
  leftBehind: string;
}

export interface Reading<State> {
  states: State[];
  /** False if the range stands elsewhere by then, so that other cells were read or written than were meant. */
  isInPlace: boolean;
}

/** Queues a check of which cells are still in the expected rows. Call the returned function after the request. */
export type QueueCheck<Cell> = (cells: readonly Cell[]) => () => boolean[];

export interface SwapOptions<Cell, State> {
  /** The state to give a cell that has this one; undefined leaves the cell as it is. It is asked again if the cell has another by then. */
  next(cell: Cell, has: State): State | undefined;
  queueCheck?: QueueCheck<Cell> | undefined;
  /** Waited for before each part. */
  gate?: (() => Promise<void>) | undefined;
  /** Fails with cancelled before the next part; the parts that were written are taken back. */
  signal?: AbortSignal | undefined;
}

export interface Swapped<Cell, State> {
  /** The cells that were written, with what they had before and have now. */
  done: { cell: Cell; before: State; after: State }[];
  /** Cells that were left as they are, with what they have. */
  left: { cell: Cell; has: State }[];
  /** Cells whose rows stood elsewhere by then. They were not written. */
  moved: Cell[];
  /** How many other cells were met in their places and may not have got back what they had. */
  lost: number;
}

/** A limit on the tries. Somebody may type or move rows between two requests, but hardly this often. */
const mostTries = 10;

/**
 * Writes cells that have what is expected of them, and nothing else, though anybody may type, sort, insert or delete between two requests.
 * Each part of the cells takes two requests: one reads them, and one reads them again, writes them and checks their rows. A cell that had
 * something else by then, or stood in another row, is owed to its owner and gets it back in the same way. If a request is refused or the
 * work is cancelled, all cells that still have what was written get back what they had, and the failure is thrown; it is sheet-refused if
 * that is not possible.
 *
 * @example
 * await swap(context, notesOf(range), cells, { next: (cell, has) => (has === cell.expected ? cell.text : undefined) });
 */
export async function swap<Cell extends Place, State>(
  context: Excel.RequestContext,
  channel: Channel<State>,
  cells: readonly Cell[],
  options: SwapOptions<Cell, State>,
): Promise<Swapped<Cell, State>> {
  const { next, queueCheck, gate, signal } = options;
  const all: Swapped<Cell, State> = { done: [], left: [], moved: [], lost: 0 };
  /** The writes of the request that is under way, which Excel may refuse half-way. */
  let underWay: typeof all.done = [];
  try {
    for (const part of channel.partsOf(cells)) {
      await gate?.();
      if (signal?.aborted) throw new Failure("cancelled");
      const { states, isHere } = await look(context, channel, part, queueCheck);
      const wanted = part.flatMap((cell, index) => {
        const has = states[index] as State;
        if (!isHere[index]) {
          all.moved.push(cell);
          return [];
        }
        const after = next(cell, has);
        if (after !== undefined) return [{ row: cell.row, column: cell.column, cell, has, next: after }];
        all.left.push({ cell, has });
        return [];
      });
      if (wanted.length === 0) continue;
      underWay = wanted.map(({ cell, has, next: after }) => ({ cell, before: has, after }));
      const read = channel.queueReading(wanted);
      const check = queueCheck?.(wanted.map(({ cell }) => cell));
      const pinned = channel.pinned(wanted);
      channel.queueWriting(wanted);
      // eslint-disable-next-line office-addins/no-context-sync-in-loop
      await context.sync();
      underWay = [];
      const { states: before, isInPlace } = read();
      const standing = check?.();
      const owed = wanted.flatMap(({ cell, next: after }, index) => {
        const was = before[index] as State;
        const isThere = isInPlace && standing?.[index] !== false;
        const still = isThere ? next(cell, was) : undefined;
        if (still !== undefined && channel.isSame(still, after)) {
          all.done.push({ cell, before: was, after });
          return [];
        }
        if (isThere) all.left.push({ cell, has: was });
        else all.moved.push(cell);
        return [{ cell, before: was, after }];
      });
      all.lost += await takeBack(context, pinned, owed);
    }
    return all;
  } catch (thrown) {
    await takeBack(context, channel, [...all.done, ...underWay], queueCheck).catch((cause: unknown) => {
      throw new Failure("sheet-refused", { detail: channel.leftBehind, isPartlyWritten: true, cause });
    });
    throw thrown;
  }
}

/** Gives cells back what they had, if they still have what was written. Returns how many of them have something else. */
async function takeBack<Cell extends Place, State>(
  context: Excel.RequestContext,
  channel: Channel<State>,
  done: Swapped<Cell, State>["done"],
  queueCheck?: QueueCheck<Cell>,
): Promise<number> {
  const writes = done
    .filter(({ before, after }) => !channel.isSame(before, after))
    .map((write) => ({ ...write, row: write.cell.row, column: write.cell.column }));
  if (writes.length === 0) return 0;
  const { left, lost } = await swap(context, channel, writes, {
    next: ({ before, after }, has) => (channel.isSame(has, after) ? before : undefined),
    queueCheck: queueCheck && ((cells) => queueCheck(cells.map(({ cell }) => cell))),
  });
  return left.length + lost;
}

/** Reads cells, and whether they stand in their rows. */
async function look<Cell extends Place, State>(
  context: Excel.RequestContext,
  channel: Channel<State>,
  part: readonly Cell[],
  queueCheck: QueueCheck<Cell> | undefined,
): Promise<{ states: State[]; isHere: boolean[] }> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const read = channel.queueReading(part);
    const check = queueCheck?.(part);
    // eslint-disable-next-line office-addins/no-context-sync-in-loop
    await context.sync();
    const { states, isInPlace } = read();
    const standing = check?.();
    if (isInPlace) return { states, isHere: part.map((_, index) => standing?.[index] !== false) };
  }
  throw new Failure("sheet-refused", { detail: "Cells kept moving while they were read." });
}
