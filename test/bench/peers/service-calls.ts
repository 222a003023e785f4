import PQueue from "p-queue";
import type { Credentials } from "../../../src/engine/transport/exchange";
import { inFlight } from "../play/floor";

/** Plain `fetch`, as a user's own code would call it: six at a time as in a browser, without checks and without a cache. */
export interface ServiceCalls {
  /** The envelope's `data`. */
  get<Data>(path: string): Promise<Data>;
  post<Data>(path: string, body: unknown): Promise<Data>;
  postForText(path: string, body: unknown): Promise<string>;
  /** How many requests have been sent so far. */
  requests(): number;
}

export function createServiceCalls({ baseUrl, key }: Credentials): ServiceCalls {
  const queue = new PQueue({ concurrency: inFlight });
  let requests = 0;

  const send = (path: string, init: RequestInit = {}) =>
    queue.add(async () => {
      requests += 1;
      const headers = { "X-API-Key": key, "Content-Type": "application/json" };
      const response = await fetch(baseUrl + path, { ...init, headers });
      if (!response.ok) throw new Error(`${response.status} for ${path.slice(0, 100)}`);
      return response.text();
    });
  const dataOf = <Data>(text: string) => (JSON.parse(text) as { data: Data }).data;
  const posted = (body: unknown) => ({ method: "POST", body: JSON.stringify(body) });

  return {
    get: async <Data>(path: string) => dataOf<Data>(await send(path)),
    post: async <Data>(path: string, body: unknown) => dataOf<Data>(await send(path, posted(body))),
    postForText: (path, body) => send(path, posted(body)),
    requests: () => requests,
  };
}
