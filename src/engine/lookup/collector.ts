import type { Arrived } from "../../async/arrivals";
import { inCompany } from "../../async/in-company";
import { type Cancel, followAbort, onAbort, unfollowAbort } from "../../async/on-abort";
import { config } from "../../config";
import { asFailure, cancelled, Failure } from "../../errors";
import { groupBy } from "../../lists";

export interface Collector<Ask, Answer> {
  /** Joins the next batch. Rejects with the ask's Failure, or with `cancelled` as soon as the signal aborts. */
  ask(ask: Ask, signal?: AbortSignal | Cancel): Promise<Answer>;
  /** Joins the next batch as `ask` does, for a caller that is told the outcome instead of waiting for it. */
  join(ask: Ask, signal: AbortSignal | Cancel | undefined, caller: Told<Answer>): void;
}

/** A caller that is told an outcome once. Thousands of them take less memory than promises. */
export interface Told<Answer> {
  tell(outcome: Answer | Failure): void;
}

/** A batch that is answered, and the number of its asks that still wait. */
interface Batch {
  waiting: number;
  stop: AbortController;
}

/** A class, because thousands wait at once. */
class Waiting<Ask, Answer> {
  settled = false;
  batch: Batch | undefined;

  constructor(
    readonly ask: Ask,
    private readonly signal: AbortSignal | Cancel | undefined,
    private readonly caller: Told<Answer>,
  ) {
    followAbort(signal, this);
  }

  settle(outcome: Answer | Failure) {
    if (this.settled) return;
    this.settled = true;
    unfollowAbort(this.signal, this);
    // Requests that nobody waits for any more are ended.
    if (this.batch && (this.batch.waiting -= 1) === 0) this.batch.stop.abort(cancelled);
    this.caller.tell(outcome);
  }

  abort() {
    this.settle(cancelled);
  }
}

export interface CollectorDependencies<Ask, Answer> {
  /**
   * Answers the asks of a batch, each as soon as its answer is there; a place is that of its ask. An ask for which none comes fails as
   * `internal`. The signal aborts when nobody waits any more.
   */
  answer(asks: Ask[], signal: AbortSignal): AsyncIterable<readonly Arrived<Answer | Failure>[]>;
  /** Asks share a batch only if this is the same for them. */
  groupOf(ask: Ask): unknown;
  /** Waits some milliseconds. */
  delay(ms: number): Promise<void>;
}

/**
 * Gathers the calls of one recalculation into a batch. Calls that arrive while it runs make the next batch, so that it finds the answers of
 * the first already there; but they wait for it no longer than `config.companyMs`.
 */
export function createCollector<Ask, Answer>({
  answer,
  groupOf,
  delay,
}: CollectorDependencies<Ask, Answer>): Collector<Ask, Answer> {
  let waiting: Waiting<Ask, Answer>[] = [];
  let gathering = false;
  let lastAskedAtMs = 0;

  /** Waits until no call has come for `config.collectMs`, but at most `config.collectAtMostMs`. Then runs the batch. */
  async function gather() {
    gathering = true;
    const startedAtMs = Date.now();
    const endsAtMs = () => Math.min(lastAskedAtMs + config.collectMs, startedAtMs + config.collectAtMostMs);
    let seen: number;
    do {
      seen = waiting.length;
      await delay(endsAtMs() - Date.now());
    } while (waiting.length > seen && Date.now() < endsAtMs());

    const entries = waiting.filter((entry) => !entry.settled);
    waiting = [];
    const batches = [...groupBy(entries, ({ ask }) => groupOf(ask)).values()];
    if (batches.length > 0) await inCompany(Promise.all(batches.map(runBatch)));
    gathering = false;
    if (waiting.length > 0) void gather();
  }

  /** Resolves once every ask of the batch is settled. */
  function runBatch(batch: Waiting<Ask, Answer>[]): Promise<void> {
    const own: Batch = { waiting: batch.length, stop: new AbortController() };
    const { signal } = own.stop;
    for (const entry of batch) entry.batch = own;
    const asks = batch.map(({ ask }) => ask);
    void settleAll(batch, answer(asks, signal));
    return new Promise((end) => void onAbort(signal, end));
  }

  async function settleAll(
    batch: readonly Waiting<Ask, Answer>[],
    answers: AsyncIterable<readonly Arrived<Answer | Failure>[]>,
  ): Promise<void> {
    let rest = new Failure("internal");
    try {
      for await (const arrived of answers)
        for (const { place, result } of arrived) batch[place]?.settle(result);
    } catch (thrown) {
      rest = asFailure(thrown);
    }
    for (const entry of batch) entry.settle(rest);
  }

  function join(ask: Ask, signal: AbortSignal | Cancel | undefined, caller: Told<Answer>) {
    const entry = new Waiting(ask, signal, caller);
    if (entry.settled) return;
    waiting.push(entry);
    lastAskedAtMs = Date.now();
    if (!gathering) void gather();
  }

  return {
    join,
    ask: (ask, signal) => promised((caller) => join(ask, signal, caller)),
  };
}

/** Waits for an outcome that a caller is told. */
export function promised<Answer>(join: (caller: Told<Answer>) => void): Promise<Answer> {
  return new Promise((resolve, reject) =>
    join({ tell: (outcome) => (outcome instanceof Failure ? reject(outcome) : resolve(outcome)) }),
  );
}
