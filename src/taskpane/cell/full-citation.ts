import { joinedCitation } from "../../workbook/formula-text/formula-functions";

/** An answer, as a report cites it. */
export interface Cited {
  jurisdiction: string;
  question: string;
  value: string;
  reference: string | null;
  section: string | null;
  /** ISO 8601; null where it is not known. */
  updatedAt: string | null;
  fetchedAtMs: number;
  /** Who gave it, such as a host. */
  service: string;
}

/** One sentence that says what holds where, where that is written, and of when it is: to be pasted into a report. */
export function fullCitation(cited: Cited): string {
  const source = joinedCitation(cited);
  const dates = [
    cited.updatedAt === null ? "" : `updated ${dayOf(cited.updatedAt)}`,
    `retrieved ${localDay(cited.fetchedAtMs)} from ${cited.service}`,
  ].filter((each) => each !== "");
  return `${cited.jurisdiction}: ${cited.question}: ${cited.value}. ${source === "" ? "No source recorded" : `Source: ${source}`} (${dates.join("; ")}).`;
}

/** `May 20, 2024`: the day of a moment in UTC. */
export function dayOf(iso: string): string {
  return new Date(iso).toLocaleDateString("en-US", { dateStyle: "medium", timeZone: "UTC" });
}

/** The day of a moment where the user is, in the same form. */
function localDay(ms: number): string {
  return new Date(ms).toLocaleDateString("en-US", { dateStyle: "medium" });
}
