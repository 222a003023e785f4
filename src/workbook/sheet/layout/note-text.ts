import type { Known } from "./table-plan";

/** Where a value is written and when it changed, as a note; null where nothing of it is known. */
export function noteText({ reference, section, updatedAt }: Known): string | null {
  const lines = [reference, section, updatedAt && `Updated ${updatedAt.slice(0, 10)}`];
  return lines.filter((line) => line !== null && line !== "").join("\n") || null;
}
