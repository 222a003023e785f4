import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isWithinAge } from "../../../src/engine/cache/age";

const nowMs = Date.parse("2026-03-12T12:00:00Z");

beforeEach(() => {
  vi.useFakeTimers({ now: nowMs });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("an answer that was fetched", () => {
  it.each([
    ["just now", 0, true],
    ["a moment before it is too old", 999, true],
    ["as long ago as it may be", 1_000, false],
    ["long ago", 1_000_000, false],
    ["in the future", -1, false],
  ])("%s, %d ms ago, is young enough for an age of a second: %s", (_, agoMs, expected) => {
    expect(isWithinAge(nowMs - agoMs, 1_000)).toBe(expected);
  });
});
