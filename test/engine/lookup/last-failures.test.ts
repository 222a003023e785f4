import { afterEach, describe, expect, it, vi } from "vitest";
import { Failure } from "../../../src/errors";
import { createLastFailures } from "../../../src/engine/lookup/last-failures";
import { connected, type Interception } from "../../recorded-service";

const question = { ahj: "06001", type: 1003 };

afterEach(() => {
  vi.useRealTimers();
});

describe("the reason why a question could not be answered", () => {
  it("is known until the question is answered, by the names that were asked with", async () => {
    vi.useFakeTimers();
    let isDown = true;
    const intercept: Interception = () => (isDown ? Promise.reject(new TypeError("no network")) : undefined);
    const { lookup } = connected("demo-national", { intercept });
    expect(lookup.lastFailure(question)).toBeUndefined();
    await Promise.all([lookup.ask({ questions: [question] }), vi.advanceTimersByTimeAsync(60_000)]);
    expect(lookup.lastFailure(question)?.kind).toBe("unreachable");
    expect(lookup.lastFailure({ ...question, type: 1004 })).toBeUndefined();
    await lookup.ask({ questions: [question] }, { keptOnly: true });
    expect(lookup.lastFailure(question)?.kind).toBe("unreachable");
    isDown = false;
    await Promise.all([lookup.ask({ questions: [question] }), vi.advanceTimersByTimeAsync(60_000)]);
    expect(lookup.lastFailure(question)).toBeUndefined();
  });

  it("is no failure if nothing is recorded, nothing was asked, or nobody waited", () => {
    const failures = createLastFailures();
    for (const kind of ["no-value", "not-asked", "cancelled"] as const)
      failures.note(question, new Failure(kind));
    expect(failures.of(question)).toBeUndefined();
  });

  it("is forgotten for the oldest questions if there are more than twenty thousand", () => {
    const failures = createLastFailures();
    const failure = new Failure("timeout");
    for (let type = 1; type <= 20_001; type += 1) failures.note({ ahj: "06001", type }, failure);
    expect([1, 2, 20_001].map((type) => failures.of({ ahj: "06001", type }))).toEqual([
      undefined,
      failure,
      failure,
    ]);
  });
});
