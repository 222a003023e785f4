/**
 * True if something was fetched less than `maxAgeMs` ago. False for a time in the future: the device's clock was ahead at that time, so the
 * age is unknown.
 */
export function isWithinAge(fetchedAtMs: number, maxAgeMs: number): boolean {
  const ageMs = Date.now() - fetchedAtMs;
  return ageMs >= 0 && ageMs < maxAgeMs;
}

/** The time of a fetch as a number to compare with others. A time in the future becomes 0, so it counts as the oldest. */
export function orderMs(fetchedAtMs: number, nowMs = Date.now()): number {
  return fetchedAtMs > nowMs ? 0 : fetchedAtMs;
}
