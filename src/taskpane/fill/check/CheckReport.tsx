import {
  Button,
  Link,
  makeStyles,
  MessageBar,
  MessageBarBody,
  Text,
  tokens,
} from "@fluentui/react-components";
import { useStore } from "zustand";
import { allFailureKinds } from "../../../sheet-failure-kinds";
import type { CheckedColumns } from "../../../workbook/imports/check/check-columns";
import type { EditedCell } from "../../../workbook/imports/refresh/compare-answers";
import { hasAnswer } from "../../../workbook/imports/refresh/edited-sentences";
import { placeName } from "../../../workbook/imports/refresh/place-name";
import { describedAnswer } from "../../refresh/reports/described-answer";
import { JobView } from "../../jobs/JobView";
import { WorkOutcome } from "../../jobs/WorkOutcome";
import { FailureMessage } from "../../ui/FailureMessage";
import { beginning, plural, shownName } from "../../ui/labels";
import { LineList } from "../../ui/lists/LineList";
import type { CheckControl } from "./check-control";

const useStyles = makeStyles({
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalS },
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
  list: { margin: 0, paddingLeft: tokens.spacingHorizontalL, overflowWrap: "anywhere" },
});

const shownCells = 200;
const shownCharacters = 200;

/** The comparison of the user's own cells with the service. Nothing is changed until the user asks for it here. */
export default function CheckReport({ control }: { control: CheckControl }) {
  const styles = useStyles();
  const { check, work, marks } = useStore(control);
  if (check.status === "running")
    return (
      <div>
        <JobView job={check.job} label="Comparing with the service" />
        <Button size="small" onClick={control.cancel}>
          Cancel
        </Button>
      </div>
    );
  if (check.status === "failed") return <FailureMessage failure={check.failure} />;
  if (check.status !== "done") return null;
  const { result } = check;
  const { differing, otherForm, live, report } = result;
  const all = [...differing, ...otherForm];
  // A blank in place of a number is no improvement.
  const answered = all.filter(hasAnswer);
  const isBusy = work.status === "running";
  const areLive = work.status === "done" && work.order === "live";
  return (
    <section className={styles.column} aria-label="Compared with the service">
      <MessageBar intent={differing.length > 0 ? "warning" : "success"} layout="multiline">
        <MessageBarBody>{summaryOf(result)}</MessageBarBody>
      </MessageBar>
      <div className={styles.row}>
        {all.length > 0 && (
          <>
            <Button size="small" disabledFocusable={isBusy} onClick={marks ? control.unmark : control.mark}>
              {marks ? "Remove highlights" : "Highlight them"}
            </Button>
            <Button size="small" disabledFocusable={isBusy} onClick={control.writeSheet}>
              As a sheet
            </Button>
          </>
        )}
        {answered.length > 0 && (
          <Button size="small" disabledFocusable={isBusy} onClick={() => control.put(answered)}>
            Use the service’s {plural(answered.length, "value")}
          </Button>
        )}
        {live.cells > 0 && (
          <Button size="small" disabledFocusable={isBusy || areLive} onClick={control.makeLive}>
            Turn {plural(live.cells, "cell")} into {live.cells === 1 ? "a live formula" : "live formulas"}
          </Button>
        )}
      </div>
      {live.cells > 0 && (
        <Text size={200}>
          A live formula always shows what the service says. Cells for which it has no value stay as they are,
          and so do rows whose place is not clear.
        </Text>
      )}
      {live.keptColumns.length > 0 && (
        <Text size={200}>
          Other formulas stand in {live.keptColumns.map(shownName).join(", ")}, over which Excel would put the
          live one. Their cells stay as they are.
        </Text>
      )}
      <WorkOutcome work={work} label="Working on the cells" />
      {isBusy && (
        <div>
          <Button size="small" onClick={control.cancel}>
            Cancel
          </Button>
        </div>
      )}
      <Cells title="Differ" cells={differing} goTo={control.goTo} />
      <Cells title="The same in another form" cells={otherForm} goTo={control.goTo} />
      {report.unknownTypes.length > 0 && (
        <Text>
          The service no longer knows {report.unknownTypes.map(({ name }) => shownName(name)).join(", ")}.
        </Text>
      )}
      {report.notRefreshed.length > 0 && (
        <LineList
          label="Not answered"
          items={report.notRefreshed}
          line={({ name, kind }) => `${shownName(name)}: ${allFailureKinds[kind].sentence}`}
        />
      )}
    </section>
  );
}

function Cells({
  title,
  cells,
  goTo,
}: {
  title: string;
  cells: readonly EditedCell[];
  goTo: CheckControl["goTo"];
}) {
  const styles = useStyles();
  if (cells.length === 0) return null;
  return (
    <>
      <Text weight="semibold">{title}</Text>
      <ul className={styles.list} aria-label={title}>
        {cells.slice(0, shownCells).map((cell) => (
          <li key={`${cell.place.row} ${cell.place.header}`}>
            <Link as="button" onClick={() => goTo(cell.place)}>
              {shownName(placeName(cell.ahj))}: {shownName(cell.place.header)}
            </Link>
            <br />
            {wordsOf(cell)}
          </li>
        ))}
      </ul>
      {cells.length > shownCells && (
        <Text>and {(cells.length - shownCells).toLocaleString()} more. The sheet has all of them.</Text>
      )}
    </>
  );
}

/** Tells the content of the cell, and the answer of the service with its citation. */
function wordsOf({ text, formula, after }: EditedCell): string {
  const here = `“${beginning(shownName(formula ?? text), shownCharacters)}” here.`;
  if (!after) return `${here} The service has no value.`;
  const said = `“${beginning(shownName(after.value), shownCharacters)}”`;
  return `${here} The service: ${shownName(describedAnswer(said, after))}.`;
}

/** The comparison in a line. */
function summaryOf({ equal, differing, otherForm, blanks, unclearRows, report }: CheckedColumns): string {
  const none = differing.filter(({ after }) => after === null).length;
  const other = differing.length - none;
  const parts = [
    `${plural(equal, "cell")} equal`,
    other > 0 ? `${other.toLocaleString()} different` : "",
    otherForm.length > 0 ? `${otherForm.length.toLocaleString()} in another form` : "",
    none > 0 ? `${none.toLocaleString()} for which the service has no value` : "",
    blanks > 0 ? `${blanks.toLocaleString()} blank` : "",
    report.notRefreshed.length > 0 ? `${plural(report.notRefreshed.length, "place")} not answered` : "",
    unclearRows.length > 0 ? `${plural(unclearRows.length, "row")} whose place is not clear` : "",
  ];
  return `${parts.filter((part) => part !== "").join(", ")}.`;
}
