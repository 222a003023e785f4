import { describe, expect, it } from "vitest";
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

describe("what an import's last run brought", () => {
  it("is read as it was written, however much there is", async () => {
    const documents = device();
    const snapshots = createSnapshots(documents);
    for (const cells of [[], many.slice(0, 1), many.slice(0, 5_000), many]) {
      await snapshots.write("one", cells);
      expect(await snapshots.read("one")).toEqual(new Map(cells));
    }
    // Each cell stands in one part.
    const { content } = documents.kept.get("import one")!;
    const parts = content as string[];
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.flatMap((part) => JSON.parse(part) as unknown[])).toHaveLength(many.length);
  });

  it("is nothing of another import, nor of none", async () => {
    const snapshots = createSnapshots(device());
    await snapshots.write("one", many.slice(0, 3));
    expect(await snapshots.read("other")).toBeUndefined();
  });

  it.each([0, 1, 2])("is nothing where part %i can't be read", async (damaged) => {
    for (const instead of ["{", '[["1 2", 3]]', "null"]) {
      const documents = device();
      const snapshots = createSnapshots(documents);
      await snapshots.write("one", many);
      const document = documents.kept.get("import one")!;
      const content = (document.content as string[]).map((part, index) =>
        index === damaged ? instead : part,
      );
      documents.kept.set("import one", { ...document, content });
      expect(await snapshots.read("one"), instead).toBeUndefined();
    }
  });
});
