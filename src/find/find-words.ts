import { kindWords } from "../engine/lookup/directory/kind-words";
import type { Condition } from "./conditions/condition";
import { operatorLabel } from "./conditions/operators";
import { type UnknownReason, unknownReasons } from "./conditions/verdict";
import type { Find } from "./find";
import type { FindScope, SavedFind } from "./find-schema";
import { answerKind } from "./readings/answer-reading";

/** Shows a name from outside in a line of text. */
type ShowName = (name: string) => string;

const asItIs: ShowName = (name) => name;

/** A condition in words, such as “Storage Permit Required is yes”. */
export function conditionWords({ type, operator, operand }: Condition, shown = asItIs): string {
  const label = operatorLabel(operator, answerKind(type.unit_of_measure));
  return [shown(type.name), label, shown(operand)].filter((part) => part !== "").join(" ");
}

/** Why it is not known whether a jurisdiction meets a condition, in a sentence that names the question. */
export function unknownSentence(condition: Condition, reason: UnknownReason, shown = asItIs): string {
  if (reason === "no-value") return `No value is recorded for ${shown(condition.type.name)}.`;
  return `“${conditionWords(condition, shown)}”: ${unknownReasons[reason]}`;
}

/** The conditions of a find in a line. */
export function findWords({ match, conditions }: Find, shown = asItIs): string {
  return conditions
    .map((condition) => conditionWords(condition, shown))
    .join(match === "all" ? ", and " : ", or ");
}

/** A stored find in sentences: its conditions, and the jurisdictions that it looks among. */
export function savedFindWords(find: SavedFind, shown = asItIs): string {
  return `Those that answer: ${findWords(find, shown)}. Look within: ${withinWords(find.within, shown)}.`;
}

function withinWords(within: FindScope, shown: ShowName): string {
  if (within.kind === "chosen") {
    const { length } = within.ahjIds;
    return `${length.toLocaleString()} chosen jurisdiction${length === 1 ? "" : "s"}`;
  }
  const where = within.kind === "all" ? "the whole subscription" : within.states.map(shown).join(", ");
  const { kinds = [] } = within;
  return kinds.length === 0
    ? where
    : `${kinds.map((kind) => shown(kindWords(kind))).join(" and ")} of ${where}`;
}
