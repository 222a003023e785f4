import {
  Button,
  makeStyles,
  MessageBar,
  MessageBarBody,
  MessageBarTitle,
  Text,
  tokens,
} from "@fluentui/react-components";
import { type ReactNode, useMemo } from "react";
import {
  type Correction,
  correctionLine,
  misreadingWords,
  summarizeList,
} from "../../../../engine/lookup/lists/list-summary";
import { isEmptyList } from "../../../../engine/lookup/lists/list-entries";
import { groupBy } from "../../../../lists";
import { CopyButton } from "../../../ui/CopyButton";
import { Details } from "../../../ui/Details";
import { LineList } from "../../../ui/lists/LineList";
import { fullAhjLabel, plural, shownName } from "../../../ui/labels";
import type { Unmatched } from "../jurisdiction-choice";
import { NameList } from "../NameList";
import type { Jurisdictions } from "../use-jurisdictions";
import { isUnmatchedName, unmatchedLine } from "./unmatched-words";

const useStyles = makeStyles({
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalXS },
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
});

/** The place of a list's row in the sheet. */
type PlaceOfRow = (row: number) => { address: string; goTo: () => void };

/** A list at a glance: how its entries were understood, each kind of correction, and each entry that gave no jurisdiction. */
export default function ListAtAGlance({
  jurisdictions,
  placeOfRow,
}: {
  jurisdictions: Jurisdictions;
  /** The cell of a list's row, if the list is in the sheet. */
  placeOfRow?: PlaceOfRow;
}) {
  const styles = useStyles();
  const { unmatched, lastList, found, questions, lastState, isResolving } = jurisdictions;
  const summary = useMemo(() => {
    if (!lastList || isResolving) return null;
    return summarizeList(lastList, { found, open: new Set(questions.map(({ key }) => key)) });
  }, [lastList, found, questions, isResolving]);
  const named = found.filter(({ how }) => how === "name");
  return (
    <>
      {lastState && (
        <Notice
          title={`${plural(lastState.found, lastState.kind ?? "jurisdiction")} of ${lastState.state}`}
          isGood
        >
          {lastState.missing > 0 &&
            `The service counts ${plural(lastState.missing, "jurisdiction")} more that it does not list.`}
        </Notice>
      )}
      {lastList && isEmptyList(lastList) && <Notice title="The list has no geoIDs or names." />}
      {lastList && summary && lastList.entries.length > 0 && (
        <section className={styles.column} aria-label="The list at a glance">
          <Text role="status">{summary.line}</Text>
          {lastList.joined !== undefined && (
            <Text>“{shownName(lastList.joined)}”, the column beside it, was read with it.</Text>
          )}
          <Headings headings={lastList.headings} />
          {lastList.unread.length > 0 && (
            <NameList
              title={`Columns that were not used: ${lastList.unread.length.toLocaleString()}`}
              lines={() => lastList.unread.map(shownName)}
            />
          )}
          {summary.corrections.map((correction) => (
            <CorrectionGroup key={correction.how} correction={correction} jurisdictions={jurisdictions} />
          ))}
          {named.length > 0 && (
            <NameList
              title={`${plural(named.length, "name")} found`}
              lines={() => named.map(({ given, ahj }) => `${shownName(given)}: ${fullAhjLabel(ahj)}`)}
            />
          )}
          {summary.doubles.length > 0 && (
            <NameList
              title={`${plural(summary.doubles.length, "duplicate")} left out`}
              lines={() => summary.doubles.map(shownName)}
            />
          )}
        </section>
      )}
      {summary?.mixesConnecticut && (
        <Notice title="Counties and planning regions of Connecticut stand in one list">
          They share their land: since 2022, Connecticut has planning regions (09110 to 09190) in place of
          counties.
        </Notice>
      )}
      {[...groupBy(unmatched, titleOf)].map(([title, entries]) => (
        <UnmatchedGroup
          key={title(entries.length)}
          title={title(entries.length)}
          {...{ entries, placeOfRow, jurisdictions }}
        />
      ))}
    </>
  );
}

/** The rows that were read as headings. A single word may be a jurisdiction all the same. */
function Headings({ headings }: { headings: readonly string[] }) {
  const [first, ...others] = headings;
  if (first === undefined) return null;
  if (others.length > 0)
    return (
      <NameList
        title={`${headings.length} rows were read as headings`}
        lines={() => headings.map(shownName)}
      />
    );
  return (
    <Details title={`“${shownName(first)}” was read as the list's header`}>
      <Text>If it is a jurisdiction, search for it above.</Text>
    </Details>
  );
}

/** The entries that were corrected in one way. They can be left out together. */
function CorrectionGroup({
  correction: { how, title, entries },
  jurisdictions: { leftOut, change },
}: {
  correction: Correction;
  jurisdictions: Jurisdictions;
}) {
  const isLeftOut = leftOut.has(how);
  const which = entries.length === 1 ? "it" : `these ${entries.length.toLocaleString()}`;
  return (
    <NameList
      title={isLeftOut ? `Left out: ${title}` : title}
      lines={() => entries.map((entry) => shownName(correctionLine(entry)))}
    >
      <Button size="small" onClick={() => change({ type: "leave-out", how, isLeftOut: !isLeftOut })}>
        {isLeftOut ? `Take ${which} again` : `Leave ${which} out`}
      </Button>
    </NameList>
  );
}

type Title = (count: number) => string;

const geoidsNotFound: Title = (count) => `${plural(count, "geoID")} not found`;
const namesSkipped: Title = (count) => `${plural(count, "name")} skipped`;
const namesNotFound: Title = (count) => `${plural(count, "name")} not found`;
const notUnderstood = Object.fromEntries(
  Object.entries(misreadingWords).map(([why, words]): [string, Title] => [
    why,
    (count) => `${words}: ${count.toLocaleString()}`,
  ]),
) as Record<keyof typeof misreadingWords, Title>;

/** The title of the group that an entry without a jurisdiction belongs to. */
function titleOf({ kind, why }: Unmatched): Title {
  if (why !== undefined) return notUnderstood[why];
  return kind === "skipped" ? namesSkipped : isUnmatchedName({ kind }) ? namesNotFound : geoidsNotFound;
}

/** Entries that gave no jurisdiction for one kind of reason, with what can be taken in their place. */
function UnmatchedGroup({
  title,
  entries,
  placeOfRow,
  jurisdictions: { takeOffers, isResolving },
}: {
  title: string;
  entries: readonly Unmatched[];
  placeOfRow?: PlaceOfRow | undefined;
  jurisdictions: Jurisdictions;
}) {
  const styles = useStyles();
  const line = ({ row, ...entry }: Unmatched) => unmatchedLine(placeOfRow ? entry : { ...entry, row });
  const offers = entries.flatMap(({ key, offers: geoids = [] }) => geoids.map((geoid) => ({ key, geoid })));
  const areMany = offers.length > 1 && entries.every(({ offers: geoids = [] }) => geoids.length < 2);
  return (
    <Notice title={title}>
      <LineList
        label={labelOf(title)}
        items={entries}
        line={line}
        placeOf={({ row }) => (row === undefined ? undefined : placeOfRow?.(row))}
      />
      <div className={styles.row}>
        <CopyButton label="Copy list" text={entries.map(line).join("\n")} />
        {areMany && (
          <Button size="small" disabledFocusable={isResolving} onClick={() => void takeOffers(offers)}>
            Use the {offers.length.toLocaleString()} codes named
          </Button>
        )}
        {!areMany &&
          offers.slice(0, mostOffers).map(({ key, geoid }) => (
            <Button
              key={`${key} ${geoid}`}
              size="small"
              disabledFocusable={isResolving}
              onClick={() => void takeOffers([{ key, geoid }])}
            >
              Use {geoid} for {shownName(key).slice(0, mostShown)}
            </Button>
          ))}
      </div>
    </Notice>
  );
}

/** More buttons than this are no longer a choice. */
const mostOffers = 12;
const mostShown = 20;

/** "Names not found" for "3 names not found". */
function labelOf(title: string): string {
  const words = title.replace(/^[\d,]+ |: [\d,]+$/g, "");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function Notice({
  title,
  isGood = false,
  children,
}: {
  title: string;
  isGood?: boolean;
  children?: ReactNode;
}) {
  return (
    <MessageBar layout="multiline" intent={isGood ? "info" : "warning"}>
      <MessageBarBody>
        <MessageBarTitle>{title}</MessageBarTitle>
        {children}
      </MessageBarBody>
    </MessageBar>
  );
}
