/**
 * Keeps answers and documents in a folder, as the add-in keeps them in IndexedDB (`src/engine/cache/store.ts`). Each space has a folder,
 * with a file for each document and each shard of answers. Several commands may use the folder at once.
 */
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { lock } from "proper-lockfile";
import { config } from "../../src/config";
import { isWithinAge, orderMs } from "../../src/engine/cache/age";
import type { Disk, Space } from "../../src/engine/cache/store";
import { lockOptions, replaceOwn } from "../workbook/safe-write";

const [shardEnding, documentEnding] = [".shard", ".document"];

/** In milliseconds. A command that has not renewed its lock for `stale` counts as dead. */
const folderLockOptions = {
  ...lockOptions,
  stale: 10_000,
  retries: { retries: 50, minTimeout: 20, maxTimeout: 500 },
};

/** Only this user may read the stored answers. Windows ignores this mode and has its own rules. */
const folderMode = 0o700;

interface AnswerFolder extends Disk {
  /** Resolves when no write is pending. */
  rested(): Promise<void>;
}

/** Opens a folder of answers. Its methods never reject: if the folder fails, nothing is stored, and `onFailure` is called once. */
export function createAnswerFolder(folder: string, onFailure: () => void): AnswerFolder {
  let hasFailed = false;
  let areBoundsChecked = false;
  const underWay = new Set<Promise<unknown>>();

  function fail() {
    if (!hasFailed) onFailure();
    hasFailed = true;
  }

  async function folderOf(space: Space): Promise<string> {
    const own = join(folder, await space);
    await mkdir(own, { recursive: true, mode: folderMode });
    return own;
  }

  /** Runs work in the folder; undefined if it failed. */
  async function run<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    const working = work();
    underWay.add(working);
    try {
      return await working;
    } catch {
      fail();
      return undefined;
    } finally {
      underWay.delete(working);
    }
  }

  /** Lets only one command at a time write in a space. */
  async function locked<Result>(own: string, work: () => Promise<Result>): Promise<Result> {
    const release = await lock(own, folderLockOptions);
    try {
      return await work();
    } finally {
      await release().catch(() => undefined);
    }
  }

  /** Removes answers beyond the size limit, the least recently used first, and documents beyond their maximum age. */
  async function removeExcess() {
    if (areBoundsChecked) return;
    areBoundsChecked = true;
    const kept: { file: string; bytes: number; usedAtMs: number }[] = [];
    for (const space of await readdir(folder)) {
      const own = join(folder, space);
      for (const name of await namesIn(own)) {
        const file = join(own, name);
        const found = await stat(file).catch(() => undefined);
        // Another command has removed it since.
        if (!found) continue;
        const { size, mtimeMs } = found;
        // Other files are documents, of an earlier version, or left by a killed command before they bore a name of ours.
        if (name.endsWith(shardEnding)) kept.push({ file, bytes: size, usedAtMs: mtimeMs });
        else if (!isWithinAge(mtimeMs, config.documentAgeMs)) await rm(file, { force: true });
      }
    }
    kept.sort((one, other) => orderMs(one.usedAtMs) - orderMs(other.usedAtMs));
    let bytes = kept.reduce((sum, shard) => sum + shard.bytes, 0);
    for (const shard of kept) {
      if (bytes <= config.keptBytes) break;
      bytes -= shard.bytes;
      await rm(shard.file, { force: true });
    }
  }

  return {
    fail,
    async rested() {
      // Work that has ended may start more work at once, so this waits again until none is left.
      do {
        await Promise.allSettled(underWay);
        await new Promise(setImmediate);
      } while (underWay.size > 0);
    },
    readDocuments: async (space, names, take) =>
      void (await run(async () => {
        const own = await folderOf(space);
        for (const name of names) {
          const record = await readRecord(documentFile(own, name));
          if (record !== undefined) take(name, record);
        }
      })),
    async writeDocuments(space, records) {
      const isWritten = await run(async () => {
        const own = await folderOf(space);
        for (const [name, record] of records) await writeRecord(documentFile(own, name), record);
        return true;
      });
      return isWritten ?? false;
    },
    readShards: async (space, shards, take) =>
      void (await run(async () => {
        const own = await folderOf(space);
        for (const shard of shards) {
          const record = await readRecord(shardFile(own, shard));
          if (record !== undefined) take(shard, record);
        }
      })),
    async changeShard(space, shard, change) {
      const isDone = await run(async () => {
        const own = await folderOf(space);
        const file = shardFile(own, shard);
        await locked(own, async () => {
          const changed = change(await readRecord(file));
          if (changed === undefined) await rm(file, { force: true });
          else if (changed !== "unchanged") await writeRecord(file, changed);
        });
        await removeExcess();
        return true;
      });
      return isDone ?? false;
    },
    async clear(space) {
      const isCleared = await run(async () => {
        await rm(join(folder, await space), { recursive: true, force: true });
        return true;
      });
      return isCleared ?? false;
    },
    spaces: async () =>
      (await run(async () => {
        await mkdir(folder, { recursive: true, mode: folderMode });
        return readdir(folder);
      })) ?? [],
  };
}

const shardFile = (own: string, shard: number) => join(own, `${shard}${shardEnding}`);

/** The file's name is a hash, because a document's name may be too long for a file's name. */
const documentFile = (own: string, name: string) =>
  join(own, `${createHash("sha256").update(name).digest("hex")}${documentEnding}`);

async function namesIn(own: string): Promise<string[]> {
  return (await readdir(own, { withFileTypes: true })).flatMap((entry) =>
    entry.isFile() ? [entry.name] : [],
  );
}

/** Undefined if the record is missing or damaged. The caller checks the record's form. */
async function readRecord(file: string): Promise<unknown> {
  try {
    return deserialize(await readFile(file));
  } catch {
    return undefined;
  }
}

async function writeRecord(file: string, record: unknown): Promise<void> {
  await replaceOwn(file, serialize(record));
}
