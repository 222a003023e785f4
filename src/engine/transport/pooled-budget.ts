import { asFailure, cancelled, type Failure } from "../../errors";
import type { RequestBudget } from "./request-budget";

/** Somebody who waits for shared work. */
interface Payer {
  /** Undefined if any number of requests may be sent for them. */
  budget?: RequestBudget | undefined;
  /** Called if their budget can't pay for the next request, and nobody else has paid. */
  refuse?(failure: Failure): void;
}

/** The budget of work that several wait for. Each request is paid by one of them, and by nobody if one of them has no budget. */
export function pooledBudget(payers: Iterable<Payer>): RequestBudget {
  const left = () => [...payers].reduce((sum, { budget }) => sum + (budget?.left() ?? Infinity), 0);
  return {
    left,
    spend() {
      if (left() === Infinity) return;
      let refusal = cancelled;
      for (const { budget, refuse } of [...payers]) {
        try {
          return budget?.spend();
        } catch (thrown) {
          refusal = asFailure(thrown);
          refuse?.(refusal);
        }
      }
      throw refusal;
    },
    expect(requests) {
      if (requests > left()) for (const { budget } of payers) budget?.expect(requests);
    },
  };
}
