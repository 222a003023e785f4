import { sentRequest } from "./recorder";

export interface CannedService {
  fetch: typeof globalThis.fetch;
  /** Requests that had to be passed on, since they came for the first time. */
  passedOn(): number;
}

/** Answers each request that it has met before from memory, at once: what is left to time is the caller's own work. */
export function createCannedService(fetch: typeof globalThis.fetch): CannedService {
  const answers = new Map<string, { body: string; status: number; headers: Headers }>();
  let passedOn = 0;
  return {
    passedOn: () => passedOn,
    async fetch(input, init) {
      const { method, path, body } = sentRequest(input as string, init);
      const key = [method, path, body].join(" ");
      let answer = answers.get(key);
      if (!answer) {
        passedOn += 1;
        const { status, headers, ...response } = await read(await fetch(input, init));
        answers.set(key, (answer = { status, headers, ...response }));
      }
      return new Response(answer.body, answer);
    },
  };
}

async function read(response: Response) {
  // As the wire had it: what has been decoded must not say that it is still encoded.
  const headers = new Headers(response.headers);
  for (const name of ["content-encoding", "content-length", "transfer-encoding"]) headers.delete(name);
  return { body: await response.text(), status: response.status, headers };
}
