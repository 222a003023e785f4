/** The result of work that pauses, run without its pauses. */
export function finished<Result>(work: Iterator<void, Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}
