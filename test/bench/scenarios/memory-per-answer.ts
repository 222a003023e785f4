import { askAll } from "../play/formulas";
import { readReferenceData } from "../service/reference-data";
import { finding } from "../result";
import type { Scenario } from "../scenario";
import { filledRange, spreadOverStates } from "../play/work";

const mostMb = 40;

/**
 * What 100,000 answers add to the heap, absences among them, once nobody waits for them any more and the garbage is
 * collected. The directory is there before and does not count; a first formula has warmed up what is made once.
 */
export const memoryPerAnswer: Scenario = async ({ credentials, createEngine, progress }) => {
  const { ahjs, types } = await readReferenceData(credentials);
  const [other, ...wanted] = spreadOverStates(ahjs, 1_001);
  const asks = filledRange(wanted, types.slice(0, 100));
  const engine = createEngine(credentials, fetch);

  const emptyMb = heapMb();
  await engine.knowDirectory();
  await engine.value(other?.geoid ?? "", types[0]?.id ?? 0);
  const beforeMb = heapMb();
  progress(`${asks.length} answers`);
  await askAll(engine, asks);
  // The last cell is answered while its batch is still at work on them all.
  await new Promise((resolve) => setImmediate(resolve));
  const memoryMb = heapMb() - beforeMb;
  const perAnswer = (memoryMb * 1e6) / asks.length;

  // Whatever holds the answers must still be there when the heap is measured.
  const kept = await askAll(engine, asks.slice(0, 1_000));
  return finding(
    "memory-per-answer",
    { size: asks.length, memoryMb },
    [
      {
        text: `at most ${mostMb} MB of heap`,
        met: memoryMb <= mostMb,
        miss: `${memoryMb.toFixed(1)} MB, ${perAnswer.toFixed(0)} bytes an answer.`,
      },
    ],
    [
      `${perAnswer.toFixed(0)} bytes an answer`,
      `the directory takes ${(beforeMb - emptyMb).toFixed(1)} MB`,
      `${kept.filter((answer) => answer !== null).length} of the first 1,000 hold a value`,
    ],
  );
};

function heapMb(): number {
  if (!globalThis.gc) throw new Error("run with --expose-gc");
  // Twice: what the first collection finalises, the second frees.
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed / 1e6;
}
