/**
 * A shard of the answers on disk. The id of an AHJ alone says in which shard of a space its answers are, and a shard is always read and
 * written as a whole.
 */
import * as z from "../../zod";
import { orderMs } from "./age";
import { createAnswerPart, type FilledPart, openAnswerPart, pushRow } from "./answer-part";
import type { CachedAnswer } from "./cached-answer";
import { addNewer, type AnswersOfAhj } from "./records";

/** AHJs whose ids are this close together are mostly in one shard, because a state's ids mostly follow one another. */
const neighbors = 128;

/**
 * The number of shards in a space. There are no more, however large or sparse the ids are, so that the whole country is read in few records. If
 * the country's answers fill the disk's bound, a shard takes less than a megabyte, which is rewritten without blocking the page.
 */
const mostShards = 256;

/** Bytes that an AHJ takes besides its answers. */
const rowBytes = 12;

/** The number of the format. A shard of another format counts as none and is overwritten. */
const format = 1;

const storedShard = z.object({
  format: z.literal(format),
  /** Both columns have an entry for each AHJ. The answers of the AHJs follow one another in the part. */
  ahjIds: z.instanceof(Float64Array),
  counts: z.instanceof(Uint32Array),
  part: z.unknown(),
  /** Bytes that the shard takes. */
  bytes: z.number(),
  /** When the shard was last read or written, accurate to a day. */
  usedAtMs: z.number(),
  answers: z.number(),
  jurisdictions: z.number(),
  /** The fetch times of the AHJs' newest answers: the earliest and the latest. 0 if no time was known. */
  oldestMs: z.number(),
  newestMs: z.number(),
});
export type StoredShard = z.infer<typeof storedShard>;

/** The fields that the disk tells without reading the shard, in the order in which its index has them. */
export const factNames = ["bytes", "usedAtMs", "answers", "jurisdictions", "oldestMs", "newestMs"] as const;
export type ShardFacts = Pick<StoredShard, (typeof factNames)[number]>;

const factValues = z.array(z.number());

/** Answers of an AHJ, which can be iterated again. */
export type AhjAnswers = readonly [
  ahjId: number,
  answers: Iterable<readonly [typeId: number, answer: CachedAnswer]>,
];

export interface Shard {
  filled: FilledPart;
  usedAtMs: number;
}

/** The facts in a key of the index; undefined if it is the key of a damaged shard. */
export function shardFacts(key: unknown): ShardFacts | undefined {
  const parsed = factValues.safeParse(key);
  if (!parsed.success) return undefined;
  return Object.fromEntries(
    factNames.map((name, index) => [name, parsed.data[index]]),
  ) as unknown as ShardFacts;
}

/** The number of the shard that has the answers of an AHJ. */
export function shardOf(ahjId: number): number {
  return Math.floor(ahjId / neighbors) % mostShards;
}

/** Returns undefined if the record is missing, has another format or is damaged. */
export function openShard(record: unknown): Shard | undefined {
  const { success, data } = storedShard.safeParse(record);
  const part = success ? openAnswerPart(data.part) : undefined;
  if (!success || !part || data.counts.length !== data.ahjIds.length) return undefined;
  let end = 0;
  const rows = Array.from(data.ahjIds, (ahj, index) => {
    const [start, count] = [end, data.counts[index] ?? 0];
    end += count;
    return { ahj, start, count };
  });
  return end === part.count() ? { filled: { part, rows }, usedAtMs: data.usedAtMs } : undefined;
}

/**
 * The shard that holds these answers; undefined if there are none. The newer of two answers stays; if both have the same age, the one that
 * comes later does.
 */
export function storedShardOf(answers: Iterable<AhjAnswers>): StoredShard | undefined {
  const nowMs = Date.now();
  const all = new Map<number, AnswersOfAhj>();
  for (const [ahj, added] of answers) all.set(ahj, addNewer(all.get(ahj) ?? new Map(), added));
  if (all.size === 0) return undefined;
  const part = createAnswerPart([...all.values()].reduce((sum, { size }) => sum + size, 0));
  const rows = Array.from(all, ([ahj, ofAhj]) => pushRow(part, ahj, ofAhj));
  part.seal();
  const newestMs = Array.from(all.values(), (ofAhj) =>
    Math.max(...Array.from(ofAhj.values(), ({ fetchedAtMs }) => orderMs(fetchedAtMs, nowMs))),
  );
  const known = newestMs.filter((atMs) => atMs > 0);
  return {
    format,
    ahjIds: Float64Array.from(rows, ({ ahj }) => ahj),
    counts: Uint32Array.from(rows, ({ count }) => count),
    part: part.stored(),
    bytes: part.bytes() + rows.length * rowBytes,
    usedAtMs: nowMs,
    answers: part.count(),
    jurisdictions: rows.length,
    oldestMs: known.length > 0 ? Math.min(...known) : 0,
    newestMs: Math.max(0, ...known),
  };
}

/** The same shard, used at this time. A record that is no shard stays as it is. */
export function withUse(record: unknown, usedAtMs: number): StoredShard | "unchanged" {
  const parsed = storedShard.safeParse(record);
  return parsed.success ? { ...parsed.data, usedAtMs } : "unchanged";
}
