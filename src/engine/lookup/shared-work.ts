import { onAbort } from "../../async/on-abort";
import { cancelled, Failure, isOfLimit } from "../../errors";
import type { ExchangeOptions } from "../transport/exchange";
import { pooledBudget } from "../transport/pooled-budget";
import type { RequestBudget } from "../transport/request-budget";
import { createUrgency, type RaisableUrgency, urgencyOf } from "../transport/urgency";

/** Work that several callers wait for together, each with its own patience. */
export interface SharedWork<Result> {
  /**
   * Starts the work, or joins it. A caller gives up alone: with `cancelled` at its signal, with rate-limited when the limit ends after its
   * `giveUpAtMs`, with many-requests when neither its budget nor another caller's pays for the next request. The work becomes as urgent as
   * its most urgent caller, and so do the requests that it has asked for already. Work that nobody waits for any more is stopped; if the
   * last caller gave up because no more requests may be sent, those under way go on, and the work can be joined as long as they do. A
   * result is kept, a failure is not. A caller with `keptOnly` neither starts the work nor waits for it, and fails with not-asked.
   */
  join(options?: ExchangeOptions): Promise<Result>;
}

interface Caller {
  hearOfWait(untilMs: number): void;
  budget: RequestBudget | undefined;
  refuse(failure: Failure): void;
}

interface Run<Result> {
  promise: Promise<Result>;
  isDone: boolean;
  stop: AbortController;
  urgency: RaisableUrgency;
  /** The end of the wait for the limit that the work has reported at its present urgency. */
  waitingUntilMs: number;
  /** The callers that wait. They are told when the work itself waits for the limit, and pay for its requests. */
  joined: Set<Caller>;
}

export function createSharedWork<Result>(
  work: (options: ExchangeOptions) => Promise<Result>,
): SharedWork<Result> {
  let current: Run<Result> | undefined;

  function start(isUrgent: boolean): Run<Result> {
    const state: Omit<Run<Result>, "promise"> = {
      isDone: false,
      stop: new AbortController(),
      urgency: createUrgency(isUrgent),
      waitingUntilMs: 0,
      joined: new Set(),
    };
    const promise = work({
      urgent: state.urgency,
      signal: state.stop.signal,
      budget: pooledBudget(state.joined),
      // This may be called before `work` has returned, if it joins other work that waits already.
      onWait(untilMs) {
        state.waitingUntilMs = untilMs;
        for (const { hearOfWait } of state.joined) hearOfWait(untilMs);
      },
    });
    const run: Run<Result> = Object.assign(state, { promise });
    promise.then(
      () => (run.isDone = true),
      () => forget(run),
    );
    return run;
  }

  /** Makes the work urgent. The wait of its requests at the lower urgency no longer counts; they report anew how long they wait. */
  function raise(run: Run<Result>) {
    if (run.urgency.isUrgent()) return;
    run.waitingUntilMs = 0;
    run.urgency.raise();
  }

  function forget(run: Run<Result>) {
    if (current === run) current = undefined;
  }

  return { join };

  async function join(options: ExchangeOptions = {}): Promise<Result> {
    const { signal, giveUpAtMs = Infinity, onWait, urgent, keptOnly, budget } = options;
    if (keptOnly && !current?.isDone) throw new Failure("not-asked");
    const urgency = urgencyOf(urgent);
    const run = (current ??= start(urgency.isUrgent()));
    if (urgency.isUrgent()) raise(run);
    return new Promise<Result>((resolve, reject) => {
      const leave = (settle: () => void, why?: unknown) => {
        run.joined.delete(caller);
        ignoreRaise();
        ignoreAbort();
        settle();
        if (run.joined.size > 0 || run.isDone) return;
        if (isOfLimit(why)) return run.stop.abort(why);
        forget(run);
        run.stop.abort(cancelled);
      };
      const cancel = () => leave(() => reject(cancelled), signal?.reason);
      const hearOfWait = (untilMs: number) => {
        if (untilMs <= giveUpAtMs) return onWait?.(untilMs);
        const limited = new Failure("rate-limited", { untilMs });
        leave(() => reject(limited), limited);
      };
      const refuse = (failure: Failure) => leave(() => reject(failure), failure);
      /** Begins again for a caller who has joined what others have left. */
      const fail = (failure: Failure) => {
        const wasLeft = isOfLimit(run.stop.signal.reason) && run.joined.has(caller);
        if (wasLeft && failure.kind === "cancelled") leave(() => resolve(join(options)));
        else refuse(failure);
      };
      const caller: Caller = { hearOfWait, budget, refuse };
      let ignoreAbort = () => {};
      const ignoreRaise = urgency.onRaise(() => raise(run));
      run.joined.add(caller);
      run.promise.then((value) => leave(() => resolve(value)), fail);
      if (signal?.aborted) return cancel();
      ignoreAbort = onAbort(signal, cancel);
      if (run.waitingUntilMs > Date.now()) hearOfWait(run.waitingUntilMs);
    });
  }
}

/** Shared work for many keys: a caller that wants a key under way joins its work. Results are not kept. */
export function createSharedWorks<Key, Result>(
  work: (key: Key, options: ExchangeOptions) => Promise<Result>,
): {
  join(key: Key, options?: ExchangeOptions): Promise<Result>;
  /** The keys whose work is under way. */
  keys(): Iterable<Key>;
} {
  const underWay = new Map<Key, SharedWork<Result>>();
  return {
    keys: () => underWay.keys(),
    async join(key, options) {
      if (options?.keptOnly) throw new Failure("not-asked");
      let shared = underWay.get(key);
      if (!shared) {
        // Work that everybody has left may be joined, and so begun again, before its first run has ended.
        let runs = 0;
        shared = createSharedWork((exchange) => {
          runs += 1;
          return work(key, exchange).finally(() => {
            runs -= 1;
            if (runs === 0) underWay.delete(key);
          });
        });
        underWay.set(key, shared);
      }
      return shared.join(options);
    },
  };
}
