import { Link, makeStyles, MessageBar, MessageBarBody, Subtitle2, tokens } from "@fluentui/react-components";
import type { PaneApp } from "../pane-app";
import { Unconnected } from "../settings/Unconnected";
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
