import {
  Button,
  Field,
  makeStyles,
  MessageBar,
  MessageBarActions,
  MessageBarBody,
  MessageBarTitle,
  ProgressBar,
  Text,
  tokens,
} from "@fluentui/react-components";
import type { Session } from "../../app";
import type { PaneApp } from "../pane-app";
import type { ImportQuestion } from "../../imports/question";
import type { DataPointType } from "../../api/schemas";
import { FailureMessage } from "../ui/FailureMessage";
import { plural, waitingForLimit } from "../ui/labels";
import { ImportReportView } from "./ImportReportView";
import { useEstimate } from "./use-estimate";
import { useImport } from "./use-import";
import type { UnmatchedGeoid } from "./use-jurisdictions";

const useStyles = makeStyles({
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalS },
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
});

/** What an import will take, where it goes, how it goes, and what came of it. */
export function ImportPanel({
  app,
  session,
  question,
  catalogue,
  sheetName,
  missing,
  unmatched,
}: {
  app: PaneApp;
  session: Session;
  /** Null while something is still to be chosen; `missing` says what. */
  question: ImportQuestion | null;
  catalogue: readonly DataPointType[];
  sheetName: string;
  missing: string;
  unmatched: readonly UnmatchedGeoid[];
}) {
  const styles = useStyles();
  const { state, ...control } = useImport(app, session);
  const isRunning = state.status === "running";
  // Anew after each run: what has been fetched costs nothing any more.
  const estimate = useEstimate(isRunning ? null : question, session.lookup, catalogue);
  const order = question && estimate?.fitsSheet && { question, size: estimate, sheetName, unmatched };

  return (
    <section className={styles.column} aria-label="Insert">
      {question && estimate && (
        <Text role="status">
          {plural(estimate.rows, "row")} × {plural(estimate.columns, "column")},{" "}
          {question.kind === "collection" && "at most "}
          {plural(estimate.requests, "request")}
          {!estimate.fitsSheet && ": more than a sheet holds. Choose fewer."}
        </Text>
      )}
      {!question && <Text>{missing}</Text>}
      <div className={styles.row}>
        <Button
          appearance="primary"
          disabled={!order}
          onClick={() => order && control.insertOnNewSheet(order)}
        >
          Insert on a new sheet
        </Button>
        <Button disabled={!order} onClick={() => order && control.insertAtSelectedCell(order)}>
          Insert at the selected cell
        </Button>
      </div>
      {state.status === "in-the-way" && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>
            <MessageBarTitle>There are cells in the way</MessageBarTitle>
            The table would fill {state.place.address} and overwrite what is in {state.place.filled}.
          </MessageBarBody>
          <MessageBarActions>
            <Button onClick={control.overwrite}>Overwrite</Button>
            <Button onClick={control.dismiss}>Leave them</Button>
          </MessageBarActions>
        </MessageBar>
      )}
      {state.status === "running" && (
        <Field label={runningLabel(state.progress, state.waitingUntilMs)}>
          {state.progress ? (
            <ProgressBar value={state.progress.done} max={Math.max(1, state.progress.total)} />
          ) : (
            <ProgressBar />
          )}
          <div className={styles.row}>
            <Button size="small" onClick={control.cancel}>
              Cancel
            </Button>
          </div>
        </Field>
      )}
      {state.status === "failed" && <FailureMessage failure={state.failure} />}
      {state.status === "done" && (
        <ImportReportView address={state.address} report={state.report} unmatched={state.order.unmatched} />
      )}
    </section>
  );
}

function runningLabel(
  progress: { phase: "fetching" | "writing"; done: number; total: number } | undefined,
  waitingUntilMs: number | undefined,
): string {
  if (waitingUntilMs !== undefined) return waitingForLimit(waitingUntilMs);
  if (!progress) return "Asking the service";
  const verb = progress.phase === "fetching" ? "Fetched" : "Written";
  return `${verb} ${progress.done.toLocaleString()} of ${progress.total.toLocaleString()}`;
}
