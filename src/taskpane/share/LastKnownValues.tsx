import { Button, makeStyles, MessageBar, MessageBarBody, Text, tokens } from "@fluentui/react-components";
import { useEffect, useSyncExternalStore } from "react";
import { useStore } from "zustand";
import { cellAddress } from "../../workbook/sheet/layout/cell-address";
import type { FormulaCell } from "../../workbook/sheet/cells/formula-search";
import type { PaneApp } from "../pane-app";
import { useIsRunning } from "../jobs/jobs";
import { Section } from "../settings/Section";
import { FailureMessage } from "../ui/FailureMessage";
import { PassingButton } from "../ui/PassingButton";
import { plural } from "../ui/labels";
import { LineList } from "../ui/lists/LineList";
import { dayOf, unreadableSentence } from "./last-known-labels";
import { createLastKnownControl } from "./last-known-control";
import type { LastKnownReport } from "./store-last-known";
import { useStarted } from "./use-started";

const useStyles = makeStyles({
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
});

/** Puts the last known answers of the workbook's formulas into the workbook, for colleagues without a key. */
export function LastKnownValues({ app, hasKey }: { app: PaneApp; hasKey: boolean }) {
  const styles = useStyles();
  const { stored, work, update, remove, start } = useStarted(() => createLastKnownControl(app));
  // A hold puts the values into the workbook, too.
  const { hold } = useSyncExternalStore(app.onNoticesChange, app.notices);
  useEffect(start, [start, hold]);
  const { lastKnown, failure: unread } = useStore(stored);
  const state = useStore(work);
  const isBusy = useIsRunning(app.jobs);
  const { values = null, characters = 0, unreadable = 0 } = lastKnown ?? {};
  const button = values ? "Update" : "Include last-known values";
  return (
    <Section title="Last-known values in this file">
      {lastKnown && (
        <Text>
          {values
            ? `${plural(values.answers.length, "answer")} of ${dayOf(values)} included (${kilobytes(characters)}). ${hasKey ? "Refreshing formulas does not renew them: choose Update." : "Connect to update them."}`
            : `None included.${hasKey ? "" : " Connect to include them."}`}
        </Text>
      )}
      <Text>
        With last-known values in the file, formulas that Excel calculates again show a colleague without a
        key your latest values instead of #N/A. They contain no key, but everyone with the file can read them.
      </Text>
      <div className={styles.row}>
        {hasKey && (
          <Button disabledFocusable={isBusy || !lastKnown} onClick={update}>
            {button}
          </Button>
        )}
        <PassingButton isPossible={!isBusy && values !== null} onClick={remove}>
          Remove
        </PassingButton>
      </div>
      {state.status === "running" && <Text role="status">Reading the formulas…</Text>}
      {state.status === "done" && state.result && <Report report={state.result} button={button} />}
      {unreadable > 0 && <Text>{unreadableSentence}</Text>}
      {state.status === "failed" && <FailureMessage failure={state.failure} />}
      {unread && <FailureMessage failure={unread} />}
    </Section>
  );
}

function Report({
  report: { answers, fit, notKept, left, frozen, isAllFrozen },
  button,
}: {
  report: LastKnownReport;
  /** The label of the button that includes the values again. */
  button: string;
}) {
  return (
    <>
      {fit === null && <Text role="status">Done: {plural(answers, "answer")} in the workbook.</Text>}
      {fit !== null && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>
            {answers === 0
              ? `Nothing was written: ${isAllFrozen ? "this workbook's formulas are frozen" : "this device holds no answers to this workbook's formulas. Refresh the formulas first"}.`
              : `Nothing was written: of ${plural(answers, "answer")}, only about ${fit.toLocaleString()} fit in a workbook.`}
          </MessageBarBody>
        </MessageBar>
      )}
      {frozen > 0 && (
        <Text>
          Frozen formulas need none: they are plain values. To include their answers, too (
          {plural(frozen, "frozen formula")}), unfreeze first, then choose {button}.
        </Text>
      )}
      {notKept > 0 && (
        <Text>
          {plural(notKept, "answer")} left out, because this device does not hold them. Refresh the formulas,
          then choose {button}.
        </Text>
      )}
      {left.length > 0 && (
        <>
          <Text>
            {plural(left.length, "formula")} left out, wholly or in part. Colleagues without a key see #N/A
            there. These formulas give lists or collections, or their jurisdictions or questions come from
            another calculation. To keep their values in the file, freeze the formulas above.
          </Text>
          <LineList label="left out" items={left} line={lineOf} />
        </>
      )}
    </>
  );
}

function lineOf({ sheetName, row, column, formula }: FormulaCell): string {
  return `${cellAddress(`${sheetName}!A1`, row, column)} ${formula}`;
}

function kilobytes(characters: number): string {
  return `about ${Math.ceil(characters / 1_000).toLocaleString()} kB`;
}
