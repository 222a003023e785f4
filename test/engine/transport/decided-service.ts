import type { Failure } from "../../../src/errors";
import {
  createTransport,
  type ExchangeOptions,
  type Reply,
  type TransportDependencies,
} from "../../../src/engine/transport/exchange";

/** A request that was sent, waiting for the test to decide its answer. */
export interface SentRequest {
  path: string;
  atMs: number;
  /** Answers the request, with status 200 unless another is given. */
  answer(headers?: Record<string, string>, status?: number): Promise<void>;
  /** Fails the request with a network error. */
  fail(): Promise<void>;
}

/** A transport over a service whose every answer the test decides, under fake timers. */
export function decidedService(dependencies: Partial<TransportDependencies> = {}) {
  const sent: SentRequest[] = [];
  /** Requests without an answer so far. */
  const underWay = new Set<SentRequest>();

  const fetch = (url: string, init: RequestInit) =>
    new Promise<Response>((resolve, reject) => {
      const decide = async (act: () => void) => {
        underWay.delete(request);
        act();
        await settled();
      };
      const request: SentRequest = {
        path: url.replace("https://service.test/", ""),
        atMs: Date.now(),
        answer: (headers = {}, status = 200) =>
          decide(() => resolve(new Response("{}", { status, headers }))),
        fail: () => decide(() => reject(new TypeError("Failed to fetch"))),
      };
      init.signal?.addEventListener("abort", () => {
        underWay.delete(request);
        reject(init.signal?.reason as Error);
      });
      sent.push(request);
      underWay.add(request);
    });

  const transport = createTransport(
    { baseUrl: "https://service.test", key: "secret-key-0123456789" },
    { random: () => 0.5, ...dependencies, fetch: fetch as unknown as typeof globalThis.fetch },
  );

  /** How each request ended, by its path. */
  const ends: Record<string, Reply | Failure> = {};
  async function send(paths: readonly string[], options?: ExchangeOptions): Promise<void> {
    for (const path of paths) {
      void transport.send({ method: "GET", path: `/${path}` }, options).then(
        (reply) => (ends[path] = reply),
        (failure: Failure) => (ends[path] = failure),
      );
    }
    await settled();
  }

  return {
    transport,
    send,
    ends,
    sent,
    underWay,
    paths: () => sent.map(({ path }) => path),
    /** The request under way for this path. */
    request(path: string): SentRequest {
      const request = [...underWay].find((one) => one.path === path);
      if (!request) throw new Error(`${path} is not under way`);
      return request;
    },
  };
}

/** Resolves once everything that needs no time has happened. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
}

/** Headers of a rate limit that resets in this many seconds, and the service's Date. */
export function rateHeaders(left: number, resetInS: number): Record<string, string> {
  return {
    Date: new Date().toUTCString(),
    "X-RateLimit-Remaining": String(left),
    "X-RateLimit-Reset": String(Math.ceil(Date.now() / 1000) + resetInS),
  };
}

/** Names for requests: a1, a2, … */
export function named(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`);
}
