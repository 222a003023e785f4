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
import { useIsExcluded } from "../../jobs/jobs";
import type { PaneApp } from "../../pane-app";
import type { Session } from "../../../app";
import type { ReplaceableImports } from "../place/use-replaceable";
import { JobView } from "../../jobs/JobView";
import { useAttention } from "../../ui/use-attention";
import { type ImportControl, type ImportState, kindOf, restOf } from "./import-control";

const ImportReportView = lazyView(() => import("./ImportReportView"));
const AddQuestion = lazyView(() => import("../../refresh/AddQuestion"));
const MissingOffer = lazyView(() => import("../../refresh/reports/MissingOffer"));
const BesideQuestion = lazyView(() => import("../place/BesideQuestion"));

const useStyles = makeStyles({
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalS },
});

const none: readonly string[] = [];

/** The progress of an import, its questions to the user, and its outcome. */
export function ImportOutcome({
  app,
  session,
  state,
  control,
  imports: { all, growing, reload },
  isBrief,
}: {
  app: PaneApp;
  session: Session;
  state: ImportState;
  control: ImportControl;
  imports: Pick<ReplaceableImports, "all" | "growing" | "reload">;
  /** True if the user goes on with something else: the import that is there is not extended meanwhile. */
  isBrief: boolean;
}) {
  const styles = useStyles();
  const isStopped = state.status === "failed" && state.partial !== null && state.failure.kind === "cancelled";
  const outcome = useRef<HTMLDivElement>(null);
  const order = "order" in state ? state.order : null;
  const isExcluded = useIsExcluded(app.jobs, order ? kindOf(order) : "cells");
  const [importId, ...others] = state.status === "done" ? state.importIds : [];
  const inserted = all.find(({ saved }) => saved.id === importId);
  const only = others.length === 0 ? inserted : undefined;
  const mayGrow = only && growing.includes(only);
  const lacksValues = state.status === "done" && state.report.withoutValue.length > 0;
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
          <BesideQuestion
            place={state.place}
            beside={state.order.beside}
            onChoose={control.chooseWay}
            onCancel={control.dismiss}
          />
        )}
        {state.status === "failed" && !isStopped && <FailureMessage failure={state.failure} />}
        {state.status === "failed" && state.placed && (
          <ImportReportView written={state.placed} unmatched={state.order?.unmatched ?? []} blanks={none} />
        )}
        {state.status === "failed" && state.partial && (
          <MessageBar layout="multiline">
            <MessageBarBody>
              {isStopped && "Stopped: "}
              {state.partial.data.report.rows.toLocaleString()} of{" "}
              {plural(state.partial.order.question.ahjs.length, "jurisdiction")}{" "}
              {state.partial.data.report.rows === 1 ? "is" : "are"} complete.
              {isStopped && " The sheet is as it was. Inserting again continues from there."}
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
            hasQuestions={state.order.question.kind === "collection" || state.order.question.types.length > 0}
            goTo={inserted && (() => app.workbook.goTo(inserted.saved.tableId))}
          />
        )}
        {only && lacksValues && <MissingOffer {...{ app, session }} key={importId} kept={only} />}
        {mayGrow && (
          <div hidden={isBrief} key={`${importId} more`}>
            <AddQuestion {...{ app, session }} kept={only} tab="data" onAdded={reload} />
          </div>
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
