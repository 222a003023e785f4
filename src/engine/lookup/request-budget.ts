import { config } from "../../config";
import { Failure } from "../../errors";
import type { ExchangeOptions } from "../transport/exchange";

/** The number of requests that a formula may still send by itself. */
export interface RequestBudget {
  /**
   * Takes this many requests before they are sent. Fails with many-requests if fewer are left; the failure says how many are needed in
   * all, as far as that is known.
   */
  take(requests: number): void;
}

/** Options for reads whose requests are first taken from a budget. */
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
