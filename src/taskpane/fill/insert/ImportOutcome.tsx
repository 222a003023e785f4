import {
  Button,
  makeStyles,
  MessageBar,
  MessageBarActions,
  MessageBarBody,
  MessageBarTitle,
  tokens,
} from "@fluentui/react-components";
import { useRef } from "react";
import { FailureMessage } from "../../ui/FailureMessage";
import { plural } from "../../ui/labels";
import { lazyView } from "../../ui/loading/lazy-view";
import { ScreenBoundary } from "../../ui/loading/ScreenBoundary";
import { type Jobs, useIsExcluded } from "../../jobs/jobs";
import { JobView } from "../../jobs/JobView";
import { useAttention } from "../../ui/use-attention";
import { type ImportControl, type ImportState, kindOf, restOf } from "./import-control";

const ImportReportView = lazyView(() => import("./ImportReportView"));
const BesideQuestion = lazyView(() => import("../place/BesideQuestion"));

const useStyles = makeStyles({
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalS },
});

const none: readonly string[] = [];

/** The progress of an import, its questions to the user, and its outcome. */
export function ImportOutcome({
  state,
  control,
  jobs,
}: {
  state: ImportState;
  control: ImportControl;
  jobs: Jobs;
}) {
  const styles = useStyles();
  const outcome = useRef<HTMLDivElement>(null);
  const order = "order" in state ? state.order : null;
  const isExcluded = useIsExcluded(jobs, order ? kindOf(order) : "cells");
  // A running import leaves the focus on the button that was pressed.
  useAttention(outcome, state.status === "running" ? undefined : state.status);
  return (
    <div ref={outcome} className={styles.column}>
      <ScreenBoundary fallback={<></>}>
        {state.status === "running" && <JobView job={state} label="Asking the service" />}
        {state.status === "in-the-way" && (
          <MessageBar intent="warning" layout="multiline">
            <MessageBarBody>
              <MessageBarTitle>This would overwrite {state.place.filled}.</MessageBarTitle>
              The table would fill {state.place.address}.
            </MessageBarBody>
            <MessageBarActions>
              <Button onClick={control.dismiss}>Cancel</Button>
              <Button disabledFocusable={isExcluded} onClick={control.overwrite}>
                Overwrite
              </Button>
            </MessageBarActions>
          </MessageBar>
        )}
        {state.status === "beside-in-the-way" && (
          <BesideQuestion place={state.place} onChoose={control.chooseWay} onCancel={control.dismiss} />
        )}
        {state.status === "failed" && <FailureMessage failure={state.failure} />}
        {state.status === "failed" && state.placed && (
          <ImportReportView written={state.placed} unmatched={state.order?.unmatched ?? []} blanks={none} />
        )}
        {state.status === "failed" && state.partial && (
          <MessageBar layout="multiline">
            <MessageBarBody>
              {state.failure.kind === "cancelled" && "The sheet is as it was. "}
              {state.partial.data.report.rows.toLocaleString()} of{" "}
              {plural(state.partial.order.question.ahjs.length, "jurisdiction")}{" "}
              {state.partial.data.report.rows === 1 ? "is" : "are"} complete.
            </MessageBarBody>
            <MessageBarActions>
              <Button disabledFocusable={isExcluded} onClick={control.keepPartial}>
                Insert these
              </Button>
              <Button onClick={control.dismiss}>Discard</Button>
            </MessageBarActions>
          </MessageBar>
        )}
        {state.status === "done" && (
          <ImportReportView
            written={state}
            unmatched={state.order.unmatched}
            blanks={state.order.beside?.blanks ?? none}
            notTable={state.order.beside?.notTable}
          />
        )}
        {restOf(state) && (
          <Button disabledFocusable={isExcluded} onClick={control.insertRest}>
            Insert the rest on a new sheet
          </Button>
        )}
        {state.status === "done" && state.notRemembered && <FailureMessage failure={state.notRemembered} />}
      </ScreenBoundary>
    </div>
  );
}
