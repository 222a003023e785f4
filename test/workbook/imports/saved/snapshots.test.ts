import { describe, expect, it } from "vitest";
import { createAnswerPart, type StoredPart } from "../../../../src/engine/cache/answer-part";
import { createSnapshots } from "../../../../src/workbook/imports/saved/snapshots";
import type { Known } from "../../../../src/workbook/sheet/layout/answer-parts";
import { device } from "../../../engine/lookup/device";
import { playConfig } from "../../../play-config";
import { type Answers, lastRun, toldBy } from "../last-run";

const known = (value: string): Known => ({
  ...{ value, reference: `Code of ${value}`, section: null, updatedAt: "2026-01-02T00:00:00Z" },
});
/** Answers of this many AHJs, some without a value. */
const answersOf = (ahjs: number): Answers =>
  Object.fromEntries(
    Array.from({ length: ahjs }, (_, index): [string, Known | null] => [
      `${index + 1} 1003`,
      index % 10 === 0 ? null : known(`value ${index}`),
    ]),
  );

playConfig({ answersAPart: 100 });

/** So many answers that they make three parts. */
const manyAnswers = answersOf(220);
const many = { ...lastRun({}), ahjIds: () => ids, mostTypes: 1, typeIds: () => new Set([1_003]) };
const ids = Array.from({ length: 220 }, (_, index) => index + 1);
many.get = (ahjId, typeId) => manyAnswers[`${ahjId} ${typeId}`];

interface Content {
  run: string;
  rows: unknown[];
}

describe("the record of an import's last run", () => {
  it("is read as it was written, however much there is", async () => {
    const documents = device();
    const snapshots = createSnapshots(documents);
    for (const answers of [{}, answersOf(1), answersOf(10)]) {
      await snapshots.write("one", lastRun(answers));
      expect(toldBy((await snapshots.read("one"))!)).toEqual(answers);
    }
    await snapshots.write("one", many);
    expect(toldBy((await snapshots.read("one"))!)).toEqual(manyAnswers);
    // Each part is a document of its own.
    expect([...documents.kept.keys()]).toEqual([
      "import one",
      ...[0, 1, 2].map((part) => `import one part ${part}`),
    ]);
  });

  it("is read as it was written from the stored parts of answers", async () => {
    const snapshots = createSnapshots(device());
    const told = { "1 10": known("$30"), "1 20": null, "2 10": known("$40"), "2 20": known("$30") };
    const source = createAnswerPart(3);
    source.push(10, { ...known("$30"), fetchedAtMs: 1 });
    source.push(10, { ...known("$40"), fetchedAtMs: 1 });
    source.push(20, { ...known("$30"), fetchedAtMs: 1 });
    const slots: Record<string, number> = { "1 10": 0, "2 10": 1, "2 20": 2 };
    await snapshots.write("one", {
      ...lastRun(told),
      get: () => undefined,
      copy(ahjId, typeId, into) {
        const slot = slots[`${ahjId} ${typeId}`];
        if (slot !== undefined) into.pushFrom(source, slot);
        return slot !== undefined;
      },
    });
    expect(toldBy((await snapshots.read("one"))!)).toEqual(told);
  });

  it("knows only what it was told, and holds a repeated text once", async () => {
    const documents = device();
    const snapshots = createSnapshots(documents);
    const told = { "1 10": known("$30"), "1 20": null, "2 20": known("$30") };
    const run = lastRun(told);
    await snapshots.write("one", { ...run, mostTypes: 3, typeIds: () => new Set([10, 20, 30]) });
    const kept = (await snapshots.read("one"))!;
    expect(toldBy(kept)).toEqual(told);
    expect([kept.get(2, 10), kept.get(1, 30), kept.get(3, 10)]).toEqual([undefined, undefined, undefined]);
    expect([kept.typeIds(1), kept.typeIds(3)]).toEqual([new Set([10, 20]), new Set()]);
    const { heap } = documents.kept.get("import one part 0")!.columns as StoredPart;
    expect(new TextDecoder().decode(heap).split("$30")).toHaveLength(2 + 1);
  });

  it("is empty as long as one of its parts is of another run", async () => {
    const documents = device();
    const snapshots = createSnapshots(documents);
    await snapshots.write("one", many);
    const last = documents.kept.get("import one part 2")!;
    await snapshots.write("one", many);
    documents.kept.set("import one part 2", last);
    expect(await snapshots.read("one")).toBeUndefined();
    await snapshots.write("one", lastRun(answersOf(3)));
    expect(toldBy((await snapshots.read("one"))!)).toEqual(answersOf(3));
  });

  it.each<[string, Record<string, unknown>]>([
    ["as one text", { "import one": [JSON.stringify(Object.entries(answersOf(3)))] }],
    [
      "in parts of texts and places",
      {
        "import one": { run: "a", parts: 1 },
        "import one part 0": { run: "a", texts: ["1 10", "$30"], places: [0, 1, -1, -1, -1] },
      },
    ],
  ])("is empty if an earlier build has written it, %s", async (_, contents) => {
    expect(await createSnapshots(device(contents)).read("one")).toBeUndefined();
  });

  it("is empty for another import, and for none", async () => {
    const snapshots = createSnapshots(device());
    await snapshots.write("one", lastRun(answersOf(3)));
    expect(await snapshots.read("other")).toBeUndefined();
  });

  it.each([0, 1, 2])("is empty if part %i can't be read", async (damaged) => {
    const documents = device();
    const snapshots = createSnapshots(documents);
    await snapshots.write("one", many);
    const name = `import one part ${damaged}`;
    const document = documents.kept.get(name)!;
    const content = document.content as Content;
    const columns = document.columns as StoredPart;
    const { type } = columns.columns;
    const spoilt: object[] = [
      { content: undefined },
      { content: "{" },
      { content: { ...content, run: 1 } },
      { content: { ...content, rows: [...content.rows, [7, -1, 1]] } },
      { content: { ...content, rows: [...content.rows, [7, 0, -1]] } },
      { content: { ...content, rows: [...content.rows, [7, 0, type.length + 1]] } },
      { content: { ...content, rows: [...content.rows, [7, "0", 1]] } },
      { columns: undefined },
      { columns: { ...columns, heap: columns.heap.slice(1) } },
      { columns: { ...columns, columns: { ...columns.columns, type: type.slice(1) } } },
    ];
    for (const spoil of spoilt) {
      documents.kept.set(name, { ...document, ...spoil });
      expect(await snapshots.read("one"), Object.keys(spoil).join()).toBeUndefined();
    }
    documents.kept.set(name, document);
    expect(await snapshots.read("one")).toBeDefined();
  });
});
