import { named } from "../../../workbook/sheet/cells/changed-meanwhile";
import {
  Button,
  Link,
  makeStyles,
  MessageBar,
  MessageBarActions,
  MessageBarBody,
  MessageBarTitle,
  Text,
  tokens,
} from "@fluentui/react-components";
import { allFailureKinds } from "../../../sheet-failure-kinds";
import { countChanges, ruleChanges } from "../../../workbook/imports/refresh/change-lists";
import { type EditedCell, subjectOf, textsOf, type ValueChange } from "../../../workbook/imports/refresh/compare-answers";
import { placeName } from "../../../workbook/imports/refresh/place-name";
import type { RefreshReport } from "../../../workbook/imports/refresh/plan-refresh";
import type { RenamedColumn } from "../../../workbook/imports/refresh/renamed-columns";
import { dayOf } from "../../cell/full-citation";
import { datesOf, type RuleChange } from "../../../workbook/imports/refresh/same-rule";
import type { TableCell } from "../../../workbook/sheet/tables/bound-table";
import { uncheckedReasons, uncheckedSentences } from "../../../workbook/imports/refresh/unchecked";
import { Details } from "../../ui/Details";
import { plural, shownName } from "../../ui/labels";
import { LineList } from "../../ui/lists/LineList";
import { useMemo } from "react";
import { dateAndTime } from "../ago";
import { AhjList } from "./AhjList";
import { EditedCells } from "./EditedCells";
import { FoundChanges } from "./FoundChanges";
import { describedAnswer } from "./described-answer";
import { outcomeSentence } from "./outcome-sentence";

const useStyles = makeStyles({
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
  list: { margin: 0, paddingLeft: tokens.spacingHorizontalL, overflowWrap: "anywhere" },
  before: { textDecorationLine: "line-through", color: tokens.colorNeutralForeground3 },
});

const shownChanges = 200;
/** The number of cells that a warning names. */
const shownCells = 20;

/** What the user can do with a report. */
export interface ReportActions {
  /** Reads the addresses of the edited cells. */
  loadAddresses: () => Promise<(string | undefined)[]>;
  goTo: (cell: TableCell) => void;
  /** Refreshes a column on under the header that somebody has given it. */
  follow: (renamed: RenamedColumn) => void;
  /** Lets the import forget such a column. */
  leave: (renamed: RenamedColumn) => void;
  /** Makes edited cells show the service's values. */
  take: (cells: readonly EditedCell[]) => void;
  mark: () => void;
  unmark: () => void;
  exportChanges: () => void;
}

/** The changes that a refresh made, each with a link to its cell, and the cells that it could not bring up to date. */
export default function RefreshReportView({
  report,
  isCollection,
  isBesideList,
  isFirst = false,
  isMarked,
  isBusy,
  actions: { loadAddresses, goTo, follow, leave, take, mark, unmark, exportChanges },
}: {
  report: RefreshReport;
  isCollection: boolean;
  /** True if the table is a user's list, whose rows may name no jurisdiction. */
  isBesideList: boolean;
  /** True if the user's own columns were filled for the first time, so that there is nothing that could have changed. */
  isFirst?: boolean;
  /** True if cells are marked, by this report or an earlier one. */
  isMarked: boolean;
  isBusy: boolean;
  actions: ReportActions;
}) {
  const styles = useStyles();
  const { changes, edited, unsure, notRefreshed, unknownTypes, replaced, renamedColumns } = report;
  const missingColumns = report.missingColumns.filter(
    (header) => !renamedColumns.some(({ before }) => before === header),
  );
  const { changedMeanwhile, keptColumns, ownRows, otherEntries, withoutRow, notesLeft, notesOfOthers } =
    report;
  const { unchecked, renamed, followed } = report;
  const hasCells = countChanges(report, ({ mark }) => mark !== null) > 0;
  const hasLines = countChanges(report, () => true) > 0;
  return (
    <>
      {!isFirst && (
        <Text role="status">
          {dateAndTime(report.atMs)}: {outcomeSentence(report)}
        </Text>
      )}
      {renamedColumns.map((renamed) => (
        <MessageBar key={renamed.before} intent="warning" layout="multiline">
          <MessageBarBody>
            <Link as="button" onClick={() => goTo({ row: 0, header: renamed.after })}>
              “{shownName(renamed.after)}”
            </Link>{" "}
            used to be {shownName(renamed.before)}. It was not refreshed.
          </MessageBarBody>
          <MessageBarActions>
            <Button disabledFocusable={isBusy} onClick={() => follow(renamed)}>
              Keep refreshing it
            </Button>
            <Button disabledFocusable={isBusy} onClick={() => leave(renamed)}>
              Leave it
            </Button>
          </MessageBarActions>
        </MessageBar>
      ))}
      {otherEntries.length > 0 && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>
            <MessageBarTitle>
              {plural(otherEntries.length, "row")} of your list {otherEntries.length === 1 ? "names" : "name"}{" "}
              another place now.
            </MessageBarTitle>
            It is not certain which place is meant, so the answers beside it are still those of the place before.
            Write the state behind the name, or the geoID, and refresh again.
            <AhjList
              label="Another place now"
              lines={otherEntries.map(({ entry, ahj, place }) => ({
                name: shownName(entry),
                place,
                why: `has the answers of ${placeName(ahj)}`,
              }))}
              onGoTo={goTo}
            />
          </MessageBarBody>
        </MessageBar>
      )}
      {!isFirst && (
        <div className={styles.row}>
          {/* One button serves both purposes, so that the focus stays on it. */}
          <Button size="small" disabledFocusable={isBusy || (!hasCells && !isMarked)} onClick={isMarked ? unmark : mark}>
            {isMarked ? "Remove highlights" : "Highlight changes"}
          </Button>
          <Button size="small" disabledFocusable={isBusy || !hasLines} onClick={exportChanges}>
            Export as a sheet
          </Button>
        </div>
      )}
      {followed.length > 0 && (
        <Details
          title={
            isFirst
              ? `${plural(followed.length, "row")} of your list understood`
              : `${plural(followed.length, "place")} new in your list`
          }
        >
          <Text>Their rows have their answers now.</Text>
          <AhjList
            label="New in your list"
            lines={followed.map(({ ahj, before, place }) => ({
              ...{ name: placeName(ahj), place },
              why: before ? `in place of ${placeName(before)}` : "a new row",
            }))}
            onGoTo={goTo}
          />
        </Details>
      )}
      <FoundChanges report={report} onGoTo={goTo} />
      {renamed.map(({ before, after, headers }) => (
        <Text key={after.id}>
          {headers.length > 0
            ? `Header changed: ${headers.map((each) => `“${shownName(each.before)}” is “${shownName(each.after)}” now`).join(", ")}.`
            : `The service now calls “${shownName(before.name)}” (${shownName(before.unit_of_measure)}) “${shownName(after.name)}” (${shownName(after.unit_of_measure)}).`}
        </Text>
      ))}
      <Changes label="What changed" changes={changes} onGoTo={goTo} />
      <EditedCells {...{ edited, isBusy, loadAddresses }} onGoTo={goTo} onTake={take} />
      {unsure.length > 0 && (
        <>
          <Text weight="semibold">Can’t tell who changed these</Text>
          <Text>
            These cells did not match the service and were updated. Either the service’s answer changed, or
            somebody had edited the cell.
          </Text>
          <Changes label="Can’t tell who changed these" changes={unsure} onGoTo={goTo} />
        </>
      )}
      {changedMeanwhile.length > 0 && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>
            <MessageBarTitle>
              {plural(changedMeanwhile.length, "cell")} edited during the refresh.
            </MessageBarTitle>
            They were left as they are. The next refresh lists them with what the service says:{" "}
            {changedMeanwhile.slice(0, shownCells).map((cell, index) => (
              <span key={index}>
                {index > 0 && ", "}
                <Link as="button" onClick={() => goTo(cell)}>
                  {shownName(cell.header)}
                </Link>
              </span>
            ))}
            {changedMeanwhile.length > shownCells && " and others"}.
          </MessageBarBody>
        </MessageBar>
      )}
      {replaced.length > 0 && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>
            <MessageBarTitle>{plural(replaced.length, "text")} in citations replaced</MessageBarTitle>
            <Details title="Not known to be the service’s">
              <LineList
                label="Replaced"
                items={replaced}
                line={({ place, text }) => `${shownName(place.header)}: ${shownName(text)}`}
              />
            </Details>
          </MessageBarBody>
        </MessageBar>
      )}
      {keptColumns.length > 0 && (
        <Text>
          Edited during the refresh, so left in the table: {keptColumns.map(shownName).join(", ")}.
        </Text>
      )}
      {notRefreshed.length + unchecked.length > 0 && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>
            {uncheckedSentences(report).map((sentence) => (
              <div key={sentence}>{sentence}</div>
            ))}
            <Details title="Not checked">
              <LineList
                label="Not checked"
                items={[
                  ...notRefreshed.map(({ name, kind }) => ({ name, why: allFailureKinds[kind].sentence })),
                  ...unchecked.map(({ ahj, reason }) => ({
                    name: placeName(ahj),
                    why: uncheckedReasons[reason],
                  })),
                ]}
                line={({ name, why }) => `${shownName(name)}: ${why}`}
              />
            </Details>
          </MessageBarBody>
        </MessageBar>
      )}
      {unknownTypes.length > 0 && (
        <Text>
          {isCollection ? "The collection no longer asks for" : "The service no longer knows"}{" "}
          {unknownTypes.map(({ name }) => name).join(", ")}: last values kept.
        </Text>
      )}
      {missingColumns.length > 0 && <Text>No longer in the table: {missingColumns.join(", ")}.</Text>}
      {withoutRow > 0 && (
        <Text>{plural(withoutRow, "value")} left out: their rows were deleted from the table.</Text>
      )}
      {notesLeft > 0 && (
        <Text>
          {plural(notesLeft, "note")} could not be written by this Excel. They may name the source of an
          earlier value.
        </Text>
      )}
      {notesOfOthers.kept.length > 0 && (
        <Text>Notes that somebody has edited were left as they are: {named(notesOfOthers.kept)}.</Text>
      )}
      {notesOfOthers.replaced.length > 0 && (
        <Text>
          Notes were replaced. This device can't tell whether somebody had edited them:{" "}
          {named(notesOfOthers.replaced)}.
        </Text>
      )}
      {ownRows > 0 && <Text>{ownRowsSentence(ownRows, isBesideList)}</Text>}
    </>
  );
}

function ownRowsSentence(count: number, isBesideList: boolean): string {
  const rows = `${plural(count, "row")} of your ${isBesideList ? "list without a jurisdiction" : "own"}`;
  return count === 1 ? `${rows} was left as it is.` : `${rows} were left as they are.`;
}

function Changes({
  label,
  changes,
  onGoTo,
}: {
  label: string;
  changes: readonly ValueChange[];
  onGoTo: (cell: TableCell) => void;
}) {
  const styles = useStyles();
  const rules = useMemo(() => ruleChanges(changes), [changes]);
  if (changes.length === 0) return null;
  const more = rules.slice(shownChanges).reduce((sum, { others }) => sum + 1 + others.length, 0);
  return (
    <>
      <ul className={styles.list} aria-label={label}>
        {rules.slice(0, shownChanges).map((rule, index) => (
          <li key={index}>
            <Rule rule={rule} onGoTo={onGoTo} />
          </li>
        ))}
      </ul>
      {more > 0 && <Text>and {more.toLocaleString()} more. Export to see all of them.</Text>}
    </>
  );
}

/** What a rule has changed: the first place, and the others to open. */
function Rule({
  rule,
  onGoTo,
}: {
  rule: RuleChange<ValueChange>;
  onGoTo: (cell: TableCell) => void;
}) {
  const styles = useStyles();
  const { own, others, places, otherPlaces } = rule;
  const { before, after } = own;
  const texts = textsOf(own);
  return (
    <>
      <Link as="button" onClick={() => onGoTo(own.place)}>
        {shownName(places)}: {shownName(subjectOf(own))}
      </Link>
      <br />
      {before && <span className={styles.before}>{describedAnswer(texts.before, before)}</span>}
      {before ? " " : "New: "}
      {after ? describedAnswer(texts.after, after, datesOf(rule, dayOf)) : "no value now"}
      {others.length > 0 && (
        <Details title={otherPlaces}>
          <AhjList
            label={`${subjectOf(own)}: ${otherPlaces}`}
            lines={others.map(({ ahj, place }) => ({ name: placeName(ahj), place, why: undefined }))}
            onGoTo={onGoTo}
          />
        </Details>
      )}
    </>
  );
}
