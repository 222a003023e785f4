import {
  Button,
  Field,
  Input,
  makeStyles,
  MessageBar,
  MessageBarBody,
  Text,
  tokens,
} from "@fluentui/react-components";
import { useCallback, useRef, useState, useSyncExternalStore } from "react";
import type { Session } from "../../app";
import { hostOf, mostConnections } from "../../settings/connection-list";
import type { NamedConnection } from "../../settings/named-connections";
import { maskedKey } from "../../settings/masked-key";
import { ConnectForm, hereForKey } from "../connect/ConnectForm";
import { keptCoverage } from "../connect/coverage";
import { KeyInput } from "../connect/KeyInput";
import { type Connections as KeptConnections, useConnections } from "../connect/use-connections";
import type { PaneApp } from "../pane-app";
import { asFailure, type Failure } from "../../errors";
import { Confirmed } from "../ui/Confirmed";
import { FailureMessage } from "../ui/FailureMessage";
import { shownName } from "../ui/labels";
import { useLoad } from "../ui/loading/use-load";
import { Section } from "./Section";

const useStyles = makeStyles({
  list: {
    display: "flex",
    flexDirection: "column",
    gap: tokens.spacingVerticalM,
    margin: 0,
    padding: 0,
    listStyleType: "none",
  },
  item: {
    display: "flex",
    flexDirection: "column",
    gap: tokens.spacingVerticalXS,
    paddingLeft: tokens.spacingHorizontalS,
    borderLeft: `${tokens.strokeWidthThicker} solid ${tokens.colorNeutralStroke2}`,
  },
  active: { borderLeftColor: tokens.colorBrandStroke1 },
  facts: { overflowWrap: "anywhere" },
  row: { display: "flex", flexWrap: "wrap", alignItems: "end", gap: tokens.spacingHorizontalS },
});

/** The stored connections. Without a session they can be chosen, and nothing is shown if there are none. */
export function Connections({ app, session }: { app: PaneApp; session: Session | null }) {
  const styles = useStyles();
  const connections = useConnections(app);
  const { list, unread, failure, replaced } = connections;
  if (!session && list.length === 0 && !unread && !failure) return null;
  const canUse = !session && list.some(connections.isUsable);
  return (
    <Section title={canUse ? "Or use a saved connection" : "Connections"}>
      {unread && <FailureMessage failure={unread} onRetry={connections.retry} />}
      {list.length > 0 && (
        // Safari does not treat a list without bullets as a list unless its role says so.
        <ul className={styles.list} role="list" aria-label="Saved connections">
          {list.map((connection) => (
            <OneConnection
              key={`${connection.baseUrl} ${connection.key}`}
              app={app}
              connection={connection}
              connections={connections}
            />
          ))}
        </ul>
      )}
      {failure && <FailureMessage failure={failure} />}
      {replaced && (
        <MessageBar intent="success" layout="multiline">
          <MessageBarBody>
            The key of “{shownName(replaced.name)}” is replaced. “{shownName(replaced.inUse)}” stays in use.
          </MessageBarBody>
        </MessageBar>
      )}
      {session && (
        <>
          <Text size={200}>Keys are kept on this device, never in a workbook.</Text>
          <AddConnection app={app} address={session.credentials.baseUrl} connections={connections} />
        </>
      )}
    </Section>
  );
}

function OneConnection({
  app,
  connection,
  connections,
}: {
  app: PaneApp;
  connection: NamedConnection;
  connections: KeptConnections;
}) {
  const styles = useStyles();
  const [isRenaming, setIsRenaming] = useState(false);
  const [isReplacing, setIsReplacing] = useState(false);
  const rename = useRef<HTMLButtonElement>(null);
  const { name, baseUrl, key } = connection;
  const isActive = connections.isActive(connection);
  const coverage = useCoverage(app, isActive, connection);
  const isChecked = connections.checked === connection;
  const isUsable = connections.isUsable(connection);
  return (
    <li className={isActive ? `${styles.item} ${styles.active}` : styles.item}>
      <Text className={styles.facts}>
        <Text weight="semibold">{name}</Text>
        {isActive && " (in use)"}
        <br />
        <Text size={200}>
          {name !== hostOf(baseUrl) && `${hostOf(baseUrl)}, `}key {maskedKey(key)}
          {coverage && `, ${coverage}`}
          {!isUsable && ". This add-in can’t use this service."}
        </Text>
      </Text>
      <Confirmed
        label="Forget…"
        name={`Forget ${name}…`}
        confirm="Forget it"
        isDisabled={connections.checked !== undefined}
        besides={
          <>
            {!isActive && isUsable && (
              <Button
                size="small"
                disabledFocusable={connections.checked !== undefined}
                onClick={() => void connections.use(connection)}
                aria-label={`Use ${name}`}
              >
                {isChecked ? "Checking the key…" : "Use"}
              </Button>
            )}
            <Button
              ref={rename}
              size="small"
              aria-expanded={isRenaming}
              onClick={() => setIsRenaming((before) => !before)}
              aria-label={`Rename ${name}`}
            >
              Rename
            </Button>
            {isUsable && (
              <Button
                size="small"
                aria-expanded={isReplacing}
                onClick={() => setIsReplacing((before) => !before)}
                aria-label={`Replace key of ${name}…`}
              >
                Replace key…
              </Button>
            )}
          </>
        }
        onConfirm={() => connections.forget(connection)}
      >
        Forget “{shownName(name)}” ({hostOf(baseUrl)}, key {maskedKey(key)})? This deletes the key and all
        answers fetched with it from this device. Values in cells stay.
      </Confirmed>
      {isReplacing && (
        <ReplaceKey
          onDone={async (newKey) => {
            await connections.replaceKey(connection, newKey);
            setIsReplacing(false);
          }}
        />
      )}
      {isRenaming && (
        <Rename
          name={name}
          onDone={(newName) => {
            rename.current?.focus();
            setIsRenaming(false);
            void connections.rename(connection, newName);
          }}
        />
      )}
    </li>
  );
}

/** The coverage of the connection's key when it was last connected, in words. */
function useCoverage(app: PaneApp, isActive: boolean, { covers }: NamedConnection): string | undefined {
  const { connected } = useSyncExternalStore(app.onNoticesChange, app.notices);
  const read = useCallback(
    async () => (isActive ? keptCoverage((await app.session()).documents) : undefined),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- it is written when a connection begins
    [app, isActive, connected],
  );
  return useLoad(read).value ?? covers;
}

/** Asks for another key to the same service, and has the service check it. */
function ReplaceKey({ onDone }: { onDone: (key: string) => Promise<void> }) {
  const styles = useStyles();
  const [key, setKey] = useState("");
  const [failure, setFailure] = useState<Failure>();
  const [isChecking, setIsChecking] = useState(false);
  return (
    <form
      className={styles.row}
      onSubmit={(event) => {
        event.preventDefault();
        if (key.trim() === "" || isChecking) return;
        setFailure(undefined);
        setIsChecking(true);
        onDone(key).catch((thrown: unknown) => {
          setFailure(hereForKey(asFailure(thrown)));
          setIsChecking(false);
        });
      }}
    >
      <Field label="New API key">
        <KeyInput autoFocus value={key} onChange={setKey} />
      </Field>
      <Button type="submit" disabledFocusable={key.trim() === "" || isChecking}>
        {isChecking ? "Checking the key…" : "Replace"}
      </Button>
      {failure && <FailureMessage failure={failure} />}
    </form>
  );
}

function Rename({ name, onDone }: { name: string; onDone: (name: string) => void }) {
  const styles = useStyles();
  const [text, setText] = useState(name);
  return (
    <form
      className={styles.row}
      onSubmit={(event) => {
        event.preventDefault();
        onDone(text.trim() || name);
      }}
    >
      <Field label="Name">
        <Input
          value={text}
          autoFocus
          onFocus={({ currentTarget }) => currentTarget.select()}
          maxLength={80}
          onChange={(_, { value }) => setText(value)}
        />
      </Field>
      <Button type="submit">Save</Button>
    </form>
  );
}

function AddConnection({
  app,
  address,
  connections,
}: {
  app: PaneApp;
  /** The address of the connection in use: most further connections are other keys to the same service. */
  address: string;
  connections: KeptConnections;
}) {
  const styles = useStyles();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const isFull = connections.list.length >= mostConnections;
  return (
    <>
      <div className={styles.row}>
        <Button
          ref={button}
          aria-expanded={isOpen && !isFull}
          disabledFocusable={isFull}
          onClick={() => setIsOpen((before) => !before)}
        >
          Add a connection…
        </Button>
      </div>
      {isFull && (
        <MessageBar layout="multiline">
          <MessageBarBody>You can save up to {mostConnections} connections. Forget one first.</MessageBarBody>
        </MessageBar>
      )}
      {isOpen && !isFull && (
        <ConnectForm
          preset={app.presetService}
          address={address}
          hasName
          label="Add and use"
          connect={connections.add}
          onCancel={() => {
            button.current?.focus();
            setIsOpen(false);
          }}
        />
      )}
    </>
  );
}
