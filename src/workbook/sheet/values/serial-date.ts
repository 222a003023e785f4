const dayMs = 86_400_000;
/** The day after the last one that Excel knows, in the year 9999. */
const endMs = Date.UTC(10_000, 0, 1);

/**
 * The date system of the workbook, as the serial number of January 1, 1970: see `learnDateSystem`. Until it is known, it is taken for the
 * usual one, which counts days from 1899-12-30; this is correct from March 1900 on.
 */
export const dateSystem = { epochSerial: 25_569, isKnown: false };

/** Excel's serial number of a time, in UTC; NaN if Excel has none for it. */
export function serialOfMs(ms: number): number {
  const serial = ms / dayMs + dateSystem.epochSerial;
  return serial > 0 && ms < endMs ? serial : NaN;
}

/** The time of a serial number; NaN if Excel has no date for it. */
export function msOfSerial(serial: number): number {
  const ms = (serial - dateSystem.epochSerial) * dayMs;
  return serial > 0 && ms < endMs ? ms : NaN;
}
