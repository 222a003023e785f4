import { makeStyles, ProgressBar, Text } from "@fluentui/react-components";
import { useCallback, useState } from "react";
import type { KeptImport } from "../../../workbook/imports/saved/import-book";
import type { PastChange, PastRefresh } from "../../../workbook/imports/saved/refresh-history";
import { Confirmed } from "../../ui/Confirmed";
import { Details } from "../../ui/Details";
import { FailureMessage } from "../../ui/FailureMessage";
import { plural, shownName } from "../../ui/labels";
import { LineList } from "../../ui/lists/LineList";
import { useLoad } from "../../ui/loading/use-load";
import { dateAndTime } from "../ago";
import type { SavedImportsControl } from "../saved-imports-control";

const useStyles = makeStyles({
  list: { margin: 0, padding: 0, listStyleType: "none" },
});

/** The results of an import's earlier refreshes, as the workbook remembers them. */
export default function RefreshHistoryView({
  kept,
  imports,
}: {
  kept: KeptImport;
  imports: SavedImportsControl;
}) {
  const styles = useStyles();
  const [version, setVersion] = useState(0);
  // eslint-disable-next-line react-hooks/exhaustive-deps -- once for each time it is opened or cleared
  const load = useCallback(() => imports.history(kept), [version]);
  const { value: refreshes, failure, retry } = useLoad(load);
  if (failure) return <FailureMessage failure={failure} onRetry={retry} />;
  if (!refreshes) return <ProgressBar aria-label="Reading the history" />;
  if (refreshes.length === 0) return <Text>None yet. The next refresh will be listed here.</Text>;
  const nameOf = new Map(kept.saved.types.map(({ id, name }) => [id, name]));
  const line = ({ name, typeId, column, before, after, isUnsure }: PastChange) =>
    `${shownName(name)}: ${shownName(column ?? nameOf.get(typeId) ?? `Question ${typeId}`)}: ${before ?? "no value"} → ${after ?? "no value"}${isUnsure ? " (changed or edited)" : ""}`;
  return (
    <>
      <ul className={styles.list} role="list" aria-label={`History of ${kept.saved.name}`}>
        {refreshes.map((refresh) => (
          <li key={refresh.atMs}>
            <Past refresh={refresh} line={line} />
          </li>
        ))}
      </ul>
      <Confirmed
        label="Clear history…"
        confirm="Clear"
        onConfirm={async () => {
          await imports.clearHistory(kept);
          setVersion((before) => before + 1);
        }}
      >
        The workbook forgets what earlier refreshes of this import found. The table stays.
      </Confirmed>
    </>
  );
}

function Past({
  refresh: { atMs, changed, changes, entered = [], left = [] },
  line,
}: {
  refresh: PastRefresh;
  line: (change: PastChange) => string;
}) {
  const found = [
    ...(changed > 0 ? [`${plural(changed, "value")} changed`] : []),
    ...(entered.length > 0 ? [`${entered.length.toLocaleString()} entered`] : []),
    ...(left.length > 0 ? [`${left.length.toLocaleString()} left`] : []),
  ];
  const title = `${dateAndTime(atMs)}: ${found.length === 0 ? "nothing changed" : found.join(", ")}`;
  const [isOpen, setIsOpen] = useState(false);
  if (found.length === 0) return <Text>{title}</Text>;
  return (
    <Details title={title} onToggle={setIsOpen}>
      {isOpen && entered.length > 0 && <Text>Entered: {entered.map(shownName).join("; ")}</Text>}
      {isOpen && left.length > 0 && <Text>Left: {left.map(shownName).join("; ")}</Text>}
      {isOpen && changes.length > 0 && <LineList label={title} items={changes} line={line} />}
      {isOpen && changed > changes.length && (
        <Text>and {plural(changed - changes.length, "more value")}, not kept in the workbook.</Text>
      )}
    </Details>
  );
}
