import { config } from "../../config";
import { Failure } from "../../errors";
import type { ExchangeOptions } from "../transport/exchange";

/** How many requests a formula may still send by itself. */
export interface RequestBudget {
  /**
   * Takes so many requests before they are sent. Fails with many-requests where they are more than what is left; the failure says how
   * many are needed in all, as far as it is known.
   */
  take(requests: number): void;
}

/** What is read for a formula that may send only so much takes it from a budget first. */
export interface BudgetedOptions extends ExchangeOptions {
  budget?: RequestBudget | undefined;
}

export function createRequestBudget(most: number = config.findRequests): RequestBudget {
  let taken = 0;
  return {
    take(requests) {
      taken += requests;
      if (taken > most)
        throw new Failure("many-requests", {
          detail: `It needs ${taken.toLocaleString("en-US")} or more; a formula sends ${most} at most.`,
        });
    },
  };
}
