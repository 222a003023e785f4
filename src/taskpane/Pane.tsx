import { FluentProvider, makeStyles, Spinner, Tab, TabList, Text, tokens } from "@fluentui/react-components";
import { useState } from "react";
import type { App, Session } from "../app";
import { ConnectScreen } from "./connect/ConnectScreen";
import { CollectionScreen } from "./import/CollectionScreen";
import { MatrixScreen } from "./import/MatrixScreen";
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

export function Pane({ app, isInExcel }: { app: App; isInExcel: boolean }) {
  const styles = useStyles();
  const session = useSession(app);
  return (
    <FluentProvider theme={useTheme()}>
      {/* Not on the provider: Fluent gives its class to every popup as well. */}
      <div className={styles.page}>
        {!isInExcel ? (
          <main className={styles.screen}>
            <Text>
              This page is the pane of RegData for Excel. Open it in Excel, with RegData on the Home tab.
            </Text>
          </main>
        ) : session === undefined ? (
          <main className={styles.screen}>
            <Spinner label="Starting" />
          </main>
        ) : session === null ? (
          <main className={styles.screen}>
            <ConnectScreen app={app} session={null} />
          </main>
        ) : (
          // Another connection is another world: nothing chosen under one key is carried to the next.
          <ConnectedPane key={sessionKey(session)} app={app} session={session} />
        )}
      </div>
    </FluentProvider>
  );
}

const screens = { matrix: "Matrix", collection: "Collection", connection: "Connection" } as const;
type Screen = keyof typeof screens;

function ConnectedPane({ app, session }: { app: App; session: Session }) {
  const styles = useStyles();
  const [screen, setScreen] = useState<Screen>("matrix");
  return (
    <>
      <TabList selectedValue={screen} onTabSelect={(_, { value }) => setScreen(value as Screen)}>
        {Object.entries(screens).map(([value, label]) => (
          <Tab key={value} value={value}>
            {label}
          </Tab>
        ))}
      </TabList>
      {/* Hidden rather than left out: what was chosen on one tab is still there after a look at another. */}
      <main className={styles.screen} hidden={screen !== "matrix"}>
        <MatrixScreen app={app} session={session} />
      </main>
      <main className={styles.screen} hidden={screen !== "collection"}>
        <CollectionScreen app={app} session={session} isShown={screen === "collection"} />
      </main>
      <main className={styles.screen} hidden={screen !== "connection"}>
        <ConnectScreen app={app} session={session} />
      </main>
    </>
  );
}

const sessionKeys = new WeakMap<Session, string>();
let sessions = 0;

function sessionKey(session: Session): string {
  let key = sessionKeys.get(session);
  if (key === undefined) sessionKeys.set(session, (key = String((sessions += 1))));
  return key;
}
