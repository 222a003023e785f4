import PQueue from "p-queue";
import { config } from "../config";
import { asFailure, Failure } from "../errors";
import { createRateLimit } from "./rate-limit";
import { pause } from "./pause";

/** The service to talk to, and with which key. */
export interface Credentials {
  /** Without a trailing slash and without `/v1`; see parseBaseUrl. */
  baseUrl: string;
  key: string;
}

export interface Exchange {
  method: "GET" | "POST";
  /** Path and query below the base address. */
  path: string;
  /** Sent as JSON. */
  body?: unknown;
}

export interface ExchangeOptions {
  signal?: AbortSignal | undefined;
  /** A rate limit that ends later than this moment fails at once, with the time it ends. Default: no such moment. */
  giveUpAtMs?: number | undefined;
  /** Told when the request waits for a rate limit, and until when. */
  onWait?: ((untilMs: number) => void) | undefined;
  /** Whether to try again after a 502 or 504. Default: yes; no for whoever would rather ask for less. */
  retryCutOff?: boolean | undefined;
}

export interface Reply {
  status: number;
  headers: Headers;
  body: string;
}

export interface Transport {
  /**
   * One HTTP exchange, whatever the status of the answer, but for those that waiting can mend: a 429 waits for
   * its limit, network errors, 502, 503 and 504 are tried again with backoff and jitter.
   * Failures: unreachable, timeout, rate-limited, cancelled.
   */
  send(exchange: Exchange, options?: ExchangeOptions): Promise<Reply>;
}

export interface TransportDoors {
  fetch: typeof fetch;
  /** Between 0 and 1, for jitter. */
  random?: () => number;
  /** Ends every exchange, as `cancelled`. */
  signal?: AbortSignal;
}

const unavailable = 503;
const cutOff = new Set([502, 504]);

export function createTransport({ baseUrl, key }: Credentials, doors: TransportDoors): Transport {
  const { random = Math.random, signal: closed } = doors;
  const queue = new PQueue({ concurrency: config.concurrentRequests });
  const limit = createRateLimit(random);

  async function exchangeOnce(exchange: Exchange, signal: AbortSignal | undefined): Promise<Reply> {
    const stop = new AbortController();
    const cancel = () => stop.abort();
    signal?.addEventListener("abort", cancel, { once: true });
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      stop.abort();
    }, config.requestTimeoutMs);

    const headers: Record<string, string> = { "X-API-Key": key, Accept: "application/json, text/csv" };
    if (exchange.body !== undefined) headers["Content-Type"] = "application/json";
    try {
      const response = await doors.fetch(baseUrl + exchange.path, {
        method: exchange.method,
        headers,
        body: exchange.body === undefined ? null : JSON.stringify(exchange.body),
        signal: stop.signal,
        // A followed redirect would carry the key to wherever it leads.
        redirect: "error",
        credentials: "omit",
        cache: "no-store",
        referrerPolicy: "no-referrer",
      });
      return { status: response.status, headers: response.headers, body: await response.text() };
    } catch (cause) {
      if (signal?.aborted) throw new Failure("cancelled");
      throw new Failure(timedOut ? "timeout" : "unreachable", { cause });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", cancel);
    }
  }

  /** Undefined when the limit closed while this exchange stood in the queue. */
  function exchangeInTurn(exchange: Exchange, signal: AbortSignal | undefined) {
    return queue.add(async () => {
      if (signal?.aborted) throw new Failure("cancelled");
      return limit.closed() ? undefined : exchangeOnce(exchange, signal);
    });
  }

  async function send(exchange: Exchange, options: ExchangeOptions = {}): Promise<Reply> {
    const { giveUpAtMs = Infinity, retryCutOff = true, onWait } = options;
    const signal = anySignal(options.signal, closed);
    for (let failures = 0, refusals = 0; ;) {
      await limit.wait({ giveUpAtMs, signal, onWait });
      const outcome = await exchangeInTurn(exchange, signal).catch((thrown: unknown) =>
        asFailure(thrown, "unreachable"),
      );
      if (outcome === undefined) continue;

      if (outcome instanceof Failure) {
        if (outcome.kind !== "unreachable" || failures >= config.retries) throw outcome;
      } else if (outcome.status === 429) {
        limit.refused(outcome.headers, ++refusals);
        continue;
      } else {
        const isPassing = outcome.status === unavailable || (retryCutOff && cutOff.has(outcome.status));
        if (!isPassing || failures >= config.retries) return outcome;
      }
      failures += 1;
      await pause(jitter(config.retryDelayMs * 2 ** (failures - 1), random), signal);
    }
  }

  return { send };
}

function anySignal(one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined {
  return one && other ? AbortSignal.any([one, other]) : (one ?? other);
}

function jitter(ms: number, random: () => number): number {
  return ms * (0.75 + random() / 2);
}
