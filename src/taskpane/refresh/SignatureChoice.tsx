import { Checkbox, Field } from "@fluentui/react-components";
import { useMemo, useState, useSyncExternalStore } from "react";
import type { Session } from "../../app";
import { asFailure, type Failure } from "../../errors";
import { createSignature, signatureOf } from "../../settings/signature";
import type { PaneApp } from "../pane-app";
import { FailureMessage } from "../ui/FailureMessage";
import { useLoad } from "../ui/loading/use-load";

/** Lets the user choose if a refresh notes the connection's name in the workbook, where colleagues can read it. */
export function SignatureChoice({ app, session }: { app: PaneApp; session: Session }) {
  const { connections } = app;
  const signature = useMemo(() => createSignature(app.storage), [app]);
  const unread = useLoad(signature.read).failure;
  const [refused, setRefused] = useState<Failure>();
  const mayTell = useSyncExternalStore(signature.onChange, signature.current);
  const kept = useSyncExternalStore(connections.onChange, connections.current);
  const failure = refused ?? unread;
  const name = signatureOf(kept, session.credentials);
  const hint =
    name === undefined
      ? "This connection’s name looks like an API key. Rename it under Settings to turn this on."
      : `Colleagues will see: ${name}`;
  return (
    <>
      <Field hint={hint}>
        <Checkbox
          label="Show colleagues which connection I refreshed with"
          checked={mayTell}
          onChange={(_, { checked }) => {
            setRefused(undefined);
            signature
              .change(() => checked === true)
              .catch((thrown: unknown) => setRefused(asFailure(thrown)));
          }}
        />
      </Field>
      {failure && <FailureMessage failure={failure} />}
    </>
  );
}
