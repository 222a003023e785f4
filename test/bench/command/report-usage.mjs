/** Loaded into each process of a run of the command, which notes at its end what it took. Plain JavaScript, for npm loads it as well. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const { REGDATA_BENCH_USAGE: folder = "" } = process.env;

process.on("exit", () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const usage = {
    ms: performance.now(),
    // As the system counts: microseconds and kilobytes.
    busyMs: (userCPUTime + systemCPUTime) / 1_000,
    peakMb: maxRSS / 1_024,
  };
  writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(usage));
});
