import { Link, makeStyles, MessageBar, MessageBarBody, Subtitle2, tokens } from "@fluentui/react-components";
import { useCallback } from "react";
import { readLastKnown } from "../../workbook/last-known/last-known-book";
import type { PaneApp } from "../pane-app";
import { About } from "../settings/About";
import { Connections } from "../settings/ConnectionList";
import { useLoad } from "../ui/loading/use-load";
import { dayOf, unreadableSentence } from "../share/last-known-labels";
import { ConnectForm } from "./ConnectForm";

const useStyles = makeStyles({
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalL },
});

/** Lets the user enter a connection, or choose a stored one. */
export default function ConnectScreen({ app }: { app: PaneApp }) {
  const styles = useStyles();
  return (
    <div className={styles.column}>
      <Subtitle2>Connect to your data service</Subtitle2>
      <MessageBar layout="multiline">
        <MessageBarBody>
          The key stays on this device. It is sent to this address only and never goes into a workbook.
        </MessageBarBody>
      </MessageBar>
      <ConnectForm
        preset={app.presetService}
        label="Connect"
        connect={({ address, key }) => app.connect(address, key)}
      />
      <Link href="help/help.html" target="_blank" rel="noreferrer noopener">
        Help
      </Link>
      <Unconnected app={app} />
    </div>
  );
}

/** The settings without a connection: whose values the workbook shows, the stored connections, and the facts for support. */
function Unconnected({ app }: { app: PaneApp }) {
  return (
    <>
      <LastKnownLine app={app} />
      <Connections app={app} session={null} />
      <About app={app} session={null} />
    </>
  );
}

// The line is placed first, although it loads later than the screen.
const useLineStyles = makeStyles({ first: { order: -1, flexShrink: 0 } });

/** Says which values somebody without a key sees in this workbook. */
function LastKnownLine({ app: { workbook } }: { app: PaneApp }) {
  const styles = useLineStyles();
  const { value, failure } = useLoad(useCallback(() => readLastKnown(workbook), [workbook]));
  if (!value && !failure) return null;
  const { values, unreadable = 0 } = value ?? {};
  return (
    <MessageBar layout="multiline" className={styles.first}>
      <MessageBarBody>
        {values
          ? `Formulas can show the author's values of ${dayOf(values)}. Connect to refresh them.`
          : "Values in this workbook stay as they were saved. Connect to refresh them."}
        {unreadable > 0 && ` ${unreadableSentence}`}
      </MessageBarBody>
    </MessageBar>
  );
}
