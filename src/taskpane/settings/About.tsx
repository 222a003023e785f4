import { Field, makeStyles, Text, Textarea, tokens } from "@fluentui/react-components";
import { useSyncExternalStore } from "react";
import type { Session } from "../../app";
import { withActive } from "../../settings/named-connections";
import { asImportForm } from "../fill/insert/import-form";
import type { PaneApp } from "../pane-app";
import { CopyButton } from "../ui/CopyButton";
import { Details } from "../ui/Details";
import { diagnosticFacts, diagnosticsText } from "./diagnostics";
import { Section } from "./Section";
import { surroundings, version } from "./surroundings";
import type { CacheFacts } from "./use-cache";

const useStyles = makeStyles({
  row: { display: "flex", flexWrap: "wrap", alignItems: "center", gap: tokens.spacingHorizontalS },
});

/** The add-in's version, and the facts to send to support. */
export function About({
  app,
  session,
  cache,
}: {
  app: PaneApp;
  session: Session | null;
  cache?: CacheFacts | null | undefined;
}) {
  const styles = useStyles();
  const connections = useSyncExternalStore(app.connections.onChange, app.connections.current);
  const defaults = useSyncExternalStore(app.importDefaults.onChange, app.importDefaults.current);
  const text = diagnosticsText(
    diagnosticFacts(app, session, {
      ...surroundings(),
      connections: (session ? withActive(connections, session.credentials) : connections).length,
      cache,
      importDefaults: asImportForm(defaults, app.workbook.hasNotes()),
    }),
  );
  return (
    <Section title="About">
      <Text>RegData for Excel {version}</Text>
      <div className={styles.row}>
        <CopyButton label="Copy diagnostics" text={text} />
      </div>
      <Details title="What is copied">
        <Field
          label="Diagnostics"
          hint="For support. Contains no key, no jurisdictions and nothing from your workbook."
        >
          <Textarea readOnly rows={10} value={text} />
        </Field>
      </Details>
    </Section>
  );
}
