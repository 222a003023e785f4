const dayMs = 86_400_000;
/** Excel counts days from 1899-12-30, rightly so from March 1900 on: this is 1 January 1970. */
const epochSerial = 25_569;
/** The day after the last that Excel knows, in the year 9999. */
const endSerial = 2_958_466;

/** Excel's number of a moment, in UTC. */
export function serialOfMs(ms: number): number {
  return ms / dayMs + epochSerial;
}

/** The moment of Excel's number; NaN where it is no date. */
export function msOfSerial(serial: number): number {
  return serial > 0 && serial < endSerial ? (serial - epochSerial) * dayMs : NaN;
}
