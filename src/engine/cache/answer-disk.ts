/** The answers of a space on disk, in shards (`shard.ts`). */
import { groupBy, partsOf } from "../../lists";
import { answersIn, type FilledPart } from "./answer-part";
import { type AhjAnswers, openShard, type Shard, shardOf, storedShardOf, withUse } from "./shard";
import type { Disk, Space } from "./store";

/** The time of a shard's last use is written again once the written time is older than this. */
const noteUseMs = 86_400_000;

/** The most shards that one transaction reads, because writes wait until it ends and the shards are in memory until then. */
const mostRead = 16;

/** When a shard was last used, by its number. */
export interface UsedShard {
  number: number;
  usedAtMs: number;
}

/** Reads the shards of these AHJs, a few in each transaction. Other AHJs of the same shards come as well. Never fails. */
export async function* readAnswers(
  disk: Disk,
  space: Space,
  ahjIds: ReadonlySet<number>,
): AsyncGenerator<UsedShard & Shard> {
  for (const some of partsOf([...shardsOf(ahjIds)], mostRead)) {
    const records = new Map<number, unknown>();
    await disk.readShards(space, some, (number, record) => records.set(number, record));
    for (const [number, record] of records) {
      const shard = openShard(record);
      if (shard) yield { number, ...shard };
    }
  }
}

/** Notes that these shards were used now, unless a time of the same day is noted. Never fails. */
export async function noteUse(disk: Disk, space: Space, shards: readonly UsedShard[]): Promise<void> {
  const nowMs = Date.now();
  for (const { number, usedAtMs } of shards)
    if (Math.abs(nowMs - usedAtMs) > noteUseMs)
      await disk.changeShard(space, number, (record) => withUse(record, nowMs));
}

/**
 * Adds answers. The newer of two answers stays; if both have the same age, the one that comes later in the list does. Each shard is written
 * on its own, so that a failed write loses no other shard. Never fails.
 */
export async function writeAnswers(disk: Disk, space: Space, answers: readonly AhjAnswers[]): Promise<void> {
  const addedTo = groupBy(answers, ([ahjId]) => shardOf(ahjId));
  for (const [shard, added] of addedTo)
    await disk.changeShard(space, shard, (record) => storedShardOf([...keptIn(record), ...added]));
}

/** Removes all answers of these AHJs, even if the disk is full. Never fails. */
export async function dropAnswers(disk: Disk, space: Space, ahjIds: ReadonlySet<number>): Promise<void> {
  for (const shard of shardsOf(ahjIds)) {
    const isDone = await disk.changeShard(space, shard, (record) => {
      const kept = keptIn(record);
      const rest = kept.filter(([ahjId]) => !ahjIds.has(ahjId));
      // A damaged shard is removed, because it may have answers of these AHJs.
      return kept.length > 0 && rest.length === kept.length ? "unchanged" : storedShardOf(rest);
    });
    // A full disk refuses to write the remaining answers of the shard, so they are removed as well.
    if (!isDone) await disk.changeShard(space, shard, () => undefined);
  }
}

const shardsOf = (ahjIds: Iterable<number>) => new Set(Array.from(ahjIds, shardOf));

function keptIn(record: unknown): AhjAnswers[] {
  const shard = openShard(record);
  return shard ? ahjAnswers(shard.filled) : [];
}

/** The answers of a part by AHJ. */
export function ahjAnswers({ part, rows }: FilledPart): AhjAnswers[] {
  return rows.map((row) => [row.ahj, answersIn(part, row)]);
}
