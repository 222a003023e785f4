import { describe, expect, it } from "vitest";
import { mostNamedLists } from "../../../src/settings/choices/named-lists";
import { createSavedSelections } from "../../../src/settings/choices/saved-selections";
import { memoryStorage } from "../memory-storage";

const storageKey = "regdata.selections";
const fees = { name: "Fees", typeIds: [1003, 1004] };
const codes = { name: "Codes", typeIds: [1001] };

describe("saved selections", () => {
  it("are there at the next start, by name, until they are removed", async () => {
    const storage = memoryStorage();
    const before = createSavedSelections(storage);
    await before.save(fees);
    expect(await before.save(codes)).toEqual([codes, fees]);
    const after = createSavedSelections(storage);
    expect(await after.read()).toEqual([codes, fees]);
    expect(await after.remove("Codes")).toEqual([fees]);
    expect(await after.read()).toEqual([fees]);
  });

  it("replace a selection with the same name", async () => {
    const selections = createSavedSelections(memoryStorage());
    await selections.save(fees);
    expect(await selections.save({ name: " fees", typeIds: [1] })).toEqual([{ name: " fees", typeIds: [1] }]);
  });

  it("are all there when saved at once", async () => {
    const selections = createSavedSelections(memoryStorage());
    await Promise.all([selections.save(fees), selections.save(codes)]);
    expect(await selections.read()).toEqual([codes, fees]);
  });

  it("are limited in number", async () => {
    const selections = createSavedSelections(memoryStorage());
    for (let count = 0; count < mostNamedLists; count += 1) {
      await selections.save({ name: `Selection ${count}`, typeIds: [count] });
    }
    expect(await selections.save(fees)).toHaveLength(mostNamedLists);
    expect((await selections.read()).some(({ name }) => name === "Fees")).toBe(false);
    expect(await selections.save({ name: "Selection 7", typeIds: [1003] })).toContainEqual({
      name: "Selection 7",
      typeIds: [1003],
    });
  });

  it("fail with the storage, and work again after it", async () => {
    const storage = memoryStorage();
    const selections = createSavedSelections(storage);
    const { setItem } = storage;
    storage.setItem = () => Promise.reject(new Error("busy"));
    await expect(selections.save(fees)).rejects.toThrow("busy");
    storage.setItem = setItem;
    expect(await selections.save(codes)).toEqual([codes]);
  });

  it.each(["", "{", "null", '{"version":2,"selections":[]}', '{"version":1,"selections":[{"name":1}]}'])(
    "are none if the saved ones make no sense: %s",
    async (stored) => {
      expect(await createSavedSelections(memoryStorage({ [storageKey]: stored })).read()).toEqual([]);
    },
  );
});
