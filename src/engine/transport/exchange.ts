import { onAbort } from "../../async/on-abort";
import { config } from "../../config";
import { asFailure, cancelled, Failure, isOfLimit } from "../../errors";
import type { Allowance } from "./allowance";
import { createBreaker, isUnanswered } from "./breaker";
import { charsetOf, decodedText } from "./decoded-text";
import { createGovernor, type KnownLimit, type Permit } from "./governor";
import { pause, withJitter } from "./pause";
import { readRateHeaders } from "./rate-headers";
import type { RequestBudget } from "./request-budget";
import type { TurnDependencies } from "./turns";
import { type Urgency, urgencyOf } from "./urgency";

/** The service to talk to, and the key for it. */
export interface Credentials {
  /** Without a trailing slash and without `/v1`; see parseBaseUrl. */
  baseUrl: string;
  key: string;
}

export interface Exchange {
  method: "GET" | "POST";
  /** Path and query below the base address. */
  path: string;
  /** Requests that share an endpoint meet the same trouble. Default: the path. */
  endpoint?: string | undefined;
  /** Sent as JSON. */
  body?: unknown;
  /** True if a good answer is a file, which is wanted byte for byte. Default: false. */
  isFile?: boolean | undefined;
}

export interface ExchangeOptions {
  /**
   * Ends the request, waiting or under way, as `cancelled`. If its reason is the limit, a request under way is still answered, because the
   * service has counted it already.
   */
  signal?: AbortSignal | undefined;
  /** Goes before requests that are not urgent, and may spend the limit's last requests. It may rise at any time. Default: not urgent. */
  urgent?: boolean | Urgency | undefined;
  /** A rate limit that ends after this time fails at once, with the time of its end. Default: no such time. */
  giveUpAtMs?: number | undefined;
  /** Told when the request waits for a rate limit, and until when. */
  onWait?: ((untilMs: number) => void) | undefined;
  /** Told the status as soon as an answer begins; its body may still take long. */
  onStatus?: ((status: number) => void) | undefined;
  /** True to try again after a 502 or 504. It is false for callers that would rather ask for less. Default: true. */
  retryCutOff?: boolean | undefined;
  /** Pays for each request as it starts, each further try too. Without means, it fails with many-requests. Default: any number. */
  budget?: RequestBudget | undefined;
  /** True if nothing may be sent: a request then fails with not-asked. Default: false. */
  keptOnly?: boolean | undefined;
}

export interface Reply {
  status: number;
  headers: Headers;
  /** The text of the body; empty if the body is a file, or not text in a known encoding. */
  body: string;
  file?: ArrayBuffer | undefined;
}

export interface Transport {
  /**
   * Sends one HTTP request and gives its answer, whatever the status, except for failures that waiting can mend: a 429 waits for its limit;
   * network errors, 502, 503 and 504 are tried again with backoff and jitter, and no sooner than their Retry-After says, unless that would
   * take longer than config.maxBackoffMs in all. All requests keep to the limit that the service reports, and wait for its reset at most
   * config.longestWaitMs. Failures: unreachable, timeout, rate-limited, cancelled, not-asked, and those of `mayAsk`.
   */
  send(exchange: Exchange, options?: ExchangeOptions): Promise<Reply>;
  /** The present knowledge of the request limit, without asking the service. */
  limit(): KnownLimit;
  /** The known state of the limit, for the transport of the next session with the same key. */
  allowance(): Allowance;
  /** Ends all exchanges that wait or are under way, with this failure. Later exchanges are sent. */
  endAll(failure: Failure): void;
  /**
   * Resolves with what gives a text of the service as it may be shown. The text may repeat the key, or a part of it, in any of its forms
   * (`keyForms`); these are removed. If its script can't be loaded, nothing of a text is shown.
   */
  masking(): Promise<(text: string) => string>;
}

/** With `locks` and `lockName` the workbooks of one browser take turns; `signal` ends every exchange, as `cancelled`. */
export interface TransportDependencies extends TurnDependencies {
  fetch: typeof fetch;
  /** Between 0 and 1, for jitter. */
  random?: () => number;
  /** Fails if nothing may be asked now; the exchange then fails with that. Default: everything may. */
  mayAsk?: (() => Promise<void>) | undefined;
  /** The state of the limit that an earlier session with the same key knew. */
  allowance?: Allowance | undefined;
}

const unavailable = 503;

export function createTransport(
  { baseUrl, key }: Credentials,
  dependencies: TransportDependencies,
): Transport {
  const { random = Math.random, signal: closed } = dependencies;
  const governor = createGovernor(random, dependencies, dependencies.allowance);
  /** Ends each exchange. The reason of the abort becomes the exchange's failure. */
  const underWay = new Set<AbortController>();
  /** The exchanges whose request is sent and not yet answered. */
  const sent = new WeakSet<AbortController>();
  const breaker = createBreaker<Reply>();
  let sends = 0;

  const endAll = (failure: Failure) => {
    for (const stop of underWay) stop.abort(failure);
  };
  onAbort(closed, () => endAll(cancelled));

  async function exchangeOnce(
    exchange: Exchange,
    permit: Permit,
    stop: AbortController,
    { onStatus, budget }: ExchangeOptions,
  ): Promise<Reply> {
    const { signal } = stop;
    signal.throwIfAborted();
    budget?.spend();
    const timer = setTimeout(() => stop.abort(new Failure("timeout")), config.requestTimeoutMs);

    const headers: Record<string, string> = { "X-API-Key": key, Accept: "application/json, text/csv" };
    if (exchange.body !== undefined) headers["Content-Type"] = "application/json";
    const fail = (cause: unknown): never => {
      signal.throwIfAborted();
      throw new Failure("unreachable", { cause });
    };
    try {
      const asked = dependencies.fetch(baseUrl + exchange.path, {
        method: exchange.method,
        headers,
        body: exchange.body === undefined ? null : JSON.stringify(exchange.body),
        signal,
        // A followed redirect would carry the key to another address.
        redirect: "error",
        credentials: "omit",
        cache: "no-store",
        referrerPolicy: "no-referrer",
      });
      const response = await asked.catch(fail);
      // A listener may stop other requests because of the status, so it is told before the answer makes room for them.
      onStatus?.(response.status);
      permit.answered(response.status, response.headers);
      const { status, headers: answered } = response;
      const file = await response.arrayBuffer().catch(fail);
      return exchange.isFile && response.ok
        ? { status, headers: answered, body: "", file }
        : { status, headers: answered, body: decodedText(file, charsetOf(answered)) ?? "" };
    } finally {
      clearTimeout(timer);
    }
  }

  async function sendUntil(
    stop: AbortController,
    exchange: Exchange,
    options: ExchangeOptions,
  ): Promise<Reply> {
    const { urgent, giveUpAtMs = Infinity, retryCutOff = true, onWait, budget } = options;
    const { signal } = stop;
    const urgency = urgencyOf(urgent);
    const place = (sends += 1);
    const { endpoint = exchange.path } = exchange;
    let firstFailedAtMs = 0;
    let failures = 0;
    const isLastTry = () => failures >= config.retries || budget?.left() === 0;
    for (;;) {
      if (options.signal?.aborted) throw cancelled;
      let askedMs = 0;
      const permit = await governor.admit({ place, urgency, endpoint, giveUpAtMs, signal, onWait });
      // Only formulas are refused: work that a user starts is tried anew.
      const refusal = failures === 0 && urgency.isUrgent() ? breaker.refusal(endpoint) : undefined;
      if (refusal) {
        permit.ended(false);
        if (refusal instanceof Failure) throw refusal;
        return refusal;
      }
      sent.add(stop);
      const outcome = await exchangeOnce(exchange, permit, stop, options)
        .catch((thrown: unknown) => asFailure(thrown))
        .finally(() => permit.ended());
      sent.delete(stop);

      if (outcome instanceof Failure) {
        if (outcome.kind !== "unreachable" || isLastTry()) {
          breaker.ended(endpoint, outcome);
          throw outcome;
        }
      } else if (outcome.status === 429) {
        continue;
      } else {
        const isPassing = isUnanswered(outcome) && (retryCutOff || outcome.status === unavailable);
        const nowMs = Date.now();
        askedMs = readRateHeaders(outcome.headers, nowMs).retryAfterMs ?? 0;
        firstFailedAtMs ||= nowMs;
        const isTooLong = nowMs + askedMs > Math.min(firstFailedAtMs + config.maxBackoffMs, giveUpAtMs);
        if (!isPassing || isTooLong || isLastTry()) {
          breaker.ended(endpoint, outcome);
          return outcome;
        }
      }
      failures += 1;
      await pause(Math.max(askedMs, withJitter(config.retryDelayMs * 2 ** (failures - 1), random)), signal);
    }
  }

  async function send(exchange: Exchange, options: ExchangeOptions = {}): Promise<Reply> {
    if (options.keptOnly) throw new Failure("not-asked");
    const stop = new AbortController();
    const release = onAbort(options.signal, () => {
      if (!sent.has(stop) || !isOfLimit(options.signal?.reason)) stop.abort(cancelled);
    });
    if (closed?.aborted) stop.abort(cancelled);
    underWay.add(stop);
    try {
      await dependencies.mayAsk?.();
      const reply = await sendUntil(stop, exchange, options);
      // An answer that came whole is taken, though it was late.
      if (stop.signal.aborted && asFailure(stop.signal.reason).kind !== "timeout") throw stop.signal.reason;
      return reply;
    } catch (thrown) {
      // The parts of an exchange that wait know only that they were ended, so the real reason is thrown.
      throw stop.signal.aborted && asFailure(thrown).kind === "cancelled" ? stop.signal.reason : thrown;
    } finally {
      underWay.delete(stop);
      release();
    }
  }

  return {
    send,
    endAll,
    limit: governor.limit,
    allowance: governor.allowance,
    async masking() {
      const script = await import("../../key-forms").catch(() => null);
      return (text) => script?.withoutForms(text, script.keyForms(key)) ?? "";
    },
  };
}
