import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
// A script that is loaded on demand would arrive in real time.
import "../../../src/engine/lookup/answers/ask-data-points";
import { createClient } from "../../../src/engine/api/client";
import { createLookup } from "../../../src/engine/lookup/lookup";
import { createTransport } from "../../../src/engine/transport/exchange";
import type { Condition } from "../../../src/find/conditions/condition";
import { readOperator } from "../../../src/find/conditions/operators";
import { columnsFor, findIn } from "../../../src/find/find";
import { readAnswer } from "../../../src/find/readings/answer-reading";
import { readAnswerColumns } from "../../../src/find/read-columns";
import { type Clock, installClock } from "../clock";
import { createRandom, type Random } from "../random";
import { playChance } from "../runtime";
import { inventService } from "../service";
import { type Answer, cellKey, inventWorld, type World } from "../world";
import { type InventedCondition, inventCondition, judgeAll, type Verdict } from "./comparator";
import { labeledTexts, labeledUnits } from "./labeled-texts";

describe("a labeled text", () => {
  it.each(labeledUnits.flatMap((unit) => labeledTexts(unit).map((labeled) => ({ unit, ...labeled }))))(
    "is read as the person read it: $text ($unit)",
    ({ unit, text, says }) => {
      const { range, yes, edition } = readAnswer(text, unit);
      // The person wrote days as Excel's numbers.
      const asWritten = (amount: number) => (unit === "date" ? amount / 86_400_000 + 25_569 : amount);
      const read = range
        ? { least: asWritten(range.min), most: asWritten(range.max) }
        : yes !== null
          ? { yes }
          : edition && { code: edition.family, year: edition.year };
      expect(read).toEqual(says);
    },
  );
});

const wanted = Number(process.env.TRUTH_CASES ?? 300);
const firstSeed = Number(process.env.TRUTH_SEED ?? 20_260_312);
const testsOwnKey = "key-of-the-test";
const findsOfAWorld = 20;
const startMs = Date.UTC(2026, 2, 12, 9);

let clock: Clock;
beforeAll(() => {
  clock = installClock();
});
afterAll(() => {
  vi.unstubAllGlobals();
});

/** Lets time pass until the work is done. */
async function passUntil<Result>(work: Promise<Result>): Promise<Result> {
  let isDone = false;
  const settled = work.finally(() => (isDone = true));
  await clock.pass(3_600_000, () => isDone);
  if (!isDone) throw new Error("not done within an hour");
  return settled;
}

/** A world with questions in the labeled units, and with answers out of the labeled texts. */
function inventLabeledWorld(random: Random): World {
  const world = inventWorld(random, startMs);
  for (const type of world.types) type.unit_of_measure = random.one(labeledUnits);
  for (const ahj of world.ahjs) for (const { id } of world.types) say(world, random, ahj.id, id);
  return world;
}

/** Gives a cell another answer, or none. */
function say(world: World, random: Random, ahjId: number, typeId: number) {
  const unit = world.types.find(({ id }) => id === typeId)!.unit_of_measure;
  if (random.chance(0.1)) return void world.answers.delete(cellKey(ahjId, typeId));
  const { text } = random.one(labeledTexts(unit));
  const atMs = clock.nowMs() - random.whole(0, 4 * 86_400);
  world.answers.set(cellKey(ahjId, typeId), {
    ...{ id: (world.changes += 1), published: { text, formula: text, imported: text } },
    ...{ reference: null, section: null, updatedAtMs: atMs - (atMs % 1000) },
  });
}

/** All pages of the service, read by the test without the add-in. */
async function snapshotOf(fetch: typeof globalThis.fetch) {
  async function all<Item>(path: string): Promise<Item[]> {
    const items: Item[] = [];
    for (let page = 1; ; page += 1) {
      const address = `https://service.test${path}?page=${page}&page_size=500`;
      const response = await fetch(address, { method: "GET", headers: { "X-API-Key": testsOwnKey } });
      const { data } = JSON.parse(await response.text()) as {
        data: { items: Item[]; pagination: { total_pages: number } };
      };
      items.push(...data.items);
      if (page >= data.pagination.total_pages) return items;
    }
  }
  const ahjs = await all<{ id: number | string }>("/v1/ahjs");
  const values = await all<{
    ahj: { id: number | string };
    data_point_type: { id: number | string };
    value: string;
    updated_at: string;
  }>("/v1/data-points");
  const answers = new Map(
    values.map(({ ahj, data_point_type, value, updated_at }): [string, Answer] => [
      cellKey(Number(ahj.id), Number(data_point_type.id)),
      {
        ...{ id: 0, published: { text: value, formula: value, imported: value } },
        ...{ reference: null, section: null, updatedAtMs: Date.parse(updated_at) },
      },
    ]),
  );
  return { ahjIds: ahjs.map(({ id }) => Number(id)), answers };
}

/** Plays some finds in one world. The client's answers stay as they were given until it asks again. */
async function playWorld(seed: number, finds: number): Promise<Record<Verdict, number>> {
  const random = createRandom(seed);
  playChance(random);
  clock.reset(startMs);
  const world = inventLabeledWorld(random);
  // There is no limit, which would only take time here: the other truth run covers limits.
  world.variation.limit = null;
  const service = inventService(world, random);
  const { key, entitled } = random.one(world.subscribers);
  // The test reads with a key of its own, so that the client's own requests can be told apart.
  world.subscribers.push({ key: testsOwnKey, entitled, collections: [] });
  const client = createClient(
    createTransport({ baseUrl: "https://service.test", key }, { fetch: service.fetch, random: random.next }),
  );
  const lookup = createLookup(client);
  /** The answers that the client got when it last wanted to know them. A newer answer that came along with another request is not kept. */
  const kept = new Map<string, { answer: Answer | null; isDated: boolean }>();
  const sums: Record<Verdict, number> = { yes: 0, no: 0, "not known": 0 };
  for (let find = 0; find < finds; find += 1) {
    if (random.chance(0.3)) {
      for (const ahj of world.ahjs)
        for (const { id } of world.types) if (random.chance(0.2)) say(world, random, ahj.id, id);
    }
    await clock.pass(random.whole(0, 60_000));
    const isAnew = random.chance(0.5);
    const match = random.one(["all", "any"] as const);
    const invented = Array.from({ length: random.whole(1, 6) }, () =>
      inventCondition(random, random.one(world.types), clock.nowMs()),
    );
    const nowMs = clock.nowMs();
    const conditions = invented.map(({ typeId, operator, operand }): Condition => {
      const type = world.types.find(({ id }) => id === typeId)!;
      return { type, operator: readOperator(operator)!, operand };
    });
    const { ahjs } = await passUntil(lookup.directory.list());
    const ahjIds = ahjs.map(({ id }) => id);
    const snapshot = await passUntil(snapshotOf(service.fetch));
    const { columns, failure } = await passUntil(
      readAnswerColumns(
        ahjIds,
        columnsFor({ conditions }),
        lookup.answers,
        isAnew ? { sinceMs: clock.nowMs() } : {},
      ),
    );
    expect(failure).toBeUndefined();
    for (const { type, isDated } of columnsFor({ conditions })) {
      for (const ahjId of ahjIds) {
        const cell = cellKey(ahjId, type.id);
        const before = kept.get(cell);
        const isKept = before && !isAnew && (before.answer === null || before.isDated || !isDated);
        if (!isKept) kept.set(cell, { answer: snapshot.answers.get(cell) ?? null, isDated });
      }
    }
    const heaps = findIn(
      ahjIds.length,
      (typeId) => columns.find((column) => column.type.id === typeId),
      { match, conditions },
      nowMs,
    );

    // The groups hold the whole subscription, each jurisdiction once.
    const places = [...heaps.placesIn("yes"), ...heaps.placesIn("no"), ...heaps.placesIn("not-known")];
    expect([...places].sort((one, other) => one - other)).toEqual(ahjIds.map((_, place) => place));
    expect(new Set(ahjIds)).toEqual(new Set(snapshot.ahjIds));
    expect(new Set(ahjIds)).toEqual(entitled);

    ahjIds.forEach((ahjId, place) => {
      const known = ({ typeId }: InventedCondition) => kept.get(cellKey(ahjId, typeId))?.answer ?? null;
      const verdicts = invented.map((condition) => condition.judge(known(condition), nowMs));
      const expected = judgeAll(verdicts, match);
      const found = heaps.heapOf(place).replace("-", " ");
      const asked = invented.map(({ typeId, operator, operand }, index) => {
        const text = known(invented[index]!)?.published.text;
        return `${world.types.find(({ id }) => id === typeId)?.unit_of_measure}: ${JSON.stringify(text)} ${operator} ${JSON.stringify(operand)} is ${verdicts[index]}`;
      });
      expect(
        found,
        `seed ${seed}, find ${find}, ${match} of:\n${asked.join("\n")}\n${JSON.stringify(heaps.reasonsFor(place))}`,
      ).toBe(expected);
      sums[expected] += 1;
    });
  }
  return sums;
}

it(
  `finds what brute force over all pages finds, in ${wanted} finds from seed ${firstSeed}`,
  { timeout: 24 * 3_600_000 },
  async () => {
    const sums: Record<Verdict, number> = { yes: 0, no: 0, "not known": 0 };
    for (let done = 0, seed = firstSeed; done < wanted; done += findsOfAWorld, seed += 1) {
      const ofWorld = await playWorld(seed, Math.min(findsOfAWorld, wanted - done));
      for (const verdict of ["yes", "no", "not known"] as const) sums[verdict] += ofWorld[verdict];
    }
    console.log(`${wanted} finds from seed ${firstSeed}: ${JSON.stringify(sums)}`);
    // Each group was met at least once.
    expect(Math.min(...Object.values(sums))).toBeGreaterThan(0);
  },
);
