import { twice } from "../../../async/twice";
import { Failure } from "../../../errors";
import { partsWithin } from "../../../lists";
import { SheetFailure } from "../../../sheet-failure";
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
  /** The most cells that one request may write, by what was read last. Default: those of a part. */
  mostAtOnce?(): number;
  /** Queues the reading of cells. Call the returned function after the request. */
  queueReading(cells: readonly At[]): () => Reading<State>;
  /** Queues the writing of cells that the same request reads before. `has` is what they had when they were read last. */
  queueWriting(cells: readonly (At & { has: State; next: State })[]): void;
  /** True if two states look the same to a user. */
  isSame(one: State, other: State): boolean;
  /** True if a cell that has this state shows that it was written. Default: it has what was written. */
  wasWritten?(has: State, write: { before: State; after: State }): boolean;
  /** True if a refusal shows that Excel carried out none of the writes of a request. Default: it may have carried out some. */
  wasRefusedWhole?(thrown: unknown): boolean;
  /** The text to name if a state could not be put back; "" if nobody would miss it. Default: "". */
  textOf?(state: State): unknown;
  /**
   * The same channel for cells that the present request writes, wherever Excel moves them: Excel moves a range along when rows or columns
   * are inserted or deleted, not when rows are sorted.
   */
  pinned(cells: readonly (At & { next: State })[]): Channel<State, At>;
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
  /** Set if Excel may have put what the same request wrote into other cells than were meant. */
  strayed?: Strayed<State> | undefined;
}

/** Cells in which a request may have put what others were to get. */
export interface Strayed<State> {
  /** True if a cell that was read, by its index, is one of them. */
  includes(index: number): boolean;
  /** All of them, also those that were not to be written, with `mayHave`. */
  writes: Write<Place, State>[];
  /** Finds them where they stood in that request. */
  channel: Channel<State>;
}

/** A cell with the place where it stands now. */
export type Placed<Cell, At extends Place = Place> = At & { cell: Cell };

/** The present places of cells, and the channel in which they are read and written there. */
export interface Found<Cell, State, At extends Place = Place> {
  channel: Channel<State, At>;
  /** The place of each cell; undefined for a cell that is not found. */
  places: (At | undefined)[];
  /**
   * Queues a check of which cells still stand in their places. Call the returned function after the request. Default: cells stay in their
   * places, because Excel moves the ranges of the channel along.
   */
  queueCheck?: ((cells: readonly Placed<Cell, At>[]) => () => Standing<Cell>[]) | undefined;
}

export interface Standing<Cell> {
  isHere: boolean;
  /** The cell that stands in the place now, if that is known. */
  now: Cell | undefined;
}

/** Finds the present places of cells. It is called again for cells that have moved since, and when they are taken back. */
export type Find<Cell, State, At extends Place = Place> = (
  cells: readonly Cell[],
) => Promise<Found<Cell, State, At>>;

export interface SwapOptions<Cell, State, At extends Place = Place> {
  /** The state to give a cell that has this one; undefined leaves the cell as it is. It is asked again if the cell has another by then. */
  next(cell: Cell, has: State): State | undefined;
  /** Waited for before each part. Writes that it makes itself are taken back with the others if it adds them to the journal. */
  gate?: ((part: readonly Cell[], journal: Journal<Cell, State, At>) => Promise<void>) | undefined;
  /** If given, all cells are written or none: the failure with which the work ends when cells have something else or are not found. */
  refusal?: ((cells: readonly LeftCell<Cell, State>[]) => Failure) | undefined;
  /** Called after each part with the number of cells that are written. */
  onWritten?: ((cells: number) => void) | undefined;
  /** Called before a failure is thrown, with texts of others that could not be put back. Without it, the failure names them. */
  onTextsLost?: ((texts: readonly unknown[]) => void) | undefined;
  /** Fails with cancelled before the next part. */
  signal?: AbortSignal | undefined;
}

/** A cell that was written, with what it had before and has now. */
export interface Write<Cell, State> {
  cell: Cell;
  before: State;
  after: State;
  /** True if the cell was written by mistake, so that what it had is somebody else's. */
  isOthers?: boolean;
  /** The states that the cell may have now, if it is not known what was written. Default: `after`. */
  mayHave?: readonly State[] | undefined;
}

/** Writes of one request, or of a step that was made beside. If one can't be taken back, those after it that belong to it stay, too. */
export interface Batch<Cell, State, At extends Place = Place> {
  writes: Write<Cell, State>[];
  /** Finds the cells if they are not where the others of their kind are found. */
  find?: Find<Cell, State, At>;
}

/** The writes that were sent to Excel, by which they can be taken back. */
export interface Journal<Cell, State, At extends Place = Place> {
  /** The batches in their order. Excel may have refused the last one half-way. */
  batches: Batch<Cell, State, At>[];
  /** The texts of others that were overwritten and could not be put back. */
  textsLost: unknown[];
}

/** A cell that was left, with what it has; undefined if it is not found anymore. The address is "" if it is not known. */
export interface LeftCell<Cell, State> {
  cell: Cell;
  has: State | undefined;
  address: string;
}

export interface Swapped<Cell, State> {
  done: Write<Cell, State>[];
  /** Cells that were left as they are. */
  left: (LeftCell<Cell, State> & { has: State })[];
  /** Cells that are not found anymore. */
  gone: { cell: Cell; address: string }[];
  /** The number of cells that were written by mistake, and may not have got back what somebody had given them. */
  lost: number;
}

/** Finds cells that are their own places in a channel. */
export function at<Cell extends At, State, At extends Place>(
  channel: Channel<State, At>,
): Find<Cell, State, At> {
  return (cells) => Promise.resolve({ channel, places: [...cells] });
}

/** A limit on the tries. Somebody may type or move rows between two requests, but hardly this often. */
const mostTries = 10;

/**
 * Writes cells that have what is expected of them, and nothing else, though anybody may type, sort, insert or delete between two requests.
 * Each part of the cells takes two requests: one reads them, and one reads them again, writes them and checks their places. A cell that had
 * something else by then, or stood elsewhere, is given back to its owner in the same way. If a request is refused or the work is
 * cancelled, all cells that still have what was written get back what they had, and the failure is thrown; it names the cells that somebody
 * has changed since. It is sheet-refused if Excel refuses that, too.
 *
 * @example
 * await swap(context, at(notesOf(range)), cells, { next: (cell, has) => (has === cell.expected ? cell.text : undefined) });
 */
export async function swap<Cell, State, At extends Place = Place>(
  context: Excel.RequestContext,
  find: Find<Cell, State, At>,
  cells: readonly Cell[],
  options: SwapOptions<Cell, State, At>,
): Promise<Swapped<Cell, State>> {
  const journal: Journal<Cell, State, At> = { batches: [], textsLost: [] };
  try {
    return await swapNoting(context, find, cells, { ...options, journal });
  } catch (thrown) {
    const { left, textsRefused, refusal } = await takeBack(context, find, journal);
    const textsLost = [...journal.textsLost, ...textsRefused];
    const addresses = left.map(({ address }) => address).filter((address) => address !== "");
    const failure = refusal ?? (left.length > 0 ? withCellsLeft(thrown, addresses) : thrown);
    options.onTextsLost?.(textsLost);
    throw options.onTextsLost ? failure : withTextsLost(failure, textsLost);
  }
}

/** Does the same as `swap`, but leaves it to the caller to take back what the journal holds. */
export async function swapNoting<Cell, State, At extends Place = Place>(
  context: Excel.RequestContext,
  find: Find<Cell, State, At>,
  cells: readonly Cell[],
  options: SwapOptions<Cell, State, At> & {
    journal: Journal<Cell, State, At>;
    /** The number of undos that this is an undo of. */
    depth?: number;
  },
): Promise<Swapped<Cell, State>> {
  const { gate, signal, onWritten, journal } = options;
  const all: Swapped<Cell, State> = { done: [], left: [], gone: [], lost: 0 };
  let open = cells;
  for (let tries = 0; open.length > 0; tries += 1) {
    if (tries === mostTries)
      throw new SheetFailure("sheet-refused", { detail: "Cells kept moving while they were written." });
    const found = await find(open);
    const placed = open.flatMap((cell, index) => {
      const place = found.places[index];
      if (place) return [{ ...place, cell }];
      all.gone.push({ cell, address: "" });
      return [];
    });
    const moved: Cell[] = [];
    for (const part of found.channel.partsOf(placed)) {
      const cellsOfPart = part.map(({ cell }) => cell);
      await gate?.(cellsOfPart, journal);
      if (signal?.aborted) throw new Failure("cancelled");
      moved.push(...(await swapPart(context, found, part, { ...options, find, all })));
      onWritten?.(all.done.length);
    }
    open = moved;
  }
  return all;
}

/** Writes cells that one request takes. Returns those that have moved. */
async function swapPart<Cell, State, At extends Place>(
  context: Excel.RequestContext,
  found: Found<Cell, State, At>,
  part: readonly Placed<Cell, At>[],
  options: Parameters<typeof swapNoting<Cell, State, At>>[3] & {
    find: Find<Cell, State, At>;
    all: Swapped<Cell, State>;
  },
): Promise<Cell[]> {
  const { channel, queueCheck } = found;
  const { find, next, refusal, journal, all, depth = 0 } = options;
  const moved: Cell[] = [];
  /** Leaves a cell as it is. */
  const leave = (cell: Cell, has: State | undefined, address: string): LeftCell<Cell, State> => {
    if (has !== undefined) all.left.push({ cell, has, address });
    else if (queueCheck) moved.push(cell);
    else all.gone.push({ cell, address });
    return { cell, has, address };
  };
  const { reading, isHere } = await look(context, found, part);
  const together = channel.apart?.(part) ?? part.map((each) => [each]);
  const parts = partsWithin(together, ({ length }) => length, { room: channel.mostAtOnce?.() ?? Infinity });
  if (parts.length > 1) {
    for (const some of parts) moved.push(...(await swapPart(context, found, some.flat(), options)));
    return moved;
  }
  type Wanted = Placed<Cell, At> & { has: State; next: State };
  const wanted: Wanted[] = [];
  const others = part.flatMap((placed, index) => {
    const { cell } = placed;
    const has = isHere[index] ? reading.states[index] : undefined;
    const after = has === undefined ? undefined : next(cell, has);
    if (has === undefined || after === undefined) return [leave(cell, has, reading.addressOf(index))];
    wanted.push({ ...placed, has, next: after });
    return [];
  });
  if (refusal && others.length > 0) throw refusal(others);
  if (wanted.length === 0) return moved;
  const batch: Batch<Cell, State, At> = {
    writes: wanted.map(({ cell, has, next: after }) => ({ cell, before: has, after })),
  };
  journal.batches.push(batch);
  const read = channel.queueReading(wanted);
  const check = queueCheck?.(wanted);
  const pinned = channel.pinned(wanted);
  channel.queueWriting(wanted);
  await context.sync().catch((thrown: unknown) => {
    if (channel.wasRefusedWhole?.(thrown)) batch.writes = [];
    throw thrown;
  });
  const { states: before, isInPlace, addressOf, strayed } = read();
  const standing = check?.();
  batch.writes = [];
  if (strayed) {
    const own: Journal<Place, State> = { batches: [{ writes: strayed.writes }], textsLost: [] };
    const back = await takeBack(context, at(strayed.channel), own, depth + 1);
    journal.textsLost.push(...own.textsLost, ...back.textsRefused);
    if (back.refusal) throw back.refusal;
    all.lost += back.lost;
  }
  const toGiveBack: ToGiveBack<Cell, State, At>[] = [];
  const overwritten = wanted.flatMap((placed, index) => {
    const { cell, next: after } = placed;
    if (strayed?.includes(index)) {
      moved.push(cell);
      return [];
    }
    const was = before[index];
    const { isHere, now } = standing?.[index] ?? { isHere: true, now: undefined };
    const isThere = isInPlace && isHere;
    const still = isThere && was !== undefined ? next(cell, was) : undefined;
    if (was !== undefined && still !== undefined && channel.isSame(still, after)) {
      batch.writes.push({ cell, before: was, after: still });
      return [];
    }
    if (was !== undefined)
      toGiveBack.push({
        write: { cell, before: was, after, isOthers: true },
        // If other cells were written than were meant, the check tells of those that were meant.
        now: isInPlace ? now : undefined,
        place: placed,
      });
    return [leave(cell, isThere ? was : undefined, addressOf(index))];
  });
  all.done.push(...batch.writes);
  const placeOf = new Map(toGiveBack.map(({ write: { cell }, place }) => [cell, place]));
  const findToGiveBack: Find<Cell, State, At> = (cells) =>
    Promise.resolve({ channel: pinned, places: cells.map((cell) => placeOf.get(cell)) });
  journal.batches.push({ writes: toGiveBack.map(({ write }) => write), find: findToGiveBack });
  if (refusal && overwritten.length > 0) throw refusal(overwritten);
  all.lost += await giveBack(context, { find, findToGiveBack, journal, depth: depth + 1 }, toGiveBack);
  journal.batches.pop();
  return moved;
}

/** A write that gives a cell back what somebody else had there. */
interface ToGiveBack<Cell, State, At extends Place> {
  write: Write<Cell, State>;
  /** The cell that stands in its place, if that is known. */
  now: Cell | undefined;
  place: At;
}

/**
 * Gives owners back what they had. The cells that stand in the places now are looked for first, since their rows may be sorted again; a cell
 * with a newer text keeps that one. The others are taken where Excel has moved the range. Returns the number of those that were not found.
 */
async function giveBack<Cell, State, At extends Place>(
  context: Excel.RequestContext,
  {
    find,
    findToGiveBack,
    journal,
    depth,
  }: Record<"find" | "findToGiveBack", Find<Cell, State, At>> & {
    journal: Journal<Cell, State, At>;
    depth: number;
  },
  toGiveBack: readonly ToGiveBack<Cell, State, At>[],
): Promise<number> {
  const known = new Map<Cell, Write<Cell, State>>();
  for (const { write, now } of toGiveBack) if (now !== undefined) known.set(now, write);
  const writes = [...known].map(([cell, write]) => ({ ...write, cell, isOthers: false }));
  const first = await takeBack(context, find, { batches: [{ writes }], textsLost: [] }, depth);
  const missing = first.left.flatMap(({ cell, has }) => (has === undefined ? [cell] : []));
  const notBack = new Set([...first.refused, ...missing].map((cell) => known.get(cell)));
  const rest = toGiveBack
    .filter(({ write, now }) => now === undefined || notBack.has(write))
    .map(({ write }) => write);
  const own: Journal<Cell, State, At> = { batches: [{ writes: rest, find: findToGiveBack }], textsLost: [] };
  const { lost, refusal } = await takeBack(context, find, own, depth);
  if (refusal) throw refusal;
  journal.textsLost.push(...own.textsLost);
  return lost;
}

export interface TakenBack<Cell, State> {
  /** Cells that got back what they had: `before` is what they had until then. */
  done: Write<Cell, State>[];
  /** Cells that somebody has changed since they were written, or that are not found anymore. They were left as they are. */
  left: LeftCell<Cell, State>[];
  /** The number of cells that may not have got back what somebody had given them. */
  lost: number;
  /** The cells that Excel refused to give back what they had. */
  refused: Cell[];
  /** The texts of others in these cells, which are overwritten as long as this is not done again. */
  textsRefused: unknown[];
  /** The failure if Excel refused any. */
  refusal: Failure | undefined;
}

/**
 * Gives cells back what they had, the last batch first, if they still have what was written. A batch that Excel refuses does not stop the
 * others. It may be called again: it then does the rest.
 */
export async function takeBack<Cell, State, At extends Place>(
  context: Excel.RequestContext,
  findCells: Find<Cell, State, At>,
  journal: Journal<Cell, State, At>,
  depth = 0,
): Promise<TakenBack<Cell, State>> {
  const back: TakenBack<Cell, State> = {
    ...{ done: [], left: [], lost: 0 },
    ...{ refused: [], textsRefused: [], refusal: undefined },
  };
  for (const { writes, find = findCells } of [...journal.batches].reverse()) {
    const undo: Undo<Cell, State, At> = { context, find, journal, depth, back, channel: undefined };
    try {
      await twice(() => undoWrites(undo, writes));
    } catch {
      for (const part of await apart(find, writes)) {
        await twice(() => undoWrites(undo, part)).catch(({ cause, detail }: Failure) => {
          back.refusal ??= new SheetFailure("sheet-refused", { detail, isPartlyWritten: true, cause });
          back.refused.push(...part.map(({ cell }) => cell));
          back.textsRefused.push(...textsOfOthers(part, undo.channel));
        });
      }
    }
  }
  return back;
}

interface Undo<Cell, State, At extends Place> {
  context: Excel.RequestContext;
  find: Find<Cell, State, At>;
  /** Receives texts of others that can't be put back. */
  journal: Journal<Cell, State, At>;
  depth: number;
  /** Receives the cells that are left. */
  back: TakenBack<Cell, State>;
  /** The channel in which the cells were found last. */
  channel: Channel<State, At> | undefined;
}

/** The texts that somebody had given cells which were written by mistake. */
function textsOfOthers<Cell, State, At extends Place>(
  writes: readonly Write<Cell, State>[],
  channel: Channel<State, At> | undefined,
): unknown[] {
  const others = writes.filter(({ isOthers }) => isOthers);
  return others.map(({ before }) => channel?.textOf?.(before) ?? "").filter((text) => text !== "");
}

/** Takes writes back. It fails with what Excel refused, as the cause of a failure. */
async function undoWrites<Cell, State, At extends Place>(
  undo: Undo<Cell, State, At>,
  writes: readonly Write<Cell, State>[],
): Promise<void> {
  const { context, find, journal, depth, back } = undo;
  const own: Journal<Write<Cell, State>, State, At> = { batches: [], textsLost: journal.textsLost };
  const isSame = (one: State, other: State) => undo.channel?.isSame(one, other) ?? false;
  const wasWritten = (has: State, { before, after, mayHave = [after] }: Write<Cell, State>) =>
    mayHave.some((one) => undo.channel?.wasWritten?.(has, { before, after: one }) ?? isSame(has, one));
  try {
    if (depth > mostTries) throw new SheetFailure("sheet-refused");
    const { done, left, gone, lost } = await swapNoting<Write<Cell, State>, State, At>(
      context,
      async (open) => {
        const { queueCheck, places, ...found } = await find(open.map(({ cell }) => cell));
        undo.channel = found.channel;
        return {
          ...found,
          places: open.map(({ before, after, mayHave }, index) =>
            !mayHave && isSame(before, after) ? undefined : places[index],
          ),
          queueCheck:
            queueCheck &&
            ((placed) => {
              const check = queueCheck(placed.map((each) => ({ ...each, cell: each.cell.cell })));
              return () =>
                check().map(({ isHere, now }, index) => {
                  const write = placed[index]?.cell;
                  return { isHere, now: now !== undefined && write ? { ...write, cell: now } : undefined };
                });
            }),
        };
      },
      writes,
      {
        next: (write, has) =>
          wasWritten(has, write) && !isSame(has, write.before) ? write.before : undefined,
        journal: own,
        depth,
      },
    );
    back.done.push(...done.map(({ cell: { cell }, before, after }) => ({ cell, before, after })));
    const changed = [
      ...left.filter(({ cell, has }) => !isSame(has, cell.before)),
      ...gone
        .filter(({ cell: { before, after } }) => !isSame(before, after))
        .map((each) => ({ ...each, has: undefined })),
    ];
    back.left.push(...changed.map(({ cell: { cell }, has, address }) => ({ cell, has, address })));
    const others = changed.filter(({ cell }) => cell.isOthers);
    back.lost += lost + others.length;
    const lostWrites = others.map(({ cell }) => cell);
    journal.textsLost.push(...textsOfOthers(lostWrites, undo.channel));
  } catch (cause) {
    // A text that this undo overwrote may not be back yet, and nobody gives it back anymore.
    for (const { writes } of own.batches) journal.textsLost.push(...textsOfOthers(writes, undo.channel));
    const detail = undo.channel?.leftBehind ?? "What had been written could not be taken back.";
    throw new SheetFailure("sheet-refused", { detail, cause });
  }
}

/** Cuts writes that were refused together into those that may be refused one by one. */
async function apart<Cell, State, At extends Place>(
  find: Find<Cell, State, At>,
  writes: readonly Write<Cell, State>[],
): Promise<Write<Cell, State>[][]> {
  const found = await find(writes.map(({ cell }) => cell)).catch(() => undefined);
  if (!found?.channel.apart) return [[...writes]];
  const placed = writes.flatMap((write, index) => {
    const place = found.places[index];
    return place ? [{ ...place, write }] : [];
  });
  return found.channel.apart(placed).map((part) => part.map(({ write }) => write));
}

/** Reads cells, and whether they stand in their places. */
async function look<Cell, State, At extends Place>(
  context: Excel.RequestContext,
  { channel, queueCheck }: Pick<Found<Cell, State, At>, "channel" | "queueCheck">,
  part: readonly Placed<Cell, At>[],
): Promise<{ reading: Reading<State>; isHere: boolean[] }> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const read = channel.queueReading(part);
    const check = queueCheck?.(part);
    // eslint-disable-next-line office-addins/no-context-sync-in-loop
    await context.sync();
    const reading = read();
    const standing = check?.();
    if (reading.isInPlace)
      return { reading, isHere: part.map((_, index) => standing?.[index]?.isHere ?? true) };
  }
  throw new SheetFailure("sheet-refused", { detail: "Cells kept moving while they were read." });
}
