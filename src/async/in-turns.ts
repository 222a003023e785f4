import { delay } from "./message-delay";

/** Yields to the event loop, so that the page can respond to its user. Safari and older Firefox have no `scheduler.yield`. */
export async function yieldToPage(): Promise<void> {
  const { scheduler } = globalThis as { scheduler?: { yield?(): Promise<void> } };
  await (scheduler?.yield ? scheduler.yield() : delay(0));
}

/** Work is paused after this time. A user notices when a page is blocked for 50 ms. */
const turnMs = 15;

/** Runs work that can pause wherever it yields, and pauses it so that the page can respond. */
export async function finishInTurns<Result>(work: Iterator<void, Result>): Promise<Result> {
  let startMs = performance.now();
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (performance.now() - startMs < turnMs) continue;
    await yieldToPage();
    startMs = performance.now();
  }
}

/** Runs `work` for each item, with pauses so that the page can respond. */
export function inTurns<Item>(items: Iterable<Item>, work: (item: Item) => void): Promise<void> {
  return finishInTurns(eachOf(items, work));
}

function* eachOf<Item>(items: Iterable<Item>, work: (item: Item) => void): Generator<void, void> {
  for (const item of items) yield work(item);
}
