import { named } from "../../../workbook/sheet/cells/changed-meanwhile";
import {
  Button,
  Link,
  makeStyles,
  MessageBar,
  MessageBarBody,
  MessageBarTitle,
  Text,
  tokens,
} from "@fluentui/react-components";
import { allFailureKinds } from "../../../sheet-failure-kinds";
import { countChanges, placeName } from "../../../workbook/imports/refresh/change-lists";
import { type EditedCell, subjectOf, textsOf, type ValueChange } from "../../../workbook/imports/refresh/compare-answers";
import type { RefreshReport } from "../../../workbook/imports/refresh/plan-refresh";
import { dayOf, type Known } from "../../../workbook/sheet/layout/answer-parts";
import type { TableCell } from "../../../workbook/sheet/tables/bound-table";
import { uncheckedReasons, uncheckedSentences } from "../../../workbook/imports/refresh/unchecked";
import { Details } from "../../ui/Details";
import { plural, shownName } from "../../ui/labels";
import { LineList } from "../../ui/lists/LineList";
import { dateAndTime } from "../ago";
import { EditedCells } from "./EditedCells";
import { FoundChanges } from "./FoundChanges";
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
  isMarked,
  isBusy,
  actions: { loadAddresses, goTo, take, mark, unmark, exportChanges },
}: {
  report: RefreshReport;
  isCollection: boolean;
  /** True if cells are marked, by this report or an earlier one. */
  isMarked: boolean;
  isBusy: boolean;
  actions: ReportActions;
}) {
  const styles = useStyles();
  const { changes, edited, unsure, notRefreshed, unknownTypes, missingColumns, replaced } = report;
  const { changedMeanwhile, keptColumns, ownRows, otherEntries, withoutRow, notesLeft, notesOfOthers } =
    report;
  const { unchecked, renamed } = report;
  const hasCells = countChanges(report, ({ mark }) => mark !== null) > 0;
  const hasLines = countChanges(report, () => true) > 0;
  return (
    <>
      <Text role="status">
        {dateAndTime(report.atMs)}: {outcomeSentence(report)}
      </Text>
      <div className={styles.row}>
        {/* One button serves both purposes, so that the focus stays on it. */}
        <Button size="small" disabledFocusable={isBusy || (!hasCells && !isMarked)} onClick={isMarked ? unmark : mark}>
          {isMarked ? "Remove highlights" : "Highlight changes"}
        </Button>
        <Button size="small" disabledFocusable={isBusy || !hasLines} onClick={exportChanges}>
          Export as a sheet
        </Button>
      </div>
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
      {otherEntries > 0 && (
        <Text>
          {plural(otherEntries, "row")} left as they are, because their entry in the list was changed. To
          fill them, use Get data, beside my list.
        </Text>
      )}
      {ownRows > 0 && <Text>{plural(ownRows, "row")} of your own left as they are.</Text>}
    </>
  );
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
  if (changes.length === 0) return null;
  const more = changes.length - shownChanges;
  return (
    <>
      <ul className={styles.list} aria-label={label}>
        {changes.slice(0, shownChanges).map((change, index) => (
          <li key={index}>
            <Change change={change} onGoTo={onGoTo} />
          </li>
        ))}
      </ul>
      {more > 0 && <Text>and {more.toLocaleString()} more. Export to see all of them.</Text>}
    </>
  );
}

function Change({
  change,
  onGoTo,
}: {
  change: ValueChange;
  onGoTo: (cell: TableCell) => void;
}) {
  const styles = useStyles();
  const { ahj, place, before, after } = change;
  const texts = textsOf(change);
  return (
    <>
      <Link as="button" onClick={() => onGoTo(place)}>
        {shownName(placeName(ahj))}: {shownName(subjectOf(change))}
      </Link>
      <br />
      {before && <span className={styles.before}>{describe(texts.before, before)}</span>}
      {before ? " " : "New: "}
      {after ? describe(texts.after, after) : "no value now"}
    </>
  );
}

/** A text with its citation and the date of its last change. */
function describe(text: string | null, { reference, section, updatedAt }: Known): string {
  const facts = [reference, section, updatedAt && `updated ${dayOf(updatedAt)}`].filter(
    (fact) => fact !== null && fact !== "",
  );
  return facts.length > 0 ? `${text} (${facts.join(", ")})` : (text ?? "");
}
