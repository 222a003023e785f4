import { pass } from "../functions/excel";

/** The outcome of work in a played Excel, once the clock has gone on for long enough. For tests with `playExcel()`. */
export async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  const done = work.then(
    () => true,
    () => true,
  );
  for (let turn = 0; turn < 100; turn += 1) {
    if (await Promise.race([done, pass(2_000).then(() => false)])) break;
  }
  return work;
}
