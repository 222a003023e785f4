/** A result, and its place in the list of those that were asked for. */
export interface Arrived<Result> {
  place: number;
  result: Result;
}

/**
 * Results that come one by one, in any order. Each look takes all that have come since the last one: one step for thousands of results, where
 * a promise for each would take more time and memory than the results.
 */
export interface Arrivals<Result> extends AsyncIterable<readonly Arrived<Result>[]> {
  put(place: number, result: Result): void;
  /** No more results come. With a failure, whoever takes them learns of it after the last one. */
  end(failure?: unknown): void;
}

/** @example for await (const arrived of arrivals) for (const { place, result } of arrived) show(place, result); */
export function createArrivals<Result>(): Arrivals<Result> {
  let arrived: Arrived<Result>[] = [];
  let wake: (() => void) | undefined;
  let ended: { failure: unknown } | undefined;
  return {
    put(place, result) {
      // The first one wakes whoever waits. Waking again costs as much as a result.
      if (arrived.push({ place, result }) === 1) wake?.();
    },
    end(failure) {
      ended ??= { failure };
      wake?.();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const taken = arrived;
        arrived = [];
        if (taken.length > 0) yield taken;
        else if (!ended) await new Promise<void>((resolve) => (wake = resolve));
        else if (ended.failure === undefined) return;
        else throw ended.failure;
      }
    },
  };
}
