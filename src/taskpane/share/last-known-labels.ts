import type { LastKnownValues } from "../../workbook/last-known/last-known-values";
import { localDay } from "../../workbook/sheet/values/local-day";

/** The day on which the values were fetched; the first day if there are several. */
export function dayOf({ oldestMs, atMs }: LastKnownValues): string {
  const [oldest, newest] = [localDay(oldestMs), localDay(atMs)];
  return oldest === newest ? oldest : `${oldest} or later`;
}

export const unreadableSentence =
  "The last-known values in this workbook can't be read: damaged, too large, or from another version of RegData. They are left as they are and not used.";
