import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type Clock, installClock } from "../clock";
import { playFormulaRuntime } from "../runtime";
import { playMoving } from "./moving-case";

const cases = Number(process.env.MOVING_CASES ?? 300);
const firstSeed = Number(process.env.MOVING_SEED ?? 1);

let clock: Clock;
beforeAll(() => {
  playFormulaRuntime();
  clock = installClock();
});
afterAll(() => {
  vi.unstubAllGlobals();
});

it(
  `loses nothing that people type, in ${cases} cases from seed ${firstSeed}`,
  { timeout: 24 * 3_600_000 },
  async () => {
    const lies: string[] = [];
    const ends: Record<string, Record<string, number>> = {};
    const unmodelled: Record<string, number> = {};
    const startedMs = performance.now();
    for (let seed = firstSeed; seed < firstSeed + cases; seed += 1) {
      const played = await playMoving(clock, seed).catch((thrown: Error) => {
        lies.push(`seed ${seed}: ${thrown.stack}`);
        return null;
      });
      if (!played) continue;
      const { job, outcome, story, lie } = played;
      const ofJob = (ends[job] ??= {});
      ofJob[outcome] = (ofJob[outcome] ?? 0) + 1;
      for (const problem of played.unmodelled) unmodelled[problem] = (unmodelled[problem] ?? 0) + 1;
      if (lie) lies.push(`seed ${seed}: ${job}: ${story.join(", ")}: ${lie}`);
    }
    console.log(
      `${cases} cases in ${((performance.now() - startedMs) / 1000).toFixed(1)} s, ${lies.length} lies`,
    );
    if (process.env.MOVING_VERBOSE) console.log(ends, unmodelled, lies.slice(0, 40).join("\n"));
    expect(lies.slice(0, 5)).toEqual([]);
  },
);
