import type { Cache } from "./cache";
import type { Disk } from "./store";

/** The names of spaces that are still to be erased, kept apart from the disk that may fail. */
export interface ErasureNotes {
  read(): Promise<string[]>;
  add(space: string): Promise<void>;
  remove(space: string): Promise<void>;
}

/** What is to be forgotten is erased from the disk, at a later start if it can't be now. */
export interface Erasures {
  /** Begins to erase what an earlier start has left. Fails where the notes can't be read. */
  resume(): Promise<void>;
  /** Ends a cache. False where its space could be neither erased nor noted for a later start. */
  erase(cache: Cache, space: Promise<string>): Promise<boolean>;
  /** The name of a space, as soon as nothing of before is left in it; fails where that can't be had. */
  clean(space: Promise<string>): Promise<string>;
}

interface Erasure {
  space: Promise<string>;
  isErased: Promise<boolean>;
}

export function createErasures(disk: Pick<Disk, "clear">, notes: ErasureNotes): Erasures {
  /** In the order in which they were begun; of the same space the last one counts. */
  const begun: Erasure[] = [];

  async function strike(space: string, isErased: Promise<boolean>) {
    // What stays noted is erased once more, which does no harm.
    if (await isErased) await notes.remove(space).catch(() => undefined);
  }

  return {
    async resume() {
      for (const space of await notes.read()) {
        const isErased = disk.clear(space);
        begun.push({ space: Promise.resolve(space), isErased });
        void strike(space, isErased);
      }
    },
    async erase(cache, space) {
      const isErased = cache.end();
      begun.push({ space, isErased });
      const name = await nameOf(space);
      // Without a name all was in memory only.
      if (name === undefined) return true;
      // Noted before it is known whether it fails: Excel may be closed meanwhile.
      const isNoted = await notes.add(name).then(
        () => true,
        () => false,
      );
      if (isNoted) await strike(name, isErased);
      return isNoted || isErased;
    },
    async clean(space) {
      const before = [...begun];
      const name = await space;
      const names = await Promise.all(before.map((erasure) => nameOf(erasure.space)));
      const last = before[names.lastIndexOf(name)];
      if (last && !(await last.isErased)) throw new Error("What was kept before can't be erased.");
      return name;
    },
  };
}

function nameOf(space: Promise<string>): Promise<string | undefined> {
  return space.catch(() => undefined);
}
