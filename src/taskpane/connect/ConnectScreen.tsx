import {
  Button,
  Checkbox,
  Field,
  Input,
  makeStyles,
  MessageBar,
  MessageBarBody,
  Select,
  Subtitle2,
  Text,
  tokens,
} from "@fluentui/react-components";
import { type FormEvent, useState } from "react";
import type { Session } from "../../app";
import type { PaneApp } from "../pane-app";
import { asFailure, type Failure } from "../../errors";
import { maskedKey } from "../../settings/connection";
import { numbersWithProperties } from "../../sheet/excel-api";
import { FailureMessage } from "../ui/FailureMessage";

const useStyles = makeStyles({
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalM },
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
  facts: { wordBreak: "break-all" },
});

/** Enter, see and forget the connection. */
export function ConnectScreen({ app, session }: { app: PaneApp; session: Session | null }) {
  return session ? <Connection app={app} session={session} /> : <ConnectForm app={app} />;
}

function Connection({ app, session }: { app: PaneApp; session: Session }) {
  const styles = useStyles();
  const [failure, setFailure] = useState<Failure>();
  const act = (work: () => Promise<void>) => () => {
    setFailure(undefined);
    work().catch((thrown: unknown) => setFailure(asFailure(thrown, "sheet-refused")));
  };
  return (
    <div className={styles.column}>
      <Subtitle2>Connected</Subtitle2>
      <Text className={styles.facts}>
        Service: {session.credentials.baseUrl}
        <br />
        API key: {maskedKey(session.credentials.key)}
      </Text>
      <Text>The key is kept for you on this device, never in a workbook.</Text>
      <AnswerAge app={app} onFailure={setFailure} />
      <CitedNumbers app={app} onFailure={setFailure} />
      <div className={styles.row}>
        <Button onClick={act(() => app.workbook.recalculate())}>Recalculate formulas</Button>
        <Button onClick={act(() => app.forget())}>Forget this key</Button>
      </div>
      {failure && <FailureMessage failure={failure} />}
    </div>
  );
}

function ConnectForm({ app }: { app: PaneApp }) {
  const styles = useStyles();
  const [address, setAddress] = useState("");
  const [key, setKey] = useState("");
  const [isChecking, setIsChecking] = useState(false);
  const [failure, setFailure] = useState<Failure>();

  async function connect(event: FormEvent) {
    event.preventDefault();
    setIsChecking(true);
    setFailure(undefined);
    try {
      await app.connect(address, key);
    } catch (thrown) {
      setFailure(asFailure(thrown, "unexpected-answer"));
      setIsChecking(false);
    }
  }

  return (
    <form className={styles.column} onSubmit={(event) => void connect(event)}>
      <Subtitle2>Connect to your data service</Subtitle2>
      <MessageBar layout="multiline">
        <MessageBarBody>
          The key stays with you, on this device. It is sent to this address only and never goes into a
          workbook.
        </MessageBarBody>
      </MessageBar>
      <Field label="Service address" required>
        <Input
          type="url"
          value={address}
          placeholder="https://"
          autoComplete="off"
          onChange={(_, { value }) => setAddress(value)}
        />
      </Field>
      <Field label="API key" required>
        <Input type="password" value={key} autoComplete="off" onChange={(_, { value }) => setKey(value)} />
      </Field>
      <Button appearance="primary" type="submit" disabled={isChecking || address === "" || key === ""}>
        {isChecking ? "Checking the key…" : "Connect"}
      </Button>
      {failure && <FailureMessage failure={failure} />}
    </form>
  );
}

const answerAges = {
  "an hour": 3_600_000,
  "a day": 86_400_000,
  "a week": 604_800_000,
  "30 days": 2_592_000_000,
};

/** How old an answer may be before it is asked for again. */
function AnswerAge({ app, onFailure }: { app: PaneApp; onFailure: (failure: Failure) => void }) {
  const [ageMs, setAgeMs] = useState(app.preferences().answerAgeMs);
  const isListed = Object.values(answerAges).includes(ageMs);

  async function choose(chosenMs: number) {
    try {
      await app.setPreferences({ ...app.preferences(), answerAgeMs: chosenMs });
      setAgeMs(chosenMs);
    } catch (thrown) {
      onFailure(asFailure(thrown, "storage-failed"));
    }
  }

  return (
    <Field label="Use answers for" hint="Older ones are asked for again when a formula needs them.">
      <Select value={ageMs} onChange={(_, { value }) => void choose(Number(value))}>
        {Object.entries(answerAges).map(([name, ms]) => (
          <option key={name} value={ms}>
            {name}
          </option>
        ))}
        {!isListed && <option value={ageMs}>{ageMs / 3_600_000} hours</option>}
      </Select>
    </Field>
  );
}

/** Whether formulas give numbers with their published format and their citation. */
function CitedNumbers({ app, onFailure }: { app: PaneApp; onFailure: (failure: Failure) => void }) {
  const [isOn, setIsOn] = useState(app.preferences().citedNumbers);
  const isPossible = app.hasExcelApi(numbersWithProperties);

  async function choose(citedNumbers: boolean) {
    try {
      await app.setPreferences({ ...app.preferences(), citedNumbers });
      setIsOn(citedNumbers);
    } catch (thrown) {
      onFailure(asFailure(thrown, "storage-failed"));
    }
  }

  return (
    <Field
      hint={
        isPossible
          ? "Numbers in formulas look as published, and their card shows where they are written. It takes more requests. Cells follow when they are recalculated."
          : "This Excel can't show citations on numbers."
      }
    >
      <Checkbox
        label="Numbers carry their citation"
        checked={isOn && isPossible}
        disabled={!isPossible}
        onChange={(_, { checked }) => void choose(checked === true)}
      />
    </Field>
  );
}
