import type { ArgumentRole } from "./formula-functions";

/** The words that an argument may be, in any case. The first word stands for an omitted argument. */
export const argumentChoices = {
  field: ["value", "text", "reference", "section", "citation", "updated_at", "unit", "question", "status"],
  /** The fields from state_name on cost one request for each AHJ. */
  ahjField: [
    ...["name", "id", "type", "state_code", "geoid"],
    ...["state_name", "county", "population", "lat", "lon"],
  ],
  headers: ["true", "false"],
  layout: ["wide", "long"],
  match: ["all", "any"],
  show: ["found", "unknown"],
} as const satisfies Partial<Record<ArgumentRole, readonly string[]>>;

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
