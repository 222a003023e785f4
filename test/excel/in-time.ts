import { pass } from "../functions/excel";

/** The outcome of work in a played Excel, once the clock has run long enough. For tests with `playExcel()`. */
export async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  let isOver = false;
  const end = () => void (isOver = true);
  const ended = work.then(end, end);
  for (let turn = 0; turn < 100 && !isOver; turn += 1) await Promise.race([ended, pass(2_000, () => isOver)]);
  return work;
}
