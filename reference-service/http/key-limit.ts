/** Limits requests in three windows at once: a minute, an hour and a day (docs/interface.md, "Limits"). */

/** Requests allowed in each window. */
export interface RateLimits {
  minute: number;
  hour: number;
  day: number;
}

export interface Allowance {
  allowed: boolean;
  /** Requests left in the tightest window. */
  remaining: number;
  /** The time when that window resets; after a refusal, when all used-up windows have reset. Milliseconds since 1970. */
  resetsAtMs: number;
}

const windowLengthsMs: Record<keyof RateLimits, number> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
};

interface RateWindow {
  limit: number;
  lengthMs: number;
  used: number;
  resetsAtMs: number;
}

/**
 * Counts requests in fixed windows. A window begins with the first request after the last window ended. A refused request does not count.
 */
export function createRateLimiter(limits: RateLimits, now: () => number): { take(): Allowance } {
  const names = Object.keys(windowLengthsMs) as (keyof RateLimits)[];
  const windows = names.map((name): RateWindow => ({
    limit: limits[name],
    lengthMs: windowLengthsMs[name],
    used: 0,
    resetsAtMs: -Infinity,
  }));

  return {
    take() {
      const at = now();
      for (const window of windows) {
        if (at < window.resetsAtMs) continue;
        window.used = 0;
        window.resetsAtMs = at + window.lengthMs;
      }
      const usedUp = windows.filter(({ used, limit }) => used >= limit);
      if (usedUp.length > 0) {
        const resetsAtMs = Math.max(...usedUp.map((window) => window.resetsAtMs));
        return { allowed: false, remaining: 0, resetsAtMs };
      }
      for (const window of windows) window.used += 1;
      const remaining = Math.min(...windows.map(({ limit, used }) => limit - used));
      const tightest = windows.filter(({ limit, used }) => limit - used === remaining);
      return {
        allowed: true,
        remaining,
        resetsAtMs: Math.max(...tightest.map((window) => window.resetsAtMs)),
      };
    },
  };
}
