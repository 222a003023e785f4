import type { Known } from "./table-plan";

/** The note of a value: its reference, its section and the day of its last change. Null if none of them is known. */
export function noteText({ reference, section, updatedAt }: Known): string | null {
  const lines = [reference, section, updatedAt && `Updated ${updatedAt.slice(0, 10)}`];
  return lines.filter((line) => line !== null && line !== "").join("\n") || null;
}
