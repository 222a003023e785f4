import { formulaValue } from "../../workbook/sheet/values/cell-value";
import { unitForm } from "../../workbook/sheet/values/units";
import { type AmountRange, isInAnotherUnit, readAmountRange } from "./amount-range";
import { type CodeEdition, isCodeEditionUnit, readCodeEdition } from "./code-editions";

/** How the answers to a question can be compared, by its unit of measure. */
export type AnswerKind = "amount" | "date" | "yes-no" | "code-edition" | "text";

export function answerKind(unitOfMeasure: string): AnswerKind {
  if (isCodeEditionUnit(unitOfMeasure)) return "code-edition";
  const kind = unitForm(unitOfMeasure)?.kind;
  if (kind === undefined) return "text";
  if (kind === "boolean") return "yes-no";
  return kind === "date" ? "date" : "amount";
}

/** The certain content of a text. Each part is null if the text does not certainly say it. */
export interface AnswerReading {
  /** The text in the form in which texts are compared: case and the number of blanks do not matter. */
  folded: string;
  range: AmountRange | null;
  /** True if the text is one amount that is not certainly in the question's unit. */
  isInAnotherUnit: boolean;
  yes: boolean | null;
  edition: CodeEdition | null;
}

export function readAnswer(raw: string, unitOfMeasure: string): AnswerReading {
  const kind = answerKind(unitOfMeasure);
  const range = kind === "amount" || kind === "date" ? readAmountRange(raw, unitOfMeasure) : null;
  const yes = kind === "yes-no" ? formulaValue(raw, unitOfMeasure) : null;
  return {
    folded: foldText(raw),
    range,
    isInAnotherUnit: kind === "amount" && range === null && isInAnotherUnit(raw, unitOfMeasure),
    yes: typeof yes === "boolean" ? yes : null,
    edition: kind === "code-edition" ? readCodeEdition(raw) : null,
  };
}

/** A text in lower case, with one blank for several blanks or a line break. */
export function foldText(text: string): string {
  return text.normalize("NFC").replace(/\s+/g, " ").trim().toLowerCase();
}
