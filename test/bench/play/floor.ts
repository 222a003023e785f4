import type { Credentials } from "../../../src/engine/transport/exchange";
import type { SentRequest } from "../service/recorder";

/** The connections that a browser opens to one host. */
export const inFlight = 6;

/**
 * The least time that a plan can take: sends its bare requests in the recorded order, six in flight, and parses each answer. It never
 * waits for an answer that a later request depends on, and does nothing with the answers.
 */
export async function sendBare(sent: readonly SentRequest[], { baseUrl, key }: Credentials): Promise<void> {
  let next = 0;
  const send = async () => {
    for (;;) {
      const request = sent[next];
      next += 1;
      if (request === undefined) return;
      const { method, path, body } = request;
      const headers: Record<string, string> = { "X-API-Key": key };
      if (body !== null) headers["Content-Type"] = "application/json";
      const response = await fetch(baseUrl + path, { method, headers, body });
      JSON.parse(await response.text());
    }
  };
  await Promise.all(Array.from({ length: inFlight }, send));
}
