/**
 * Keeps answers and documents in a folder, as the add-in keeps them in IndexedDB (`src/engine/cache/store.ts`). Each space has a folder,
 * with a file for each document and two files for each part of answers. Several commands may use the folder at once.
 */
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { lock } from "proper-lockfile";
import { config } from "../../src/config";
import { isWithinAge, orderMs } from "../../src/engine/cache/age";
import { headOf, type StoredHead } from "../../src/engine/cache/part-head";
import type { DocumentRecord } from "../../src/engine/cache/records";
import type { Disk, Parts, Space } from "../../src/engine/cache/store";
import { besideEnding, lockOptions, replaceOwn } from "../workbook/safe-write";

const [headEnding, partEnding, documentEnding] = [".head", ".part", ".document"];

/** In milliseconds. A command that has not renewed its lock for `stale` counts as dead. */
const folderLockOptions = {
  ...lockOptions,
  stale: 10_000,
  retries: { retries: 50, minTimeout: 20, maxTimeout: 500 },
};

/** Only this user may read the stored answers. Windows ignores this mode and has its own rules. */
const folderMode = 0o700;

interface Change {
  puts: Map<number, { head: StoredHead; part?: unknown }>;
  deletes: Set<number>;
}

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
        // A command that was killed leaves files that bear no name of ours yet.
        if (name.endsWith(documentEnding) || name.endsWith(besideEnding)) {
          if (!isWithinAge((await stat(file)).mtimeMs, config.documentAgeMs)) await rm(file, { force: true });
        } else if (name.endsWith(headEnding)) {
          const { bytes = 0, usedAtMs = 0 } = headOf(await readRecord(file)) ?? {};
          kept.push({ file: file.slice(0, -headEnding.length), bytes, usedAtMs });
        }
      }
    }
    kept.sort((one, other) => orderMs(one.usedAtMs) - orderMs(other.usedAtMs));
    let bytes = kept.reduce((sum, head) => sum + head.bytes, 0);
    for (const head of kept) {
      if (bytes <= config.keptBytes) break;
      bytes -= head.bytes;
      await removePart(head.file);
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
    withParts: (space, mode, work) =>
      run(async () => {
        const own = await folderOf(space);
        if (mode === "readonly") return work(partsIn(own, { puts: new Map(), deletes: new Set() }));
        const result = await locked(own, async () => {
          const change: Change = { puts: new Map(), deletes: new Set() };
          const done = await work(partsIn(own, change));
          await carryOut(own, change);
          return done;
        });
        await removeExcess();
        return result;
      }),
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

function partsIn(own: string, { puts, deletes }: Change): Parts {
  return {
    async heads() {
      const names = (await namesIn(own)).filter((name) => name.endsWith(headEnding));
      return Promise.all(
        names.map(async (name): Promise<[number, unknown]> => [
          parseInt(name, 10),
          await readRecord(join(own, name)),
        ]),
      );
    },
    read: (id) => readRecord(join(own, `${id}${partEnding}`)),
    put: (id, head, part) => void puts.set(id, { head, part }),
    putHead: (id, head) => void puts.set(id, { ...puts.get(id), head }),
    delete: (id) => void deletes.add(id),
  };
}

/** Writes new parts before it deletes old ones: if the command is ended in between, an answer exists twice, and none is lost. */
async function carryOut(own: string, { puts, deletes }: Change): Promise<void> {
  for (const [id, { head, part }] of puts) {
    if (part !== undefined) await writeRecord(join(own, `${id}${partEnding}`), part);
    await writeRecord(join(own, `${id}${headEnding}`), head);
  }
  for (const id of deletes) await removePart(join(own, String(id)));
}

async function removePart(file: string): Promise<void> {
  await rm(`${file}${headEnding}`, { force: true });
  await rm(`${file}${partEnding}`, { force: true });
}

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

async function writeRecord(file: string, record: StoredHead | DocumentRecord | unknown): Promise<void> {
  await replaceOwn(file, serialize(record));
}
