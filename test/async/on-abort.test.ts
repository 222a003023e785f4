import { getEventListeners } from "node:events";
import { expect, it, vi } from "vitest";
import { Cancel, followAbort, onAbort, unfollowAbort } from "../../src/async/on-abort";

it("work registered for a signal's abort is done once for each registration that was not taken back", () => {
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

it("work registered for a signal's abort is done at once if the signal is aborted already, and never without a signal", () => {
  const [now, never] = [vi.fn(), vi.fn()];
  onAbort(AbortSignal.abort(), now)();
  onAbort(undefined, never)();
  expect(now).toHaveBeenCalledTimes(1);
  expect(never).not.toHaveBeenCalled();
});

it("a signal has no abort listener once all registrations are taken back, and gets one again for the next", () => {
  const stop = new AbortController();
  onAbort(stop.signal, () => {})();
  expect(getEventListeners(stop.signal, "abort")).toHaveLength(0);
  const later = vi.fn();
  onAbort(stop.signal, later);
  stop.abort();
  expect(later).toHaveBeenCalledTimes(1);
});

it("a canceled call aborts those that follow it once, ends the requests that are sent for it alone, and whatever begins later", () => {
  const call = new Cancel();
  const target = () => ({ abort: vi.fn<() => void>() });
  const [first, second, third, gone, late] = [target(), target(), target(), target(), target()];
  for (const each of [first, second, third, gone]) followAbort(call, each);
  unfollowAbort(call, gone);
  const { signal } = call;
  expect([call.aborted, signal.aborted]).toEqual([false, false]);
  call.abort();
  call.abort();
  followAbort(call, late);
  for (const { abort } of [first, second, third, late]) expect(abort).toHaveBeenCalledTimes(1);
  expect(gone.abort).not.toHaveBeenCalled();
  expect([call.aborted, signal.aborted, call.signal]).toEqual([true, true, signal]);
});

it("a call whose only follower has left aborts nobody, and the next one that follows", () => {
  const call = new Cancel();
  const [gone, next] = [{ abort: vi.fn<() => void>() }, { abort: vi.fn<() => void>() }];
  followAbort(call, gone);
  unfollowAbort(call, gone);
  followAbort(call, next);
  call.abort();
  expect([gone.abort.mock.calls.length, next.abort.mock.calls.length]).toEqual([0, 1]);
});

it("a request that is sent for a call after it was canceled is ended at once", () => {
  const call = new Cancel();
  call.abort();
  expect(call.signal.aborted).toBe(true);
});
