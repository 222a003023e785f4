import { makeStyles, mergeClasses, tokens } from "@fluentui/react-components";
import { useState } from "react";
import type { Session } from "../../app";
import { defaultPreferences } from "../../settings/preferences";
import type { PaneApp } from "../pane-app";
import { About } from "./About";
import { CacheSection } from "./CacheSection";
import { Confirmed } from "../ui/Confirmed";
import { Details } from "../ui/Details";
import { ScreenBoundary } from "../ui/loading/ScreenBoundary";
import { Connections } from "./ConnectionList";
import { FormulaPreferences } from "./FormulaPreferences";
import { ImportDefaultsSection } from "./ImportDefaultsSection";
import { Limits } from "./Limits";
import { Section } from "./Section";
import { useCache } from "./use-cache";

const useStyles = makeStyles({
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalXL },
  support: { paddingTop: tokens.spacingVerticalS },
});

/** Kept outside of the screen: clearing the cache begins a new session and so a new screen, which shows the same part open. */
let wasSupportOpen = false;

/** The user's preferences, and facts about the connection. */
export default function SettingsScreen({
  app,
  session,
  isShown,
}: {
  app: PaneApp;
  session: Session;
  isShown: boolean;
}) {
  const styles = useStyles();
  const cache = useCache(session, isShown);
  const [resets, setResets] = useState(0);

  async function reset() {
    await app.setPreferences(defaultPreferences);
    setResets((before) => before + 1);
    await app.importDefaults.change(() => null);
  }

  return (
    <div className={styles.column}>
      {/* Each part has a boundary of its own: if one fails, the key can still be forgotten and the cache cleared. */}
      <ScreenBoundary>
        <Connections app={app} session={session} />
      </ScreenBoundary>
      <ScreenBoundary>
        {/* The key makes the part start anew after a reset, with the current preferences. */}
        <FormulaPreferences key={resets} app={app} />
        <ImportDefaultsSection app={app} />
      </ScreenBoundary>
      <Section title="Reset">
        <Confirmed label="Reset…" confirm="Reset" onConfirm={reset}>
          This restores the defaults under Formulas and New imports. Connections, saved selections and kept
          answers stay.
        </Confirmed>
      </Section>
      <Details title="For support" isOpen={wasSupportOpen} onToggle={(isOpen) => (wasSupportOpen = isOpen)}>
        <div className={mergeClasses(styles.column, styles.support)}>
          <ScreenBoundary>
            <Limits session={session} isShown={isShown} />
          </ScreenBoundary>
          <ScreenBoundary>
            <CacheSection app={app} cache={cache} />
          </ScreenBoundary>
          <ScreenBoundary>
            <About app={app} session={session} cache={cache} />
          </ScreenBoundary>
        </div>
      </Details>
    </div>
  );
}
