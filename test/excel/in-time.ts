import { pass } from "../functions/excel";

const turns = 100;
const turnMs = 2_000;

/** The outcome of work in a played Excel. Fails if the work has not ended after 200 s of the played clock. For tests with `playExcel()`. */
export async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  let isOver = false;
  const end = () => void (isOver = true);
  const ended = work.then(end, end);
  for (let turn = 0; turn < turns && !isOver; turn += 1)
    await Promise.race([ended, pass(turnMs, () => isOver)]);
  if (!isOver) throw new Error("The work has not ended in time.");
  return work;
}
