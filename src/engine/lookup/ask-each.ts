import { inParallel } from "../../async/in-parallel";
import { config } from "../../config";
import { asFailure, cancelled, Failure } from "../../errors";
import { isForAll } from "../api/answer-failure";
import { isUnanswered } from "../transport/breaker";

/**
 * Asks about each item on its own, as many at once as may be under way, so that thousands neither wait side by side nor are cancelled one
 * by one. A failure that every further request would meet, or several in a row that had no answer, is reported for the items that are not
 * asked about. Only `cancelled` is thrown.
 */
export async function askEach<Item, Answer>(
  items: readonly Item[],
  ask: (item: Item) => Promise<Answer>,
  tell: (item: Item, outcome: Answer | Failure) => void,
  signal?: AbortSignal,
): Promise<void> {
  let rest: Failure | undefined;
  let unanswered = 0;
  await inParallel(items, config.concurrentRequests, async (item) => {
    if (signal?.aborted) throw cancelled;
    const outcome = rest ?? (await ask(item).catch(asFailure));
    unanswered = outcome instanceof Failure && isUnanswered(outcome) ? unanswered + 1 : 0;
    if (outcome instanceof Failure && (isForAll(outcome) || unanswered >= config.unansweredInARow))
      rest ??= outcome;
    tell(item, outcome);
  });
}
