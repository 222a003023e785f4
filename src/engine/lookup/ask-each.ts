import { inParallel } from "../../async/in-parallel";
import { config } from "../../config";
import { asFailure, cancelled, Failure } from "../../errors";
import { isForAll } from "../api/answer-failure";

/**
 * Asks about each item on its own, as many at once as may be under way, so that thousands neither wait side by side nor are cancelled one
 * by one. A failure that every further request would meet is reported for the items that are not asked about. Only `cancelled` is thrown.
 */
export async function askEach<Item, Answer>(
  items: readonly Item[],
  ask: (item: Item) => Promise<Answer>,
  tell: (item: Item, outcome: Answer | Failure) => void,
  signal?: AbortSignal,
): Promise<void> {
  let rest: Failure | undefined;
  await inParallel(items, config.concurrentRequests, async (item) => {
    if (signal?.aborted) throw cancelled;
    const outcome = rest ?? (await ask(item).catch(asFailure));
    if (outcome instanceof Failure && isForAll(outcome)) rest ??= outcome;
    tell(item, outcome);
  });
}
