import timers from "node:timers";
import { afterAll, vi } from "vitest";

// What a spy on a played clock was put in place of comes back when all is restored, after the end of its file.
const { setTimeout, clearTimeout, setInterval, clearInterval } = timers;
Object.assign(globalThis, { setTimeout, clearTimeout, setInterval, clearInterval });

/** Files share a worker's globals: none leaves its clock, or what it has put in their place, to the next. */
afterAll(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
