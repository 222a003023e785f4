/**
 * Whether what was fetched then is younger than this. What was fetched in the future is not: the device's clock was
 * ahead once, so nobody knows how old it is.
 */
export function isWithinAge(fetchedAtMs: number, maxAgeMs: number): boolean {
  const ageMs = Date.now() - fetchedAtMs;
  return ageMs >= 0 && ageMs < maxAgeMs;
}

/** When something was fetched, to tell the newer of two: a time in the future comes before all others. */
export function orderMs(fetchedAtMs: number, nowMs = Date.now()): number {
  return fetchedAtMs > nowMs ? 0 : fetchedAtMs;
}
