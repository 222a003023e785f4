import { config } from "../../src/config";
import type { RequestBudget } from "../../src/engine/transport/request-budget";
import type { CommandIo } from "../command-io";
import { counted } from "../output/counted";

/** Tells the user how many requests a command needs, before it sends more than a formula may. */
export function createRequestNotice({ tell }: Pick<CommandIo, "tell">): RequestBudget {
  let spent = 0;
  return {
    left: () => Infinity,
    spend: () => (spent += 1),
    expect(requests) {
      const needed = spent + requests;
      if (requests > 0 && needed > config.findRequests)
        tell(`The command needs ${counted(needed, "request")} or more.`);
    },
  };
}
