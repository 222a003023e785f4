import { createCannedService } from "../service/canned-service";
import { askAll, bytesOf } from "../play/formulas";
import type { Ask } from "../play/ask";
import type { Engine } from "../play/engine";
import { readReferenceData } from "../service/reference-data";
import { finding, type Goal } from "../result";
import type { Scenario } from "../scenario";
import { median, timed } from "../timing";
import { filledRange, spreadOverStates } from "../play/work";

const most = 500_000;
const sizes = [1_000, 10_000, 100_000, most];
const typeCount = 20;
const rounds = 9;
const mostGrowth = 1.2;

/**
 * Measures that the engine's own work, and the heap that it takes, grow no faster than the number of formulas: the time per formula at each
 * size, compared with every smaller size, and the bytes per waiting formula. The same twenty types are asked of 50, 500, 5,000 and 25,000
 * geoIDs, with a known directory and after a first answered formula, so that only these formulas are left to do. The service's answers come
 * from memory in this process. The time is that of the main thread from the first call to the last answer, reading the answers included;
 * waiting, such as for the collecting window, is not in it. The sizes take turns, and medians count.
 */
export const growth: Scenario = async ({ credentials, createEngine, progress }) => {
  const { ahjs, residentialTypes } = await readReferenceData(credentials);
  const types = residentialTypes.slice(0, typeCount);
  const [other, ...wanted] = spreadOverStates(ahjs, 1 + most / types.length);
  const first = filledRange(other ? [other] : [], types);
  const works = sizes.map((size) => filledRange(wanted.slice(0, size / types.length), types));
  const service = createCannedService(fetch);

  async function startedEngine(): Promise<Engine> {
    const engine = await createEngine(credentials, service.fetch);
    await engine.knowDirectory();
    await askAll(engine, first);
    return engine;
  }

  async function busyMicroseconds(asks: readonly Ask[]): Promise<number> {
    for (;;) {
      const engine = await startedEngine();
      const passedOn = service.passedOn();
      const { busyMs } = await timed(() => askAll(engine, asks));
      // A run counts only if it sent no request for the first time, which would count the network as well.
      if (service.passedOn() === passedOn) return busyMs * 1_000;
    }
  }

  const perFormula = works.map((): number[] => []);
  for (let round = -2; round < rounds; round += 1) {
    progress(round < 0 ? "warming up" : `round ${round + 1} of ${rounds}`);
    for (const [at, asks] of works.entries()) {
      for (let turn = 0; turn < turnsOf(asks.length, round); turn += 1) {
        const microseconds = await busyMicroseconds(asks);
        if (round >= 0) perFormula[at]?.push(microseconds / asks.length);
      }
    }
  }
  progress("the heap");
  const bytes: number[] = [];
  for (const asks of works) bytes.push((await bytesOf(await startedEngine(), asks)).waiting);
  const peakMb = process.resourceUsage().maxRSS / 1e3;

  const times = grown(perFormula.map(median), (microseconds) => `${microseconds.toFixed(2)} µs`);
  const heap = grown(bytes, (waiting) => `${waiting.toFixed(0)} bytes`);
  const goal = (what: string, { worst, listed }: Grown): Goal => ({
    text: `${what} at ${sizes.join(", ")} at most 20 % over that at any smaller size`,
    met: worst.ratio <= mostGrowth,
    miss: `${((worst.ratio - 1) * 100).toFixed(0)} % more at ${worst.large} than at ${worst.small}: ${listed}.`,
  });
  return finding(
    "growth",
    { size: most, ms: (times.last * most) / 1_000, ratio: times.worst.ratio },
    [goal("time a formula", times), goal("heap a waiting formula", heap)],
    [
      `the engine's own time a formula: ${times.listed}`,
      `heap a waiting formula: ${heap.listed}; the process has had ${peakMb.toFixed(0)} MB at most, garbage included`,
    ],
  );
};

/** Small sizes are easily disturbed, so they are measured more often; the largest takes long. */
function turnsOf(size: number, round: number): number {
  if (size < 10_000) return 5;
  return size < most || (round >= 0 && round % 3 === 0) ? 1 : 0;
}

interface Grown {
  /** The pair of sizes with the largest ratio of the larger one's figure to the smaller one's. */
  worst: { small: number; large: number; ratio: number };
  /** The figure of the largest size. */
  last: number;
  listed: string;
}

/** Compares the figures of all sizes, each with those of every smaller size. */
function grown(figures: readonly number[], written: (figure: number) => string): Grown {
  const all = figures.map((figure, at) => ({ size: sizes[at] ?? NaN, figure }));
  const pairs = all.flatMap((large, at) =>
    all.slice(0, at).map((small) => ({
      small: small.size,
      large: large.size,
      ratio: large.figure / small.figure,
    })),
  );
  return {
    worst: pairs.reduce((one, other) => (other.ratio > one.ratio ? other : one)),
    last: figures.at(-1) ?? NaN,
    listed: all.map(({ size, figure }) => `${written(figure)} at ${size}`).join(", "),
  };
}
