import { config } from "../../config";

/**
 * The request limit in an answer's headers (docs/interface.md, "Limits"). Over CORS any of them may be unreadable. A value that no service
 * can mean counts as missing, because a time beyond the longest window would lock the add-in for years.
 */
export interface RateHeaders {
  /** The service's clock when it answered, rounded down to the second. */
  dateMs: number | undefined;
  /** Requests left in the tightest window. */
  left: number | undefined;
  /** When that window resets, by the service's clock. */
  resetMs: number | undefined;
  /** How long to wait, in milliseconds; may be negative. */
  retryAfterMs: number | undefined;
}

/** The names of the headers, for all code that sends, reads or passes them on. */
export const rateHeaders = {
  date: "Date",
  left: "X-RateLimit-Remaining",
  reset: "X-RateLimit-Reset",
  retryAfter: "Retry-After",
} as const;

/** Reads the headers. `nowMs` stands in for a Date header that can't be read. */
export function readRateHeaders(headers: Headers, nowMs: number): RateHeaders {
  const read = (name: string) => headers.get(name) ?? "";
  const dateMs = within(Date.parse(read(rateHeaders.date)), nowMs, config.mostClockLeadMs);
  const serviceNowMs = dateMs ?? nowMs;
  return {
    dateMs,
    left: readLeft(read(rateHeaders.left)),
    resetMs: within(readReset(read(rateHeaders.reset)), serviceNowMs, config.longestWindowMs),
    retryAfterMs: within(
      readRetryAfter(read(rateHeaders.retryAfter), serviceNowMs),
      0,
      config.longestWindowMs,
    ),
  };
}

function readLeft(header: string): number | undefined {
  const left = Number(header);
  return /^\d+$/.test(header) && Number.isSafeInteger(left) ? left : undefined;
}

/** A Unix time in milliseconds. Its size tells if the header gives seconds, milliseconds or microseconds. */
function readReset(header: string): number {
  const reset = Number(header || NaN);
  if (reset <= 0) return NaN;
  return reset > 1e14 ? reset / 1_000 : reset > 1e11 ? reset : reset * 1_000;
}

/** A wait in milliseconds. The header gives seconds or an HTTP date. */
function readRetryAfter(header: string, serviceNowMs: number): number {
  if (/^\d+(\.\d+)?$/.test(header)) return Number(header) * 1_000;
  return Date.parse(header) - serviceNowMs;
}

/** Undefined if the value is not a number, or further from `middle` than `most`. */
function within(value: number, middle: number, most: number): number | undefined {
  return Math.abs(value - middle) <= most ? value : undefined;
}
