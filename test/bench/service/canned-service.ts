import { sentRequest } from "./recorder";

export interface CannedService {
  fetch: typeof globalThis.fetch;
  /** How many requests were passed on to the service, because they came for the first time. */
  passedOn(): number;
}

/** Answers each request that it has met before from memory, at once, so that only the caller's own work is left to time. */
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
  // The body is decoded already, so its headers must not say that it is encoded.
  const headers = new Headers(response.headers);
  for (const name of ["content-encoding", "content-length", "transfer-encoding"]) headers.delete(name);
  return { body: await response.text(), status: response.status, headers };
}
