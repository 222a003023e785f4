import { Failure } from "../../../errors";
import { withCellsLeft, withTextsLost } from "../cells/changed-meanwhile";

/** A cell of a range: its row and column count from the first cell of the range, from 0. */
export interface Place {
  row: number;
  column: number;
}

/**
 * One thing that cells have, such as their content, their fill or their note, and how it is read and written. It queues only; the caller
 * sends the request with `context.sync`, and Excel carries out its steps in order.
 */
export interface Channel<State, At extends Place = Place> {
  /** Cuts cells into groups that one request of Excel on the web takes, when they are read and written in it. */
  partsOf<Cell extends At>(cells: readonly Cell[]): Cell[][];
  /**
   * Cuts a part that was refused as a whole into smaller ones, which may be refused one by one: cells that must be written together stay
   * together. Default: it stays whole.
   */
  apart?<Cell extends At>(part: readonly Cell[]): Cell[][];
  /** Queues the reading of cells. Call the returned function after the request. */
  queueReading(cells: readonly At[]): () => Reading<State>;
  /** Queues the writing of cells. `has` is what they had when they were read last. */
  queueWriting(cells: readonly (At & { has: State; next: State })[]): void;
  /** True if two states look the same to a user. */
  isSame(one: State, other: State): boolean;
  /** True if a cell that has this state shows that it was written. Default: it has what was written. */
  wasWritten?(has: State, write: { before: State; after: State }): boolean;
  /** The text to name if a state could not be put back; "" if nobody would miss it. Default: "". */
  textOf?(state: State): unknown;
  /**
   * The same channel for cells that this request writes, wherever Excel moves them: Excel moves a range along when rows or columns are
   * inserted or deleted, not when rows are sorted.
   */
  pinned(cells: readonly At[]): Channel<State, At>;
  /** A sentence for what was written and could not be taken back. */
  leftBehind: string;
}

export interface Reading<State> {
  /** The states of the cells, in their order; undefined for a cell that is not found anymore. */
  states: (State | undefined)[];
  /** False if the range stands elsewhere by then, so that other cells were read or written than were meant. */
  isInPlace: boolean;
  /** The address of a cell, by its index. */
  addressOf(index: number): string;
}

/** Queues a check of which cells are still in the expected rows. Call the returned function after the request. */
export type QueueCheck<Cell> = (cells: readonly Cell[]) => () => boolean[];

export interface SwapOptions<Cell, State> {
  /** The state to give a cell that has this one; undefined leaves the cell as it is. It is asked again if the cell has another by then. */
  next(cell: Cell, has: State): State | undefined;
  queueCheck?: QueueCheck<Cell> | undefined;
  /** Waited for before each part. Writes that it makes itself are taken back with the others if it adds them to `batches`. */
  gate?: ((part: readonly Cell[], batches: Write<Cell, State>[][]) => Promise<void>) | undefined;
  /** If given, all cells are written or none: the failure with which the work ends when cells have something else or are not found. */
  refusal?: ((cells: readonly LeftCell<Cell, State>[]) => Failure) | undefined;
  /** Called after each part with the number of cells that are written. */
  onWritten?: ((cells: number) => void) | undefined;
  /** Called before a failure is thrown, with texts of others that could not be put back. Without it, the failure names them. */
  onTextsLost?: ((texts: readonly unknown[]) => void) | undefined;
  /** Fails with cancelled before the next part; the parts that were written are taken back. */
  signal?: AbortSignal | undefined;
}

/** A cell that was written, with what it had before and has now. */
export interface Write<Cell, State> {
  cell: Cell;
  before: State;
  after: State;
  /** True if the cell was written by mistake, so that what it had is somebody else's. */
  isOthers?: boolean;
}

/** A cell that was left, with what it has; undefined if it is not found anymore. */
export interface LeftCell<Cell, State> {
  cell: Cell;
  has: State | undefined;
  address: string;
}

export interface Swapped<Cell, State> {
  done: Write<Cell, State>[];
  /** Cells that were left as they are. */
  left: (LeftCell<Cell, State> & { has: State })[];
  /** Cells whose rows stood elsewhere by then, or that are not found anymore. They were not written. */
  moved: Cell[];
  /** The addresses where cells are missing that are not found anymore. */
  missing: string[];
  /** The states that others had given cells, which were written by mistake and could not be given back. */
  lost: State[];
}

/** A limit on the tries. Somebody may type or move rows between two requests, but hardly this often. */
const mostTries = 10;

/**
 * Writes cells that have what is expected of them, and nothing else, though anybody may type, sort, insert or delete between two requests.
 * Each part of the cells takes two requests: one reads them, and one reads them again, writes them and checks their rows. A cell that had
 * something else by then, or stood in another row, is owed to its owner and gets it back in the same way. If a request is refused or the
 * work is cancelled, all cells that still have what was written get back what they had, and the failure is thrown; it names the cells
 * that somebody has changed since. It is sheet-refused if Excel refuses that, too.
 *
 * @example
 * await swap(context, notesOf(range), cells, { next: (cell, has) => (has === cell.expected ? cell.text : undefined) });
 */
export async function swap<Cell extends At, State, At extends Place = Place>(
  context: Excel.RequestContext,
  channel: Channel<State, At>,
  cells: readonly Cell[],
  options: SwapOptions<Cell, State>,
): Promise<Swapped<Cell, State>> {
  const { gate, signal, queueCheck, onWritten, onTextsLost } = options;
  const all: Swapped<Cell, State> = { done: [], left: [], moved: [], missing: [], lost: [] };
  /** All writes, as they were sent. Excel may refuse those of the last request half-way. */
  const batches: Write<Cell, State>[][] = [];
  try {
    for (const part of channel.partsOf(cells)) {
      await gate?.(part, batches);
      if (signal?.aborted) throw new Failure("cancelled");
      await swapPart(context, channel, part, { ...options, all, batches });
      onWritten?.(all.done.length);
    }
    return all;
  } catch (thrown) {
    const back = await takeBack(context, channel, batches, { queueCheck });
    const named = back.left.length > 0 ? withCellsLeft(thrown, back.left) : thrown;
    const { leftBehind: detail } = channel;
    const { refusal: cause } = back;
    const failure =
      cause === undefined ? named : new Failure("sheet-refused", { detail, isPartlyWritten: true, cause });
    const texts = [...all.lost, ...back.lost].map((state) => channel.textOf?.(state) ?? "");
    const lost = texts.filter((text) => text !== "");
    onTextsLost?.(lost);
    throw onTextsLost ? failure : withTextsLost(failure, lost);
  }
}

interface PartOptions<Cell, State> extends SwapOptions<Cell, State> {
  /** Receives what happens to the cells. */
  all: Swapped<Cell, State>;
  batches: Write<Cell, State>[][];
  /** How many undos this part is an undo of. */
  depth?: number;
}

/** Writes cells that one request takes. */
async function swapPart<Cell extends At, State, At extends Place>(
  context: Excel.RequestContext,
  channel: Channel<State, At>,
  part: readonly Cell[],
  { next, queueCheck, refusal, all, batches, depth = 0 }: PartOptions<Cell, State>,
): Promise<void> {
  const { reading, isHere } = await look(context, channel, part, queueCheck);
  const wanted: (Cell & { cell: Cell; has: State; next: State })[] = [];
  /** Leaves a cell as it is, or counts it as moved. Returns it as one that is not written. */
  const leave = (
    cell: Cell,
    has: State | undefined,
    address: string,
    isMissing: boolean,
  ): LeftCell<Cell, State> => {
    if (has === undefined) {
      all.moved.push(cell);
      if (isMissing) all.missing.push(address);
    } else all.left.push({ cell, has, address });
    return { cell, has, address };
  };
  const others = part.flatMap((cell, index) => {
    const has = isHere[index] ? reading.states[index] : undefined;
    const after = has === undefined ? undefined : next(cell, has);
    if (has === undefined || after === undefined) {
      const isMissing = reading.states[index] === undefined;
      return [leave(cell, has, reading.addressOf(index), isMissing)];
    }
    wanted.push({ ...cell, cell, has, next: after });
    return [];
  });
  if (refusal && others.length > 0) throw refusal(others);
  if (wanted.length === 0) return;
  const batch: Write<Cell, State>[] = wanted.map(({ cell, has, next: after }) => ({
    cell,
    before: has,
    after,
  }));
  batches.push(batch);
  const read = channel.queueReading(wanted);
  const check = queueCheck?.(wanted.map(({ cell }) => cell));
  const pinned = channel.pinned(wanted);
  channel.queueWriting(wanted);
  await context.sync();
  const { states: before, isInPlace, addressOf } = read();
  const standing = check?.();
  batch.length = 0;
  const owed: Write<Cell, State>[] = [];
  const met = wanted.flatMap(({ cell, next: after }, index) => {
    const was = before[index];
    const isThere = isInPlace && standing?.[index] !== false;
    const still = isThere && was !== undefined ? next(cell, was) : undefined;
    if (was !== undefined && still !== undefined && channel.isSame(still, after)) {
      batch.push({ cell, before: was, after: still });
      return [];
    }
    if (was !== undefined) owed.push({ cell, before: was, after, isOthers: true });
    return [leave(cell, isThere ? was : undefined, addressOf(index), was === undefined)];
  });
  all.done.push(...batch);
  batches.push(owed);
  if (refusal && met.length > 0) throw refusal(met);
  const back = await takeBack(context, pinned, [owed], { depth: depth + 1 });
  if (back.refusal !== undefined) throw back.refusal;
  batches.pop();
  all.lost.push(...back.lost);
}

interface TakenBack<State> {
  /** The addresses of cells that somebody has changed since they were written. They were left as they are. */
  left: string[];
  /** The states that others had given cells and that could not be given back. */
  lost: State[];
  /** The first refusal of Excel; undefined if there was none. */
  refusal: unknown;
}

interface TakeBackOptions<Cell> {
  queueCheck?: QueueCheck<Cell> | undefined;
  /** How many undos this one is an undo of. */
  depth?: number;
}

/**
 * Gives cells back what they had, the last batch first, if they still have what was written. A part that Excel refuses does not stop the
 * others.
 */
async function takeBack<Cell extends At, State, At extends Place>(
  context: Excel.RequestContext,
  channel: Channel<State, At>,
  batches: readonly (readonly Write<Cell, State>[])[],
  { queueCheck, depth = 0 }: TakeBackOptions<Cell>,
): Promise<TakenBack<State>> {
  const back: TakenBack<State> = { left: [], lost: [], refusal: undefined };
  const wasWritten = (has: State, write: Write<Cell, State>) =>
    channel.wasWritten?.(has, write) ?? channel.isSame(has, write.after);
  type Owed = Cell & { write: Write<Cell, State> };
  const put = async (part: readonly Owed[]) => {
    const all: Swapped<Owed, State> = { done: [], left: [], moved: [], missing: [], lost: [] };
    await swapPart<Owed, State, At>(context, channel, part, {
      next: ({ write }, has) =>
        wasWritten(has, write) && !channel.isSame(has, write.before) ? write.before : undefined,
      queueCheck: queueCheck && ((cells) => queueCheck(cells.map(({ write: { cell } }) => cell))),
      ...{ all, batches: [], depth },
    });
    const changed = all.left.filter(({ cell, has }) => !channel.isSame(has, cell.write.before));
    back.left.push(...changed.map(({ address }) => address), ...all.missing);
    back.lost.push(...all.lost, ...lostOf([...changed.map(({ cell }) => cell), ...all.moved]));
  };
  const lostOf = (cells: readonly Owed[]) =>
    cells.flatMap(({ write: { isOthers, before } }) => (isOthers ? [before] : []));
  // Excel often accepts at the second try what it refused at the first, for example for too many requests.
  const putTwice = (part: readonly Owed[]) => put(part).catch(() => put(part));
  for (const batch of [...batches].reverse()) {
    const writes = batch
      .filter(({ before, after }) => !channel.isSame(before, after))
      .map((write): Owed => ({ ...write.cell, write }));
    if (depth > mostTries) back.lost.push(...lostOf(writes));
    for (const part of depth > mostTries ? [] : channel.partsOf(writes)) {
      const isWhole = await putTwice(part).then(
        () => true,
        () => false,
      );
      const refused: unknown[] = [];
      for (const piece of isWhole ? [] : (channel.apart?.(part) ?? [part])) {
        await putTwice(piece).catch((cause: unknown) => {
          refused.push(cause);
          back.lost.push(...lostOf(piece));
        });
      }
      back.refusal ??= refused[0];
      // The parts of a batch belong together, such as a formula and the values that it is to fill again.
      if (refused.length > 0) break;
    }
  }
  return back;
}

/** Reads cells, and whether they stand in their rows. */
async function look<Cell extends At, State, At extends Place>(
  context: Excel.RequestContext,
  channel: Channel<State, At>,
  part: readonly Cell[],
  queueCheck: QueueCheck<Cell> | undefined,
): Promise<{ reading: Reading<State>; isHere: boolean[] }> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const read = channel.queueReading(part);
    const check = queueCheck?.(part);
    // eslint-disable-next-line office-addins/no-context-sync-in-loop
    await context.sync();
    const reading = read();
    const standing = check?.();
    if (reading.isInPlace) return { reading, isHere: part.map((_, index) => standing?.[index] !== false) };
  }
  throw new Failure("sheet-refused", { detail: "Cells kept moving while they were read." });
}
