import { joinedCitation } from "../../workbook/formula-text/answer-fields";

/** An answer in the form in which a report cites it. */
export interface Cited {
  jurisdiction: string;
  question: string;
  value: string;
  reference: string | null;
  section: string | null;
  /** ISO 8601; null if it is not known. */
  updatedAt: string | null;
  fetchedAtMs: number;
  /** The name of the service that gave the answer, such as its host. */
  service: string;
}

/** One sentence to paste into a report: the answer, its jurisdiction, its citation and its dates. */
export function fullCitation(cited: Cited): string {
  const source = joinedCitation(cited);
  const dates = [
    cited.updatedAt === null ? "" : `updated ${dayOf(cited.updatedAt)}`,
    `retrieved ${localDay(cited.fetchedAtMs)} from ${cited.service}`,
  ].filter((each) => each !== "");
  return `${cited.jurisdiction}: ${cited.question}: ${cited.value}. ${source === "" ? "No source recorded" : `Source: ${source}`} (${dates.join("; ")}).`;
}

/** The day of a time in UTC: `May 20, 2024`. */
export function dayOf(iso: string): string {
  return new Date(iso).toLocaleDateString("en-US", { dateStyle: "medium", timeZone: "UTC" });
}

/** The day of a time in the user's time zone, in the same form. */
function localDay(ms: number): string {
  return new Date(ms).toLocaleDateString("en-US", { dateStyle: "medium" });
}
