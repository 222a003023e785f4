import { MessageBar, MessageBarBody } from "@fluentui/react-components";
import type { Session } from "../../app";
import { Failure } from "../../errors";
import { FailureMessage } from "../ui/FailureMessage";
import { explainCellError, explainOwnError } from "./cell-errors";
import type { AnswerFacts, CellFacts } from "./facts/cell-facts";

/** Explains why the cell is in error, and what to do. `answer` is the answer that is shown. */
export function CellProblem({
  facts: { cell, frozen },
  answer: { source, answer },
  session,
}: {
  facts: CellFacts;
  answer: AnswerFacts;
  session: Session;
}) {
  const isFormula = source.from.kind === "formula" && !frozen;
  const ofExcel = isFormula ? explainCellError(String(cell.value), session.limit()) : undefined;
  if (ofExcel !== undefined) return <Explanation text={ofExcel} />;
  if (source.refusal) return <FailureMessage failure={source.refusal} />;
  if (answer instanceof Failure && answer.kind === "no-value" && source.from.kind === "import")
    return <FailureMessage failure={noValueInImport} />;
  if (answer instanceof Failure && answer.kind !== "not-asked") return <FailureMessage failure={answer} />;
  const isAnswered = answer !== null && !(answer instanceof Failure);
  const isAsked = source.question !== null;
  const own = isFormula ? explainOwnError(String(cell.value), { isAsked, isAnswered }) : undefined;
  return own !== undefined && <Explanation text={own} />;
}

/** The usual next step speaks of a formula, and an imported cell has none. */
const noValueInImport = new Failure("no-value", {
  nextStep:
    "The service has no answer on record, so the cell is blank. A refresh fills it when there is one.",
});

function Explanation({ text }: { text: string }) {
  return (
    <MessageBar intent="warning" layout="multiline">
      <MessageBarBody>{text}</MessageBarBody>
    </MessageBar>
  );
}
