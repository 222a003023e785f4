import { config } from "../config";
import { Failure } from "../errors";

export interface Collector<Ask, Answer> {
  /** Joins the next batch. Rejects with the ask's Failure, or with `cancelled` as soon as the signal says so. */
  ask(ask: Ask, signal?: AbortSignal): Promise<Answer>;
}

interface Waiting<Ask, Answer> {
  ask: Ask;
  settled: boolean;
  settle(outcome: Answer | Failure): void;
}

/**
 * Gathers the calls of one recalculation into a batch. One batch runs at a time: what arrives meanwhile makes
 * the next one, so that it finds the answers of the first already there.
 * `run` gives one outcome for each ask, in their order, and never rejects.
 */
export function createCollector<Ask, Answer>(
  run: (asks: Ask[]) => Promise<(Answer | Failure)[]>,
): Collector<Ask, Answer> {
  let waiting: Waiting<Ask, Answer>[] = [];
  let gathering = false;

  /** Waits until a moment passes without a new call, but not for ever. */
  async function gather() {
    gathering = true;
    const startedAtMs = Date.now();
    let seen: number;
    do {
      seen = waiting.length;
      await new Promise((resolve) => setTimeout(resolve, config.collectMs));
    } while (waiting.length > seen && Date.now() - startedAtMs < config.collectAtMostMs);

    const batch = waiting.filter((entry) => !entry.settled);
    waiting = [];
    if (batch.length > 0) {
      const outcomes = await run(batch.map((entry) => entry.ask));
      batch.forEach((entry, index) => entry.settle(outcomes[index] ?? new Failure("unexpected-answer")));
    }
    gathering = false;
    if (waiting.length > 0) void gather();
  }

  return {
    ask: (ask, signal) =>
      new Promise((resolve, reject) => {
        const cancel = () => entry.settle(new Failure("cancelled"));
        const entry: Waiting<Ask, Answer> = {
          ask,
          settled: false,
          settle(outcome) {
            if (entry.settled) return;
            entry.settled = true;
            signal?.removeEventListener("abort", cancel);
            if (outcome instanceof Failure) reject(outcome);
            else resolve(outcome);
          },
        };
        if (signal?.aborted) return cancel();
        signal?.addEventListener("abort", cancel, { once: true });
        waiting.push(entry);
        if (!gathering) void gather();
      }),
  };
}
