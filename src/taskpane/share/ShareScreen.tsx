import { Button, Checkbox, makeStyles, Subtitle2, Text, tokens } from "@fluentui/react-components";
import { useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import type { KeylessSession, Session } from "../../app";
import { FormulaReportView } from "../formulas/FormulaReportView";
import { JobView } from "../jobs/JobView";
import type { PaneApp } from "../pane-app";
import { useIsExcluded, useIsRunning } from "../jobs/jobs";
import { FailureMessage } from "../ui/FailureMessage";
import { PassingButton } from "../ui/PassingButton";
import { HoldSection } from "../hold/HoldSection";
import { LivePartsList } from "./LivePartsList";
import { ShareReportView } from "./ShareReportView";
import { LastKnownValues } from "./LastKnownValues";
import { createShareControl } from "./share-control";
import { useStarted } from "./use-started";

const useStyles = makeStyles({
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalM },
  // The buttons fit into one row of the narrowest pane.
  row: {
    display: "flex",
    flexWrap: "wrap",
    gap: tokens.spacingHorizontalS,
    "& button": { minWidth: 0 },
  },
});

/** The steps before the workbook goes to colleagues, who may have another key, no key, or not even the add-in. */
export default function ShareScreen({
  app,
  session,
  onBack,
}: {
  app: PaneApp;
  session: Session | KeylessSession;
  onBack: () => void;
}) {
  const styles = useStyles();
  const { seen, look, work, prepare, unfreeze, forget, cancel, goTo } = useStarted(() =>
    createShareControl(app, session),
  );
  const { live, failure: unseen } = useStore(seen);
  const looking = useStore(look);
  const state = useStore(work);
  const result = state.status === "done" ? state.result : undefined;
  const [freezes, setFreezes] = useState(true);
  const [writesSources, setWritesSources] = useState(false);
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => back.current?.focus(), []);
  const isRunning = state.status === "running" || looking.status === "running";
  const isSharing = useIsRunning(app.jobs, "workbook");
  const isExcluded = useIsExcluded(app.jobs, "workbook");
  const isBusy = isRunning || isExcluded;
  // True if the number of frozen formulas is not known, too: then unfreezing itself says that there are none.
  const canUnfreeze = live?.frozen !== 0;
  return (
    <section className={styles.column} aria-label="Prepare to share">
      <div className={styles.row}>
        <Button ref={back} size="small" disabledFocusable={isSharing} onClick={onBack}>
          Back
        </Button>
      </div>
      <Subtitle2>Prepare to share</Subtitle2>
      <Text>
        RegData never stores your key in a workbook. Prepare also checks that nobody pasted it in. The data's
        terms of use go along with the file: make sure that the people who get it may have the data.
      </Text>
      {live && <LivePartsList live={live} />}
      <div>
        <Checkbox
          label="Freeze the formulas, so that people without RegData see values instead of errors"
          checked={freezes}
          onChange={(_, { checked }) => setFreezes(checked === true)}
        />
        {session.credentials && (
          <Checkbox
            label="Add a Sources sheet that says where the imported values come from"
            checked={writesSources}
            onChange={(_, { checked }) => setWritesSources(checked === true)}
          />
        )}
      </div>
      <div className={styles.row}>
        <Button
          appearance="primary"
          disabledFocusable={isBusy}
          onClick={() => prepare({ freezes, writesSources })}
        >
          Prepare
        </Button>
        <PassingButton isPossible={!isBusy && canUnfreeze} onClick={() => unfreeze([])}>
          Unfreeze
        </PassingButton>
        <PassingButton isPossible={isRunning} onClick={cancel}>
          Cancel
        </PassingButton>
      </div>
      {isExcluded && !isSharing && <Text role="status">An import, refresh or freeze is still running.</Text>}
      {state.status === "running" && <JobView job={state.job} label="Preparing" />}
      {looking.status === "running" && <JobView job={looking.job} label={looking.job.title} />}
      {state.status === "failed" && <FailureMessage failure={state.failure} />}
      {unseen && !isRunning && (
        <>
          <Text>RegData could not check what is still connected:</Text>
          <FailureMessage failure={unseen} />
        </>
      )}
      {result?.action === "prepare" && <ShareReportView report={result.report} onGoTo={goTo} />}
      {(result?.action === "unfreeze" || result?.action === "forget") && (
        <FormulaReportView
          report={
            result.action === "unfreeze"
              ? { action: "unfreeze", scope: "workbook", ...result.report }
              : { action: "forget", scope: "workbook", forgotten: result.formulas }
          }
          place="the workbook"
          onGoTo={goTo}
          onSeen={unfreeze}
          onForget={forget}
        />
      )}
      <LastKnownValues app={app} hasKey={session.credentials !== null} />
      <HoldSection app={app} hasKey={session.credentials !== null} />
    </section>
  );
}
