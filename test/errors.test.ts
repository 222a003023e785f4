import { describe, expect, it } from "vitest";
import { Failure, type FailureKind, failureKinds } from "../src/errors";

describe("every failure", () => {
  it.each(Object.keys(failureKinds) as FailureKind[])("%s has a sentence and a next step", (kind) => {
    const { sentence, nextStep } = failureKinds[kind];
    for (const text of [sentence, nextStep]) expect(text).toMatch(/^[A-Z].* .*\.$|^Cancelled\.$/s);
    expect(new Failure(kind).message).toBe(`${sentence} ${nextStep}`);
  });

  it("says what is known besides", () => {
    const failure = new Failure("rate-limited", { untilMs: Date.now() + 1_000, status: 429 });
    expect(failure.message).toMatch(/used up\. It resets at \d.*Recalculate/);
  });
});
