import { describe, expect, it } from "vitest";
import { createForgottenSpaces } from "../../src/settings/forgotten";
import { memoryStorage } from "./memory-storage";

const storageKey = "regdata.forgotten";

describe("the list of spaces to erase", () => {
  it("is known at the next start, each space once, until it is removed", async () => {
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

  it("is complete when spaces are added and removed at once", async () => {
    const spaces = createForgottenSpaces(memoryStorage());
    await Promise.all([spaces.add("one"), spaces.add("two"), spaces.remove("one"), spaces.add("three")]);
    expect(await spaces.read()).toEqual(["two", "three"]);
  });

  it("takes a space even if a change before it failed", async () => {
    const storage = memoryStorage();
    const spaces = createForgottenSpaces(storage);
    const { setItem } = storage;
    storage.setItem = () => Promise.reject(new Error("busy"));
    await expect(spaces.add("one")).rejects.toThrow("busy");
    storage.setItem = setItem;
    await spaces.add("two");
    expect(await spaces.read()).toEqual(["two"]);
  });

  it.each(["", "{", "null", '"one"', "[1]"])("is empty if it makes no sense: %s", async (stored) => {
    expect(await createForgottenSpaces(memoryStorage({ [storageKey]: stored })).read()).toEqual([]);
  });
});
