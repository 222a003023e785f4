import { afterAll, vi } from "vitest";

/** Files share a worker's globals: none leaves its clock, or what it has put in their place, to the next. */
afterAll(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
