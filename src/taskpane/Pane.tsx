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
import { lazy, useState } from "react";
import type { Session } from "../app";
import type { PaneApp } from "./pane-app";
import { ConnectScreen } from "./connect/ConnectScreen";
import { FailureMessage } from "./ui/FailureMessage";
import { NoticeBars } from "./ui/NoticeBars";
import { ScreenBoundary } from "./ui/ScreenBoundary";
import { useLoad } from "./ui/use-load";
import { useSession } from "./ui/use-session";
import { useTheme } from "./ui/use-theme";

const useStyles = makeStyles({
  page: { minHeight: "100vh", backgroundColor: tokens.colorNeutralBackground1 },
  // In a narrow pane they stand in two lines.
  tabs: { flexWrap: "wrap" },
  screen: {
    display: "flex",
    flexDirection: "column",
    gap: tokens.spacingVerticalL,
    padding: tokens.spacingHorizontalM,
    "&[hidden]": { display: "none" },
  },
});

export function Pane({ app, isInExcel }: { app: PaneApp; isInExcel: boolean }) {
  const styles = useStyles();
  return (
    <FluentProvider theme={useTheme()}>
      {/* Messages are read out as they appear. */}
      <AriaLiveAnnouncer>
        {/* Not on the provider: Fluent gives its class to every popup as well. */}
        <main className={styles.page}>
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
  if (session) {
    // Another connection is another world: nothing chosen under one key is carried to the next.
    return <ConnectedPane key={session.id} app={app} session={session} />;
  }
  return (
    <div className={styles.screen}>
      {session === null && <ConnectScreen app={app} session={null} />}
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

/** The first screen's script is asked for at once, the others' when they are looked at. */
const fill = import(/* webpackChunkName: "fill" */ "./import/fill-screens");
fill.catch(() => undefined);
const MatrixScreen = lazy(() => fill.then(({ MatrixScreen }) => ({ default: MatrixScreen })));
const CollectionScreen = lazy(() => fill.then(({ CollectionScreen }) => ({ default: CollectionScreen })));
const ImportsScreen = lazy(() =>
  import(/* webpackChunkName: "imports" */ "./imports/ImportsScreen").then(({ ImportsScreen }) => ({
    default: ImportsScreen,
  })),
);
const CellScreen = lazy(() =>
  import(/* webpackChunkName: "cell" */ "./cell/CellScreen").then(({ CellScreen }) => ({
    default: CellScreen,
  })),
);

const screens = {
  matrix: "Matrix",
  collection: "Collection",
  imports: "Imports",
  cell: "Cell",
  connection: "Connection",
} as const;
type Screen = keyof typeof screens;

function ConnectedPane({ app, session }: { app: PaneApp; session: Session }) {
  const styles = useStyles();
  const [screen, setScreen] = useState<Screen>("matrix");
  const [seen, setSeen] = useState<ReadonlySet<Screen>>(new Set());
  const show = (next: Screen) => {
    setScreen(next);
    setSeen((before) => new Set([...before, next]));
  };
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
            <ImportsScreen app={app} session={session} isShown={screen === "imports"} />
          )}
        </div>
      </ScreenBoundary>
      <ScreenBoundary>
        <div {...panel("cell")}>
          {seen.has("cell") && <CellScreen app={app} session={session} isShown={screen === "cell"} />}
        </div>
      </ScreenBoundary>
      <div {...panel("connection")}>
        <ConnectScreen app={app} session={session} />
      </div>
    </>
  );
}
