import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Client } from "../../../../src/engine/api/client";
import type { AhjDetail } from "../../../../src/engine/api/schemas";
import { config } from "../../../../src/config";
import { Failure } from "../../../../src/errors";
import { createDetails } from "../../../../src/engine/lookup/directory/ahj-details";
import { createOldAnswerNotes } from "../../../../src/engine/lookup/old-answers";
import { device } from "../device";

const dayMs = config.directoryAgeMs;
const detail = (id: number, county: string | null = "Alameda"): AhjDetail => ({
  ...{ id, name: `AHJ ${id}`, type: "city", state_code: "CA", geoid: null, state_name: "California", county },
  ...{ population: 1, lat: null, lon: null },
});

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 2, 12), toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

function detailsOver(documents = device()) {
  const getAhj = vi.fn(({ ahj_id }: { ahj_id: number }) => Promise.resolve({ data: detail(ahj_id) }));
  const learnt: number[] = [];
  const old = createOldAnswerNotes(() => {});
  const details = createDetails(
    { getAhj } as unknown as Client,
    { documents, old },
    ({ id }) => void learnt.push(id),
  );
  return { details, getAhj, learnt, documents };
}

describe("the details of AHJs", () => {
  it("are asked for once each, told as they come, and known to the next session", async () => {
    const { details, getAhj, learnt, documents } = detailsOver();
    const told: [number, unknown][] = [];
    expect(details.unknown([1, 2, 1])).toEqual(new Set([1, 2]));
    const [found, same] = await Promise.all([
      details.read([1, 2, 1], {}, (...each) => void told.push(each)),
      details.read([2]),
    ]);
    expect(found).toEqual(new Map([1, 2].map((id) => [id, detail(id)])));
    expect(same).toEqual(new Map([[2, detail(2)]]));
    expect(told).toEqual([1, 2].map((id) => [id, detail(id)]));
    expect(getAhj).toHaveBeenCalledTimes(2);
    expect(learnt).toEqual([1, 2]);
    expect(details.unknown([1, 2, 3])).toEqual(new Set([3]));

    const next = detailsOver(documents);
    expect(await next.details.read([1, 2])).toEqual(found);
    expect(next.getAhj).not.toHaveBeenCalled();
    expect(next.details.unknown([1, 2])).toEqual(new Set());
  });

  it("that came in another way are not asked for", async () => {
    const { details, getAhj, learnt, documents } = detailsOver();
    details.learn(detail(1, "Yolo"));
    expect(learnt).toEqual([1]);
    documents.read.mockClear();
    expect(await details.read([1])).toEqual(new Map([[1, detail(1, "Yolo")]]));
    expect(getAhj).not.toHaveBeenCalled();
    // The detail is not looked for on disk either.
    expect([...documents.read.mock.calls[0]![0]]).toEqual([]);
  });

  it("that are kept are told at once, even if others wait for the service", async () => {
    const { details, getAhj } = detailsOver();
    details.learn(detail(1_000));
    getAhj.mockImplementation(() => new Promise(() => undefined));
    const told: number[] = [];
    const ids = Array.from({ length: 1_000 }, (_, index) => index + 1);
    void details.read(ids, {}, (id) => void told.push(id));
    await new Promise((resolve) => setImmediate(resolve));
    expect(told).toEqual([1_000]);
    expect(getAhj).toHaveBeenCalledTimes(config.concurrentRequests);
  });

  it("are asked for again after a day, to the millisecond", async () => {
    const { details, getAhj } = detailsOver();
    await details.read([1]);
    vi.setSystemTime(Date.now() + dayMs - 1);
    expect(details.unknown([1])).toEqual(new Set());
    await details.read([1]);
    expect(getAhj).toHaveBeenCalledTimes(1);
    vi.setSystemTime(Date.now() + 1);
    expect(details.unknown([1])).toEqual(new Set([1]));
    await details.read([1]);
    expect(getAhj).toHaveBeenCalledTimes(2);
  });

  it("that are old are better than none if the service can't be asked, from disk too", async () => {
    const documents = device({ "detail 1": detail(1, "Yolo") });
    vi.setSystemTime(Date.now() + dayMs);
    const { details, getAhj } = detailsOver(documents);
    getAhj.mockRejectedValue(new Failure("unreachable"));
    const found = await details.read([1, 2]);
    expect(found.get(1)).toEqual(detail(1, "Yolo"));
    expect(found.get(2)).toMatchObject({ kind: "unreachable" });
  });

  it.each([
    ["not-found", "unknown-jurisdiction"],
    ["outside-subscription", "outside-subscription"],
  ] as const)("are a failure where the service says %s, whatever was known: %s", async (said, kind) => {
    const documents = device({ "detail 1": detail(1) });
    vi.setSystemTime(Date.now() + dayMs);
    const { details, getAhj } = detailsOver(documents);
    getAhj.mockRejectedValueOnce(new Failure(said, { detail: "As the service says." }));
    expect((await details.read([1])).get(1)).toMatchObject({ kind });
    // A failure is not kept, so the next call asks again.
    expect(await details.read([1])).toEqual(new Map([[1, detail(1)]]));
  });

  it("are not called unknown because of a gateway's 404, which has no words of the service", async () => {
    const { details, getAhj } = detailsOver();
    getAhj.mockRejectedValueOnce(new Failure("not-found"));
    expect((await details.read([1])).get(1)).toMatchObject({ kind: "not-found" });
  });

  it("that are damaged on disk are asked for", async () => {
    const { details, getAhj } = detailsOver(device({ "detail 1": { id: 1 }, "detail 2": "AHJ 2" }));
    await details.read([1, 2]);
    expect(getAhj).toHaveBeenCalledTimes(2);
  });

  it("are not given to a caller who has cancelled", async () => {
    const { details } = detailsOver();
    details.learn(detail(1));
    await expect(details.read([1], { signal: AbortSignal.abort() })).rejects.toMatchObject({
      kind: "cancelled",
    });
    await expect(details.read([2], { signal: AbortSignal.abort() })).rejects.toMatchObject({
      kind: "cancelled",
    });
  });
});
