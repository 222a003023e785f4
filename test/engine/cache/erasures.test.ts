import { describe, expect, it, vi } from "vitest";
import { openCache } from "../../../src/engine/cache/cache";
import { createDisk } from "../../../src/engine/cache/store";
import { createErasures, type ErasureNotes } from "../../../src/engine/cache/erasures";
import { answer, IDBFactory, newPage, storedAhjIds, storedRecords } from "./database";

function notes(...initial: string[]) {
  const noted = new Set(initial);
  const kept: ErasureNotes = {
    read: () => Promise.resolve([...noted]),
    add: (space) => Promise.resolve(void noted.add(space)),
    remove: (space) => Promise.resolve(void noted.delete(space)),
  };
  return { noted, kept };
}

async function filled(...spaces: string[]): Promise<IDBFactory> {
  const factory = new IDBFactory();
  for (const space of spaces) {
    const cache = newPage(factory, space);
    cache.answers.put(7, [[1001, answer("12 feet")]]);
    await cache.flushed();
  }
  return factory;
}

const spacesOn = async (factory: IDBFactory) =>
  (await storedRecords(factory))
    .filter(({ store }) => store === "shards")
    .map(({ key }) => (key as [string, number])[0]);

/** A disk that clears nothing until the test lets it go. */
function heldDisk(factory: IDBFactory) {
  const disk = createDisk({ indexedDB: factory });
  let letGo!: (isCleared: boolean) => void;
  const held = new Promise<boolean>((resolve) => (letGo = resolve));
  const clear: typeof disk.clear = async (space) => (await held) && disk.clear(space);
  return { disk: { ...disk, clear }, letGo };
}

describe("a space that is to be erased", () => {
  it("is noted until the disk is cleared", async () => {
    const factory = await filled("one", "two");
    const { disk, letGo } = heldDisk(factory);
    const { noted, kept } = notes();
    const erased = createErasures(disk, kept).erase(openCache(disk, "one"), Promise.resolve("one"));
    await vi.waitFor(() => expect([...noted]).toEqual(["one"]));
    expect(await spacesOn(factory)).toEqual(["one", "two"]);
    letGo(true);
    expect(await erased).toBe(true);
    expect([...noted]).toEqual([]);
    expect(await spacesOn(factory)).toEqual(["two"]);
  });

  it("stays noted where the disk fails, and is erased when resumed", async () => {
    const factory = await filled("one", "two");
    const { noted, kept } = notes();
    const { disk, letGo } = heldDisk(factory);
    letGo(false);
    expect(await createErasures(disk, kept).erase(openCache(disk, "one"), Promise.resolve("one"))).toBe(true);
    expect([...noted]).toEqual(["one"]);

    await createErasures(createDisk({ indexedDB: factory }), kept).resume();
    await vi.waitFor(() => expect([...noted]).toEqual([]));
    expect(await spacesOn(factory)).toEqual(["two"]);
  });

  it("is erased even if it can't be noted", async () => {
    const factory = await filled("one");
    const { kept } = notes();
    kept.add = () => Promise.reject(new Error("full"));
    const disk = createDisk({ indexedDB: factory });
    expect(await createErasures(disk, kept).erase(openCache(disk, "one"), Promise.resolve("one"))).toBe(true);
    expect(await spacesOn(factory)).toEqual([]);
  });

  it("is left behind if it can be neither noted nor erased, and that is said", async () => {
    const { disk, letGo } = heldDisk(await filled("one"));
    letGo(false);
    const { kept } = notes();
    kept.add = () => Promise.reject(new Error("full"));
    expect(await createErasures(disk, kept).erase(openCache(disk, "one"), Promise.resolve("one"))).toBe(
      false,
    );
  });

  it("needs no note if it has no name", async () => {
    const disk = createDisk({ indexedDB: new IDBFactory() });
    const nameless = Promise.reject<string>(new Error("no crypto"));
    const { kept } = notes();
    const add = vi.spyOn(kept, "add");
    expect(await createErasures(disk, kept).erase(openCache(disk, nameless), nameless)).toBe(true);
    expect(add).not.toHaveBeenCalled();
  });
});

describe("a space that was erased", () => {
  it("can be opened again when nothing old is left in it, while others need not wait", async () => {
    const factory = await filled("one");
    const { disk, letGo } = heldDisk(factory);
    const erasures = createErasures(disk, notes().kept);
    void erasures.erase(openCache(disk, "one"), Promise.resolve("one"));
    const cache = openCache(disk, erasures.clean(Promise.resolve("one")));
    const loaded = vi.fn();
    const loading = cache.answers.load([7]).then(loaded);
    cache.answers.put(8, [[1001, answer("new")]]);
    expect(await erasures.clean(Promise.resolve("two"))).toBe("two");
    expect(loaded).not.toHaveBeenCalled();
    letGo(true);
    await loading;
    await cache.flushed();
    expect(cache.answers.get(7, 1001)).toBeUndefined();
    expect(await storedAhjIds(factory)).toEqual([8]);
  });

  it("can be opened when an earlier start's leftovers are erased", async () => {
    const factory = await filled("one");
    const erasures = createErasures(createDisk({ indexedDB: factory }), notes("one").kept);
    await erasures.resume();
    expect(await erasures.clean(Promise.resolve("one"))).toBe("one");
    expect(await spacesOn(factory)).toEqual([]);
  });

  it("can't be opened if erasing it worked once and then fails", async () => {
    const disk = createDisk({ indexedDB: await filled("one") });
    const erasures = createErasures(disk, notes().kept);
    for (const isCleared of [true, false]) {
      const space = erasures.clean(Promise.resolve("one"));
      const clear = () => Promise.resolve(isCleared);
      await erasures.erase(openCache({ ...disk, clear }, space), space);
    }
    await expect(erasures.clean(Promise.resolve("one"))).rejects.toThrow();
  });

  it("can't be opened while something is left, however often it is forgotten", async () => {
    const { disk, letGo } = heldDisk(await filled("one"));
    letGo(false);
    const erasures = createErasures(disk, notes("one").kept);
    await erasures.resume();
    for (let time = 0; time < 2; time += 1) {
      const space = erasures.clean(Promise.resolve("one"));
      const cache = openCache(disk, space);
      await expect(space).rejects.toThrow();
      await erasures.erase(cache, space);
    }
  });
});
