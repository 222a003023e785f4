import { askAll } from "../play/formulas";
import { formulaTimeAtMost, requestsAtMost } from "../goals";
import { createRecorder } from "../service/recorder";
import { readReferenceData } from "../service/reference-data";
import { finding } from "../result";
import type { Scenario } from "../scenario";
import { medianTiming, repeat, timed } from "../timing";
import { filledRange, spreadOverStates } from "../play/work";

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
  const { ms, busyMs } = medianTiming(steady);
  const microseconds = (roundMs: number) => (roundMs * 1_000) / asks.length;
  const each = { first: microseconds(first.busyMs), steady: microseconds(busyMs) };
  return finding(
    "formulas-from-memory",
    { size: asks.length, requests: recorder.sent.length, ms },
    [
      requestsAtMost(0, recorder.sent, "everything is in memory"),
      formulaTimeAtMost({ first: 10, steady: 5 }, each),
    ],
    [
      `thread time a formula: ${each.first.toFixed(1)} µs in the first round, ${each.steady.toFixed(1)} µs steady`,
    ],
  );
};
