import { Checkbox, Field, makeStyles, mergeClasses, Select, Text, tokens } from "@fluentui/react-components";
import { useEffect, useState, useSyncExternalStore } from "react";
import type { Session } from "../../app";
import { defaultPreferences, type Preferences } from "../../settings/preferences";
import { asFailure, clockTime, type Failure } from "../../errors";
import { numbersWithProperties } from "../../workbook/sheet/excel-api";
import type { PaneApp } from "../pane-app";
import { Confirmed } from "../ui/Confirmed";
import { Details } from "../ui/Details";
import { ScreenBoundary } from "../ui/loading/ScreenBoundary";
import { FormPicker } from "../fill/insert/FormPicker";
import { asImportForm, type ImportForm } from "../fill/draft/import-form";
import { FailureMessage } from "../ui/FailureMessage";
import { About } from "./About";
import { Connections } from "./ConnectionList";
import { Section } from "./Section";
import { type CacheFacts, useCache } from "./use-cache";
import { FactTable } from "./FactTable";
import { megabytes } from "./megabytes";

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
  /** Null without a key. */
  session: Session | null;
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
          {session && (
            <>
              <ScreenBoundary>
                <Limits session={session} isShown={isShown} />
              </ScreenBoundary>
              <ScreenBoundary>
                <CacheSection app={app} cache={cache} />
              </ScreenBoundary>
            </>
          )}
          <ScreenBoundary>
            <About app={app} session={session} cache={cache} />
          </ScreenBoundary>
        </div>
      </Details>
    </div>
  );
}

/** The user's choices with which a new import begins. */
function ImportDefaultsSection({ app }: { app: PaneApp }) {
  const { importDefaults } = app;
  const defaults = useSyncExternalStore(importDefaults.onChange, importDefaults.current);
  const hasNotes = app.workbook.hasNotes();
  const [failure, setFailure] = useState<Failure>();

  function choose(form: ImportForm) {
    setFailure(undefined);
    importDefaults.change(() => form).catch((thrown: unknown) => setFailure(asFailure(thrown)));
  }

  return (
    <Section title="New imports">
      <Text size={200}>Defaults for new tables.</Text>
      <FormPicker form={asImportForm(defaults, hasNotes)} onChange={choose} hasNotes={hasNotes} />
      {failure && <FailureMessage failure={failure} />}
    </Section>
  );
}

/** The answers of this connection that the device stores, and a button that erases them. */
function CacheSection({ app, cache }: { app: PaneApp; cache: CacheFacts | null | undefined }) {
  return (
    <Section title="Kept answers">
      {cache && <FactTable label="Kept answers" rows={cacheRows(cache)} />}
      {cache === undefined && <Text>Counting…</Text>}
      {cache === null && <Text>This device can't keep answers.</Text>}
      <Confirmed label="Clear…" confirm="Clear" onConfirm={app.clear}>
        This erases the answers kept for this connection, the earlier texts that refreshes compare with, and
        what is chosen on the other tabs. A running import stops. Cells stay as they are until they are
        refreshed; then the service is asked again.
      </Confirmed>
    </Section>
  );
}

function cacheRows({ answers, jurisdictions, oldestMs, newestMs, bytes }: CacheFacts): [string, string][] {
  return [
    ["Answers", answers.toLocaleString()],
    ["Jurisdictions", jurisdictions.toLocaleString()],
    ...(oldestMs === null || newestMs === null
      ? []
      : [
          ["Oldest jurisdiction", clockTime(oldestMs)] as [string, string],
          ["Newest jurisdiction", clockTime(newestMs)] as [string, string],
        ]),
    ...(bytes === undefined
      ? []
      : [["Storage used", `${megabytes(bytes)}, for all connections`] as [string, string]]),
  ];
}

const lookAgainMs = 1_000;

/** The rest of the request limit and the time when it resets, as far as the service has told. */
function Limits({ session, isShown }: { session: Session; isShown: boolean }) {
  const { windows } = useLimits(session, isShown);
  return (
    <Section title="Request limits">
      {windows.length === 0 ? (
        <Text>Unknown until the next request.</Text>
      ) : (
        <FactTable
          label="Request limits"
          head={["Requests left", "Resets"]}
          rows={windows.map(({ left, resetsAtMs }) => [
            left.toLocaleString(),
            `${clockTime(resetsAtMs)}, in ${timeUntil(resetsAtMs)}`,
          ])}
        />
      )}
      <Text size={200}>
        The service limits requests per minute, hour and day. It reports the limit that runs out first.
      </Text>
    </Section>
  );
}

function useLimits({ limit }: Session, isShown: boolean) {
  const [known, setKnown] = useState(limit);
  useEffect(() => {
    if (!isShown) return;
    const look = () => setKnown(limit());
    look();
    const timer = setInterval(look, lookAgainMs);
    return () => clearInterval(timer);
  }, [limit, isShown]);
  return known;
}

function timeUntil(ms: number): string {
  const seconds = Math.max(0, Math.ceil((ms - Date.now()) / 1_000));
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

const answerAges = {
  "an hour": 3_600_000,
  "a day": 86_400_000,
  "a week": 604_800_000,
  "30 days": 2_592_000_000,
};

/** The user's choices of the age that an answer may have, and of numbers that carry their citation. */
function FormulaPreferences({ app }: { app: PaneApp }) {
  const [{ answerAgeMs, citedNumbers }, setPreferences] = useState(app.preferences);
  const [failure, setFailure] = useState<Failure>();
  const isListed = Object.values(answerAges).includes(answerAgeMs);
  const canCite = app.hasExcelApi(numbersWithProperties) && app.hasDataTypes();

  async function choose(choice: Partial<Preferences>) {
    setFailure(undefined);
    try {
      await app.setPreferences({ ...app.preferences(), ...choice });
      setPreferences(app.preferences());
    } catch (thrown) {
      setFailure(asFailure(thrown));
    }
  }

  return (
    <Section title="Formulas">
      <Field label="Keep answers for" hint="Older answers are fetched again when a formula needs them.">
        <Select value={answerAgeMs} onChange={(_, { value }) => void choose({ answerAgeMs: Number(value) })}>
          {Object.entries(answerAges).map(([name, ms]) => (
            <option key={name} value={ms}>
              {name}
            </option>
          ))}
          {!isListed && <option value={answerAgeMs}>{answerAgeMs / 3_600_000} hours</option>}
        </Select>
      </Field>
      <Field
        hint={
          canCite
            ? "Numbers in formulas look as published and carry a card with their source. This takes more requests and applies once formulas are refreshed."
            : "This Excel can't show citations on numbers."
        }
      >
        <Checkbox
          label="Numbers carry their citation"
          checked={citedNumbers && canCite}
          disabled={!canCite}
          onChange={(_, { checked }) => void choose({ citedNumbers: checked === true })}
        />
      </Field>
      {failure && <FailureMessage failure={failure} />}
    </Section>
  );
}
