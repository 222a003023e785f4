import type { Credentials } from "../../../src/engine/transport/exchange";
import type { SentRequest } from "../service/recorder";

/** What a browser opens to one host. */
export const inFlight = 6;

/**
 * The least that a plan can take: its requests sent bare, in the order of recording, six in flight, and each answer
 * parsed. It waits for no answer before it asks what depends on it, and it does nothing with what it gets.
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
