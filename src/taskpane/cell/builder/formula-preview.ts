import { config } from "../../../config";
import type { FoundAnswer } from "../../../engine/lookup/answers/kept-answers";
import type { AskOptions, Lookup } from "../../../engine/lookup/lookup";
import { Failure } from "../../../errors";
import { wordIn } from "../../../workbook/formula-text/argument-constants";
import { joinedCitation, noCitation } from "../../../workbook/formula-text/answer-fields";
import { argumentChoices } from "../../../workbook/formula-text/argument-choices";
import { firstQuestion } from "../../../workbook/imports/sources/cell-source";
import type { Workbook } from "../../../workbook/sheet/workbook";
import { shownName } from "../../ui/labels";
import type { FormulaDraft } from "./formula-draft";

/** The number of answers that a formula gives. */
interface AnswerCount {
  jurisdictions: number;
  types: number;
}

/** A formula's first answer, as far as it is known. */
export type FormulaPreview =
  /** The question can't be told without calculating, or the function gives a list. */
  | { status: "unknown" }
  /** The cells of the arguments are blank, so the formula asks nothing. */
  | { status: "blank" }
  | { status: "refused"; failure: Failure }
  | { status: "not-asked"; count: AnswerCount }
  | { status: "failed"; failure: Failure; count: AnswerCount }
  | { status: "answered"; text: string; count: AnswerCount };

type ShownField = (typeof argumentChoices.field)[number];

/** Looks up the first answer of a formula. Without `keptOnly`, it asks the service for this answer only. */
export async function previewFormula(
  { draft, formula, sheetId }: { draft: FormulaDraft; formula: string; sheetId: string },
  { workbook, lookup }: { workbook: Pick<Workbook, "valuesAt">; lookup: Pick<Lookup, "ask"> },
  options: AskOptions,
): Promise<FormulaPreview> {
  const field = shownField(draft);
  const first = field && (await firstQuestion(formula, sheetId, { namespace: config.namespace, workbook }));
  if (!first) return { status: "unknown" };
  if (first.refusal) return { status: "refused", failure: first.refusal };
  if (!first.size) return { status: "unknown" };
  if (!first.question) return { status: "blank" };
  const count = first.size;
  const wants = { questions: [first.question], dated: field === "updated_at" };
  const [answer] = (await lookup.ask(wants, options)).values;
  if (!answer) throw new Failure("internal");
  if (!(answer instanceof Failure)) return { status: "answered", text: textOf(answer, field), count };
  return answer.kind === "not-asked"
    ? { status: "not-asked", count }
    : { status: "failed", failure: answer, count };
}

/** The field of an answer that the formula shows; null if it shows something else. */
function shownField({ name, args: { field } }: FormulaDraft): ShownField | null {
  switch (name) {
    case "VALUE":
    case "MATRIX":
      return (field && wordIn(field, argumentChoices.field)) || "value";
    case "CARD":
      return "value";
    case "CITATION":
      return "citation";
    default:
      return null;
  }
}

/** The text of the field as published: number formats are left to Excel. */
function textOf(
  { type, cell: { value, reference, section, updatedAt } }: FoundAnswer,
  field: ShownField,
): string {
  const texts: Record<ShownField, string | null> = {
    value,
    text: value,
    reference,
    section,
    citation: joinedCitation({ reference, section }) || noCitation,
    updated_at: updatedAt,
    unit: shownName(type.unit_of_measure),
    question: type.name,
    status: "ok",
  };
  return texts[field] || "empty";
}
