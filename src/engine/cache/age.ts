/**
 * True if something was fetched less than `maxAgeMs` ago. False for a time in the future: the device's clock was ahead once, so nobody
 * knows the age.
 */
export function isWithinAge(fetchedAtMs: number, maxAgeMs: number): boolean {
  const ageMs = Date.now() - fetchedAtMs;
  return ageMs >= 0 && ageMs < maxAgeMs;
}

/** The time of a fetch, for telling which of two is newer. A time in the future becomes 0 and so counts as the oldest. */
export function orderMs(fetchedAtMs: number, nowMs = Date.now()): number {
  return fetchedAtMs > nowMs ? 0 : fetchedAtMs;
}
