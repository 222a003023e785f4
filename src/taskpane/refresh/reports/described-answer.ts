import type { Known } from "../../../workbook/sheet/layout/answer-parts";
import { dayOf } from "../../cell/full-citation";

/** A text with its citation and the date of its last change: `$135 (City Code, § 12, updated May 20, 2024)`. */
export function describedAnswer(
  text: string | null,
  { reference, section, updatedAt }: Known,
  dates = updatedAt && dayOf(updatedAt),
): string {
  const facts = [reference, section, dates && `updated ${dates}`].filter(
    (fact) => fact !== null && fact !== "",
  );
  return facts.length > 0 ? `${text} (${facts.join(", ")})` : (text ?? "");
}
