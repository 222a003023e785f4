import { createService } from "../../reference-service/service";
import type { Interception } from "../recorded-service";

/** The reference service, whose minimum permit fee of Alameda County (type 1056) is `fee` dollars at each request. It is $30 in the sample. */
export function changingFee(fee: () => number): Interception {
  const service = createService({});
  return async (request) => {
    const answer = await service.fetch(request);
    const text = (await answer.text()).replaceAll('"value":"$30"', `"value":"$${fee()}"`);
    return new Response(text, answer);
  };
}
