/** The words for the parts of an answer that VALUE and MATRIX can show, in any case. The first one stands for an omitted argument. */
export const answerFields = [
  "value",
  "text",
  "reference",
  "section",
  "citation",
  "updated_at",
  "unit",
  "question",
  "status",
] as const;

/** The text of field "citation" for a value that has neither reference nor section. */
export const noCitation = "no citation recorded";

/** The citation of an answer: its reference and its section, or an empty text if neither is recorded. */
export function joinedCitation({
  reference,
  section,
}: {
  reference: string | null;
  section: string | null;
}): string {
  return [reference, section].filter(Boolean).join(", ");
}
