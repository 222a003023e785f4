import type { Condition } from "../../../find/conditions/condition";
import { operatorLabel } from "../../../find/conditions/operators";
import type { Find } from "../../../find/find";
import type { FindScope, SavedFind } from "../../../find/find-schema";
import { answerKind } from "../../../find/readings/answer-reading";
import { plural, shownName } from "../../ui/labels";

/** A condition in words, such as “Storage Permit Required is yes”. */
export function conditionWords({ type, operator, operand }: Condition): string {
  const label = operatorLabel(operator, answerKind(type.unit_of_measure));
  return [shownName(type.name), label, shownName(operand)].filter((part) => part !== "").join(" ");
}

/** The conditions of a find in a line. */
export function findWords({ match, conditions }: Find): string {
  return conditions.map(conditionWords).join(match === "all" ? ", and " : ", or ");
}

/** A stored find in sentences: its conditions, and the jurisdictions that it looks among. */
export function savedFindWords(find: SavedFind): string {
  return `Those that answer: ${findWords(find)}. Look within: ${withinWords(find.within)}.`;
}

function withinWords(within: FindScope): string {
  if (within.kind === "all") return "the whole subscription";
  if (within.kind === "chosen") return plural(within.ahjIds.length, "chosen jurisdiction");
  return within.states.map(shownName).join(", ");
}
