import { Text } from "@fluentui/react-components";
import { clockTime } from "../../errors";
import type { PaneApp } from "../pane-app";
import { Confirmed } from "../ui/Confirmed";
import { FactTable } from "./FactTable";
import { megabytes } from "./megabytes";
import { Section } from "./Section";
import type { CacheFacts } from "./use-cache";

/** The answers of this connection that the device stores, and a button that erases them. */
export function CacheSection({ app, cache }: { app: PaneApp; cache: CacheFacts | null | undefined }) {
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
