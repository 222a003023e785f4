import { expect, it } from "vitest";
import { startWatch, timeLeftMs } from "../../../src/taskpane/jobs/time-left";

it("the time left of an import is told from the pace so far, without earlier answers, after a few seconds", () => {
  const start = { done: 100, atMs: 500 };
  expect(timeLeftMs(start, { done: 200, atMs: 3_400 }, 1_000)).toBeNull();
  expect(timeLeftMs(start, { done: 300, atMs: 4_500 }, 1_000)).toBe(14_000);
  expect(timeLeftMs(start, { done: 1_000, atMs: 9_000 }, 1_000)).toBe(0);
  expect(timeLeftMs(start, { done: 100, atMs: 60_000 }, 1_000)).toBeNull();
});

it("the time left of an import does not count a pause", () => {
  let clockMs = 1_000;
  const watch = startWatch(() => clockMs);
  clockMs = 3_000;
  watch.stop();
  clockMs = 90_000;
  expect(watch.ms()).toBe(2_000);
  watch.goOn();
  watch.goOn();
  clockMs = 91_000;
  expect(watch.ms()).toBe(3_000);
});
