import { config } from "../../config";
import { Failure } from "../../errors";

/** The requests that a piece of work may still send by itself. The transport counts each of them where it starts. */
export interface RequestBudget {
  left(): number;
  /** Takes one request. Fails with many-requests if none is left. */
  spend(): void;
  /** Fails with many-requests if fewer are left than the next step is expected to take, so that it sends none in vain. */
  expect(requests: number): void;
}

/** `nextStep` says how to have more requests sent. Default: that of a find. */
export function createRequestBudget(most: number = config.findRequests, nextStep?: string): RequestBudget {
  let spent = 0;
  const expect = (requests: number) => {
    const needed = spent + requests;
    if (needed > most)
      throw new Failure("many-requests", {
        detail: `It needs ${needed.toLocaleString("en-US")} or more; ${most} ${most === 1 ? "is" : "are"} sent at most.`,
        nextStep,
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
