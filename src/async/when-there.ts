/**
 * Goes on with a result: at once if it is there, otherwise when it comes. Thousands of formulas are mostly answered from memory at once, where
 * each promise would take more time and memory than the answer.
 */
export function whenThere<Result, Next>(
  result: Result | Promise<Result>,
  next: (result: Result) => Next | Promise<Next>,
): Next | Promise<Next> {
  return result instanceof Promise ? result.then(next) : next(result);
}
