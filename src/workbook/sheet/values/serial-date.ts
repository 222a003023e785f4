const dayMs = 86_400_000;
/** The serial number of January 1, 1970. Excel counts days from 1899-12-30, which is correct from March 1900 on. */
const epochSerial = 25_569;
/** The day after the last one that Excel knows, in the year 9999. */
const endSerial = 2_958_466;

/** Excel's serial number of a time, in UTC. */
export function serialOfMs(ms: number): number {
  return ms / dayMs + epochSerial;
}

/** The time of a serial number; NaN if Excel has no date for it. */
export function msOfSerial(serial: number): number {
  return serial > 0 && serial < endSerial ? (serial - epochSerial) * dayMs : NaN;
}
