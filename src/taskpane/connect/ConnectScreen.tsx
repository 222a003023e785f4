import {
  Button,
  Link,
  makeStyles,
  MessageBar,
  MessageBarBody,
  Subtitle2,
  Text,
  tokens,
} from "@fluentui/react-components";
import { useCallback, useEffect, useState } from "react";
import { config } from "../../config";
import { asFailure, type Failure } from "../../errors";
import { createConnectionSettings } from "../../settings/connection";
import { sampleConnectionKey } from "../../settings/sample-connection";
import { countWaiting } from "../../workbook/cell-formulas/answer-waiting";
import { createImportBook } from "../../workbook/imports/saved/import-book";
import { readLastKnown } from "../../workbook/last-known/last-known-book";
import { spills } from "../../workbook/sheet/excel-api";
import type { PaneApp } from "../pane-app";
import { About } from "../settings/About";
import { Connections } from "../settings/ConnectionList";
import { dayOf, unreadableSentence } from "../share/last-known-labels";
import { Details } from "../ui/Details";
import { FailureMessage } from "../ui/FailureMessage";
import { plural } from "../ui/labels";
import { useLoad } from "../ui/loading/use-load";
import { ConnectForm } from "./ConnectForm";

const useStyles = makeStyles({
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalL },
  heading: { margin: 0 },
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
});

/** Lets the user enter a connection, choose a stored one, or go on without any. */
export default function ConnectScreen({
  app,
  onContinue,
}: {
  app: PaneApp;
  /** Shows what the workbook holds; undefined if it is shown already. */
  onContinue?: () => void;
}) {
  const styles = useStyles();
  return (
    <div className={styles.column}>
      <Text>
        RegData brings permit fees, codes and review times of US jurisdictions into cells. Your subscription’s
        welcome mail has the address and key.
      </Text>
      <WorkbookLine app={app} />
      <Subtitle2 as="h2" className={styles.heading}>
        Connect to your data service
      </Subtitle2>
      <ConnectForm
        preset={app.presetService}
        label="Connect"
        keyHint="The key stays on this device. It is sent to this address only and never goes into a workbook."
        connect={({ address, key }) => app.connect(address, key)}
      />
      <div className={styles.row}>
        <SampleData app={app} />
        {onContinue && <Button onClick={onContinue}>Continue without a key</Button>}
      </div>
      <Connections app={app} session={null} />
      <Link href="help/help.html" target="_blank" rel="noreferrer noopener">
        Help
      </Link>
      <Details title="For support">
        <About app={app} session={null} />
      </Details>
    </div>
  );
}

/** Connects to the sample service, if whoever runs the page has named one. */
function SampleData({ app }: { app: PaneApp }) {
  const { value: sample } = useLoad(
    useCallback(() => createConnectionSettings(app.storage, sampleConnectionKey).read(), [app]),
  );
  const [isConnecting, setIsConnecting] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  if (!sample) return null;
  async function connect({ baseUrl, key }: NonNullable<typeof sample>) {
    setFailure(undefined);
    setIsConnecting(true);
    try {
      await app.connect(baseUrl, key);
    } catch (thrown) {
      setFailure(asFailure(thrown));
      setIsConnecting(false);
    }
  }
  return (
    <>
      <Button disabledFocusable={isConnecting} onClick={() => void connect(sample)}>
        {isConnecting ? "Connecting…" : "Try it with sample data"}
      </Button>
      {failure && <FailureMessage failure={failure} />}
    </>
  );
}

/** Says what somebody without a key sees in this workbook. It is read again whenever formulas have asked. */
function WorkbookLine({ app }: { app: PaneApp }) {
  const [sentence, setSentence] = useState("");
  useEffect(() => {
    let isOver = false;
    async function look() {
      const next = await workbookSentence(app).catch(() => undefined);
      if (!isOver && next !== undefined) setSentence(next);
    }
    void app.idle().then(look);
    const stop = app.onIdle(() => void look());
    return () => {
      isOver = true;
      stop();
    };
  }, [app]);
  if (sentence === "") return null;
  return (
    <MessageBar layout="multiline">
      <MessageBarBody>{sentence}</MessageBarBody>
    </MessageBar>
  );
}

/** Empty if the workbook holds nothing of RegData. */
async function workbookSentence({ workbook, hasExcelApi }: PaneApp): Promise<string> {
  const { signal } = new AbortController();
  const [{ values, unreadable }, { imports }, formulas] = await Promise.all([
    readLastKnown(workbook),
    createImportBook(workbook).list(),
    workbook.findFormulas("workbook", {
      namespace: config.namespace,
      canSeeSpills: hasExcelApi(spills),
      signal,
    }),
  ]);
  const waiting = await countWaiting(workbook, formulas, signal);
  return [
    // Some of them may have been in error for the author, too.
    waiting > 0 &&
      `${plural(waiting, "formula")} ${waiting === 1 ? "is" : "are"} without an answer. Connect to ask the service.`,
    values && `Formulas can show the author's values of ${dayOf(values)}. Connect to refresh them.`,
    !values &&
      waiting === 0 &&
      formulas.length > 0 &&
      "Formulas keep their saved values until Excel calculates them again. Connect to refresh them.",
    formulas.length === 0 &&
      imports.length > 0 &&
      "Values in this workbook stay as they were saved. Connect to refresh them.",
    unreadable > 0 && unreadableSentence,
  ]
    .filter(Boolean)
    .join(" ");
}
