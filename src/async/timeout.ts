/** Waits for the promise, at most `timeoutMs`; then fails with `tooLate()`. The work itself goes on, and its outcome is ignored. */
export function withTimeout<Result>(
  promise: Promise<Result>,
  timeoutMs: number,
  tooLate: () => Error,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(tooLate()), timeoutMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
