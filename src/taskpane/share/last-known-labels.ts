import type { LastKnownValues } from "../../workbook/last-known/last-known-values";

/** The day on which the values were fetched; the first day if there are several. */
export function dayOf({ oldestMs, atMs }: LastKnownValues): string {
  const [oldest, newest] = [oldestMs, atMs].map((ms) =>
    new Date(ms).toLocaleDateString(undefined, { dateStyle: "medium" }),
  );
  return oldest === newest ? `${oldest}` : `${oldest} or later`;
}

export const unreadableSentence =
  "The last-known values in this workbook can't be read: damaged, too large, or from another version of RegData. They are left as they are and not used.";
