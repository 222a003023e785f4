import { onAbort } from "../../async/on-abort";
import { config } from "../../config";
import { asFailure, cancelled, Failure } from "../../errors";
import { keyForms, withoutForms } from "../../key-forms";
import type { Allowance } from "./allowance";
import { createGovernor, type KnownLimit, type Permit } from "./governor";
import { pause, withJitter } from "./pause";
import { readRateHeaders } from "./rate-headers";
import type { TurnDoors } from "./turns";
import { type Urgency, urgencyOf } from "./urgency";

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
  /** Whether a good answer is a file, which is wanted byte for byte. Default: no. */
  isFile?: boolean | undefined;
}

export interface ExchangeOptions {
  /** Ends the request, waiting or under way, as `cancelled`. */
  signal?: AbortSignal | undefined;
  /** Goes before whatever is not urgent, and may spend the limit's last requests; may rise at any time. Default: no. */
  urgent?: boolean | Urgency | undefined;
  /** A rate limit that ends later than this moment fails at once, with the time it ends. Default: no such moment. */
  giveUpAtMs?: number | undefined;
  /** Told when the request waits for a rate limit, and until when. */
  onWait?: ((untilMs: number) => void) | undefined;
  /** Told the status as soon as an answer begins; its body may still take long. */
  onStatus?: ((status: number) => void) | undefined;
  /** Whether to try again after a 502 or 504. Default: yes; no for whoever would rather ask for less. */
  retryCutOff?: boolean | undefined;
  /** Nothing is to be sent: what would have to be fails with not-asked. Default: no. */
  keptOnly?: boolean | undefined;
}

export interface Reply {
  status: number;
  headers: Headers;
  /** The text of the body; empty where it is a file. */
  body: string;
  file?: ArrayBuffer | undefined;
}

export interface Transport {
  /**
   * One HTTP exchange, whatever the status of the answer, but for those that waiting can mend: a 429 waits for
   * its limit, network errors, 502, 503 and 504 are tried again with backoff and jitter, and no sooner than their
   * Retry-After says; where that would take longer than config.maxBackoffMs in all, not at all. All requests keep to
   * the limit that the service reports, and wait for its reset at most config.longestWaitMs.
   * Failures: unreachable, timeout, rate-limited, cancelled, not-asked.
   */
  send(exchange: Exchange, options?: ExchangeOptions): Promise<Reply>;
  /** What is known now; says so without asking the service. */
  limit(): KnownLimit;
  /** For the transport of the next session with the same key. */
  allowance(): Allowance;
  /** Ends all exchanges that wait or are under way, with this failure. Later ones are sent. */
  endAll(failure: Failure): void;
  /** A text of the service as it may be shown: it may repeat the key, or a part of it, in any of its forms (`keyForms`). */
  withoutKey(text: string): string;
}

/** With `locks` and `lockName` the workbooks of one browser take turns; `signal` ends every exchange, as `cancelled`. */
export interface TransportDoors extends TurnDoors {
  fetch: typeof fetch;
  /** Between 0 and 1, for jitter. */
  random?: () => number;
  /** What an earlier session with the same key knew of the limit. */
  allowance?: Allowance | undefined;
}

const unavailable = 503;
const cutOff = new Set([502, 504]);

export function createTransport({ baseUrl, key }: Credentials, doors: TransportDoors): Transport {
  const { random = Math.random, signal: closed } = doors;
  const governor = createGovernor(random, doors, doors.allowance);
  const forms = keyForms(key);
  /** What ends each exchange, with the failure that it then has. */
  const underWay = new Set<AbortController>();
  let sends = 0;

  const endAll = (failure: Failure) => {
    for (const stop of underWay) stop.abort(failure);
  };
  onAbort(closed, () => endAll(cancelled));

  async function exchangeOnce(
    exchange: Exchange,
    permit: Permit,
    stop: AbortController,
    onStatus: ExchangeOptions["onStatus"],
  ): Promise<Reply> {
    const { signal } = stop;
    signal.throwIfAborted();
    const timer = setTimeout(() => stop.abort(new Failure("timeout")), config.requestTimeoutMs);

    const headers: Record<string, string> = { "X-API-Key": key, Accept: "application/json, text/csv" };
    if (exchange.body !== undefined) headers["Content-Type"] = "application/json";
    const fail = (cause: unknown): never => {
      signal.throwIfAborted();
      throw new Failure("unreachable", { cause });
    };
    try {
      const asked = doors.fetch(baseUrl + exchange.path, {
        method: exchange.method,
        headers,
        body: exchange.body === undefined ? null : JSON.stringify(exchange.body),
        signal,
        // A followed redirect would carry the key to wherever it leads.
        redirect: "error",
        credentials: "omit",
        cache: "no-store",
        referrerPolicy: "no-referrer",
      });
      const response = await asked.catch(fail);
      // Whoever stops others because of it does so before the answer makes room for them.
      onStatus?.(response.status);
      permit.answered(response.status, response.headers);
      const { status, headers: answered } = response;
      return exchange.isFile && response.ok
        ? { status, headers: answered, body: "", file: await response.arrayBuffer().catch(fail) }
        : { status, headers: answered, body: await response.text().catch(fail) };
    } finally {
      clearTimeout(timer);
    }
  }

  async function sendUntil(
    stop: AbortController,
    exchange: Exchange,
    { urgent, giveUpAtMs = Infinity, retryCutOff = true, onWait, onStatus }: ExchangeOptions,
  ): Promise<Reply> {
    const { signal } = stop;
    const urgency = urgencyOf(urgent);
    const place = (sends += 1);
    let firstFailedAtMs = 0;
    for (let failures = 0; ;) {
      let askedMs = 0;
      const permit = await governor.admit({ place, urgency, giveUpAtMs, signal, onWait });
      const outcome = await exchangeOnce(exchange, permit, stop, onStatus)
        .catch((thrown: unknown) => asFailure(thrown))
        .finally(permit.ended);

      if (outcome instanceof Failure) {
        if (outcome.kind !== "unreachable" || failures >= config.retries) throw outcome;
      } else if (outcome.status === 429) {
        continue;
      } else {
        const isPassing = outcome.status === unavailable || (retryCutOff && cutOff.has(outcome.status));
        const nowMs = Date.now();
        askedMs = readRateHeaders(outcome.headers, nowMs).retryAfterMs ?? 0;
        firstFailedAtMs ||= nowMs;
        const isTooLong = nowMs + askedMs > Math.min(firstFailedAtMs + config.maxBackoffMs, giveUpAtMs);
        if (!isPassing || isTooLong || failures >= config.retries) return outcome;
      }
      failures += 1;
      await pause(Math.max(askedMs, withJitter(config.retryDelayMs * 2 ** (failures - 1), random)), signal);
    }
  }

  async function send(exchange: Exchange, options: ExchangeOptions = {}): Promise<Reply> {
    if (options.keptOnly) throw new Failure("not-asked");
    const stop = new AbortController();
    const cancel = () => stop.abort(cancelled);
    const release = onAbort(options.signal, cancel);
    if (closed?.aborted) cancel();
    underWay.add(stop);
    try {
      const reply = await sendUntil(stop, exchange, options);
      // One that came whole is taken, though it was late.
      if (stop.signal.aborted && asFailure(stop.signal.reason).kind !== "timeout") throw stop.signal.reason;
      return reply;
    } catch (thrown) {
      // Whatever waits is told only that it was ended.
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
    withoutKey: (text) => withoutForms(text, forms),
  };
}
