import type { Failure } from "../../../errors";
import { heldBy } from "../cells/cell-content";
import {
  type BlockPlace,
  copyOf,
  isCopied,
  rangeOf,
  rowsBelow,
  sizeOf,
  sizeWritten,
  type WrittenBlock,
} from "./blocks";
import {
  contentsOfRange,
  type ContentPlace,
  contentsOf,
  freeName,
  type Held,
  heldAfter,
  type PieceNow,
} from "./contents";
import { type BlockLines, standingOf } from "./moved-blocks";
import { at, type Journal, takeBack, type Write } from "./swap";

/** The outcome of taking blocks back. */
export interface BlocksBack {
  /** Cells that somebody has changed, which were left as they are. */
  left: (ContentPlace & { address: string })[];
  /** Texts of others that were overwritten and could not be put back. */
  textsLost: unknown[];
  /** True if cells of the table stand where others stood before, so that what the copy holds could not be put back. */
  areSomeLeft: boolean;
  /** True if cells of the table were not found again. */
  areSomeMissing: boolean;
  /** The failure if Excel refused any. */
  refusal: Failure | undefined;
}

/**
 * The steps in which blocks are taken back: "typed" takes those back whose cells somebody had typed into right before; "wide" takes all cells
 * back that can be while a table has its new columns; "narrow" does the rest once it has its earlier ones.
 */
type Step = "typed" | "wide" | "narrow";

type BlockWrite = Write<ContentPlace, Held>;

const blank: Held = { value: "", formula: "", numberFormat: null };

export const isFilled = (has: Held | undefined): has is Held => has !== undefined && heldBy(has) !== "";

/**
 * Takes written blocks back, the last one first. A cell that holds anything else than what was written was changed by somebody and stays.
 * Rows that somebody has moved within a block are followed where the place was blank. Where it was not, all stays as it is if any row has
 * moved, because what the copy holds belongs elsewhere now. It may be called again: it then does the rest.
 *
 * @example
 * const { left } = await takeBackBlocks(context, place, written, "wide");
 */
export async function takeBackBlocks(
  context: Excel.RequestContext,
  place: BlockPlace,
  written: readonly WrittenBlock[],
  step: Step,
): Promise<BlocksBack> {
  const back: BlocksBack = {
    ...{ left: [], textsLost: [], refusal: undefined },
    ...{ areSomeLeft: false, areSomeMissing: false },
  };
  if (step === "wide" && (await haveMoved(context, place, written))) return { ...back, areSomeLeft: true };
  for (const sent of [...written].reverse()) {
    const writes = await writesOf(context, place, sent, step);
    if (writes.length > 0) await takeBackBlock(context, place, { sent, writes, step, back });
  }
  return back;
}

/** True if rows or columns of a place that was not blank have been moved since they were written. */
async function haveMoved(
  context: Excel.RequestContext,
  place: BlockPlace,
  written: readonly WrittenBlock[],
): Promise<boolean> {
  const size = sizeWritten(written);
  for (const sent of written) {
    if (!sent.range || sent.isRoom || !copyOf(place, sent.block)) continue;
    const read = channelOf(place, sent).queueReading([{ row: sent.block.row, column: 0 }]);
    place.target.load("rowCount,columnCount");
    // Each block takes a request of its own, because Excel on the web answers at most 5 MB.
    // eslint-disable-next-line office-addins/no-context-sync-in-loop
    await context.sync();
    if (read().states.includes(undefined) || sizeOf(place.target) !== size) return true;
  }
  return false;
}

async function takeBackBlock(
  context: Excel.RequestContext,
  place: BlockPlace,
  { sent, writes, step, back }: { sent: WrittenBlock; writes: BlockWrite[]; step: Step; back: BlocksBack },
): Promise<void> {
  const journal: Journal<ContentPlace, Held> = { batches: [{ writes }], textsLost: [] };
  const { done, left, textsRefused, refusal } = await takeBack(context, at(channelOf(place, sent)), journal);
  back.refusal ??= refusal;
  back.textsLost.push(...journal.textsLost, ...textsRefused);
  const earlier = new Map(writes.map(({ cell, before }) => [cell, before]));
  const others = left.filter(({ cell, has }) => !has || !isCopied(has, earlier.get(cell) ?? blank));
  back.left.push(
    ...others.flatMap(({ cell, has, address }) => (isFilled(has) ? [{ ...cell, address }] : [])),
  );
  const texts = new Set(writes.map(({ after }) => heldBy(after)));
  const areOurs = others.some(({ has }) => !has || texts.has(heldBy(has)));
  back.areSomeLeft ||= areOurs && copyOf(place, sent.block) !== undefined;
  // Fewer cells than were written are found where they strayed.
  if (!sent.range || sent.hasStrayed || step !== (sent.overwritten.length > 0 ? "typed" : "wide")) return;
  const found = [...done.map(({ before }) => before), ...others.map(({ has }) => has)].filter(isFilled);
  const wanted = writes.filter(({ before, after }) => before.isEarlier === true && isFilled(after));
  back.areSomeMissing ||= found.length < wanted.length;
}

/** The writes of a block that are taken back in a step. */
async function writesOf(
  context: Excel.RequestContext,
  place: BlockPlace,
  { block, overwritten, isRoom, givenNames, hasStrayed }: WrittenBlock,
  step: Step,
): Promise<BlockWrite[]> {
  const { resize } = place;
  const wide = block.entries[0]?.length ?? 0;
  const overwrittenAt = new Map(overwritten.map(({ row, column, held }) => [`${row} ${column}`, held]));
  if (step === "typed" && overwritten.length === 0) return [];
  if (isRoom ? step === "wide" : step === "narrow" && (block.row > 0 || !resize)) return [];
  const copy = copyOf(isRoom ? { ...place, isEmptied: false } : place, block);
  copy?.load("values,formulas,numberFormat");
  if (copy) await context.sync();
  const copied = copy && contentsOfRange(copy);
  const inColumns = Array.from({ length: hasStrayed ? block.columns : 0 }, (_, column) =>
    rowsBelow(block).flatMap((line) => (line[column] ? [heldAfter(line[column])] : [])),
  );
  const writes: BlockWrite[] = [];
  for (let down = 0; down < block.rows; down += 1) {
    for (let column = 0; column < block.columns; column += 1) {
      const row = block.row + down;
      const typed = overwrittenAt.get(`${row} ${column}`);
      const isNew = resize !== undefined && row === 0 && column >= resize.columnsBefore && column < wide;
      if (step === "narrow" && !isRoom && !isNew) continue;
      const names = resize && row === 0 ? { givenNames } : undefined;
      const entry = block.entries[down]?.[column];
      const after = { ...(entry ? heldAfter(entry) : blank), ...names };
      const { value, formula } = copied?.[down]?.[column] ?? blank;
      const before =
        typed ??
        (isNew && step !== "narrow"
          ? // A table has no blank header, and its other headers must get their names back.
            heldAfter({ value: freeName(), numberFormat: "@" })
          : { value, formula, numberFormat: null, isEarlier: true });
      writes.push({
        cell: { row, column },
        before: { ...before, ...names },
        after,
        mayHave: hasStrayed && row > 0 ? [after, ...(inColumns[column] ?? [])] : undefined,
        isOthers: step === "typed" && typed !== undefined,
      });
    }
  }
  return writes;
}

/** The contents of a block's cells, where they stand now. */
function channelOf(place: BlockPlace, { block, range, isRoom, hasStrayed }: WrittenBlock) {
  const isBlank = copyOf(place, block) === undefined;
  const standing = new WeakMap<PieceNow, BlockLines>();
  const { backup, isEmptied } = place;
  return contentsOf([block], {
    // An object of a request that Excel refused can't be used anymore.
    rangeOf: () => rangeOf(place.target, block),
    // The columns for which room was made are deleted again, with the ranges in them.
    ranges: new Map(range && !isRoom ? [[block, range]] : []),
    seek({ row, column }, now) {
      // Rows that have what others were to get can't be followed by what they hold.
      if (hasStrayed) return now.hasSize ? { down: row - block.row, across: column } : undefined;
      const { rows, columns } = standing.get(now) ?? standingOf(block, now, isBlank);
      standing.set(now, { rows, columns });
      const [down, across] = [rows[row - block.row], columns[column]];
      return down === undefined || across === undefined ? undefined : { down, across };
    },
    links: "clear",
    queueEarlier(to, from) {
      if (backup && (isRoom || isEmptied !== true)) to.copyFrom(rangeOf(backup.range, from), "All");
      else to.clear("All");
    },
  });
}
