/** A recorded request, ready to be sent again. */
export interface SentRequest {
  method: string;
  /** Path and query. */
  path: string;
  body: string | null;
}

export interface Recorder {
  fetch: typeof globalThis.fetch;
  /** The requests in the order of sending. */
  sent: SentRequest[];
  /** Takes the requests recorded so far, and begins anew. */
  take(): SentRequest[];
}

/** `fetch` that notes every request. */
export function createRecorder(fetch: typeof globalThis.fetch = globalThis.fetch): Recorder {
  const recorder: Recorder = {
    sent: [],
    take: () => recorder.sent.splice(0),
    fetch(input, init) {
      recorder.sent.push(sentRequest(input, init));
      return fetch(input, init);
    },
  };
  return recorder;
}

/** The transport calls with an address and settings; a Request would hide its body. */
export function sentRequest(input: RequestInfo | URL, init: RequestInit = {}): SentRequest {
  if (input instanceof Request) throw new TypeError("the recorder reads addresses, not Request objects");
  const { pathname, search } = new URL(input);
  const { method = "GET", body } = init;
  return { method, path: pathname + search, body: typeof body === "string" ? body : null };
}

/** How often each endpoint was asked, the most asked first: `62 GET /v1/ahjs, 1 POST /v1/reports/matrix`. */
export function tally(sent: readonly SentRequest[]): string {
  const counts = new Map<string, number>();
  for (const { method, path } of sent) {
    const endpoint = `${method} ${path.replace(/\?.*/, "").replace(/(\/v1\/geoid\/)[^/]+/, "$1…")}`;
    counts.set(endpoint, (counts.get(endpoint) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([endpoint, count]) => `${count} ${endpoint}`)
    .join(", ");
}
