import { leavesBlank } from "../../../engine/absence";
import { Failure } from "../../../errors";
import { allFailureKinds } from "../../../sheet-failure-kinds";
import { ahjLabel, shownName } from "../../ui/labels";
import type { AnswerFacts } from "./cell-facts";

/** Jurisdiction, question and value of an answer, or why there is none, in one line. */
export function answerSummary({ source, ahj, type, answer }: AnswerFacts): string {
  if (source.refusal) return source.refusal.message;
  const { question, name } = source;
  const asked = question?.ahj ?? name;
  if (asked === undefined) return "What it asks can’t be told without calculating.";
  const who = ahj ? ahjLabel(ahj) : shownName(String(asked));
  const what = question && (type ? shownName(type.name) : String(question.type));
  const told = answer instanceof Failure ? failureWords(answer) : answer && shownName(answer.cell.value);
  return [who, what, told].filter(Boolean).join(": ");
}

/** The reason in a line why there is no answer. Only a recorded absence is "no value". */
export function failureWords({ kind }: Failure): string {
  if (leavesBlank(kind)) return "no value";
  return kind === "not-asked" ? "not asked yet" : `not answered. ${allFailureKinds[kind].sentence}`;
}
