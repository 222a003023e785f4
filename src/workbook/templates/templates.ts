import type { Ahj, DataPointType } from "../../engine/api/schemas";
import { codeAdoption } from "./code-adoption";
import { expansionScorecard } from "./expansion-scorecard";
import { permitCostCalculator } from "./permit-cost-calculator";
import { projectTracker } from "./project-tracker";
import { requirementsSheet } from "./requirements-sheet";
import type { PlannedSheet } from "./sheet-draft";
import type { Template } from "./template-shape";

/** All templates, in the order in which they are offered. */
export const templates: readonly Template[] = [
  ...[projectTracker, permitCostCalculator, expansionScorecard, codeAdoption, requirementsSheet],
];

/** A limit on the rows, because a sheet with more formulas becomes slow. An import has no such limit. */
export const mostJurisdictions = 1_000;

/** The planned sheet of a template, and the questions that it lacks. */
export interface FilledTemplate {
  plan: PlannedSheet;
  /** The names of questions that the service does not have with the same unit. The sheet leaves them out. */
  leftOut: string[];
}

/**
 * Fills a template. `types` is the catalogue: a question is matched by its whole name and its unit, so that no formula calculates with
 * another question's answers. `nameOf` gives the text that names a jurisdiction in a formula.
 */
export function fillTemplate(
  template: Template,
  ahjs: readonly Ahj[],
  { types, nameOf }: { types: readonly DataPointType[]; nameOf: (ahj: Ahj) => string },
): FilledTemplate {
  const questions = new Map<string, DataPointType>();
  const leftOut: string[] = [];
  for (const { name, unit } of template.questions) {
    const type = types.find((each) => isSame(each.name, name) && isSame(each.unit_of_measure, unit));
    if (type) questions.set(name, type);
    else leftOut.push(name);
  }
  const jurisdictions = ahjs.map((ahj) => ({ ahj, name: nameOf(ahj) }));
  return { plan: template.plan({ jurisdictions, questions }), leftOut };
}

function isSame(one: string | null, other: string): boolean {
  return one?.trim().toLowerCase() === other.toLowerCase();
}
