import { config } from "../../src/config";
import type { RequestBudget } from "../../src/engine/lookup/request-budget";
import { plural } from "../../src/taskpane/ui/labels";
import type { CommandIo } from "../command-io";

/** Tells how many requests a command needs before it sends more than a formula may. */
export function createRequestNotice({ tell }: Pick<CommandIo, "tell">): RequestBudget {
  let needed = 0;
  return {
    take(requests) {
      needed += requests;
      if (requests > 0 && needed > config.findRequests)
        tell(`It needs ${plural(needed, "request")} or more.`);
    },
  };
}
