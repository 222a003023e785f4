import type { DataPointType } from "../../../engine/api/schemas";
import { Failure } from "../../../errors";
import { type Condition, testOf } from "../../../find/conditions/condition";
import { comparesOrder, type Operator, operators, operatorsFor } from "../../../find/conditions/operators";
import { answerKind } from "../../../find/readings/answer-reading";
import type { ConditionDraft } from "./find-draft";

/** The draft with another question. The operator stays if it suits the question's answers. */
export function withType(draft: ConditionDraft, type: DataPointType): ConditionDraft {
  const fitting = operatorsFor(answerKind(type.unit_of_measure));
  const keeps = draft.type !== null && fitting.includes(draft.operator);
  return withOperator({ ...draft, type, searchText: "" }, keeps ? draft.operator : (fitting[0] ?? "is"));
}

/** The age that is offered if none is typed. */
const usualAge = "12 months";

/** The draft with another operator. A value that it can't use is cleared, since the operator's field may not even show it. */
export function withOperator(draft: ConditionDraft, operator: Operator): ConditionDraft {
  const wasAge = operators[draft.operator].operand === "age";
  const isAge = operators[operator].operand === "age";
  const [first, second] = draft.operands.map((text) => {
    const isUsed = isUsable(draft.type, operator, text) && !(wasAge && !isAge && !isIsoDay(text));
    return isUsed ? text : "";
  }) as [string, string];
  return { ...draft, operator, operands: [isAge && first.trim() === "" ? usualAge : first, second] };
}

/** True for a value that the operator can use. True for any value if the operator takes none, because the next operator may use it. */
export function isUsable(type: ConditionDraft["type"], operator: Operator, text: string): boolean {
  const { operand } = operators[operator];
  if (!type || text.trim() === "" || operand === "none") return true;
  if (takesDay(type, operator) && !isIsoDay(text)) return false;
  // Each end of a range is checked like the bound of "at least": an amount, a day or an edition.
  const asked = operand === "two-answers" ? "at-least" : operator;
  return !(testOf({ type, operator: asked, operand: text }, Date.now()) instanceof Failure);
}

/** True if the value is chosen as a day, in a field that shows nothing else. */
export function takesDay(type: ConditionDraft["type"], operator: Operator): boolean {
  return (
    operators[operator].operand === "day" ||
    (comparesOrder(operator) && answerKind(type?.unit_of_measure ?? "") === "date")
  );
}

const isIsoDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text.trim());

/** The condition of a draft; null while the draft is incomplete. */
export function conditionOf(draft: ConditionDraft): Condition | null {
  const { type, operator } = draft;
  if (!type || missingWords(draft) !== null) return null;
  const { id, name, unit_of_measure } = type;
  return {
    type: { id, name, unit_of_measure },
    operator,
    operand: wantedOperands(draft)
      .map((each) => each.trim())
      .join(" to "),
  };
}

/** A sentence that names the next entry for an incomplete condition; null if the condition is complete or not begun. */
export function missingWords(draft: ConditionDraft): string | null {
  if (!draft.type)
    return draft.searchText.trim() === ""
      ? null
      : "Choose a question from the list, or remove this condition.";
  const wanted = wantedOperands(draft);
  if (wanted.every((each) => each.trim() !== "")) return null;
  return `Enter ${wanted.length > 1 ? "both values" : "a value"}, or remove this condition.`;
}

/** The values that the operator takes. */
function wantedOperands({ operator, operands }: ConditionDraft): readonly string[] {
  const { operand } = operators[operator];
  if (operand === "none") return [];
  return operand === "two-answers" ? operands : operands.slice(0, 1);
}
