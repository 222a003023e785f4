import { asFailure, Failure } from "../../errors";

/**
 * What a step has come to. One that fails or is cancelled does not take along what the steps before have done; after a
 * cancelled one none is begun.
 */
export async function attempt<Result>(
  signal: AbortSignal,
  step: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | Failure> {
  try {
    if (signal.aborted) throw new Failure("cancelled");
    return await step(signal);
  } catch (thrown) {
    return asFailure(thrown);
  }
}
