import type { TravellingValues } from "../../travelling/travelling-values";

/** The day that the values are of, at least. */
export function dayOf({ oldestMs }: TravellingValues): string {
  return new Date(oldestMs).toLocaleDateString(undefined, { dateStyle: "medium" });
}

export const unreadableSentence =
  "Values that travel with this workbook can't be read: damaged, too large, or of another version of RegData. They are left as they are, and not used.";
