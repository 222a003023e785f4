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
import { useMemo } from "react";
import type { Session } from "../../app";
import type { PaneApp } from "../pane-app";
import type { ImportQuestion } from "../../workbook/imports/run/question";
import type { DataPointType } from "../../engine/api/schemas";
import { FailureMessage } from "../ui/FailureMessage";
import { plural, waitingForLimit } from "../ui/labels";
import { BesidePanel } from "./BesidePanel";
import { CsvReport } from "./csv/CsvReport";
import { EstimateText } from "./EstimateText";
import { FormPicker } from "./FormPicker";
import { ImportReportView } from "./ImportReportView";
import { ReplacePicker } from "./ReplacePicker";
import { useCsv } from "./csv/use-csv";
import { importSize } from "../../workbook/imports/run/estimate";
import { useEstimate } from "./use-estimate";
import { type ImportState, useImport } from "./use-import";
import { useImportForm } from "./use-import-form";
import type { UnmatchedGeoid } from "./jurisdictions/use-jurisdictions";
import { useReplaceable } from "./use-replaceable";

const useStyles = makeStyles({
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalS },
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
});

const none: readonly string[] = [];

/** What an import will take, where it goes, how it goes, and what came of it. */
export function ImportPanel({
  app,
  session,
  question,
  catalogue,
  sheetName,
  missing,
  unmatched,
  isShown,
  typesBeside,
}: {
  app: PaneApp;
  session: Session;
  /** Null while something is still to be chosen; `missing` says what. */
  question: ImportQuestion | null;
  catalogue: readonly DataPointType[];
  sheetName: string;
  missing: string;
  unmatched: readonly UnmatchedGeoid[];
  isShown: boolean;
  /** What may go beside a list in the sheet. */
  typesBeside?: readonly DataPointType[];
}) {
  const styles = useStyles();
  const [choices, setChoices] = useImportForm(app);
  const { layout, citations } = choices;
  const form = useMemo(
    () => ({ layout, hasCitations: citations === "beside", hasNotes: citations === "notes" }),
    [layout, citations],
  );
  const hasSources = citations === "sheet";
  const { state, ...control } = useImport(app, session);
  const csv = useCsv(session);
  const isRunning = state.status === "running";
  const replaceable = useReplaceable(app, isShown && !isRunning);
  // Anew after each run: what has been fetched costs nothing any more.
  const estimate = useEstimate(isRunning ? null : question, session.lookup, catalogue, form, hasSources);
  const size = useMemo(
    () => question && importSize(question, catalogue, form, hasSources),
    [question, catalogue, form, hasSources],
  );
  const parts = session.lookup.answers.partsOf(size?.answers ?? 0);
  const order = question &&
    estimate &&
    size?.fitsSheet && { question, form, hasSources, size, parts, sheetName, unmatched };
  // Several tables need several sheets.
  const isWhole = order && parts === 1 ? order : null;

  return (
    <section className={styles.column} aria-label="Insert">
      <FormPicker form={choices} onChange={setChoices} hasNotes={app.workbook.hasNotes()} />
      {question && estimate && (
        <EstimateText
          session={session}
          estimate={estimate}
          isMost={layout === "long"}
          areMostRequests={question.kind === "collection" || hasSources}
          parts={parts}
        />
      )}
      {!question && <Text>{missing}</Text>}
      <div className={styles.row}>
        <Button
          appearance="primary"
          disabledFocusable={!order}
          onClick={() => order && control.insertOnNewSheet(order)}
        >
          Insert on a new sheet
        </Button>
        <Button disabledFocusable={!isWhole} onClick={() => isWhole && control.insertAtSelectedCell(isWhole)}>
          Insert at the selected cell
        </Button>
        <Button
          disabledFocusable={!question || csv.state.status === "saving"}
          onClick={() => question && csv.save(question, sheetName)}
        >
          Save as CSV
        </Button>
      </div>
      <CsvReport state={csv.state} cancel={csv.cancel} />
      <ReplacePicker
        replaceable={replaceable}
        size={isWhole ? isWhole.size : null}
        isRunning={isRunning}
        onReplace={(replaces) => {
          replaceable.choose(null);
          if (isWhole) control.replace({ ...isWhole, replaces });
        }}
      />
      {typesBeside && (
        <BesidePanel
          app={app}
          session={session}
          types={typesBeside}
          form={form}
          hasSources={hasSources}
          isRunning={isRunning}
          onInsert={control.insertBeside}
        />
      )}
      {state.status === "in-the-way" && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>
            <MessageBarTitle>There are cells in the way.</MessageBarTitle>
            {state.target.kind === "beside" ? "The columns" : "The table"} would fill {state.place.address}{" "}
            and overwrite what is in {state.place.filled}.
          </MessageBarBody>
          <MessageBarActions>
            <Button onClick={control.overwrite}>Overwrite</Button>
            <Button onClick={control.dismiss}>Leave them</Button>
          </MessageBarActions>
        </MessageBar>
      )}
      {state.status === "running" && (
        <>
          <Field label={runningLabel(state)}>
            {state.progress ? (
              <ProgressBar value={state.progress.done} max={Math.max(1, state.progress.total)} />
            ) : (
              <ProgressBar />
            )}
          </Field>
          <div className={styles.row}>
            {/* One button, so that the focus stays. */}
            <Button size="small" onClick={state.isPaused ? control.goOn : control.pause}>
              {state.isPaused ? "Go on" : "Pause"}
            </Button>
            <Button size="small" onClick={control.cancel}>
              Cancel
            </Button>
          </div>
        </>
      )}
      {state.status === "failed" && <FailureMessage failure={state.failure} />}
      {state.status === "failed" && state.placed && (
        <ImportReportView written={state.placed} unmatched={state.order?.unmatched ?? []} blanks={none} />
      )}
      {state.status === "failed" && state.partial && (
        <MessageBar layout="multiline">
          <MessageBarBody>
            {state.failure.kind === "cancelled" && "The sheet is as it was. "}
            {plural(state.partial.read.report.rows, "jurisdiction")} of{" "}
            {state.partial.order.question.ahjs.length.toLocaleString()} had come whole.
          </MessageBarBody>
          <MessageBarActions>
            <Button onClick={control.keepPartial}>Keep what has come</Button>
            <Button onClick={control.dismiss}>Leave it</Button>
          </MessageBarActions>
        </MessageBar>
      )}
      {state.status === "done" && (
        <ImportReportView
          written={state}
          unmatched={state.order.unmatched}
          blanks={state.order.beside?.blanks ?? none}
        />
      )}
      {state.status === "done" && state.notRemembered && <FailureMessage failure={state.notRemembered} />}
    </section>
  );
}

function runningLabel({
  isPaused,
  progress,
  leftMs,
  waitingUntilMs,
}: Extract<ImportState, { status: "running" }>): string {
  const words = [
    isPaused
      ? "Paused."
      : waitingUntilMs !== undefined
        ? waitingForLimit(waitingUntilMs)
        : progress
          ? ""
          : "Asking the service",
    progress ? progressWords(progress) : "",
    !isPaused && waitingUntilMs === undefined && leftMs !== null ? timeWords(leftMs) : "",
  ];
  return words.filter((part) => part !== "").join(" ");
}

function progressWords({
  phase,
  done,
  total,
  ahjs,
}: NonNullable<Extract<ImportState, { status: "running" }>["progress"]>): string {
  const verb = phase === "fetching" ? "Fetched" : "Written";
  const cells = `${done.toLocaleString()} of ${plural(total, "cell")}`;
  return ahjs
    ? `${verb} ${ahjs.done.toLocaleString()} of ${plural(ahjs.total, "jurisdiction")}, ${cells}.`
    : `${verb} ${cells}.`;
}

function timeWords(leftMs: number): string {
  const seconds = Math.ceil(leftMs / 1_000);
  return seconds < 90 ? `About ${seconds} s left.` : `About ${Math.round(seconds / 60)} min left.`;
}
