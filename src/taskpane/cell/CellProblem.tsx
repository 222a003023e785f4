import { MessageBar, MessageBarBody } from "@fluentui/react-components";
import type { Session } from "../../app";
import { Failure } from "../../errors";
import { FailureMessage } from "../ui/FailureMessage";
import { explainCellError, explainOwnError } from "./cell-errors";
import type { CellFacts } from "./use-cell";

/** Why the cell is in error, and what to do. */
export function CellProblem({
  facts: { cell, source, answer },
  session,
}: {
  facts: CellFacts;
  session: Session;
}) {
  const isFormula = source?.from.kind === "formula";
  const ofExcel = isFormula ? explainCellError(String(cell.value), session.limit()) : undefined;
  if (ofExcel !== undefined) return <Explanation text={ofExcel} />;
  if (source?.refusal) return <FailureMessage failure={source.refusal} />;
  if (answer instanceof Failure && answer.kind !== "not-asked") return <FailureMessage failure={answer} />;
  const isAnswered = answer !== null && !(answer instanceof Failure);
  const own = isFormula ? explainOwnError(String(cell.value), isAnswered) : undefined;
  return own !== undefined && <Explanation text={own} />;
}

function Explanation({ text }: { text: string }) {
  return (
    <MessageBar intent="warning" layout="multiline">
      <MessageBarBody>{text}</MessageBarBody>
    </MessageBar>
  );
}
