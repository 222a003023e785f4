/** The request limit in an answer's headers (docs/interface.md, "Limits"). Over CORS any of them may be unreadable. */
export interface RateHeaders {
  /** The service's clock when it answered, to the second below. */
  dateMs: number | undefined;
  /** Requests left in the tightest window. */
  left: number | undefined;
  /** When that window resets, by the service's clock. */
  resetMs: number | undefined;
  /** How long to wait; may be below 0. */
  retryAfterMs: number | undefined;
}

/** The names of the headers, for all who send, read or pass them on. */
export const rateHeaders = {
  date: "Date",
  left: "X-RateLimit-Remaining",
  reset: "X-RateLimit-Reset",
  retryAfter: "Retry-After",
} as const;

/** Reads them; `nowMs` stands in for a Date header that can't be read. */
export function readRateHeaders(headers: Headers, nowMs: number): RateHeaders {
  const read = (name: string) => headers.get(name) ?? "";
  const dateMs = definedNumber(Date.parse(read(rateHeaders.date)));
  return {
    dateMs,
    left: readLeft(read(rateHeaders.left)),
    resetMs: readReset(read(rateHeaders.reset)),
    retryAfterMs: readRetryAfter(read(rateHeaders.retryAfter), dateMs ?? nowMs),
  };
}

function readLeft(header: string): number | undefined {
  return /^\d+$/.test(header) ? Number(header) : undefined;
}

/** A Unix time; which of seconds, milliseconds or microseconds its size tells. */
function readReset(header: string): number | undefined {
  const reset = Number(header || NaN);
  if (!Number.isFinite(reset) || reset <= 0) return undefined;
  return reset > 1e14 ? reset / 1_000 : reset > 1e11 ? reset : reset * 1_000;
}

/** Seconds, or an HTTP date. */
function readRetryAfter(header: string, serviceNowMs: number): number | undefined {
  if (/^\d+(\.\d+)?$/.test(header)) return Number(header) * 1_000;
  return definedNumber(Date.parse(header) - serviceNowMs);
}

function definedNumber(value: number): number | undefined {
  return Number.isNaN(value) ? undefined : value;
}
