import { config } from "../../config";
import { asFailure, cancelled, Failure } from "../../errors";

/** The requests that a piece of work may still send by itself. The transport counts each of them where it starts. */
export interface RequestBudget {
  left(): number;
  /** Takes one request. Fails with many-requests if none is left. */
  spend(): void;
  /** Fails with many-requests if fewer are left than the next step is expected to take, so that it sends none in vain. */
  expect(requests: number): void;
}

export function createRequestBudget(most: number = config.findRequests): RequestBudget {
  let spent = 0;
  const expect = (requests: number) => {
    const needed = spent + requests;
    if (needed > most)
      throw new Failure("many-requests", {
        detail: `It needs ${needed.toLocaleString("en-US")} or more; a formula sends ${most} at most.`,
      });
  };
  return {
    left: () => most - spent,
    spend() {
      expect(1);
      spent += 1;
    },
    expect,
  };
}

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
