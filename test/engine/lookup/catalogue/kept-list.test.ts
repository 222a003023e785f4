import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { config } from "../../../../src/config";
import { Failure, type FormulaFailureKind } from "../../../../src/errors";
import { createKeptList } from "../../../../src/engine/lookup/catalogue/catalogue";
import { createRequestBudget } from "../../../../src/engine/transport/request-budget";
import type { ExchangeOptions } from "../../../../src/engine/transport/exchange";
import { createOldAnswerNotes, type OldAnswers } from "../../../../src/engine/lookup/old-answers";
import { device } from "../device";

const dayMs = config.directoryAgeMs;
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);
const down: FormulaFailureKind[] = ["unreachable", "timeout", "service-error", "rate-limited", "not-asked"];

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 2, 12), toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

describe("a list that is kept for a day", () => {
  const fetchList = vi.fn<(options: ExchangeOptions) => Promise<string[]>>();
  const told = vi.fn<(old: OldAnswers | null) => void>();
  /** The list's items, as long as none is missing. */
  const listOn = (documents: ReturnType<typeof device>) => {
    const dependencies = { documents, old: createOldAnswerNotes(told) };
    const list = createKeptList(dependencies, "names", z.string(), async (options) => ({
      items: await fetchList(options),
      missing: 0,
    }));
    return async (...given: Parameters<typeof list>) => (await list(...given)).items;
  };
  beforeEach(() => void fetchList.mockReset().mockResolvedValue(["new"]));

  it("is fetched once for all who ask, and then read from disk by the next session", async () => {
    const documents = device();
    const list = listOn(documents);
    expect(await Promise.all([list(), list()])).toEqual([["new"], ["new"]]);
    expect(await list()).toEqual(["new"]);
    expect(await listOn(documents)()).toEqual(["new"]);
    expect(fetchList).toHaveBeenCalledTimes(1);
  });

  it("is read from disk once, whatever the disk holds", async () => {
    const documents = device();
    const list = listOn(documents);
    await Promise.all([list(), list()]);
    await list();
    expect(documents.read).toHaveBeenCalledTimes(1);
  });

  it("is fetched anew after a day, to the millisecond", async () => {
    const documents = device({ names: ["old"] });
    const list = listOn(documents);
    pass(dayMs - 1);
    expect(await list()).toEqual(["old"]);
    pass(1);
    expect(await list()).toEqual(["new"]);
    pass(dayMs - 1);
    await list();
    expect(fetchList).toHaveBeenCalledTimes(1);
    pass(1);
    await list();
    expect(fetchList).toHaveBeenCalledTimes(2);
  });

  it("takes its request from a budget if the stored one is of another day, and none if it is of today", async () => {
    const sent = vi.fn();
    fetchList.mockImplementation(async ({ budget }) => {
      await Promise.resolve();
      budget?.spend();
      sent();
      return ["new"];
    });
    const list = listOn(device({ names: ["old"] }));
    const budget = createRequestBudget(0);
    expect(await list({ budget })).toEqual(["old"]);
    pass(dayMs);
    await expect(list({ budget })).rejects.toMatchObject({ kind: "many-requests" });
    expect(await list({ budget, keptOnly: true })).toEqual(["old"]);
    expect(sent).not.toHaveBeenCalled();
    expect(await list({ budget: createRequestBudget(1) })).toEqual(["new"]);
  });

  it("may be asked for with a younger age than a day", async () => {
    const list = listOn(device({ names: ["old"] }));
    pass(60_000);
    expect(await list({}, 60_001)).toEqual(["old"]);
    expect(await list({}, 60_000)).toEqual(["new"]);
  });

  it.each([["a text"], [[1]], [{ 0: "old" }], [null]])(
    "that is damaged, %j, counts as none",
    async (names) => {
      expect(await listOn(device({ names }))()).toEqual(["new"]);
    },
  );

  it.each(down)("stays good if the service can't be asked: %s", async (kind) => {
    const list = listOn(device({ names: ["old"] }));
    pass(dayMs);
    fetchList.mockRejectedValueOnce(new Failure(kind));
    expect(await list()).toEqual(["old"]);
    // A failure is not kept, so the next call asks again.
    expect(await list()).toEqual(["new"]);
  });

  it.each(["wrong-key", "unexpected-answer"] as const)(
    "fails with the service's own refusal: %s",
    async (kind) => {
      const list = listOn(device({ names: ["old"] }));
      pass(dayMs);
      fetchList.mockRejectedValueOnce(new Failure(kind));
      await expect(list()).rejects.toMatchObject({ kind });
    },
  );

  it("fails if the service can't be asked and nothing is kept", async () => {
    fetchList.mockRejectedValueOnce(new Failure("unreachable"));
    const list = listOn(device());
    await expect(list()).rejects.toMatchObject({ kind: "unreachable" });
    expect(await list()).toEqual(["new"]);
  });
});
