import fc from "fast-check";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { listenToFormulas, playCase } from "./case";
import { type Clock, installClock } from "./clock";
import { cases } from "./events";
import { createTally } from "./tally";
import { playFormulaRuntime } from "./runtime";

const wanted = Number(process.env.TRUTH_CASES ?? 500);
const seed = Number(process.env.TRUTH_SEED ?? 20_260_312);
const path = process.env.TRUTH_PATH;

let clock: Clock;
beforeAll(() => {
  playFormulaRuntime();
  clock = installClock();
  listenToFormulas();
});
afterAll(() => {
  vi.unstubAllGlobals();
});

it(
  `shows what the service said, in ${wanted} cases of seed ${seed}`,
  { timeout: 24 * 3_600_000 },
  async () => {
    const tally = createTally();
    const property = fc.asyncProperty(cases, async ({ seed: world, events }) => {
      tally.add(await playCase(clock, world, events));
      const progress = tally.progress(wanted);
      if (progress !== null) console.log(progress);
    });
    const outcome = await fc.check(property, { numRuns: wanted, seed, ...(path !== undefined && { path }) });
    console.log(tally.report(outcome), outcome.failed ? `\n${(outcome.errorInstance as Error).message}` : "");
    expect(outcome.failed, fc.defaultReportMessage(outcome)).toBe(false);
  },
);
