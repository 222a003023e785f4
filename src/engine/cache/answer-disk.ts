/** The answers of a space on disk, in shards (`shard.ts`). */
import { groupBy, partsOf } from "../../lists";
import { createAnswerPart, type FilledPart, pushRow } from "./answer-part";
import type { AnswersOfAhj } from "./records";
import { openShard, shardOf, storedShardOf, withUse } from "./shard";
import type { Disk, Space } from "./store";

/** Answers to be written, by AHJ or as a part. */
export type NewAnswers = Map<number, AnswersOfAhj> | FilledPart;

/** The time of a shard's last use is written again once the written time is older than this. */
const noteUseMs = 86_400_000;

/** The most shards that one transaction reads, because writes wait until it ends and the shards are in memory until then. */
const mostRead = 16;

/** Reads the shards of these AHJs, a few in each transaction. Other AHJs of the same shards come as well. Never fails. */
export async function* readAnswers(
  disk: Disk,
  space: Space,
  ahjIds: Iterable<number>,
): AsyncGenerator<FilledPart> {
  const nowMs = Date.now();
  const unnoted: number[] = [];
  for (const some of partsOf([...shardsOf(ahjIds)], mostRead)) {
    const records = new Map<number, unknown>();
    await disk.readShards(space, some, (shard, record) => records.set(shard, record));
    for (const [number, record] of records) {
      const shard = openShard(record);
      if (!shard) continue;
      if (Math.abs(nowMs - shard.usedAtMs) > noteUseMs) unnoted.push(number);
      yield shard.filled;
    }
  }
  for (const shard of unnoted) await disk.changeShard(space, shard, (record) => withUse(record, nowMs));
}

/**
 * Adds answers. The newer of two answers stays; if both have the same age, the one that comes later in the list does. Each shard is written
 * on its own, so that a failed write loses no other shard. Never fails.
 */
export async function writeAnswers(disk: Disk, space: Space, answers: readonly NewAnswers[]): Promise<void> {
  const added = groupBy(answers.flatMap(inShards), ({ shard }) => shard);
  for (const [shard, some] of added)
    await disk.changeShard(space, shard, (record) => {
      const kept = openShard(record);
      return storedShardOf([...(kept ? [kept.filled] : []), ...some.map(({ own }) => filledPartOf(own))]);
    });
}

/** Removes all answers of these AHJs, even if the disk is full. Never fails. */
export async function dropAnswers(disk: Disk, space: Space, ahjIds: ReadonlySet<number>): Promise<void> {
  const isDropped = ({ ahj }: { ahj: number }) => ahjIds.has(ahj);
  for (const shard of shardsOf(ahjIds)) {
    const isDone = await disk.changeShard(space, shard, (record) => {
      const kept = openShard(record)?.filled;
      if (kept && !kept.rows.some(isDropped)) return "unchanged";
      // A damaged shard is removed, because it may have answers of these AHJs.
      return storedShardOf(kept ? [{ ...kept, rows: kept.rows.filter((row) => !isDropped(row)) }] : []);
    });
    // A full disk refuses to write the remaining answers of the shard, so they are removed as well.
    if (!isDone) await disk.changeShard(space, shard, () => undefined);
  }
}

const shardsOf = (ahjIds: Iterable<number>) => new Set(Array.from(ahjIds, shardOf));

/** Divides new answers among their shards. */
function inShards(answers: NewAnswers): { shard: number; own: NewAnswers }[] {
  if ("part" in answers) {
    const { part, rows } = answers;
    return Array.from(
      groupBy(rows, ({ ahj }) => shardOf(ahj)),
      ([shard, own]) => ({ shard, own: { part, rows: own } }),
    );
  }
  return Array.from(
    groupBy(answers, ([ahj]) => shardOf(ahj)),
    ([shard, own]) => ({ shard, own: new Map(own) }),
  );
}

function filledPartOf(answers: NewAnswers): FilledPart {
  if ("part" in answers) return answers;
  const part = createAnswerPart([...answers.values()].reduce((sum, { size }) => sum + size, 0));
  return { part, rows: Array.from(answers, ([ahj, ofAhj]) => pushRow(part, ahj, ofAhj)) };
}
