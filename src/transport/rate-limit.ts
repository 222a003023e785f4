import { config } from "../config";
import { Failure } from "../errors";
import { pause } from "./pause";

export interface Patience {
  giveUpAtMs: number;
  signal: AbortSignal | undefined;
  onWait: ((untilMs: number) => void) | undefined;
}

export interface RateLimit {
  /** Whether requests have to wait now. */
  closed(): boolean;
  /** Waits until requests are admitted again. A wait past `giveUpAtMs` is the failure rate-limited, at once. */
  wait(patience: Patience): Promise<void>;
  /** Notes a 429; `refusals` counts those of the same request, for the backoff where the answer names no time. */
  refused(headers: Headers, refusals: number): void;
}

/** One service's request limit as one key meets it: a 429 to one request holds back all of them. */
export function createRateLimit(random: () => number): RateLimit {
  let closedUntilMs = 0;
  const closed = () => closedUntilMs > Date.now();

  return {
    closed,
    async wait({ giveUpAtMs, signal, onWait }) {
      while (closed()) {
        if (closedUntilMs > giveUpAtMs) throw new Failure("rate-limited", { untilMs: closedUntilMs });
        onWait?.(closedUntilMs);
        await pause(closedUntilMs - Date.now(), signal);
      }
    },
    refused(headers, refusals) {
      const nowMs = Date.now();
      const waitMs = refusalWaitMs(headers, nowMs) ?? backoffMs(refusals, random);
      closedUntilMs = Math.max(closedUntilMs, nowMs + waitMs);
    },
  };
}

/**
 * How long a 429 asks to wait: the later of Retry-After (seconds, or an HTTP date) and X-RateLimit-Reset (a Unix
 * time, in seconds, milliseconds or microseconds, read against the service's own clock where its Date header can be read).
 * Undefined where neither is readable, as over CORS without Access-Control-Expose-Headers.
 */
export function refusalWaitMs(headers: Headers, nowMs: number): number | undefined {
  const serviceNowMs = Date.parse(headers.get("Date") ?? "") || nowMs;
  const waits = [
    retryAfterMs(headers.get("Retry-After"), serviceNowMs),
    resetMs(headers.get("X-RateLimit-Reset"), serviceNowMs),
  ].filter((ms) => ms !== undefined);
  // A reset that is over already still costs a moment, or a broken clock would make us ask without end.
  return waits.length === 0 ? undefined : Math.max(1_000, ...waits);
}

function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Number(header) * 1_000;
  const dateMs = Date.parse(header);
  return Number.isNaN(dateMs) ? undefined : dateMs - nowMs;
}

function resetMs(header: string | null, nowMs: number): number | undefined {
  const reset = Number(header ?? NaN);
  if (!Number.isFinite(reset) || reset <= 0) return undefined;
  const unitsPerMs = reset > 1e14 ? 1_000 : reset > 1e11 ? 1 : 1e-3;
  return reset / unitsPerMs - nowMs;
}

function backoffMs(refusals: number, random: () => number): number {
  return Math.min(config.maxBackoffMs, 1_000 * 2 ** (refusals - 1)) * (0.75 + random() / 2);
}
