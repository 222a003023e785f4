import { describe, expect, it, vi } from "vitest";
import { answerKey } from "../../../../src/workbook/imports/saved/import-rows";
import { createSnapshots, type Known } from "../../../../src/workbook/imports/saved/snapshots";
import { device } from "../../../engine/lookup/device";

const known = (value: string): Known => ({
  ...{ value, reference: `Code of ${value}`, section: null, updatedAt: "2026-01-02T00:00:00Z" },
});
/** So many that they make three parts. */
const many = Array.from({ length: 12_345 }, (_, index): [string, Known | null] => [
  answerKey(index, 1_003),
  index % 10 === 0 ? null : known(`value ${index}`),
]);

interface Part {
  texts: string[];
  places: number[];
}

describe("what an import's last run brought", () => {
  it("is read as it was written, however much there is", async () => {
    const documents = device();
    const snapshots = createSnapshots(documents);
    for (const cells of [[], many.slice(0, 1), many.slice(0, 5_000), many]) {
      await snapshots.write("one", cells);
      expect(await snapshots.read("one")).toEqual(new Map(cells));
    }
    // Each part is a document of its own, and holds a text that repeats once.
    const parts = [0, 1, 2].map((part) => documents.kept.get(`import one part ${part}`)?.content as Part);
    expect(parts.flatMap(({ places }) => places)).toHaveLength(many.length * 5);
    for (const { texts } of parts) expect(new Set(texts).size).toBe(texts.length);
  });

  it("is written in turns, so that the page answers meanwhile", async () => {
    const yields = vi.fn(() => Promise.resolve());
    vi.stubGlobal("scheduler", { yield: yields });
    const snapshots = createSnapshots(device());
    await snapshots.write("one", many);
    expect(yields).toHaveBeenCalledTimes(3);
    await snapshots.read("one");
    expect(yields).toHaveBeenCalledTimes(6);
    vi.unstubAllGlobals();
  });

  it("is nothing as long as a part is of another run", async () => {
    const documents = device();
    const snapshots = createSnapshots(documents);
    await snapshots.write("one", many);
    const last = documents.kept.get("import one part 2")!;
    await snapshots.write("one", many);
    documents.kept.set("import one part 2", last);
    expect(await snapshots.read("one")).toBeUndefined();
    await snapshots.write("one", many.slice(0, 3));
    expect(await snapshots.read("one")).toEqual(new Map(many.slice(0, 3)));
  });

  it("is nothing where an earlier build has written it", async () => {
    const snapshots = createSnapshots(device({ "import one": [JSON.stringify(many.slice(0, 3))] }));
    expect(await snapshots.read("one")).toBeUndefined();
  });

  it("is nothing of another import, nor of none", async () => {
    const snapshots = createSnapshots(device());
    await snapshots.write("one", many.slice(0, 3));
    expect(await snapshots.read("other")).toBeUndefined();
  });

  it.each([0, 1, 2])("is nothing where part %i can't be read", async (damaged) => {
    const spoilt: ((part: Part) => unknown)[] = [
      () => undefined,
      () => "{",
      (part) => ({ ...part, texts: part.texts.slice(1) }),
      (part) => ({ ...part, places: [...part.places, 0] }),
      (part) => ({ ...part, places: [...part.places, -1, 0, 0, 0, 0] }),
      (part) => ({ ...part, places: [...part.places, 0, 0, 0, 0, -2] }),
      (part) => ({ ...part, places: [...part.places, 0, 0, 0, 0, "0"] }),
    ];
    for (const spoil of spoilt) {
      const documents = device();
      const snapshots = createSnapshots(documents);
      await snapshots.write("one", many);
      const name = `import one part ${damaged}`;
      const document = documents.kept.get(name)!;
      documents.kept.set(name, { ...document, content: spoil(document.content as Part) });
      expect(await snapshots.read("one"), String(spoil)).toBeUndefined();
    }
  });
});
