import { Button, Field, Input, makeStyles, Text, tokens } from "@fluentui/react-components";
import { type FormEvent, useState } from "react";
import { asFailure, type Failure } from "../../errors";
import type { PresetService } from "../../settings/preset-service";
import { FailureMessage } from "../ui/FailureMessage";

const useStyles = makeStyles({
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalM },
  address: { overflowWrap: "anywhere" },
  narrow: { minWidth: 0, "& input": { minWidth: 0 } },
});

/** What a user tells of a connection; the name may be blank. */
export interface ConnectionEntry {
  name: string;
  address: string;
  key: string;
}

/** Asks for the key, for the address unless it is fixed, and for a name where there are others. */
export function ConnectForm({
  preset,
  label,
  hasName = false,
  connect,
}: {
  preset: PresetService | null;
  /** What the button says. */
  label: string;
  hasName?: boolean;
  connect: (entry: ConnectionEntry) => Promise<void>;
}) {
  const styles = useStyles();
  const [entry, setEntry] = useState<ConnectionEntry>({
    name: "",
    address: preset?.baseUrl ?? "",
    key: "",
  });
  const [isChecking, setIsChecking] = useState(false);
  const [failure, setFailure] = useState<Failure>();

  async function submit(event: FormEvent) {
    event.preventDefault();
    setIsChecking(true);
    setFailure(undefined);
    try {
      await connect(entry);
    } catch (thrown) {
      setFailure(asFailure(thrown));
      setIsChecking(false);
    }
  }

  const wasSent = failure && failure.kind !== "invalid-address";
  return (
    <form className={styles.column} onSubmit={(event) => void submit(event)}>
      {hasName && (
        <Field label="Name" hint="Without one it is called like its service.">
          <Input
            className={styles.narrow}
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
            className={styles.narrow}
            type="url"
            value={entry.address}
            placeholder="https://"
            autoComplete="off"
            readOnly={isChecking}
            // A key that was sent was entered for the address that it was sent to.
            onChange={(_, { value }) => setEntry({ ...entry, address: value, key: wasSent ? "" : entry.key })}
          />
        </Field>
      )}
      <Field
        label="API key"
        required
        hint={wasSent && !entry.key ? "Enter it again for this address." : null}
      >
        <Input
          className={styles.narrow}
          type="password"
          value={entry.key}
          autoComplete="off"
          onChange={(_, { value }) => setEntry({ ...entry, key: value })}
        />
      </Field>
      <Button
        appearance="primary"
        type="submit"
        disabledFocusable={isChecking || entry.address === "" || entry.key === ""}
      >
        {isChecking ? "Checking the key…" : label}
      </Button>
      {failure && <FailureMessage failure={failure} />}
    </form>
  );
}
