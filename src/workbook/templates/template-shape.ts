import type { Ahj, DataPointType } from "../../engine/api/schemas";
import type { PlannedSheet } from "./sheet-draft";

/** A question that a template asks, by its name and unit in the service's catalogue. */
export interface TemplateQuestion {
  name: string;
  unit: string;
}

/** With what a template is filled. */
export interface Filling {
  /** In the order of the sheet's rows. */
  jurisdictions: readonly TemplateJurisdiction[];
  /** The questions that the service knows, by the names of the template's. */
  questions: ReadonlyMap<string, DataPointType>;
}

export interface TemplateJurisdiction {
  ahj: Ahj;
  /** Names it in a formula: its geoID, or `ahj:` and its id. */
  name: string;
}

/** A ready-made sheet of formulas. */
export interface Template {
  /** As the command calls it. */
  id: string;
  /** Of the sheet. */
  name: string;
  /** What it is for, in a sentence. */
  summary: string;
  /** Whom it is filled with: one jurisdiction, any number of them, or the states. */
  jurisdictions: "one" | "many" | "states";
  questions: readonly TemplateQuestion[];
  plan(filling: Filling): PlannedSheet;
}
