/** Calls `make` once and hands its promise to everyone; a failure is forgotten, so that the next call tries again. */
export function sharedPromise<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let shared: Promise<Result> | undefined;
  return () => {
    shared ??= make().catch((failure: unknown) => {
      shared = undefined;
      throw failure;
    });
    return shared;
  };
}
