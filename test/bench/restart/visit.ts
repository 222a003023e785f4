/** The input and the result of a visit to the page, which the page and the scenario share. */
import type { Credentials } from "../../../src/engine/transport/exchange";

export interface Visit {
  credentials: Credentials;
  /** Every pair of these and the types is asked. */
  geoids: string[];
  typeIds: number[];
}

export interface VisitReport {
  /** The time from before the cache is opened until the first formula, asked alone, has its answer; and until all others have theirs. */
  firstMs: number;
  allMs: number;
  requests: number;
  /** How many answers hold a value. */
  values: number;
}
