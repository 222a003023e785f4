import { createCannedService } from "../service/canned-service";
import { askAll } from "../play/formulas";
import type { Ask } from "../play/ask";
import { readReferenceData } from "../service/reference-data";
import { finding } from "../result";
import type { Scenario } from "../scenario";
import { median, timed } from "../timing";
import { filledRange, spreadOverStates } from "../play/work";

const most = 100_000;
const sizes = [1_000, 10_000, most];
const rounds = 9;
const mostGrowth = 1.2;

/**
 * Measures that the engine's own work grows no faster than the number of formulas: the time per formula at each size, compared with every
 * smaller size. The same ten types are asked of 100, 1,000 and 10,000 geoIDs, with a known directory and after a first answered formula,
 * so that only these formulas are left to do. The service's answers come from memory in this process. The time is how long the main
 * thread is busy from the first call to the last answer, reading the answers included. Waiting, such as for the collecting window, is not
 * work. Processor time would also count the compiler's and the collector's threads, which are busy with earlier work. The sizes take
 * turns, and medians count.
 */
export const growth: Scenario = async ({ credentials, createEngine, progress }) => {
  const { ahjs, residentialTypes } = await readReferenceData(credentials);
  const types = residentialTypes.slice(0, 10);
  const [other, ...wanted] = spreadOverStates(ahjs, 1 + most / types.length);
  const first = filledRange(other ? [other] : [], types);
  const works = sizes.map((size) => filledRange(wanted.slice(0, size / types.length), types));
  const service = createCannedService(fetch);

  async function busyMicroseconds(asks: readonly Ask[]): Promise<number> {
    for (;;) {
      const engine = await createEngine(credentials, service.fetch);
      await engine.knowDirectory();
      await askAll(engine, first);
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
      // Small sizes are easily disturbed, so they are measured more often.
      const times = asks.length < 10_000 ? 5 : 1;
      for (let turn = 0; turn < times; turn += 1) {
        const microseconds = await busyMicroseconds(asks);
        if (round >= 0) perFormula[at]?.push(microseconds / asks.length);
      }
    }
  }
  const figures = perFormula.map((microseconds, at) => ({
    size: sizes[at] ?? NaN,
    microseconds: median(microseconds),
  }));
  const pairs = figures.flatMap((large, at) =>
    figures.slice(0, at).map((small) => ({ small, large, ratio: large.microseconds / small.microseconds })),
  );
  const worst = pairs.reduce((one, other) => (other.ratio > one.ratio ? other : one));
  const listed = figures
    .map(({ size, microseconds }) => `${microseconds.toFixed(2)} µs at ${size}`)
    .join(", ");
  const lastMs = ((figures.at(-1)?.microseconds ?? NaN) * most) / 1_000;
  return finding(
    "growth",
    { size: most, ms: lastMs, ratio: worst.ratio },
    [
      {
        text: `time a formula at ${sizes.join(", ")} at most 20 % over that at any smaller size`,
        met: worst.ratio <= mostGrowth,
        miss: `${((worst.ratio - 1) * 100).toFixed(0)} % more at ${worst.large.size} than at ${worst.small.size}: ${listed}.`,
      },
    ],
    [`the engine's own time a formula: ${listed}`],
  );
};
