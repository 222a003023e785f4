const dayMs = 86_400_000;
/** Excel's number of 1 January 1970. */
const epochSerial = 25_569;
/** Excel's number of the day after the last it knows, in the year 9999. */
const endSerial = 2_958_466;

/** A date or moment as services and sheets write it; without a zone it is UTC. */
const isoMoment = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)\s*(Z|[+-]\d\d:\d\d)?)?$/i;

/** Milliseconds since 1970 of a text in ISO 8601; NaN where it is none. */
export function utcMs(text: string): number {
  const [, day, time = "00:00", zone = "Z"] = isoMoment.exec(text.trim()) ?? [];
  return Date.parse(`${day}T${time}${zone.toUpperCase()}`);
}

/** Excel's number of a moment, in UTC. */
export function serialOfMs(ms: number): number {
  return ms / dayMs + epochSerial;
}

/** The moment of Excel's number; NaN where it is no date. */
export function msOfSerial(serial: number): number {
  return serial > 0 && serial < endSerial ? (serial - epochSerial) * dayMs : NaN;
}
