import { partsOf } from "../../../src/lists";
import { readReferenceData } from "../service/reference-data";
import { finding } from "../result";
import type { Scenario } from "../scenario";

const mostMb = 60;

/**
 * The memory that the answers of the whole country to 53 questions take, absences included, once nobody waits for them any more and the
 * garbage is collected: objects and the buffers of columns. The directory is loaded before and does not count.
 */
export const memoryPerAnswer: Scenario = async ({ credentials, createEngine, progress }) => {
  const { ahjs, types } = await readReferenceData(credentials);
  const asked = types.slice(0, 53);
  const engine = await createEngine(credentials, fetch);

  const emptyMb = usedMb();
  await engine.knowDirectory();
  const [first, ...others] = partsOf(ahjs, 1_000);
  // A first small import makes everything that is made only once, so that it does not count as memory of answers.
  await engine.planMatrix((first ?? []).slice(0, 1), asked);
  const beforeMb = usedMb();
  let values = 0;
  for (const part of [first ?? [], ...others]) {
    const { report } = await engine.planMatrix(part, asked);
    values += report.values;
    progress(`${values} values`);
  }
  // The last part's waiters are released in the next turn of the event loop.
  await new Promise((resolve) => setImmediate(resolve));
  const memoryMb = usedMb() - beforeMb;
  const size = ahjs.length * asked.length;
  const perAnswer = (memoryMb * 1e6) / size;

  // This refers to the answers' holder after the measurement, so that it is not collected before.
  const startedAtMs = performance.now();
  const again = await engine.planMatrix(ahjs.slice(-1_000), asked);
  return finding(
    "memory-per-answer",
    { size, memoryMb },
    [
      {
        text: `at most ${mostMb} MB`,
        met: memoryMb <= mostMb,
        miss: `${memoryMb.toFixed(1)} MB, ${perAnswer.toFixed(0)} bytes an answer.`,
      },
    ],
    [
      `${perAnswer.toFixed(1)} bytes an answer, ${values} of them values`,
      `the directory takes ${(beforeMb - emptyMb).toFixed(1)} MB`,
      `${again.report.values} values of 1,000 jurisdictions are planned again in ${(performance.now() - startedAtMs).toFixed(0)} ms`,
    ],
  );
};

function usedMb(): number {
  if (!globalThis.gc) throw new Error("run with --expose-gc");
  // The garbage is collected twice: the second collection frees what the first one finalized.
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1e6;
}
