/** A date, or a date with a time, in ISO 8601. The zone may be missing: then it is UTC (docs/interface.md, "Left open"). */
const isoDateOrTime = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)\s*(Z|[+-]\d\d:\d\d)?)?$/i;

/** Milliseconds since 1970 for a text in ISO 8601; NaN if the text is not in ISO 8601 or names a day that does not exist. */
export function utcMs(text: string): number {
  const [, day = "", time = "00:00", zone = "Z"] = isoDateOrTime.exec(text.trim()) ?? [];
  const midnight = new Date(`${day}T00:00Z`);
  const isDay = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
  return isDay ? Date.parse(`${day}T${time}${zone.toUpperCase()}`) : NaN;
}
