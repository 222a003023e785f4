import {
  Button,
  Card,
  makeStyles,
  MessageBar,
  MessageBarActions,
  MessageBarBody,
  ProgressBar,
  Text,
  tokens,
} from "@fluentui/react-components";
import type { FrozenHere } from "../../../workbook/cell-formulas/frozen-here";
import { addressOf } from "../../../workbook/sheet/layout/cell-address";
import { dateAndTime } from "../../refresh/ago";
import { type Jobs, useIsRunning } from "../../jobs/jobs";
import { plural, shownFormula } from "../../ui/labels";
import { type CellFacts, isShownBy } from "../facts/cell-facts";
import type { InspectedCell } from "../use-cell";

const useStyles = makeStyles({
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
  card: { overflowWrap: "anywhere" },
  value: { whiteSpace: "pre-wrap", maxHeight: "12rem", overflowY: "auto" },
  formula: { fontFamily: tokens.fontFamilyMonospace, whiteSpace: "pre-wrap" },
});

/** A formula that was replaced by its value: its date, the formula, and a button that brings it back. */
export default function FrozenCard({
  jobs,
  facts,
  frozen,
  inspected: { unfreezing, unfreeze, unfreezeAnyway, leaveFrozen },
}: {
  jobs: Jobs;
  facts: CellFacts;
  frozen: FrozenHere;
  inspected: InspectedCell;
}) {
  const styles = useStyles();
  const isBusy = useIsRunning(jobs);
  const { cell, answers, main } = facts;
  const { formula, edited, doubt } = frozen;
  const cells = formula.rows * formula.columns;
  const answer = answers[main];
  const isAnswerHere = answer !== undefined && isShownBy(cell, answer);
  const isAnswered = answer?.answer && "cell" in answer.answer;
  return (
    <>
      <Card className={styles.card} appearance="outline">
        <Text weight="semibold">{frozenOn(frozen.atMs)}</Text>
        {!edited && (
          <Text size={500} className={styles.value} aria-label="The frozen value" role="group">
            {cell.text === "" ? "(empty)" : cell.text}
          </Text>
        )}
        <Text size={200} className={styles.formula}>
          {shownFormula(formula.formula)}
        </Text>
        {cells > 1 && (
          <Text size={200}>
            The formula stood in {addressOf(formula)} and filled {plural(cells, "cell")}.
          </Text>
        )}
        {edited && <Text>{editedWords(cells > 1, cell.text)}</Text>}
        {doubt !== null && <Text size={200}>It may not be the value that was frozen: {doubt}.</Text>}
      </Card>
      <div className={styles.row}>
        <Button size="small" disabledFocusable={isBusy} onClick={() => unfreeze()}>
          Unfreeze
        </Button>
      </div>
      {unfreezing.status === "asks" && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>
            {cells > 1 ? `${addressOf(formula)} and its cells were` : `${cell.address} was`} edited since. The
            formula would replace what stands there now
            {cells === 1 && cell.text !== "" && `: “${cell.text}”`}.
          </MessageBarBody>
          <MessageBarActions>
            <Button onClick={unfreezeAnyway}>Put the formula back</Button>
            <Button onClick={leaveFrozen}>Leave it</Button>
          </MessageBarActions>
        </MessageBar>
      )}
      {unfreezing.status === "running" && <ProgressBar aria-label="Bringing the formula back" />}
      {isAnswered && (
        <Text>
          {isAnswerHere
            ? "The answer that it shows:"
            : "The answer as it was last retrieved, which the cell does not show:"}
        </Text>
      )}
    </>
  );
}

function editedWords(isSeveral: boolean, text: string): string {
  if (isSeveral) return "Its cells were edited since.";
  return text === "" ? "The cell was cleared since." : `The cell was edited since: it shows “${text}” now.`;
}

/** The date comes from the workbook's record, which anybody may have written, so it may be no date. */
function frozenOn(atMs: number): string {
  return Number.isNaN(new Date(atMs).getTime()) ? "Frozen" : `Frozen on ${dateAndTime(atMs)}`;
}
