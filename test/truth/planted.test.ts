import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { listenToFormulas, playCase } from "./case";
import { type Clock, installClock } from "./clock";
import { cases } from "./events";
import { plantedBugs } from "./planted";
import { playFormulaRuntime } from "./runtime";

/** Of the 500 cases that `npm test` plays, far fewer must do. */
const most = Number(process.env.TRUTH_MOST ?? 60);

let clock: Clock;
beforeAll(() => {
  playFormulaRuntime();
  clock = installClock();
  listenToFormulas();
});
afterAll(() => {
  vi.unstubAllGlobals();
});
afterEach(() => {
  Object.assign(globalThis, { plantedBug: undefined });
});

describe("a bug that is planted is found", () => {
  it.each(plantedBugs)("$name", async ({ name, seed }) => {
    Object.assign(globalThis, { plantedBug: name });
    const property = fc.asyncProperty(cases, async ({ seed: world, events }) => {
      await playCase(clock, world, events);
    });
    const outcome = await fc.check(property, { numRuns: most, seed, endOnFailure: true });
    console.log(
      `${name}: case ${outcome.numRuns}, ${String((outcome.errorInstance as Error | null)?.message).slice(0, 160)}`,
    );
    expect(outcome.failed).toBe(true);
  });
});
