const units = [
  ["year", 365 * 86_400_000],
  ["month", 30 * 86_400_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** The time since `ms` in the largest unit: `3 days ago`, `yesterday`, `just now`. */
export function ago(ms: number, nowMs = Date.now()): string {
  const past = nowMs - ms;
  const [unit, length] = units.find(([, each]) => past >= each) ?? [];
  if (!unit) return "just now";
  return new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(-Math.floor(past / length), unit);
}

/** A time with its day: `Nov 25, 2026, 9:21 PM`. */
export function dateAndTime(ms: number): string {
  return new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "short" }).format(ms);
}
