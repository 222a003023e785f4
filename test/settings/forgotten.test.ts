import { describe, expect, it } from "vitest";
import { createForgottenSpaces } from "../../src/settings/forgotten";
import { memoryStorage } from "../memory-storage";

const storageKey = "regdata.forgotten";

describe("what is still to be erased", () => {
  it("is known at the next start, each once, until it is struck", async () => {
    const storage = memoryStorage();
    const before = createForgottenSpaces(storage);
    for (const space of ["one", "two", "one"]) await before.add(space);
    const after = createForgottenSpaces(storage);
    expect(await after.read()).toEqual(["one", "two"]);
    await after.remove("one");
    expect(await after.read()).toEqual(["two"]);
    await after.remove("two");
    expect(await storage.getItem(storageKey)).toBeNull();
  });

  it("is all there when added and struck at once", async () => {
    const spaces = createForgottenSpaces(memoryStorage());
    await Promise.all([spaces.add("one"), spaces.add("two"), spaces.remove("one"), spaces.add("three")]);
    expect(await spaces.read()).toEqual(["two", "three"]);
  });

  it("is added though a change before it failed", async () => {
    const storage = memoryStorage();
    const spaces = createForgottenSpaces(storage);
    const { setItem } = storage;
    storage.setItem = () => Promise.reject(new Error("busy"));
    await expect(spaces.add("one")).rejects.toThrow("busy");
    storage.setItem = setItem;
    await spaces.add("two");
    expect(await spaces.read()).toEqual(["two"]);
  });

  it.each(["", "{", "null", '"one"', "[1]"])("is nothing where it makes no sense: %s", async (stored) => {
    expect(await createForgottenSpaces(memoryStorage({ [storageKey]: stored })).read()).toEqual([]);
  });
});
