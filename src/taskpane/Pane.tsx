import {
  AriaLiveAnnouncer,
  Field,
  FluentProvider,
  makeStyles,
  ProgressBar,
  Tab,
  TabList,
  Text,
  tokens,
} from "@fluentui/react-components";
import { lazy, useCallback, useEffect, useRef, useState } from "react";
import type { Session } from "../app";
import type { PaneApp } from "./pane-app";
import { onPressed, type PaneCommand, type Pressed } from "./commands";
import { ConnectScreen } from "./connect/ConnectScreen";
import { FailureMessage } from "./ui/FailureMessage";
import { NoticeBars } from "./ui/NoticeBars";
import { ScreenBoundary } from "./ui/ScreenBoundary";
import { useKeptFocus } from "./ui/use-kept-focus";
import { useLoad } from "./ui/use-load";
import { useSession } from "./ui/use-session";
import { useTheme } from "./ui/use-theme";
import type { Ending } from "./unfinished/ending";

const useStyles = makeStyles({
  page: { minHeight: "100vh", backgroundColor: tokens.colorNeutralBackground1 },
  // In a narrow pane they stand in two lines.
  tabs: { flexWrap: "wrap" },
  screen: {
    display: "flex",
    flexDirection: "column",
    gap: tokens.spacingVerticalL,
    padding: tokens.spacingHorizontalM,
    overflowWrap: "anywhere",
    "&[hidden]": { display: "none" },
  },
});

export function Pane({ app, isInExcel }: { app: PaneApp; isInExcel: boolean }) {
  const styles = useStyles();
  const page = useRef<HTMLElement>(null);
  useKeptFocus(page);
  return (
    <FluentProvider theme={useTheme()}>
      {/* Messages are read out as they appear. */}
      <AriaLiveAnnouncer>
        {/* Not on the provider: Fluent gives its class to every popup as well. */}
        <main ref={page} className={styles.page}>
          {isInExcel ? (
            <PaneInExcel app={app} />
          ) : (
            <div className={styles.screen}>
              <Text>
                This page is the pane of RegData for Excel. Open it in Excel, with RegData on the Home tab.
              </Text>
            </div>
          )}
        </main>
      </AriaLiveAnnouncer>
    </FluentProvider>
  );
}

function PaneInExcel({ app }: { app: PaneApp }) {
  const styles = useStyles();
  const session = useSession(app);
  const { failure, retry } = useLoad(app.session);
  // Whoever changes the connection stays where that is done.
  const [screen, setScreen] = useState<Screen>("matrix");
  // Whoever has yet to connect starts again afterwards.
  useEffect(() => (session === null ? onPressed(() => undefined) : undefined), [session]);
  if (session) {
    // Another connection is another world: nothing chosen under one key is carried to the next.
    return (
      <ConnectedPane key={session.id} app={app} session={session} screen={screen} setScreen={setScreen} />
    );
  }
  return (
    <div className={styles.screen}>
      {session === null && (
        <ScreenBoundary fallback={<></>}>
          <UnfinishedBars app={app} screen="connect" />
        </ScreenBoundary>
      )}
      {session === null && <ConnectScreen app={app} />}
      {session === undefined &&
        (failure ? (
          <FailureMessage failure={failure} onRetry={retry} />
        ) : (
          <Field label="Starting">
            <ProgressBar />
          </Field>
        ))}
    </div>
  );
}

const UnfinishedBars = lazy(() => import("./unfinished/UnfinishedBars"));
const MatrixScreen = lazy(() => import("./fill/MatrixScreen"));
const CollectionScreen = lazy(() => import("./fill/CollectionScreen"));
const ImportsScreen = lazy(() => import("./refresh/ImportsScreen"));
const FormulasScreen = lazy(() => import("./formulas/FormulasScreen"));
const CellScreen = lazy(() => import("./cell/CellScreen"));
const SettingsScreen = lazy(() => import("./settings/SettingsScreen"));

const screens = {
  matrix: "Matrix",
  collection: "Collection",
  imports: "Imports",
  formulas: "Formulas",
  cell: "Cell",
  settings: "Settings",
} as const;
type Screen = keyof typeof screens;

/** Where a command shows what it does. */
const screenOf: Record<PaneCommand, Screen> = {
  refreshAll: "imports",
  refreshThese: "formulas",
  freezeThese: "formulas",
  showSource: "cell",
};

function ConnectedPane({
  app,
  session,
  screen,
  setScreen,
}: {
  app: PaneApp;
  session: Session;
  screen: Screen;
  setScreen: (screen: Screen) => void;
}) {
  const styles = useStyles();
  const [seen, setSeen] = useState<ReadonlySet<Screen>>(new Set([screen]));
  const show = useCallback(
    (next: Screen) => {
      setScreen(next);
      setSeen((before) => new Set([...before, next]));
    },
    [setScreen],
  );
  const [pressed, setPressed] = useState<Pressed>();
  const [ending, setEnding] = useState<Ending>();
  const end = useCallback(
    (next: Ending) => {
      setEnding(next);
      const { kind } = next.unfinished.work;
      show(kind === "freeze" || kind === "unfreeze" ? "formulas" : "imports");
    },
    [show],
  );
  useEffect(
    () =>
      onPressed((command) => {
        setPressed(command);
        if (command.name === "refreshAll") show("formulas");
        show(screenOf[command.name]);
      }),
    [show],
  );
  // Hidden rather than left out: what was chosen on one tab is still there after a look at another.
  const panel = (name: Screen) => ({
    id: `${name}-panel`,
    role: "tabpanel",
    "aria-labelledby": `${name}-tab`,
    className: styles.screen,
    hidden: screen !== name,
  });
  return (
    <>
      <NoticeBars app={app} />
      <ScreenBoundary fallback={<></>}>
        <UnfinishedBars app={app} screen={screen} onEnd={end} />
      </ScreenBoundary>
      <TabList
        aria-label="RegData"
        size="small"
        className={styles.tabs}
        selectedValue={screen}
        onTabSelect={(_, { value }) => show(value as Screen)}
      >
        {Object.entries(screens).map(([value, label]) => (
          <Tab key={value} value={value} id={`${value}-tab`} aria-controls={`${value}-panel`}>
            {label}
          </Tab>
        ))}
      </TabList>
      <ScreenBoundary>
        <div {...panel("matrix")}>
          <MatrixScreen app={app} session={session} isShown={screen === "matrix"} />
        </div>
        <div {...panel("collection")}>
          <CollectionScreen app={app} session={session} isShown={screen === "collection"} />
        </div>
      </ScreenBoundary>
      <ScreenBoundary>
        <div {...panel("imports")}>
          {seen.has("imports") && (
            <ImportsScreen
              app={app}
              session={session}
              isShown={screen === "imports"}
              pressed={pressed}
              ending={ending}
              onNoImports={() => show("formulas")}
            />
          )}
        </div>
      </ScreenBoundary>
      <ScreenBoundary>
        <div {...panel("formulas")}>
          {seen.has("formulas") && <FormulasScreen app={app} pressed={pressed} ending={ending} />}
        </div>
      </ScreenBoundary>
      <ScreenBoundary>
        <div {...panel("cell")}>
          {seen.has("cell") && <CellScreen app={app} session={session} isShown={screen === "cell"} />}
        </div>
      </ScreenBoundary>
      <ScreenBoundary>
        <div {...panel("settings")}>
          {seen.has("settings") && (
            <SettingsScreen app={app} session={session} isShown={screen === "settings"} />
          )}
        </div>
      </ScreenBoundary>
    </>
  );
}
