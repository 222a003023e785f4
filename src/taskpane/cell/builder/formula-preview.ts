import { config } from "../../../config";
import type { FoundAnswer } from "../../../engine/lookup/answers/answers";
import type { AskOptions, Lookup } from "../../../engine/lookup/lookup";
import { Failure } from "../../../errors";
import { wordIn } from "../../../workbook/formula-text/argument-constants";
import {
  argumentChoices,
  joinedCitation,
  noCitation,
} from "../../../workbook/formula-text/formula-functions";
import { firstQuestion } from "../../../workbook/imports/sources/cell-source";
import type { Workbook } from "../../../workbook/sheet/workbook";
import { shownName } from "../../ui/labels";
import type { FormulaDraft } from "./formula-draft";

/** How many answers a formula gives. */
interface AnswerCount {
  jurisdictions: number;
  types: number;
}

/** The first answer of a formula, as far as it is known. */
export type FormulaPreview =
  /** It can't be told without calculating, or only from a list. */
  | { status: "unknown" }
  /** Its cells are blank, so it asks nothing. */
  | { status: "blank" }
  | { status: "refused"; failure: Failure }
  | { status: "not-asked"; count: AnswerCount }
  | { status: "failed"; failure: Failure; count: AnswerCount }
  | { status: "answered"; text: string; count: AnswerCount };

type ShownField = (typeof argumentChoices.field)[number];

/** Without `keptOnly` it asks the service for the first answer alone. */
export async function previewFormula(
  draft: FormulaDraft,
  formula: string,
  sheetId: string,
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

/** As it was published: formats are Excel's. */
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
