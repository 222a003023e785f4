import { Link, MessageBar, MessageBarBody } from "@fluentui/react-components";
import { config } from "../../../config";
import type { FailureKind } from "../../../errors";
import { allFailureKinds } from "../../../sheet-failure-kinds";
import { fullAhjLabel, oldAnswersSentence, plural, shownName } from "../../ui/labels";
import { useAction } from "../../pictures/use-action";
import { NameList } from "../jurisdictions/NameList";
import type { Placement } from "../../../workbook/imports/run/import-types";
import { answerParts } from "../../../workbook/sheet/layout/answer-parts";
import { isUnmatchedName, unmatchedLine } from "../jurisdictions/list/unmatched-words";
import type { Unmatched } from "../jurisdictions/jurisdiction-choice";

/** The report of an import: what was written, and by name everything that was not. */
export default function ImportReportView({
  written: { address, sourcesAddress, report, longTexts, notesKept },
  unmatched,
  blanks,
  notTable,
  hasQuestions = true,
  goTo,
}: {
  written: Placement;
  unmatched: readonly Unmatched[];
  /** Addresses of the list's blank cells. */
  blanks: readonly string[];
  /** The reason why the list did not become a table, although it should have. */
  notTable?: string | null | undefined;
  /** False if only jurisdictions were wanted. */
  hasQuestions?: boolean;
  /** Shows the table; undefined if the workbook's imports don't tell where it is. */
  goTo?: (() => Promise<void>) | undefined;
}) {
  const { act, outcome } = useAction();
  const leftOut = (title: string, kinds: readonly FailureKind[]) => {
    const of = report.leftOut.filter(({ kind }) => kinds.includes(kind));
    return list(
      `${title}: ${plural(of.length, "jurisdiction")}`,
      of,
      ({ ahj, kind }) => `${fullAhjLabel(ahj)}: ${allFailureKinds[kind].sentence}`,
    );
  };
  const cellsWithout = report.withoutValue.reduce((sum, { ahjs }) => sum + ahjs.length, 0);
  const lists = [
    list(`Not received: ${plural(report.notRead.length, "jurisdiction")}`, report.notRead, fullAhjLabel),
    leftOut("Outside your subscription", ["outside-subscription"]),
    leftOut("May be outside your subscription", ["maybe-outside-subscription"]),
    leftOut("Unknown to the service", ["unknown-jurisdiction"]),
    list(`Not found: ${unmatchedWords(unmatched)}`, unmatched, unmatchedLine),
    list(`Blank in your list: ${plural(blanks.length, "cell")}`, blanks, (address) => address),
    list(
      `Unknown: ${plural(report.unknownTypes.length, "question")}`,
      report.unknownTypes,
      (type) => `${shownName(type.name)} (${type.id})`,
    ),
    list(
      `Without a value: ${plural(cellsWithout, "cell")}`,
      report.withoutValue,
      ({ type, ahjs }) => `${shownName(type.name)}: ${ahjs.map(fullAhjLabel).join("; ")}`,
    ),
    list(
      `Cut at ${config.cellCharacters.toLocaleString()} characters: ${plural(longTexts.length, "text")}`,
      longTexts,
      ({ ahj, type, part, text }) =>
        `${fullAhjLabel(ahj)}, ${shownName(type.name)}, ${answerParts[part].noun}: ${text}`,
    ),
    list(
      `Already had a note, which was kept: ${plural(notesKept.length, "cell")}`,
      notesKept,
      (cell) => cell,
    ),
  ].filter(({ count }) => count > 0);
  const isPartial = report.notRead.length > 0;

  return (
    <>
      {address === null ? (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>The service sent nothing for this table. Nothing was written.</MessageBarBody>
        </MessageBar>
      ) : (
        <MessageBar intent={isPartial ? "warning" : "success"} layout="multiline">
          <MessageBarBody>
            {isPartial ? "Inserted, but incomplete: " : "Inserted: "}
            {plural(report.rows, "jurisdiction")}
            {hasQuestions && `, ${plural(report.values, "value")}`}
            {sourcesAddress !== null && `; their sources in ${sourcesAddress}`}.{" "}
            {goTo && (
              <Link
                as="button"
                title={address}
                onClick={() =>
                  act(async () => {
                    await goTo();
                    return "";
                  })
                }
              >
                Go to table
              </Link>
            )}
          </MessageBarBody>
        </MessageBar>
      )}
      {outcome}
      {notTable && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>
            Your list was not made a table: {notTable} The new columns are a table of their own, so sorting
            your list does not move them.
          </MessageBarBody>
        </MessageBar>
      )}
      {report.oldAnswers && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>{oldAnswersSentence(report.oldAnswers)} Insert it again later.</MessageBarBody>
        </MessageBar>
      )}
      {report.missingValues > 0 && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>
            The service's list changed while it was read, and {plural(report.missingValues, "value")} did not
            come. Insert it again.
          </MessageBarBody>
        </MessageBar>
      )}
      {lists.map(({ title, lines }) => (
        <NameList key={title} title={title} lines={lines} />
      ))}
    </>
  );
}

function list<Item>(title: string, items: readonly Item[], line: (item: Item) => string) {
  return { title, count: items.length, lines: () => items.map(line) };
}

function unmatchedWords(unmatched: readonly Unmatched[]): string {
  const names = unmatched.filter(isUnmatchedName).length;
  const geoids = unmatched.length - names;
  return [geoids > 0 ? plural(geoids, "geoID") : "", names > 0 ? plural(names, "name") : ""]
    .filter((part) => part !== "")
    .join(", ");
}
