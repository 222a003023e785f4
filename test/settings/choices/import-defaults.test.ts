import { describe, expect, it } from "vitest";
import { createImportDefaults } from "../../../src/settings/choices/import-defaults";
import { memoryStorage } from "../memory-storage";

const storageKey = "regdata.import-defaults";

describe("the defaults of new imports", () => {
  it("are there again at the next start, until they are reset", async () => {
    const storage = memoryStorage();
    await createImportDefaults(storage).change(() => ({ layout: "long", citations: "beside" }));
    const later = createImportDefaults(storage);
    await later.read();
    expect(later.current()).toEqual({ layout: "long", citations: "beside" });
    await later.change(() => null);
    await later.read();
    expect(later.current()).toBeNull();
  });

  it("say whether a list becomes a table, its entries are explained, and dashes stand for no value, unless an earlier version has saved the rest", async () => {
    const storage = memoryStorage();
    const defaults = createImportDefaults(storage);
    const chosen = {
      layout: "wide",
      citations: "none",
      makesTable: false,
      hasCertainty: true,
      hasDashes: true,
    };
    await defaults.change(() => chosen);
    const later = createImportDefaults(storage);
    await later.read();
    expect(later.current()).toEqual(chosen);
    const odd =
      '{"version":1,"defaults":{"layout":"wide","citations":"none","makesTable":"no","hasCertainty":1,"hasDashes":"–"}}';
    const others = createImportDefaults(memoryStorage({ [storageKey]: odd }));
    await others.read();
    expect(others.current()).toEqual({ layout: "wide", citations: "none" });
  });

  it.each(["", "{", "null", '{"version":1}', '{"version":1,"defaults":{"layout":1}}'])(
    "are empty if the saved ones make no sense: %s",
    async (stored) => {
      const defaults = createImportDefaults(memoryStorage({ [storageKey]: stored }));
      await defaults.read();
      expect(defaults.current()).toBeNull();
    },
  );
});
