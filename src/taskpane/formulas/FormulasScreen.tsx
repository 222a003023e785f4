import {
  Button,
  Field,
  Link,
  makeStyles,
  MessageBar,
  MessageBarActions,
  MessageBarBody,
  Select,
  Subtitle2,
  Text,
  tokens,
} from "@fluentui/react-components";
import { useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { type FormulaScope, formulaScopes } from "../../workbook/sheet/cells/formula-search";
import type { Failure } from "../../errors";
import { JobView } from "../jobs/JobView";
import type { PaneApp } from "../pane-app";
import type { Pressed } from "../commands";
import { useIsRunning } from "../jobs/jobs";
import { useCommand } from "../use-command";
import { type Ending, useEnding } from "../unfinished/ending";
import { FailureMessage } from "../ui/FailureMessage";
import { PassingButton } from "../ui/PassingButton";
import { beingPrepared, NotBegun } from "../ui/NotBegun";
import { lazyView } from "../ui/loading/lazy-view";
import { ScreenBoundary } from "../ui/loading/ScreenBoundary";
import { useAttention } from "../ui/use-attention";
import { connectToRefresh, plural } from "../ui/labels";
import { FormulaReportView } from "./FormulaReportView";
import { createFormulaControl, type FormulaAction } from "./formula-control";

// The view loads only when needed: few workbooks have stuck cells.
const StuckCellsView = lazyView(() => import("./StuckCellsView"));

const useStyles = makeStyles({
  heading: { margin: 0 },
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalM },
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
});

const scopeNames: Record<FormulaScope, string> = {
  selection: "the selected cells",
  sheet: "this sheet",
  workbook: "the workbook",
};

const actions: Record<FormulaAction, { label: string; running: string }> = {
  refresh: { label: "Refresh", running: "Asking the service again" },
  retry: { label: "Retry errors", running: "Asking the service again for formulas in error" },
  freeze: { label: "Freeze", running: "Freezing" },
  unfreeze: { label: "Unfreeze", running: "Bringing the formulas back" },
  count: { label: "Count", running: "Counting" },
};

/** The actions that need a key. */
const asksService: ReadonlySet<FormulaAction> = new Set(["refresh", "retry"]);

/** Refreshes, freezes and unfreezes the formulas of the selection, a sheet or the workbook. */
export default function FormulasScreen({
  app,
  hasKey,
  isShown,
  pressed,
  ending,
  onCommand,
}: {
  app: PaneApp;
  hasKey: boolean;
  isShown: boolean;
  pressed: Pressed | undefined;
  ending: Ending | undefined;
  /** Called when a command of the ribbon, or unfinished work, is carried out on this screen. */
  onCommand: () => void;
}) {
  const styles = useStyles();
  const [control] = useState(() => createFormulaControl(app));
  const { run, end, cancel, goTo } = control;
  const state = useStore(control);
  useEffect(() => control.cancel, [control]);
  const question = useRef<HTMLDivElement>(null);
  /** The number of commands that were pressed while the question was open. */
  const [reminders, setReminders] = useState(0);
  // The reports of imports, which are refreshed meanwhile, come into sight too. The question comes last, because the work waits for it.
  const areImportsRunning = useIsRunning(app.jobs, "imports");
  useAttention(question, state.status === "asking" ? `${reminders} ${areImportsRunning}` : undefined);
  const outcome = useRef<HTMLDivElement>(null);
  /** True during a refresh of everything: then the imports' report, not this one, stays in sight. */
  const [isPartOfAll, setIsPartOfAll] = useState(false);
  const isOver = state.status === "failed" || (state.status === "done" && !isPartOfAll);
  useAttention(outcome, isOver ? state : undefined);
  const [scope, setScope] = useState<FormulaScope>("selection");
  const isRunning = state.status === "running" || state.status === "asking";
  const isBeingPrepared = useIsRunning(app.jobs, "workbook");
  const isBusy = isBeingPrepared || isRunning;
  /** The ribbon's command that was refused, because something else was running. */
  const [refused, setRefused] = useState<FormulaAction>();
  useCommand(pressed, ["refreshAll", "refreshThese", "freezeThese"], (name) => {
    const wanted = name === "refreshAll" ? "workbook" : "selection";
    const action = name === "freezeThese" ? "freeze" : "refresh";
    if (pressed && app.jobs.isPutOff(pressed)) return;
    onCommand();
    if (state.status === "asking") return setReminders((before) => before + 1);
    setRefused(isRunning ? action : undefined);
    if (isRunning) return;
    setScope(wanted);
    setIsPartOfAll(name === "refreshAll");
    run(action, wanted);
  });
  useEnding(ending, ["freeze", "unfreeze"], ({ unfinished, by }) => {
    onCommand();
    end(unfinished, by);
  });
  if (refused && !isBusy) setRefused(undefined);
  const notBegun = refused && <NotBegun what={actions[refused].label} />;
  return (
    <section className={styles.column} aria-label="REGDATA formulas">
      <Subtitle2 as="h2" className={styles.heading}>
        Formulas
      </Subtitle2>
      <ScreenBoundary>
        <StuckCellsView app={app} isShown={isShown} isBusy={isBusy} />
      </ScreenBoundary>
      <Field label="Formulas in">
        <Select value={scope} onChange={(_, { value }) => setScope(value as FormulaScope)}>
          {formulaScopes.map((each) => (
            <option key={each} value={each}>
              {scopeNames[each]}
            </option>
          ))}
        </Select>
      </Field>
      <div className={styles.row}>
        {(Object.keys(actions) as FormulaAction[]).map((action) => (
          <Button
            key={action}
            size="small"
            disabledFocusable={isBusy || (!hasKey && asksService.has(action))}
            onClick={() => {
              setIsPartOfAll(false);
              run(action, scope);
            }}
          >
            {actions[action].label}
          </Button>
        ))}
        <PassingButton size="small" isPossible={isRunning} onClick={cancel}>
          Cancel
        </PassingButton>
      </div>
      {!hasKey && <Text>{connectToRefresh}</Text>}
      {state.status === "idle" && (
        <Text>
          Refresh asks the service again for these formulas only, and Retry errors only for those in error.
          Freeze replaces them with the values they show, and Unfreeze brings them back.
        </Text>
      )}
      <div ref={question}>
        {state.status === "asking" && <LosingValueQuestion {...state.question} onDecide={state.answer} />}
      </div>
      {state.status === "running" && (
        <JobView
          job={state.job}
          label={state.order === "forget" ? "Forgetting the formulas" : actions[state.order].running}
        />
      )}
      {isBeingPrepared && <Text>{beingPrepared}</Text>}
      {notBegun}
      <div ref={outcome} className={styles.column}>
        {state.status === "failed" && <FailureMessage failure={state.failure} />}
        {state.status === "done" && (
          <FormulaReportView
            report={state.result}
            place={scopeNames[state.result.scope]}
            onGoTo={goTo}
            onSeen={(seen) => {
              const only = state.result.action === "unfreeze" ? state.result.only : undefined;
              run("unfreeze", state.result.scope, { seen, only });
            }}
            onForget={control.forget}
          />
        )}
      </div>
      <Link href="help/formulas.html" target="_blank" rel="noreferrer noopener">
        Help on formulas
      </Link>
    </section>
  );
}

/** Asks before a refresh turns values into errors. */
function LosingValueQuestion({
  losing,
  because,
  onDecide,
}: {
  losing: number;
  because: Failure;
  onDecide: (mayLose: boolean) => void;
}) {
  return (
    <MessageBar intent="warning" layout="multiline">
      <MessageBarBody>
        {plural(losing, "formula")} would show an error instead of{" "}
        {losing === 1 ? "its value" : "their values"}. {because.message}
      </MessageBarBody>
      <MessageBarActions>
        <Button onClick={() => onDecide(false)}>
          {losing === 1 ? "Keep its value" : "Keep their values"}
        </Button>
        <Button onClick={() => onDecide(true)}>Show the {losing === 1 ? "error" : "errors"}</Button>
      </MessageBarActions>
    </MessageBar>
  );
}
