import { getEventListeners } from "node:events";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { pause } from "../../../src/engine/transport/pause";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("a pause ends after its time and leaves nothing behind", async () => {
  const { signal } = new AbortController();
  const ended = vi.fn();
  void pause(1_000, signal).then(ended);
  await vi.advanceTimersByTimeAsync(999);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(ended).toHaveBeenCalled();
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
});

it("a pause ends at once as cancelled, also if it was cancelled before", async () => {
  const stop = new AbortController();
  const paused = pause(1_000, stop.signal);
  stop.abort();
  await expect(paused).rejects.toMatchObject({ kind: "cancelled" });
  await expect(pause(1_000, stop.signal)).rejects.toMatchObject({ kind: "cancelled" });
  expect(vi.getTimerCount()).toBe(0);
});

it("a pause longer than a timer holds does not end at once", async () => {
  const ended = vi.fn();
  void pause(2 ** 31).then(ended);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ended).not.toHaveBeenCalled();
});
