import { MessageBar, MessageBarBody } from "@fluentui/react-components";
import { useEffect, useState } from "react";
import type { KeylessSession, Session } from "../../app";
import { leavesBlank } from "../../engine/absence";
import { clockTime, Failure } from "../../errors";
import { FailureMessage } from "../ui/FailureMessage";
import { config } from "../../config";
import { unknownFunction } from "../../workbook/formula-text/unknown-function";
import type { SelectedCell } from "../../workbook/sheet/cells/selected-cell";
import { type AnswerFacts, type CellFacts, isShownBy } from "./facts/cell-facts";

/** Explains why the cell is in error, and what to do. `answer` is the answer that is shown. */
export function CellProblem({
  facts: { cell, frozen },
  answer: shown,
  session,
}: {
  facts: CellFacts;
  answer: AnswerFacts;
  session: Session | KeylessSession;
}) {
  const { source, answer } = shown;
  const isFormula = source.from.kind === "formula" && !frozen;
  const limit = session.limit();
  const ofExcel = isFormula ? explainCellError(cell, limit) : undefined;
  if (ofExcel !== undefined && errorIn(cell) === "#BUSY!" && limitEndsAtMs(limit) === undefined)
    return <LateExplanation key={`${cell.address} ${cell.formula}`} text={ofExcel} />;
  if (ofExcel !== undefined) return <Explanation text={ofExcel} />;
  if (source.refusal) return <FailureMessage failure={source.refusal} />;
  if (answer instanceof Failure && leavesBlank(answer.kind) && source.from.kind === "import")
    return <FailureMessage failure={noValueInImport} />;
  // An imported cell keeps its value without a key.
  const isOfFormula =
    source.from.kind === "formula" || (answer instanceof Failure && answer.kind !== "no-key");
  if (answer instanceof Failure && answer.kind !== "not-asked" && isOfFormula)
    return <FailureMessage failure={answer} />;
  if (isFormula && !session.credentials && ownErrors.has(String(cell.value)))
    return <FailureMessage failure={new Failure("no-key")} />;
  const isAnswered = answer !== null && !(answer instanceof Failure);
  const isImported = source.from.kind === "import" && source.from.part === "value";
  if (isImported && isAnswered && !isShownBy(cell, shown)) return <Explanation text={otherWords(cell)} />;
  const isAsked = source.question !== null || source.name !== undefined;
  const own = isFormula ? explainOwnError(String(cell.value), { isAsked, isAnswered }) : undefined;
  return own !== undefined && <Explanation text={own} />;
}

/** Says that an imported cell shows something else than the answer. */
function otherWords({ text }: SelectedCell): string {
  const [what, how] = text === "" ? ["is blank", "cleared it"] : [`shows “${text}”`, "typed that"];
  return `The cell ${what}, which is not this answer: somebody has ${how}, or the answer is newer than the last refresh.`;
}

/** The usual next step speaks of a formula, and an imported cell has none. */
const noValueInImport = new Failure("no-value", {
  nextStep: "The service has no answer on record. A refresh fills the cell when there is one.",
});

function Explanation({ text }: { text: string }) {
  return (
    <MessageBar intent="warning" layout="multiline">
      <MessageBarBody>{text}</MessageBarBody>
    </MessageBar>
  );
}

/** A formula that only loads is no problem, so its explanation waits. */
const explanationDelayMs = 3_000;

function LateExplanation({ text }: { text: string }) {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), explanationDelayMs);
    return () => clearTimeout(timer);
  }, []);
  return isLate && <Explanation text={text} />;
}

/** Explains an error that Excel itself puts into a cell, and says what to do about it. */
interface CellError {
  sentence: string;
  nextStep: string;
}

/** The remedy that Excel's makers name (OfficeDev/office-js#4487). */
const chooseAgain = "choose RegData again under Home > Add-ins > My Add-ins. If the cell stays so,";

const cellErrors: Record<string, CellError> = {
  "#BUSY!": {
    sentence: "The formula is waiting for its answer.",
    nextStep: `If it goes on for more than a minute: ${chooseAgain} choose Refresh, which enters the formula again.`,
  },
  "#NAME?": {
    sentence:
      "Excel does not know this function: RegData was not there yet when the formula was entered, or the file stores it by a wrong name.",
    nextStep: `First, ${chooseAgain} choose Refresh, which enters the formula again. Several such cells are repaired at once under In this workbook.`,
  },
  "#SPILL!": {
    sentence:
      "The result needs more cells than this one, and some of those below or to the right are not free.",
    nextStep:
      "Empty them, or move the formula to where there is room. A formula with several cells can't stand inside a table.",
  },
  "#CALC!": {
    sentence:
      "A function around REGDATA gives an empty list, or a list inside another; or the formula was given a whole column such as A:A, which Excel on the web refuses.",
    nextStep:
      "Give the functions around it, such as FILTER, something for an empty list; give the formula a part of the column, such as A2:A500.",
  },
  "#REF!": {
    sentence: "Cells that the formula pointed at are gone, or lie outside what it was given.",
    nextStep: "Point at other cells.",
  },
  "#CONNECT!": {
    sentence: "Excel could not reach the add-in when it calculated this.",
    nextStep: "Choose Refresh.",
  },
};

/** Excel's older name for the error. */
const synonyms: Record<string, string> = { "#GETTING_DATA": "#BUSY!" };

/** The cell's value by Excel's present name, if it is an error. */
const errorIn = ({ value }: Pick<SelectedCell, "value">) => synonyms[String(value)] ?? String(value);

/** The time until which formulas wait because the request limit is used up; undefined if it is not. */
function limitEndsAtMs({ left, resetsAtMs, waitingUntilMs }: ReturnType<Session["limit"]>) {
  return waitingUntilMs ?? (left === 0 ? resetsAtMs : undefined);
}

/** Explains a formula's value if it is an error of Excel's own, and says what to do; undefined if it is not. */
function explainCellError(
  { value, formula }: Pick<SelectedCell, "value" | "formula">,
  limit: ReturnType<Session["limit"]>,
): string | undefined {
  const error = errorIn({ value });
  const explained = cellErrors[error];
  if (!explained) return undefined;
  const misspelled = error === "#NAME?" ? unknownFunction(formula, config.namespace) : undefined;
  if (misspelled !== undefined) return misspelled;
  const untilMs = limitEndsAtMs(limit);
  if (error === "#BUSY!" && untilMs !== undefined) {
    return `${explained.sentence} Your request limit is used up until ${clockTime(untilMs)}. Wait until then.`;
  }
  return `${explained.sentence} ${explained.nextStep}`;
}

/** Errors that the add-in's own functions return. */
const ownErrors = new Set(["#N/A", "#VALUE!"]);

/**
 * Explains an error of the add-in's whose cause is not known. `isAsked` is false for a list, which asks no question; `isAnswered` is true
 * if an answer has arrived since. Undefined for other values.
 */
function explainOwnError(
  value: string,
  { isAsked, isAnswered }: { isAsked: boolean; isAnswered: boolean },
): string | undefined {
  if (!ownErrors.has(value)) return undefined;
  if (!isAsked) return "Point at the cell: Excel shows the reason and what to do. Then choose Refresh.";
  return isAnswered
    ? "An answer has arrived since. Choose Refresh."
    : "The formula has not asked since the workbook was opened or the key changed. Choose Refresh.";
}
