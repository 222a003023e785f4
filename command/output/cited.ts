/** An answer with its citation: `$300 (City Code § 12)`. A text that is missing or blank is left out. */
export function cited({
  value,
  reference,
  section,
}: Partial<Record<"value" | "reference" | "section", string | null>>): string {
  const citation = [reference, section].filter(Boolean).join(" ");
  return `${value || "no value"}${citation === "" ? "" : ` (${citation})`}`;
}
