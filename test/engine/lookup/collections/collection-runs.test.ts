import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createOldAnswerNotes, type OldAnswers } from "../../../../src/engine/lookup/old-answers";
import type { Client } from "../../../../src/engine/api/client";
import type { Collection, DataPointValue, Warning } from "../../../../src/engine/api/schemas";
import { Failure, type FormulaFailureKind } from "../../../../src/errors";
import { createCollectionRuns } from "../../../../src/engine/lookup/collections/collection-runs";
import type { ExchangeOptions } from "../../../../src/engine/transport/exchange";
import { urgencyOf } from "../../../../src/engine/transport/urgency";

const hourMs = 3_600_000;
const startMs = Date.UTC(2026, 2, 12);
const collection = (id = "C", updated_at = "2026-01-01T00:00:00Z") =>
  ({ id, updated_at }) as unknown as Collection;
const point = (ahjId: number, typeId = 1001, value = "3") =>
  ({
    ...{ id: ahjId * 100_000 + typeId, data_point_type: { id: typeId }, value, ahj: { id: ahjId } },
    ...{ reference: null, section: null, updated_at: "2026-01-01T00:00:00Z" },
  }) as unknown as DataPointValue;

/** The result for an AHJ with these data points. */
const collected = (...points: DataPointValue[]) =>
  new Map(
    points.map(({ data_point_type: type, value, reference, section, updated_at: updatedAt }) => [
      type.id,
      { type, cell: value === null ? null : { value, reference, section, updatedAt, fetchedAtMs: startMs } },
    ]),
  );

interface Service {
  /** The values of each AHJ; others have none. */
  values?: DataPointValue[];
  denied?: number[];
  missing?: number;
  failure?: FormulaFailureKind | undefined;
  /** Throws an error that is no `Failure`. */
  isBroken?: boolean;
  /** Happens before the service answers. */
  before?: (exchange: ExchangeOptions) => Promise<void>;
  /** How long the service's answers are kept. */
  maxAgeMs?: number;
}

function runsOver(service: Service = {}) {
  const asked: string[] = [];
  const exchanges: ExchangeOptions[] = [];
  const learnt: [number, number][] = [];
  const olds: (OldAnswers | null)[] = [];
  const client = {
    async runCollection(
      { collection_id, ahj_ids }: { collection_id: string; ahj_ids: readonly number[] },
      exchange: ExchangeOptions,
    ) {
      asked.push(`${collection_id} ${ahj_ids.join()}`);
      exchanges.push(exchange);
      await service.before?.(exchange);
      if (service.isBroken) throw new TypeError("odd");
      if (service.failure) throw new Failure(service.failure);
      const items = (service.values ?? []).filter(({ ahj }) => ahj_ids.includes(ahj.id));
      const total = items.length + (service.missing ?? 0);
      const warnings = service.denied
        ? [{ code: "AHJ_ACCESS_DENIED", message: "", excluded_ahj_ids: service.denied, unmatched_geoids: [] }]
        : [];
      return {
        data: { items, pagination: { page: 1, page_size: 500, total, total_pages: 1 } },
        ...{ warnings: warnings as unknown as Warning[], atMs: Date.now() },
      };
    },
  } as unknown as Client;
  const runs = createCollectionRuns({
    client,
    old: createOldAnswerNotes((told) => void olds.push(told)),
    learn: (values, fetchedAtMs) => void learnt.push([values.length, fetchedAtMs]),
    maxAgeMs: () => service.maxAgeMs ?? hourMs,
    delay: () => Promise.resolve(),
  });
  return { runs, asked, exchanges, learnt, olds, service };
}

beforeEach(() => void vi.useFakeTimers({ now: startMs, toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);

describe("a collection that formulas want", () => {
  it("is read once for everything that several formulas want at the same time, each AHJ once", async () => {
    const { runs, asked, learnt } = runsOver({ values: [point(1), point(1, 1002), point(2)] });
    const [one, other] = await Promise.all([
      runs.read(collection(), [1, 2], {}),
      runs.read(collection(), [2, 3], {}),
    ]);
    expect(asked).toEqual(["C 1,2,3"]);
    expect(one.get(1)).toEqual(collected(point(1), point(1, 1002)));
    expect([...one.keys()]).toEqual([1, 2]);
    expect(other.get(2)).toEqual(collected(point(2)));
    expect(other.get(3)).toEqual(new Map());
    expect(learnt).toEqual([[3, Date.now()]]);
  });

  it("is not asked for again while it is young enough, to the millisecond, and then only for its old part", async () => {
    const { runs, asked } = runsOver({ values: [point(1), point(2)] });
    await runs.read(collection(), [1], {});
    pass(hourMs - 1);
    await runs.read(collection(), [1, 2], {});
    expect(asked).toEqual(["C 1", "C 2"]);
    pass(1);
    await runs.read(collection(), [1, 2], {});
    expect(asked).toEqual(["C 1", "C 2", "C 1"]);
  });

  it("is asked for as urgently as cells wait, and each waits for the limit as long as its own patience lasts", async () => {
    const { runs, exchanges, service } = runsOver({ values: [point(1)] });
    service.before = ({ onWait }) => Promise.resolve(onWait?.(startMs + 4_000));
    const [patient, impatient, endless] = await Promise.allSettled(
      [5_000, 3_000, Infinity].map((patienceMs) =>
        runs.read(collection(), [1], { giveUpAtMs: startMs + patienceMs }),
      ),
    );
    expect(exchanges).toHaveLength(1);
    expect(urgencyOf(exchanges[0]?.urgent).isUrgent()).toBe(true);
    expect(impatient).toMatchObject({ reason: { kind: "rate-limited", untilMs: startMs + 4_000 } });
    for (const each of [patient, endless])
      expect(each).toEqual({ status: "fulfilled", value: new Map([[1, collected(point(1))]]) });
  });

  it("is not asked again for what is under way for formulas that came before, but for the rest alone", async () => {
    const { runs, asked, service } = runsOver({ values: [point(1), point(2), point(3)] });
    let answer = () => {};
    const answers = new Promise<void>((resolve) => (answer = resolve));
    service.before = () => answers;
    const first = runs.read(collection(), [1, 2], {});
    await vi.waitFor(() => expect(asked).toEqual(["C 1,2"]));
    const controller = new AbortController();
    const leaving = runs.read(collection(), [1, 2], { signal: controller.signal });
    const second = runs.read(collection(), [2, 3], {});
    await vi.waitFor(() => expect(asked).toEqual(["C 1,2", "C 3"]), { timeout: 2_000 });
    controller.abort();
    await expect(leaving).rejects.toMatchObject({ kind: "cancelled" });
    answer();
    expect([...(await first).keys()]).toEqual([1, 2]);
    const values = [...(await second)].map(([ahjId, answer]) => [
      ahjId,
      answer instanceof Failure || answer.get(1001)?.cell?.value,
    ]);
    expect(values).toEqual([
      [2, "3"],
      [3, "3"],
    ]);
    expect(asked).toEqual(["C 1,2", "C 3"]);
  });

  it("is stopped once nobody waits for it any more", async () => {
    const { runs, exchanges, service } = runsOver();
    service.before = () => new Promise(() => {});
    const controller = new AbortController();
    const reading = runs.read(collection(), [1], { signal: controller.signal });
    await vi.waitFor(() => expect(exchanges).toHaveLength(1));
    controller.abort();
    await expect(reading).rejects.toMatchObject({ kind: "cancelled" });
    await vi.waitFor(() => expect(exchanges[0]?.signal?.aborted).toBe(true));
  });

  it("is shown even if nothing may be kept", async () => {
    const { runs } = runsOver({ values: [point(1)], maxAgeMs: 0 });
    expect((await runs.read(collection(), [1], {})).get(1)).toEqual(collected(point(1)));
  });

  it("is another one once its definition has changed, and is kept beside others", async () => {
    const { runs, asked } = runsOver({ values: [point(1)] });
    await runs.read(collection(), [1], {});
    await Promise.all([
      runs.read(collection("C", "2026-02-02T00:00:00Z"), [1], {}),
      runs.read(collection("D"), [1], {}),
    ]);
    expect(asked).toEqual(["C 1", "C 1", "D 1"]);
  });

  it("says of a denied AHJ why there is nothing", async () => {
    const { runs } = runsOver({ values: [point(1)], denied: [2] });
    const answers = await runs.read(collection(), [1, 2], {});
    expect(answers.get(1)).toBeInstanceOf(Map);
    expect(answers.get(2)).toMatchObject({ kind: "outside-subscription" });
  });

  it("fails if its list changed while it was read, since a value may be missing", async () => {
    const { runs, learnt } = runsOver({ values: [point(1)], missing: 1 });
    await expect(runs.read(collection(), [1], {})).rejects.toThrow("A list changed while it was read.");
    expect(learnt).toEqual([]);
  });
});

describe("a collection that can't be asked for again", () => {
  it("is shown as it was, with the reason for AHJs that had nothing", async () => {
    const { runs, service } = runsOver({ values: [point(1)] });
    await runs.read(collection(), [1], {});
    pass(hourMs);
    service.failure = "unreachable";
    const answers = await runs.read(collection(), [1, 2], {});
    expect(answers.get(1)).toEqual(collected(point(1)));
    expect(answers.get(2)).toMatchObject({ kind: "unreachable" });
    await expect(runs.read(collection(), [3], {})).rejects.toMatchObject({ kind: "unreachable" });
    await expect(runs.read(collection("D"), [1], {})).rejects.toMatchObject({ kind: "unreachable" });
  });

  it("fails with a kind of failure, whatever is thrown", async () => {
    const { runs } = runsOver({ isBroken: true });
    await expect(runs.read(collection(), [1], {})).rejects.toMatchObject({ kind: "internal" });
  });

  it("fails with the service's own refusal, whatever is kept", async () => {
    const { runs, service } = runsOver({ values: [point(1)] });
    await runs.read(collection(), [1], {});
    pass(hourMs);
    service.failure = "wrong-key";
    await expect(runs.read(collection(), [1], {})).rejects.toMatchObject({ kind: "wrong-key" });
    service.failure = undefined;
    const [anew] = collected(point(1)).values();
    expect((await runs.read(collection(), [1], {})).get(1)).toEqual(
      new Map([[1001, { ...anew, cell: { ...anew?.cell, fetchedAtMs: Date.now() } }]]),
    );
  });

  it("fails only the AHJs that lack something", async () => {
    const { runs, service, asked } = runsOver({ values: [point(1)] });
    await runs.read(collection(), [1], {});
    service.failure = "wrong-key";
    const [young, lacking] = await Promise.allSettled([
      runs.read(collection(), [1], {}),
      runs.read(collection(), [1, 2], {}),
    ]);
    expect(young.status).toBe("fulfilled");
    expect(lacking).toMatchObject({ status: "rejected", reason: { kind: "wrong-key" } });
    expect(asked).toEqual(["C 1", "C 2"]);
  });
});

describe("the kept answers of a collection", () => {
  it("are given at any age to a call that may ask nothing", async () => {
    const { runs, asked } = runsOver({ values: [point(1)] });
    await expect(runs.read(collection(), [1], { keptOnly: true })).rejects.toMatchObject({
      kind: "not-asked",
    });
    await runs.read(collection(), [1], {});
    pass(10 * hourMs);
    const answers = await runs.read(collection(), [1, 2], { keptOnly: true });
    expect(answers.get(1)).toEqual(collected(point(1)));
    expect(answers.get(2)).toMatchObject({ kind: "not-asked" });
    expect(asked).toEqual(["C 1"]);
  });

  it("include the AHJs that came without a value; an empty text is none", async () => {
    const blank = { ...point(1, 1002), value: null };
    const empty = point(1, 1003, "");
    const { runs } = runsOver({ values: [point(1), blank, empty] });
    expect((await runs.read(collection(), [1], {})).get(1)).toEqual(
      collected(point(1), blank, { ...empty, value: null }),
    );
  });

  it("make room once its definition has changed", async () => {
    const { runs, asked } = runsOver({ values: [point(1)] });
    await runs.read(collection(), [1], {});
    await runs.read(collection("C", "2026-02-02T00:00:00Z"), [1], {});
    await runs.read(collection(), [1], {});
    expect(asked).toEqual(["C 1", "C 1", "C 1"]);
  });
});
