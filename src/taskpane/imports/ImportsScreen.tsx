import {
  Button,
  Field,
  Input,
  makeStyles,
  MessageBar,
  MessageBarBody,
  ProgressBar,
  Subtitle2,
  Text,
  tokens,
} from "@fluentui/react-components";
import { useState } from "react";
import type { Session } from "../../app";
import { clockTime } from "../../errors";
import type { KeptImport } from "../../imports/import-book";
import type { PaneApp } from "../pane-app";
import type { Pressed } from "../commands";
import { useCommand } from "../use-command";
import { FailureMessage } from "../ui/FailureMessage";
import { plural, waitingForLimit } from "../ui/labels";
import { RefreshReportView } from "./RefreshReportView";
import { type Imports, type RefreshState, useImports } from "./use-imports";

const useStyles = makeStyles({
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalS },
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
  list: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalL, margin: 0, padding: 0 },
  item: {
    display: "flex",
    flexDirection: "column",
    gap: tokens.spacingVerticalXS,
    listStyleType: "none",
    paddingBottom: tokens.spacingVerticalM,
    borderBottom: `${tokens.strokeWidthThin} solid ${tokens.colorNeutralStroke2}`,
  },
  facts: { overflowWrap: "anywhere", color: tokens.colorNeutralForeground2 },
});

/** The imports that live in this workbook: where they are, how they went, and how to bring them up to date. */
export function ImportsScreen({
  app,
  session,
  isShown,
  pressed,
  onNoImports,
}: {
  app: PaneApp;
  session: Session;
  isShown: boolean;
  pressed: Pressed | undefined;
  /** All of them were to be refreshed, and there are none. */
  onNoImports: () => void;
}) {
  const styles = useStyles();
  const imports = useImports(app, session, isShown);
  const { list, failure, isRefreshing } = imports;
  useCommand(pressed, ["refreshAll"], () => imports.refreshPresent(onNoImports));
  const present = list?.imports.filter(({ place }) => place !== null) ?? [];
  return (
    <section className={styles.column} aria-label="Imports in this workbook">
      <Subtitle2>Imports in this workbook</Subtitle2>
      {list?.imports.length === 0 && (
        <Text>None yet. What you insert from Matrix or Collection is listed here, and can be refreshed.</Text>
      )}
      {present.length > 1 && (
        <div className={styles.row}>
          <Button disabled={isRefreshing} onClick={() => imports.refresh(present)}>
            Refresh all
          </Button>
        </div>
      )}
      {failure && <FailureMessage failure={failure} onRetry={imports.reload} />}
      {list && list.unreadable > 0 && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>
            {plural(list.unreadable, "saved import")} can't be read: damaged, or written by another version of
            the add-in. Left as it is.
          </MessageBarBody>
        </MessageBar>
      )}
      <ul className={styles.list} role="list">
        {list?.imports.map((kept) => (
          <li key={kept.partId} className={styles.item}>
            <OneImport kept={kept} imports={imports} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function OneImport({ kept, imports }: { kept: KeptImport; imports: Imports }) {
  const styles = useStyles();
  const { saved, place } = kept;
  const [isRenaming, setIsRenaming] = useState(false);
  const state = imports.refreshes.get(saved.id);
  const { atMs, rows, values, notRefreshed } = saved.lastRun;
  return (
    <>
      {isRenaming ? (
        <Rename
          name={saved.name}
          onDone={(name) => {
            setIsRenaming(false);
            if (name !== null) imports.rename(kept, name);
          }}
        />
      ) : (
        <Text weight="semibold">{saved.name}</Text>
      )}
      <Text size={200} className={styles.facts}>
        {saved.collection ? `Collection ${saved.collection.name}. ` : ""}
        {place ? place.address : "Its table is no longer in the workbook."}
        <br />
        {plural(rows, "row")}, {plural(values, "value")}, as of {clockTime(atMs)}
        {notRefreshed > 0 && `; ${plural(notRefreshed, "jurisdiction")} not refreshed`}
      </Text>
      <div className={styles.row}>
        {place && (
          <>
            <Button
              size="small"
              appearance="primary"
              disabled={imports.isRefreshing}
              onClick={() => imports.refresh([kept])}
              aria-label={`Refresh ${saved.name}`}
            >
              Refresh
            </Button>
            <Button size="small" onClick={() => imports.goTo(kept)} aria-label={`Go to ${saved.name}`}>
              Go to
            </Button>
          </>
        )}
        <Button size="small" onClick={() => setIsRenaming(true)} aria-label={`Rename ${saved.name}`}>
          Rename
        </Button>
        <Button size="small" onClick={() => imports.forget(kept)} aria-label={`Forget ${saved.name}`}>
          Forget
        </Button>
      </div>
      {state && <Refresh state={state} kept={kept} imports={imports} />}
    </>
  );
}

function Rename({ name, onDone }: { name: string; onDone: (name: string | null) => void }) {
  const styles = useStyles();
  const [text, setText] = useState(name);
  return (
    <form
      className={styles.row}
      onSubmit={(event) => {
        event.preventDefault();
        onDone(text.trim() === "" ? null : text.trim());
      }}
    >
      <Field label="Name">
        <Input value={text} autoFocus maxLength={100} onChange={(_, { value }) => setText(value)} />
      </Field>
      <Button size="small" type="submit">
        Keep
      </Button>
      <Button size="small" onClick={() => onDone(null)}>
        Leave it
      </Button>
    </form>
  );
}

function Refresh({ state, kept, imports }: { state: RefreshState; kept: KeptImport; imports: Imports }) {
  const styles = useStyles();
  if (state.status === "failed") return <FailureMessage failure={state.failure} />;
  if (state.status === "done") {
    return <RefreshReportView report={state.report} onGoTo={(cell) => imports.goTo(kept, cell)} />;
  }
  const { progress, waitingUntilMs } = state;
  return (
    <Field label={waitingUntilMs === undefined ? "Refreshing" : waitingForLimit(waitingUntilMs)}>
      {progress ? <ProgressBar value={progress.done} max={Math.max(1, progress.total)} /> : <ProgressBar />}
      <div className={styles.row}>
        <Button size="small" onClick={imports.cancel}>
          Cancel
        </Button>
      </div>
    </Field>
  );
}
