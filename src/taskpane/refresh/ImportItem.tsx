import { Button, Field, Input, makeStyles, Text, tokens } from "@fluentui/react-components";
import { memo, type RefObject, useMemo, useRef, useState } from "react";
import type { KeylessSession, Session } from "../../app";
import { asFailure, clockTime, type Failure } from "../../errors";
import { canChange } from "../../workbook/imports/saved/change-import";
import type { KeptImport } from "../../workbook/imports/saved/import-book";
import type { PaneApp } from "../pane-app";
import { savedFindWords } from "../../find/find-words";
import type { WantedImport } from "../fill/draft/draft-control";
import { Details } from "../ui/Details";
import { FailureMessage } from "../ui/FailureMessage";
import { plural, shownName } from "../ui/labels";
import { lazyView } from "../ui/loading/lazy-view";
import { ScreenBoundary } from "../ui/loading/ScreenBoundary";
import { ago } from "./ago";
import { wantedAgain } from "./insert-again";
import { JobView } from "../jobs/JobView";
import { reportActions } from "./report-actions";
import type { RefreshState, SavedImportsControl } from "./saved-imports-control";

const MoreMenu = lazyView(() => import("../ui/lists/MoreMenu"));
const ChangeImport = lazyView(() => import("./ChangeImport"));
const RefreshReportView = lazyView(() => import("./reports/RefreshReportView"));
const RefreshHistoryView = lazyView(() => import("./reports/RefreshHistory"));
const SummaryView = lazyView(() => import("./reports/SummaryView"));

const useStyles = makeStyles({
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
  // All buttons fit into one row of a pane of usual width.
  actions: {
    display: "flex",
    flexWrap: "wrap",
    gap: tokens.spacingHorizontalXS,
    "& button": { minWidth: 0 },
  },
  name: { flexBasis: "100%" },
  facts: { overflowWrap: "anywhere", color: tokens.colorNeutralForeground2 },
});

/**
 * One import: its facts, its last refresh and all actions on it. A workbook may hold hundreds of imports, so each is redrawn only when its
 * own state changes.
 */
export const ImportItem = memo(function ImportItem({
  app,
  session,
  kept,
  state,
  isMarked,
  isBusy,
  imports,
  onGetData,
}: {
  app: PaneApp;
  session: Session | KeylessSession;
  kept: KeptImport;
  state: RefreshState | undefined;
  isMarked: boolean;
  isBusy: boolean;
  imports: SavedImportsControl;
  onGetData: (wanted: WantedImport) => void;
}) {
  const styles = useStyles();
  const { saved, place } = kept;
  const [isRenaming, setIsRenaming] = useState(false);
  const [isChanging, setIsChanging] = useState(false);
  const [isSummed, setIsSummed] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const [isHistoryOpen, setIsHistoryOpen] = useState(false);
  const refresh = useRef<HTMLButtonElement>(null);
  const more = useRef<HTMLButtonElement>(null);
  const { atMs, rows, values, notRefreshed, by } = saved.lastRun;
  return (
    <>
      {isRenaming ? (
        <Rename
          name={saved.name}
          onDone={(name) => {
            more.current?.focus();
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
        {plural(rows, "row")}, {plural(values, "value")}
        {notRefreshed > 0 && " confirmed"}, refreshed {ago(atMs)}
        {by ? ` by ${by}` : ""} ({clockTime(atMs)})
        {notRefreshed > 0 && `; ${plural(notRefreshed, "jurisdiction")} could not be checked`}
        {saved.find && (
          <>
            <br />
            {savedFindWords(saved.find, shownName)}
          </>
        )}
      </Text>
      <div className={styles.actions}>
        {!place && session.credentials && (
          <Button
            size="small"
            onClick={() => {
              setFailure(undefined);
              wantedAgain(saved, app, session).then(onGetData, (thrown: unknown) =>
                setFailure(asFailure(thrown)),
              );
            }}
            aria-label={`Insert ${saved.name} again`}
          >
            Insert again…
          </Button>
        )}
        {place && (
          <>
            {session.credentials && (
              <Button
                ref={refresh}
                size="small"
                disabledFocusable={isBusy}
                onClick={() => imports.refresh([kept])}
                aria-label={`Refresh ${saved.name}`}
              >
                Refresh
              </Button>
            )}
            <Button
              size="small"
              onClick={() => imports.goTo(saved.tableId)}
              aria-label={`Go to ${saved.name}`}
            >
              Go to
            </Button>
          </>
        )}
        <ScreenBoundary fallback={<></>}>
          <MoreMenu
            label={`More for ${saved.name}`}
            isSmall
            button={more}
            actions={[
              ...(place && session.credentials && canChange(saved)
                ? [{ label: "Change…", isPossible: true, act: () => setIsChanging((before) => !before) }]
                : []),
              { label: "Rename…", isPossible: true, act: () => setIsRenaming(true) },
              { label: "Forget", isPossible: !isBusy, act: () => imports.forget(kept) },
            ]}
          />
        </ScreenBoundary>
      </div>
      {failure && <FailureMessage failure={failure} />}
      {isChanging && session.credentials && (
        <ScreenBoundary>
          <ChangeImport
            app={app}
            session={session}
            saved={saved}
            isBusy={isBusy}
            onApply={(change) => imports.change(kept, change)}
            onCancel={() => {
              more.current?.focus();
              setIsChanging(false);
            }}
          />
        </ScreenBoundary>
      )}
      {state && <Refresh {...{ state, kept, isMarked, isBusy, imports }} button={refresh} />}
      <Details title="History" onToggle={setIsHistoryOpen}>
        {isHistoryOpen && (
          <ScreenBoundary>
            <RefreshHistoryView key={atMs} kept={kept} imports={imports} />
          </ScreenBoundary>
        )}
      </Details>
      {place && (
        <Details title="Summary" onToggle={setIsSummed}>
          {/* The key makes the summary be read anew after each run. */}
          {isSummed && (
            <ScreenBoundary>
              <SummaryView key={atMs} {...{ app, session, kept, imports }} />
            </ScreenBoundary>
          )}
        </Details>
      )}
    </>
  );
});

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
      <Field label="Name" className={styles.name}>
        <Input
          value={text}
          autoFocus
          maxLength={100}
          onFocus={({ currentTarget }) => currentTarget.select()}
          onChange={(_, { value }) => setText(value)}
        />
      </Field>
      <Button size="small" type="submit">
        Save
      </Button>
      <Button size="small" onClick={() => onDone(null)}>
        Cancel
      </Button>
    </form>
  );
}

function Refresh({
  state,
  kept,
  isMarked,
  isBusy,
  imports,
  button,
}: {
  state: RefreshState;
  kept: KeptImport;
  isMarked: boolean;
  isBusy: boolean;
  imports: SavedImportsControl;
  /** The button that started the refresh. */
  button: RefObject<HTMLButtonElement | null>;
}) {
  const styles = useStyles();
  const report = state.status === "done" ? state.report : undefined;
  const actions = useMemo(() => report && reportActions(imports, kept, report), [imports, kept, report]);
  if (state.status === "failed") {
    return (
      <>
        <FailureMessage failure={state.failure} />
        <Text>Not refreshed. The table shows its earlier answers.</Text>
      </>
    );
  }
  if (report && actions) {
    return (
      <ScreenBoundary>
        <RefreshReportView
          report={report}
          isCollection={kept.saved.collection !== null}
          isBesideList={Boolean(kept.saved.listHeader)}
          {...{ isMarked, isBusy }}
          actions={actions}
        />
      </ScreenBoundary>
    );
  }
  return (
    <div>
      {state.status === "running" && <JobView job={state.job} label="Refreshing" />}
      <div className={styles.row}>
        <Button
          size="small"
          onClick={() => {
            // The focus goes to the button that started the refresh. Otherwise it would go to the button before this one, which forgets the
            // import.
            button.current?.focus();
            imports.cancel();
          }}
        >
          Cancel
        </Button>
      </div>
    </div>
  );
}
