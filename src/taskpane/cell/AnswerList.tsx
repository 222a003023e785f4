import { makeStyles, Text, tokens } from "@fluentui/react-components";
import type { KeylessSession, Session } from "../../app";
import { config } from "../../config";
import { Details } from "../ui/Details";
import { beginning, plural, shownFormula } from "../ui/labels";
import { answerSummary } from "./facts/answer-summary";
import type { AnswerFacts, CellFacts } from "./facts/cell-facts";
import { SourceCard } from "./SourceCard";
import type { InspectedCell } from "./use-cell";

const useStyles = makeStyles({
  call: { fontFamily: tokens.fontFamilyMonospace, overflowWrap: "anywhere", whiteSpace: "pre-wrap" },
  answer: {
    display: "flex",
    flexDirection: "column",
    gap: tokens.spacingVerticalM,
    paddingBottom: tokens.spacingVerticalM,
  },
  head: {
    display: "inline-flex",
    flexDirection: "column",
    // Keeps a long summary beside the triangle that opens it.
    maxWidth: "calc(100% - 1.5rem)",
    verticalAlign: "top",
    textAlign: "left",
    padding: `${tokens.spacingVerticalXS} 0`,
    overflowWrap: "anywhere",
  },
});

/**
 * The answers that a cell shows or is made of. A single answer is shown in full; if a formula has several calls, only the opened one is.
 */
export function AnswerList({
  facts,
  session,
  inspected,
}: {
  facts: CellFacts;
  session: Session | KeylessSession;
  inspected: InspectedCell;
}) {
  const styles = useStyles();
  const { cell, answers, moreCalls } = facts;
  const calls = answers.length + moreCalls;
  const [only] = answers;
  if (only && answers.length === 1 && isWhole(only)) {
    return <SourceCard facts={facts} answer={only} session={session} inspected={inspected} />;
  }
  return (
    <section aria-label="Calls in this formula">
      <Text>
        {cell.text !== "" && `Shows ${beginning(cell.text, mostCharacters)}. `}
        {`The formula asks RegData ${calls === 1 ? "once" : `${calls} times`}:`}
      </Text>
      {answers.map((answer, place) => (
        <Details
          key={place}
          title={
            <span className={styles.head}>
              <span className={styles.call}>{callText(answer)}</span>
              <Text size={200}>{answerSummary(answer)}</Text>
            </span>
          }
          isOpen={inspected.opened === place}
          onToggle={(isOpenNow) => {
            if (isOpenNow) inspected.open(place);
            else if (inspected.opened === place) inspected.open(null);
          }}
        >
          {inspected.opened === place && (
            <div className={styles.answer}>
              <SourceCard facts={facts} answer={answer} session={session} inspected={inspected} />
            </div>
          )}
        </Details>
      ))}
      {moreCalls > 0 && <Text>and {plural(moreCalls, "more call")}</Text>}
    </section>
  );
}

const mostCharacters = 60;

const isWhole = ({ source: { from } }: AnswerFacts) => from.kind === "import" || from.call.isWhole;

function callText({ source: { from } }: AnswerFacts): string {
  if (from.kind === "import") return "";
  const args = from.call.args.map(({ text }) => text).join(", ");
  return shownFormula(`${config.namespace}.${from.call.name}(${args})`);
}
