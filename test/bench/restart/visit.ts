/** What goes into a visit of the page and what comes out: the page and the scenario share these shapes alone. */
import type { Credentials } from "../../../src/engine/transport/exchange";

export interface Visit {
  credentials: Credentials;
  /** All pairs of the two are asked. */
  geoids: string[];
  typeIds: number[];
}

export interface VisitReport {
  /** From before the cache is opened: until the first formula, alone, and until all the others after it. */
  firstMs: number;
  allMs: number;
  requests: number;
  /** Answers that hold a value. */
  values: number;
}
