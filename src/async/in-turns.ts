/** Between two turns of long work: the page answers its user, where the browser has a way (scheduler.yield). */
export async function letPageAnswer(): Promise<void> {
  const { scheduler } = globalThis as { scheduler?: { yield?(): Promise<void> } };
  await scheduler?.yield?.();
}

/** A turn ends after this long. What holds a page for 50 ms is noticed. */
const turnMs = 15;

/** Does work that pauses wherever it yields, in turns between which the page answers. */
export async function finishInTurns<Result>(work: Iterator<void, Result>): Promise<Result> {
  let startMs = performance.now();
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (performance.now() - startMs < turnMs) continue;
    await letPageAnswer();
    startMs = performance.now();
  }
}

/** Does something with each item, in turns between which the page answers. */
export function inTurns<Item>(items: Iterable<Item>, work: (item: Item) => void): Promise<void> {
  return finishInTurns(eachOf(items, work));
}

function* eachOf<Item>(items: Iterable<Item>, work: (item: Item) => void): Generator<void, void> {
  for (const item of items) yield work(item);
}
