import { Button, Field, Input, makeStyles, Text, tokens } from "@fluentui/react-components";
import { useState, useSyncExternalStore } from "react";
import { useStore } from "zustand";
import { mostCharacters } from "../../workbook/sheet/parts/hold-name";
import { cellAddress } from "../../workbook/sheet/layout/cell-address";
import type { PaneApp } from "../pane-app";
import { useIsExcluded } from "../jobs/jobs";
import { Section } from "../settings/Section";
import { FailureMessage } from "../ui/FailureMessage";
import { PassingButton } from "../ui/PassingButton";
import { plural } from "../ui/labels";
import { LineList } from "../ui/lists/LineList";
import type { LastKnownReport } from "../share/store-last-known";
import { createHoldControl } from "./hold-control";

const useStyles = makeStyles({
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
});

/** Puts the workbook on hold. The bar at the top of the pane releases it. */
export function HoldSection({ app, hasKey }: { app: PaneApp; hasKey: boolean }) {
  const styles = useStyles();
  const [control] = useState(() => createHoldControl(app));
  const state = useStore(control);
  const { hold } = useSyncExternalStore(app.onNoticesChange, app.notices);
  const isExcluded = useIsExcluded(app.jobs, "workbook");
  const [by, setBy] = useState("");
  const isRunning = state.status === "running";
  return (
    <Section title="Hold the values">
      <Text>
        On hold, the workbook keeps the values that it has, for you and for everyone who opens it with
        RegData: formulas show kept answers, imports are not refreshed, and nothing is asked, until somebody
        releases it.
      </Text>
      {hold ? (
        <Text>It is on hold. Release it at the top of this pane.</Text>
      ) : (
        <>
          <Field label="Your name, for the others (may be empty)">
            <Input value={by} maxLength={mostCharacters} onChange={(_, { value }) => setBy(value)} />
          </Field>
          <div className={styles.row}>
            <Button disabledFocusable={isRunning || isExcluded} onClick={() => control.hold(by)}>
              Put on hold
            </Button>
            <PassingButton isPossible={isRunning} onClick={control.cancel}>
              Cancel
            </PassingButton>
          </div>
        </>
      )}
      {isRunning && <Text role="status">Keeping the formulas’ answers…</Text>}
      {state.status === "failed" && <FailureMessage failure={state.failure} />}
      {state.status === "done" && state.order === "hold" && (
        <Held report={state.result ?? null} hasKey={hasKey} />
      )}
    </Section>
  );
}

/** Says which values of formulas are not safe. */
function Held({ report, hasKey }: { report: LastKnownReport | null; hasKey: boolean }) {
  if (!report)
    return (
      <Text role="status">
        On hold.{hasKey ? "" : " Without a key, no answers of formulas were added to the workbook."}
      </Text>
    );
  const { answers, fit, notKept, left } = report;
  const travels = fit === null ? answers : 0;
  const lacking = notKept + (fit === null ? 0 : answers);
  return (
    <>
      <Text role="status">On hold. {plural(travels, "answer")} of formulas kept in the workbook.</Text>
      {lacking > 0 && (
        <Text>
          {plural(lacking, "answer")} {lacking === 1 ? "is" : "are"} not kept in it
          {fit === null ? "" : `: only about ${fit.toLocaleString()} fit`}. Their cells stay as they are until
          Excel calculates them; then they may show #N/A. Freeze them to keep their values.
        </Text>
      )}
      {left.length > 0 && (
        <>
          <Text>
            {plural(left.length, "formula")} can’t be held, wholly or in part: they give lists or collections,
            or take their jurisdictions or questions from another calculation. Freeze them to keep their
            values.
          </Text>
          <LineList
            label="not held"
            items={left}
            line={({ sheetName, row, column, formula }) =>
              `${cellAddress(`${sheetName}!A1`, row, column)} ${formula}`
            }
          />
        </>
      )}
    </>
  );
}
