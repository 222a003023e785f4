import { localDay } from "../../workbook/sheet/values/local-day";
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
  /** The name of the service that gave the answer, such as its host; null if the workbook's author has retrieved it, then or later. */
  service: string | null;
}

/** One sentence to paste into a report: the answer, its jurisdiction, its citation and its dates. */
export function fullCitation(cited: Cited): string {
  const source = joinedCitation(cited);
  const dates = [
    cited.updatedAt === null ? "" : `updated ${dayOf(cited.updatedAt)}`,
    `retrieved ${localDay(cited.fetchedAtMs)} ${cited.service === null ? "or later by the workbook’s author" : `from ${cited.service}`}`,
  ].filter((each) => each !== "");
  return `${cited.jurisdiction}: ${cited.question}: ${cited.value}. ${source === "" ? "No source recorded" : `Source: ${source}`} (${dates.join("; ")}).`;
}

/** The day of a time in UTC: `May 20, 2024`. */
export function dayOf(iso: string): string {
  return new Date(iso).toLocaleDateString("en-US", { dateStyle: "medium", timeZone: "UTC" });
}
