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
import { useState } from "react";
import type { Session } from "../app";
import type { PaneApp } from "./pane-app";
import { ConnectScreen } from "./connect/ConnectScreen";
import { CollectionScreen } from "./import/CollectionScreen";
import { MatrixScreen } from "./import/MatrixScreen";
import { FailureMessage } from "./ui/FailureMessage";
import { NoticeBars } from "./ui/NoticeBars";
import { useLoad } from "./ui/use-load";
import { useSession } from "./ui/use-session";
import { useTheme } from "./ui/use-theme";

const useStyles = makeStyles({
  page: { minHeight: "100vh", backgroundColor: tokens.colorNeutralBackground1 },
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

const screens = { matrix: "Matrix", collection: "Collection", connection: "Connection" } as const;
type Screen = keyof typeof screens;

function ConnectedPane({ app, session }: { app: PaneApp; session: Session }) {
  const styles = useStyles();
  const [screen, setScreen] = useState<Screen>("matrix");
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
        selectedValue={screen}
        onTabSelect={(_, { value }) => setScreen(value as Screen)}
      >
        {Object.entries(screens).map(([value, label]) => (
          <Tab key={value} value={value} id={`${value}-tab`} aria-controls={`${value}-panel`}>
            {label}
          </Tab>
        ))}
      </TabList>
      <div {...panel("matrix")}>
        <MatrixScreen app={app} session={session} />
      </div>
      <div {...panel("collection")}>
        <CollectionScreen app={app} session={session} isShown={screen === "collection"} />
      </div>
      <div {...panel("connection")}>
        <ConnectScreen app={app} session={session} />
      </div>
    </>
  );
}
