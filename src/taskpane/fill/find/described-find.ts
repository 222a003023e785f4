import type { DataPointType } from "../../../engine/api/schemas";
import type { TypeFinder } from "../../../engine/lookup/search/find-types";
import { operators, operatorsFor } from "../../../find/conditions/operators";
import { type ConditionPhrase, readFindSentence } from "../../../find/find-sentence";
import { answerKind } from "../../../find/readings/answer-reading";
import { isUsable, withOperator, withType } from "./condition-draft";
import { blankCondition, type ConditionDraft, type FindAction, type Within } from "./find-draft";

/** A find that a user has described in a sentence. */
export interface DescribedFind {
  /** Sets what was understood; null if that is nothing. */
  action: FindAction | null;
  /** The parts of the sentence that were not understood. */
  rest: readonly string[];
}

/** Reads a sentence as `readFindSentence` does, and looks its questions up. Only a question that has all that is said of it is taken. */
export function describedFind(text: string, finder: TypeFinder): DescribedFind {
  const { states, kinds, match, conditions, rest } = readFindSentence(text);
  const drafts: ConditionDraft[] = [];
  const notFound: string[] = [];
  for (const phrase of conditions) {
    const draft = draftOf(phrase, finder);
    if (draft) drafts.push(draft);
    else notFound.push([phrase.question, operators[phrase.operator].label, ...phrase.operands].join(" "));
  }
  const hasPlaces = states.length + kinds.length > 0;
  const ofKinds = kinds.length > 0 ? kinds : undefined;
  const within: Within =
    states.length > 0 ? { kind: "states", states, kinds: ofKinds } : { kind: "all", kinds: ofKinds };
  return {
    action:
      hasPlaces || drafts.length > 0
        ? { type: "describe", within: hasPlaces ? within : undefined, match, conditions: drafts }
        : null,
    rest: [...rest, ...notFound],
  };
}

/**
 * Null if there is no such question, or if the operator does not fit its answers. The first one is meant that can be compared with the
 * values: "plan review under 10 days" is about a time and not about a fee.
 */
function draftOf(
  { question, operator, operands }: ConditionPhrase,
  finder: TypeFinder,
): ConditionDraft | null {
  const { types, areClose } = finder.find(question);
  const fitting = areClose
    ? []
    : types.filter(({ unit_of_measure }) => operatorsFor(answerKind(unit_of_measure)).includes(operator));
  const isMeant = (each: DataPointType) => operands.every((text) => isUsable(each, operator, text));
  const type = fitting.find(isMeant) ?? fitting[0];
  if (!type) return null;
  const [first = "", second = ""] = operands;
  return { ...withOperator(withType(blankCondition, type), operator), operands: [first, second] };
}
