import { answerFields } from "./answer-fields";
import type { ArgumentRole } from "./formula-functions";

/** The words that an argument may be, in any case. The first word stands for an omitted argument. */
export const argumentChoices = {
  field: answerFields,
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
