import {
  Button,
  Field,
  Input,
  makeStyles,
  MessageBar,
  MessageBarActions,
  MessageBarBody,
  Text,
  tokens,
} from "@fluentui/react-components";
import { type FormEvent, useState } from "react";
import { isReadOtherwise, parseBaseUrl } from "../../engine/transport/base-url";
import { asFailure, Failure } from "../../errors";
import type { PresetService } from "../../settings/preset-service";
import { FailureMessage } from "../ui/FailureMessage";
import { KeyInput } from "./KeyInput";

const useStyles = makeStyles({
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalM },
  address: { overflowWrap: "anywhere" },
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
  main: { flexGrow: 1 },
});

/** A user's entries for a connection; the name may be blank. */
export interface ConnectionEntry {
  name: string;
  address: string;
  key: string;
}

/** Asks for the key; for the address unless the build fixes it; and for a name if there are other connections. */
export function ConnectForm({
  preset,
  address = "",
  label,
  keyHint,
  hasName = false,
  connect,
  onCancel,
}: {
  preset: PresetService | null;
  /** The address that stands in the field at first. */
  address?: string;
  /** The text of the button. */
  label: string;
  /** The help text below the key. */
  keyHint?: string;
  hasName?: boolean;
  connect: (entry: ConnectionEntry) => Promise<unknown>;
  /** Closes the form; without it, the form has no such button. */
  onCancel?: (() => void) | undefined;
}) {
  const styles = useStyles();
  const [entry, setEntry] = useState<ConnectionEntry>({
    name: "",
    address: preset?.baseUrl ?? address,
    key: "",
  });
  const [isChecking, setIsChecking] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  /** The address as the browser reads it, if that differs from what was typed. */
  const [readAs, setReadAs] = useState<string>();

  function submit(event: FormEvent) {
    event.preventDefault();
    const typed = withScheme(entry.address);
    const parsed = parseBaseUrl(typed);
    setFailure(undefined);
    // An address that the user did not type exactly is shown before the key is sent to it.
    const isOther =
      typed !== entry.address || ("baseUrl" in parsed && isReadOtherwise(typed, parsed.baseUrl));
    if ("baseUrl" in parsed && isOther) setReadAs(parsed.baseUrl);
    else void send(entry);
  }

  async function send(wanted: ConnectionEntry) {
    setEntry(wanted);
    setReadAs(undefined);
    setIsChecking(true);
    try {
      await connect(wanted);
    } catch (thrown) {
      setFailure(hereForKey(asFailure(thrown)));
      setIsChecking(false);
    }
  }

  const wasSent = failure && failure.kind !== "invalid-address";
  return (
    <form className={styles.column} onSubmit={submit}>
      {hasName && (
        <Field label="Name" hint="Optional. Without one, the states that the key covers name it.">
          <Input
            value={entry.name}
            maxLength={80}
            autoComplete="off"
            onChange={(_, { value }) => setEntry({ ...entry, name: value })}
          />
        </Field>
      )}
      {preset?.isFixed ? (
        <Text className={styles.address}>Service: {preset.baseUrl}</Text>
      ) : (
        <Field label="Service address" required>
          <Input
            // The field has no type "url", because an address without its scheme is completed here.
            inputMode="url"
            value={entry.address}
            placeholder="https://"
            autoComplete="off"
            readOnly={isChecking}
            // If the key was already sent, it is cleared, because it was entered for the old address.
            onChange={(_, { value }) => {
              setReadAs(undefined);
              setEntry({ ...entry, address: value, key: wasSent ? "" : entry.key });
            }}
          />
        </Field>
      )}
      <Field
        label="API key"
        required
        hint={wasSent && !entry.key ? "Enter it again for this address." : keyHint}
      >
        <KeyInput value={entry.key} onChange={(key) => setEntry({ ...entry, key })} />
      </Field>
      <div className={styles.row}>
        <Button
          className={styles.main}
          appearance="primary"
          type="submit"
          disabledFocusable={isChecking || entry.address === "" || entry.key === ""}
        >
          {isChecking ? "Checking the key…" : label}
        </Button>
        {onCancel && (
          <Button disabledFocusable={isChecking} onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
      {readAs !== undefined && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>
            Your key would be sent to{" "}
            <Text className={styles.address} weight="semibold">
              {readAs}
            </Text>
            . Is that your service?
          </MessageBarBody>
          <MessageBarActions>
            <Button onClick={() => void send({ ...entry, address: readAs })}>Connect to it</Button>
            <Button onClick={() => setReadAs(undefined)}>Cancel</Button>
          </MessageBarActions>
        </MessageBar>
      )}
      {failure && <FailureMessage failure={failure} />}
    </form>
  );
}

/** A refused key is corrected in this form, so the next step does not point to Settings. */
export function hereForKey(failure: Failure): Failure {
  return failure.kind === "wrong-key"
    ? new Failure("wrong-key", {
        detail: failure.detail,
        nextStep: "It may be wrong or expired. Check it above.",
        cause: failure,
      })
    : failure;
}

/** The same address, with https:// in front if it has no scheme. */
function withScheme(address: string): string {
  return /^[\w-]+(?:\.[\w-]+)*(?::\d+)?(?:\/|$)/.test(address.trim()) ? `https://${address.trim()}` : address;
}
