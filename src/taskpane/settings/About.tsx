import { Field, makeStyles, Text, Textarea, tokens } from "@fluentui/react-components";
import { useSyncExternalStore } from "react";
import type { Session } from "../../app";
import { withActive } from "../../settings/connection-list";
import { asImportForm } from "../fill/draft/import-form";
import type { PaneApp } from "../pane-app";
import { CopyButton } from "../ui/CopyButton";
import { Details } from "../ui/Details";
import { diagnosticFacts, diagnosticsText, type Surroundings } from "./diagnostics";
import { Section } from "./Section";
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

/** The version in package.json, defined by webpack. */
declare const addInVersion: string;

const version = addInVersion;

/** The facts that Office and the browser tell about themselves. */
function surroundings(): Surroundings {
  // Some hosts lack this, although its type says otherwise.
  const diagnostics = Office.context?.diagnostics as Office.ContextInformation | undefined;
  const theme = Office.context?.officeTheme as Office.OfficeTheme | undefined;
  const matches = (query: string) => window.matchMedia(query).matches;
  const appearance = [
    theme && `Excel ${theme.isDarkTheme ? "dark" : "light"}`,
    `system ${matches("(prefers-color-scheme: dark)") ? "dark" : "light"}`,
    matches("(forced-colors: active)") && "forced colors",
    `${window.innerWidth} pixels wide`,
  ];
  return {
    version,
    office: diagnostics
      ? `${diagnostics.host} ${diagnostics.platform} ${diagnostics.version}`
      : "does not tell",
    userAgent: navigator.userAgent,
    language: navigator.language,
    appearance: appearance.filter(Boolean).join(", "),
  };
}
