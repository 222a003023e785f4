import {
  AriaLiveAnnouncer,
  Button,
  Field,
  FluentProvider,
  makeStyles,
  mergeClasses,
  MessageBar,
  MessageBarActions,
  MessageBarBody,
  PositioningConfigurationProvider,
  ProgressBar,
  Text,
  tokens,
} from "@fluentui/react-components";
import { QuestionCircle20Regular, Settings20Regular } from "@fluentui/react-icons";
import { type ReactNode, useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useStore } from "zustand";
import type { KeylessSession, Session } from "../app";
import type { PaneApp } from "./pane-app";
import { onPressed, openHelp, type PaneCommand, type Pressed } from "./commands";
import type { WantedImport } from "./fill/draft/draft-control";
import type { ImportControl } from "./fill/insert/import-control";
import { type Jobs, useUnderWay } from "./jobs/jobs";
import { JobView } from "./jobs/JobView";
import { FailureMessage } from "./ui/FailureMessage";
import { NoticeBars } from "./ui/NoticeBars";
import { lazyView } from "./ui/loading/lazy-view";
import { ScreenBoundary } from "./ui/loading/ScreenBoundary";
import { withinScrollingPart } from "./ui/lists/list-room";
import { useKeptFocus } from "./ui/use-kept-focus";
import { useLoad } from "./ui/loading/use-load";
import { useTheme } from "./ui/use-theme";
import type { Ending } from "./unfinished/ending";
import { createKeylessSession } from "./connect/keyless-session";
import { PaneTabs, type TabName } from "./PaneTabs";
import { usePaneLayout } from "./ui/pane-layout";
import { createLatest } from "./latest";

const useStyles = makeStyles({
  head: {
    display: "flex",
    alignItems: "center",
    flexShrink: 0,
    // Leaves room for the focus ring.
    paddingRight: tokens.spacingHorizontalXS,
    borderBottom: `${tokens.strokeWidthThin} solid ${tokens.colorNeutralStroke2}`,
    "& > button": { flexShrink: 0 },
    // A tab's label that is only heard lies beside its icon, and would make the page wider.
    position: "relative",
    overflowX: "clip",
  },
});

export function Pane({ app, isInExcel }: { app: PaneApp; isInExcel: boolean }) {
  const layout = usePaneLayout();
  const page = useRef<HTMLElement>(null);
  useKeptFocus(page);
  return (
    <FluentProvider theme={useTheme()}>
      <PositioningConfigurationProvider value={withinScrollingPart}>
        {/* Screen readers announce messages as they appear. */}
        <AriaLiveAnnouncer>
          {/* The class is not on the provider, because Fluent gives the provider's class to every popup as well. */}
          <main ref={page} className={layout.page}>
            {isInExcel ? (
              <PaneInExcel app={app} />
            ) : (
              <div className={layout.belowTabs}>
                <div className={layout.screen}>
                  <Text>
                    This page is the pane of RegData for Excel. Open it in Excel, with RegData on the Home
                    tab.
                  </Text>
                </div>
              </div>
            )}
          </main>
        </AriaLiveAnnouncer>
      </PositioningConfigurationProvider>
    </FluentProvider>
  );
}

function PaneInExcel({ app }: { app: PaneApp }) {
  const layout = usePaneLayout();
  const session = useSession(app);
  const { failure, retry } = useLoad(app.session);
  const opening = useOpeningScreen(app);
  // The chosen screen is kept here, so that a user who changes the connection stays on it.
  const [chosen, setScreen] = useState<Screen>();
  const screen = chosen ?? opening;
  /** Set if the user goes on without a key. */
  const [keyless, setKeyless] = useState<KeylessSession>();
  const isUnconnected = session === null && !keyless;
  // On the first screen, presses of commands are dropped: the user presses again afterwards.
  useEffect(() => (isUnconnected ? onPressed(() => undefined) : undefined), [isUnconnected]);
  // A user who has connected since, and forgets the key, comes back to the first screen.
  if (session && keyless) setKeyless(undefined);
  const shown = session ?? (session === null ? keyless : undefined);
  if (shown) {
    // The key makes React start anew for each connection: nothing chosen under one key is carried to the next.
    return <OpenPane key={shown.id} app={app} session={shown} screen={screen} setScreen={setScreen} />;
  }
  return (
    <div className={layout.belowTabs}>
      <div className={layout.screen}>
        {session === null && (
          <ScreenBoundary fallback={<></>}>
            <UnfinishedBars app={app} screen="connect" />
          </ScreenBoundary>
        )}
        {session === null && (
          <ScreenBoundary>
            <ConnectScreen
              app={app}
              onContinue={() => {
                setKeyless(createKeylessSession(app));
                if (opening === "data") setScreen("workbook");
              }}
            />
          </ScreenBoundary>
        )}
        {session === undefined &&
          (failure ? (
            <FailureMessage failure={failure} onRetry={retry} />
          ) : (
            <Field label="Starting">
              <ProgressBar />
            </Field>
          ))}
      </div>
    </div>
  );
}

const ConnectScreen = lazyView(() => import("./connect/ConnectScreen"));
const UnfinishedBars = lazyView(() => import("./unfinished/UnfinishedBars"));
const OpeningNewsBar = lazyView(() => import("./refresh/opening/OpeningNewsBar"));
const GetDataScreen = lazyView(() => import("./fill/GetDataScreen"));
const WorkbookScreen = lazyView(() => import("./refresh/WorkbookScreen"));
const CellScreen = lazyView(() => import("./cell/CellScreen"));
const SettingsScreen = lazyView(() => import("./settings/SettingsScreen"));

type Screen = TabName | "settings";

/** The screen that shows what a command does. */
const screenOf: Record<PaneCommand, Screen> = {
  refreshAll: "workbook",
  refreshThese: "workbook",
  freezeThese: "workbook",
  showSource: "source",
  writeFormula: "source",
  turnIntoJurisdictions: "data",
};

/** The commands that need a key. */
const needKey: ReadonlySet<PaneCommand> = new Set(["refreshAll", "refreshThese", "writeFormula"]);

/** The help page of each screen. */
const helpPages: Record<Screen, string> = {
  data: "get-data.html",
  workbook: "imports.html",
  source: "source.html",
  settings: "limits.html",
};

/** All tabs. Without a key, those parts are missing that need the service, and Get data asks for the key. */
function OpenPane({
  app,
  session,
  screen,
  setScreen,
}: {
  app: PaneApp;
  session: Session | KeylessSession;
  screen: Screen;
  setScreen: (screen: Screen) => void;
}) {
  const styles = useStyles();
  const layout = usePaneLayout();
  const [seen, setSeen] = useState<ReadonlySet<Screen>>(new Set());
  const isSeen = (name: Screen) => name === screen || seen.has(name);
  const [control, setControl] = useState<ImportControl>();
  const show = useCallback(
    (next: Screen) => {
      setScreen(next);
      setSeen((before) => new Set([...before, next]));
    },
    [setScreen],
  );
  const hasKey = session.credentials !== null;
  const [pressed, setPressed] = useState<Pressed>();
  const [ending, setEnding] = useState<Ending>();
  const [wanted, setWanted] = useState<WantedImport>();
  const end = useCallback(
    (next: Ending) => {
      setEnding(next);
      show("workbook");
    },
    [show],
  );
  const getData = useCallback(
    (next: WantedImport) => {
      setWanted(next);
      show("data");
    },
    [show],
  );
  const run = useCallback(
    (command: Pressed) => {
      // Without a key, the screen says what needs one.
      if (hasKey || !needKey.has(command.name)) setPressed(command);
      if (command.name === "turnIntoJurisdictions") setWanted({ isSelectedList: true });
      show(screenOf[command.name]);
    },
    [show, hasKey],
  );
  useEffect(() => onPressed(run), [run]);
  // Panels are hidden rather than left out, so choices on one tab are still there after a look at another.
  const panel = (name: Screen) => ({
    id: `${name}-panel`,
    role: "tabpanel",
    "aria-labelledby": `${name}-tab`,
    className: mergeClasses(
      layout.screen,
      ((name === "data" && hasKey) || name === "source") && layout.withFooter,
    ),
    hidden: screen !== name,
  });
  return (
    <>
      <div className={styles.head}>
        <PaneTabs
          selected={screen}
          // The tab does what the ribbon's Source does, so it leads to the source even while a formula is written.
          onSelect={(tab) => (tab === "source" ? run({ name: "showSource" }) : show(tab))}
        />
        <Button
          id="settings-tab"
          appearance="subtle"
          size="small"
          icon={<Settings20Regular />}
          aria-label="Settings"
          aria-pressed={screen === "settings"}
          onClick={() => show("settings")}
        />
        <Button
          appearance="subtle"
          size="small"
          icon={<QuestionCircle20Regular />}
          aria-label="Help for this screen"
          title="Help for this screen"
          onClick={() => openHelp(helpPages[screen])}
        />
      </div>
      <div className={layout.belowTabs}>
        <div className={layout.notices}>
          <NoticeBars app={app} />
          <ScreenBoundary fallback={<></>}>
            <UnfinishedBars app={app} screen={screen} onEnd={hasKey ? end : undefined} />
          </ScreenBoundary>
          {session.credentials ? (
            <ScreenBoundary fallback={<></>}>
              <OpeningNewsBar app={app} session={session} onShow={() => show("workbook")} />
            </ScreenBoundary>
          ) : (
            screen !== "data" && <NotConnected onConnect={() => show("data")} />
          )}
          {control && screen !== "data" && <ImportAsks control={control} onShow={show} />}
          <JobUnderWay jobs={app.jobs} screen={screen} onShow={show} />
        </div>
        <ScreenBoundary>
          <div {...panel("data")}>
            {session.credentials ? (
              <GetDataScreen
                {...{ app, session, wanted }}
                isShown={screen === "data"}
                onControl={setControl}
                onWriteFormula={() => run({ name: "writeFormula" })}
              />
            ) : (
              <ConnectScreen app={app} />
            )}
          </div>
        </ScreenBoundary>
        <ScreenBoundary>
          <div {...panel("workbook")}>
            {isSeen("workbook") && (
              <WorkbookScreen
                {...{ app, session, pressed, ending }}
                onGetData={getData}
                onShowGetData={() => show("data")}
                isShown={screen === "workbook"}
              />
            )}
          </div>
        </ScreenBoundary>
        <ScreenBoundary>
          <div {...panel("source")}>
            {isSeen("source") && (
              <CellScreen {...{ app, session, pressed }} isShown={screen === "source"} onGetData={getData} />
            )}
          </div>
        </ScreenBoundary>
        <ScreenBoundary>
          <div {...panel("settings")}>
            {isSeen("settings") && (
              <SettingsScreen
                app={app}
                session={session.credentials ? session : null}
                isShown={screen === "settings"}
              />
            )}
          </div>
        </ScreenBoundary>
      </div>
    </>
  );
}

/** Says why parts of the screen are missing, and leads to the form that brings them. */
function NotConnected({ onConnect }: { onConnect: () => void }) {
  return (
    <MessageBar layout="multiline">
      <MessageBarBody>Not connected: this is what the workbook holds.</MessageBarBody>
      <MessageBarActions>
        <Button onClick={onConnect}>Connect…</Button>
      </MessageBarActions>
    </MessageBar>
  );
}

/** Tells the other screens that an import asks the user. */
function ImportAsks({ control, onShow }: { control: ImportControl; onShow: (screen: Screen) => void }) {
  const { status } = useStore(control);
  const isAsking = status === "in-the-way" || status === "beside-in-the-way";
  return isAsking && <UnderWay onShow={() => onShow("data")}>An import waits for your decision.</UnderWay>;
}

/** Tells that a job of another screen is running, and how far it is. */
function JobUnderWay({
  jobs,
  screen,
  onShow,
}: {
  jobs: Jobs;
  screen: Screen;
  onShow: (screen: Screen) => void;
}) {
  const job = useUnderWay(jobs, screen);
  if (!job) return null;
  const show = () => onShow(job.tab ?? screen);
  return job.isAsking ? (
    <UnderWay onShow={show}>A refresh waits for your decision.</UnderWay>
  ) : (
    <UnderWay onShow={show}>
      <JobView job={{ ...job, step: [job.title, job.step ?? ""].join(" ").trim() }} label={job.title} />
    </UnderWay>
  );
}

function UnderWay({ onShow, children }: { onShow: () => void; children: ReactNode }) {
  return (
    <MessageBar layout="multiline">
      <MessageBarBody>{children}</MessageBarBody>
      <MessageBarActions>
        <Button onClick={onShow}>Show it</Button>
      </MessageBarActions>
    </MessageBar>
  );
}

/** The current session; null without a connection, undefined while the stored connection is being read. */
function useSession(app: PaneApp): Session | null | undefined {
  return useSyncExternalStore(app.onSessionChange, app.currentSession);
}

/**
 * The tab that the pane opens on: Source if the selected cell has an answer of ours, otherwise Get data. The selection is checked again
 * whenever the pane is shown, until the user puts the focus into the pane. The first paint does not wait for this check.
 */
function useOpeningScreen(app: PaneApp): "data" | "source" {
  const [screen, setScreen] = useState<"data" | "source">("data");
  useEffect(() => {
    let isOver = false;
    const begin = createLatest();
    const stop = () => void (isOver = true);
    async function look() {
      if (isOver) return;
      const isLatest = begin();
      const { showsAnswer } = await import("./cell/facts/shows-answer");
      const isAnswer = await showsAnswer(app);
      if (!isOver && isLatest()) setScreen(isAnswer ? "source" : "data");
    }
    // If Excel can't tell the selected cell, the pane keeps its tab.
    const tryToLook = () => void look().catch(() => undefined);
    const listening = Office.addin
      .onVisibilityModeChanged(({ visibilityMode }) => {
        if (visibilityMode === Office.VisibilityMode.taskpane) tryToLook();
      })
      .catch(() => undefined);
    document.addEventListener("focusin", stop);
    tryToLook();
    return () => {
      stop();
      document.removeEventListener("focusin", stop);
      void listening.then((stopListening) => stopListening?.());
    };
  }, [app]);
  return screen;
}
