import { dayOf, type Known } from "./answer-parts";

/** The note of a value: its reference, its section and the day of its last change. Null if none of them is known. */
export function noteText({ reference, section, updatedAt }: Known): string | null {
  const lines = [reference, section, updatedAt && `Updated ${dayOf(updatedAt)}`];
  return lines.filter((line) => line !== null && line !== "").join("\n") || null;
}
