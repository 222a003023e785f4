import { getEventListeners } from "node:events";
import { expect, it, vi } from "vitest";
import { onAbort } from "../../src/async/on-abort";

it("what is to be done when a signal is aborted is done once for each who asked, but for those who took it back", () => {
  const stop = new AbortController();
  const [twice, gone] = [vi.fn(), vi.fn()];
  const takeBack = onAbort(stop.signal, gone);
  const takeOneBack = onAbort(stop.signal, twice);
  for (let times = 0; times < 2; times += 1) onAbort(stop.signal, twice);
  takeBack();
  takeOneBack();
  expect(getEventListeners(stop.signal, "abort")).toHaveLength(1);
  stop.abort();
  expect(twice).toHaveBeenCalledTimes(2);
  expect(gone).not.toHaveBeenCalled();
});

it("it is done at once where the signal is aborted already, and never without a signal", () => {
  const [now, never] = [vi.fn(), vi.fn()];
  onAbort(AbortSignal.abort(), now)();
  onAbort(undefined, never)();
  expect(now).toHaveBeenCalledTimes(1);
  expect(never).not.toHaveBeenCalled();
});

it("a signal has no listener when all are done, and hears again who comes later", () => {
  const stop = new AbortController();
  onAbort(stop.signal, () => {})();
  expect(getEventListeners(stop.signal, "abort")).toHaveLength(0);
  const later = vi.fn();
  onAbort(stop.signal, later);
  stop.abort();
  expect(later).toHaveBeenCalledTimes(1);
});
