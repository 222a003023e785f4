/** Writes a time in milliseconds since 1970 as the service does: ISO 8601, UTC, `2026-03-12T09:30:00Z`. */
export function timestamp(instant: number): string {
  return new Date(instant).toISOString().replace(/\.\d+Z$/, "Z");
}
