import { asFailure, Failure } from "../../errors";

/**
 * The result of a step, or its failure. If a step fails or is cancelled, the results of earlier steps stay. After a cancelled step no other
 * is begun.
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
