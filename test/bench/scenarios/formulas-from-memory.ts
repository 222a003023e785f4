import { askAll } from "../play/formulas";
import { createRecorder } from "../service/recorder";
import { readReferenceData } from "../service/reference-data";
import { finding } from "../result";
import type { Scenario } from "../scenario";
import { medianTiming, repeat, timed } from "../timing";
import { filledRange, spreadOverStates } from "../play/work";

const mostMicroseconds = 10;

/** 100,000 formulas that have been answered ask again, all at once. */
export const formulasFromMemory: Scenario = async ({ credentials, createEngine, progress }) => {
  const { ahjs, types } = await readReferenceData(credentials);
  const asks = filledRange(spreadOverStates(ahjs, 1_000), types.slice(0, 100));
  const recorder = createRecorder();
  const engine = await createEngine(credentials, recorder.fetch);
  progress(`${asks.length} formulas for the first time`);
  await askAll(engine, asks);
  recorder.take();

  progress("and again");
  const { first, steady } = await repeat(() => timed(() => askAll(engine, asks)));
  const { ms } = medianTiming(steady);
  const each = (roundMs: number) => (roundMs * 1_000) / asks.length;
  const microseconds = each(ms);
  return finding(
    "formulas-from-memory",
    { size: asks.length, requests: recorder.sent.length, ms },
    [
      {
        text: `at most ${mostMicroseconds} µs each`,
        met: microseconds <= mostMicroseconds && recorder.sent.length === 0,
        miss: `${microseconds.toFixed(1)} µs each, with ${recorder.sent.length} requests.`,
      },
    ],
    [`${each(first.ms).toFixed(1)} µs each in the first round, ${microseconds.toFixed(1)} µs steady`],
  );
};
