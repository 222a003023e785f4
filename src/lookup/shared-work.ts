import { Failure } from "../errors";
import type { ExchangeOptions } from "../transport/transport";

/** Work that several callers wait for together, each with a patience of its own. */
export interface SharedWork<Result> {
  /**
   * Starts the work, or joins it. Who joins gives up alone: with `cancelled` at their signal, with rate-limited
   * when the limit ends after their `giveUpAtMs`. What nobody waits for any more is stopped. A result is kept, a
   * failure is not.
   */
  join(options?: ExchangeOptions): Promise<Result>;
}

interface Run<Result> {
  promise: Promise<Result>;
  isDone: boolean;
  stop: AbortController;
  waitingUntilMs: number;
  /** Those who wait, told when the work itself waits for the limit. */
  joined: Set<(untilMs: number) => void>;
}

export function createSharedWork<Result>(
  work: (options: ExchangeOptions) => Promise<Result>,
): SharedWork<Result> {
  let current: Run<Result> | undefined;

  function start(urgent: boolean | undefined): Run<Result> {
    const stop = new AbortController();
    const joined: Run<Result>["joined"] = new Set();
    const promise = work({
      urgent,
      signal: stop.signal,
      onWait(untilMs) {
        run.waitingUntilMs = untilMs;
        for (const tell of joined) tell(untilMs);
      },
    });
    const run: Run<Result> = { promise, isDone: false, stop, waitingUntilMs: 0, joined };
    promise.then(
      () => (run.isDone = true),
      () => forget(run),
    );
    return run;
  }

  function forget(run: Run<Result>) {
    if (current === run) current = undefined;
  }

  return {
    join({ signal, giveUpAtMs = Infinity, onWait, urgent } = {}) {
      const run = (current ??= start(urgent));
      return new Promise<Result>((resolve, reject) => {
        const leave = (settle: () => void) => {
          run.joined.delete(hearOfWait);
          signal?.removeEventListener("abort", cancel);
          settle();
          if (run.joined.size === 0 && !run.isDone) {
            forget(run);
            run.stop.abort();
          }
        };
        const cancel = () => leave(() => reject(new Failure("cancelled")));
        const hearOfWait = (untilMs: number) => {
          if (untilMs > giveUpAtMs) leave(() => reject(new Failure("rate-limited", { untilMs })));
          else onWait?.(untilMs);
        };
        run.joined.add(hearOfWait);
        run.promise.then(
          (value) => leave(() => resolve(value)),
          (failure: Failure) => leave(() => reject(failure)),
        );
        if (signal?.aborted) return cancel();
        signal?.addEventListener("abort", cancel, { once: true });
        if (run.waitingUntilMs > Date.now()) hearOfWait(run.waitingUntilMs);
      });
    },
  };
}
