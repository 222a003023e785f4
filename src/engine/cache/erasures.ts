import type { Cache } from "./cache";
import type { Disk } from "./store";

/** The names of spaces that must still be erased. They are stored apart from the disk, which may fail. */
export interface ErasureNotes {
  read(): Promise<string[]>;
  add(space: string): Promise<void>;
  remove(space: string): Promise<void>;
}

/** Erases forgotten spaces from the disk. A space that can't be erased now is erased at a later start. */
export interface Erasures {
  /** Begins to erase the spaces that an earlier start left. Fails if the notes can't be read. */
  resume(): Promise<void>;
  /** Ends a cache. Resolves to false if its space could be neither erased nor noted for a later start. */
  erase(cache: Cache, space: Promise<string>): Promise<boolean>;
  /**
   * Waits until a forgotten space is erased, so that it can be used again, and resolves to its name. Fails if the name is not available or
   * the old data can't be erased.
   */
  clean(space: Promise<string>): Promise<string>;
}

interface Erasure {
  space: Promise<string>;
  isErased: Promise<boolean>;
}

export function createErasures(disk: Pick<Disk, "clear">, notes: ErasureNotes): Erasures {
  /** Erasures in the order in which they began. The last erasure of a space tells whether the space is empty. */
  const begun: Erasure[] = [];

  async function removeNoteOnceErased(space: string, isErased: Promise<boolean>) {
    // If the note can't be removed, the space is erased once more at a later start, which does no harm.
    if (await isErased) await notes.remove(space).catch(() => undefined);
  }

  return {
    async resume() {
      for (const space of await notes.read()) {
        const isErased = disk.clear(space);
        begun.push({ space: Promise.resolve(space), isErased });
        void removeNoteOnceErased(space, isErased);
      }
    },
    async erase(cache, space) {
      const isErased = cache.end();
      begun.push({ space, isErased });
      const name = await nameOf(space);
      // A cache whose space has no name was in memory only.
      if (name === undefined) return true;
      // The name is noted before the erasure ends, because Excel may be closed meanwhile.
      const isNoted = await notes.add(name).then(
        () => true,
        () => false,
      );
      if (isNoted) await removeNoteOnceErased(name, isErased);
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
