import type { Ahj, DataPointType } from "../../engine/api/schemas";
import type { PlannedSheet } from "./sheet-draft";

/** A question that a template asks, by its name and unit in the service's catalogue. */
export interface TemplateQuestion {
  name: string;
  unit: string;
}

/** The jurisdictions and questions with which a template is filled. */
export interface Filling {
  /** The jurisdictions in the order of the sheet's rows. */
  jurisdictions: readonly TemplateJurisdiction[];
  /** The data point types that the service has, by the names of the template's questions. */
  questions: ReadonlyMap<string, DataPointType>;
}

export interface TemplateJurisdiction {
  ahj: Ahj;
  /** The text that names the jurisdiction in a formula: its geoID, or `ahj:` and its id. */
  name: string;
}

/** A ready-made sheet of formulas. */
export interface Template {
  /** The name by which the command line calls the template. */
  id: string;
  /** The name of the sheet. */
  name: string;
  /** A sentence that tells users the template's purpose. */
  summary: string;
  /** The jurisdictions with which the template is filled: one, any number, or the states. */
  jurisdictions: "one" | "many" | "states";
  questions: readonly TemplateQuestion[];
  plan(filling: Filling): PlannedSheet;
}
