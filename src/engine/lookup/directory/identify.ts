import type { Ahj } from "../../api/schemas";
import { config } from "../../../config";
import { asFailure, Failure, isUnavailable } from "../../../errors";
import type { ExchangeOptions } from "../../transport/exchange";
import type { Details } from "./ahj-details";
import type { Directory } from "./directory";

/**
 * Finds the AHJs with these ids. It takes AHJs that the directory knows at once, asks for a few others one by one, and reads the whole list
 * if there are more. `denied` has the ids for which an answer has already said why there is no AHJ. Every id is in the result. Only
 * `cancelled` is thrown.
 */
export async function identifyAhjs(
  ahjIds: readonly number[],
  {
    directory,
    details,
    denied,
  }: { directory: Directory; details: Details; denied: ReadonlyMap<number, Failure> },
  options: ExchangeOptions,
): Promise<Map<number, Ahj | Failure>> {
  const found = new Map<number, Ahj | Failure>(denied);
  /** Takes AHJs that the directory knows by now. Returns the ids that are still missing. */
  const takeKnown = () => {
    for (const ahjId of ahjIds) {
      const ahj = directory.byId(ahjId);
      if (ahj && !found.has(ahjId)) found.set(ahjId, ahj);
    }
    return ahjIds.filter((ahjId) => !found.has(ahjId));
  };
  if (takeKnown().length === 0) return found;
  await directory.recall();
  let failure = new Failure("unresolved-jurisdiction");
  if (takeKnown().length > config.singleLookups) {
    await directory.load(undefined, options).catch((thrown: unknown) => {
      failure = asFailure(thrown);
    });
  }
  const rest = takeKnown();
  // If the whole list lacks an AHJ, only a request for this AHJ tells whether it is unknown or outside the subscription.
  const isFew = rest.length <= config.singleLookups;
  const asked = isFew ? await details.read(rest, options) : new Map<number, Ahj | Failure>();
  for (const ahjId of rest) {
    const outcome = asked.get(ahjId) ?? failure;
    const isOldBetter = outcome instanceof Failure && isUnavailable(outcome);
    found.set(ahjId, (isOldBetter && directory.formerById(ahjId)) || outcome);
  }
  return found;
}
