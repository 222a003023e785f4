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
import type { ReactNode } from "react";
import type { ShownChange } from "../../workbook/cell-formulas/compare";
import { type Left, type SeenFormula, shownAtOnce, type Unfrozen } from "../../workbook/cell-formulas/freeze";
import type { FrozenFormula } from "../../workbook/cell-formulas/frozen-formulas";
import { addressOf } from "../../workbook/sheet/layout/cell-address";
import { textsLost } from "../../workbook/sheet/cells/changed-meanwhile";
import type { CellArea } from "../../workbook/sheet/cells/formula-search";
import { plural, shownFormula } from "../ui/labels";
import type { FormulaReport } from "./formula-control";

const useStyles = makeStyles({
  formula: { whiteSpace: "pre-wrap" },
  list: { margin: 0, paddingLeft: tokens.spacingHorizontalL, overflowWrap: "anywhere" },
  before: { textDecorationLine: "line-through", color: tokens.colorNeutralForeground3 },
});

type GoTo = (area: CellArea) => void;

/** Reports how an action on formulas went. Each cell that it names can be clicked. */
export function FormulaReportView({
  report,
  place,
  onGoTo,
  onSeen,
  onForget,
}: {
  report: FormulaReport;
  place: string;
  onGoTo: GoTo;
  /** The user has seen these frozen formulas, which do more than calculate, and wants them back, too. */
  onSeen: (seen: readonly SeenFormula[]) => void;
  /** The user gives up frozen formulas that can't come back. If missing, that is not offered. */
  onForget?: (ghosts: readonly FrozenFormula[]) => void;
}) {
  switch (report.action) {
    case "count":
      return (
        <>
          <Text role="status">
            {plural(report.formulas, "REGDATA formula")} in {place}.
            {report.frozen > 0 && ` ${plural(report.frozen, "formula")} frozen in the workbook.`}
          </Text>
          {report.ghosts > 0 && (
            <Text>
              {plural(report.ghosts, "formula")} remembered as frozen, but the cells hold something else:
              Unfreeze for the workbook lists them.
            </Text>
          )}
          {report.unreadable > 0 && (
            <Text>
              {plural(report.unreadable, "list")} of frozen formulas can't be read, or not completely:
              damaged, or written by another version of the add-in. Left as it is.
            </Text>
          )}
        </>
      );
    case "forget":
      return (
        <Text role="status">
          {plural(report.forgotten, "formula")} forgotten. The cells stay as they are.
        </Text>
      );
    case "refresh":
    case "retry":
      return <Refreshed report={report} place={place} onGoTo={onGoTo} />;
    case "freeze":
      return (
        <>
          <Text role="status">
            {report.formulas.length + report.left.length === 0
              ? `No REGDATA formulas in ${place}.`
              : `${plural(report.formulas.length, "formula")} frozen: the cells hold plain values now.`}
          </Text>
          {report.withoutValue > 0 && (
            <Text>No value recorded for {plural(report.withoutValue, "cell")}: #N/A stays there.</Text>
          )}
          <LeftList title="not frozen" left={report.left} onGoTo={onGoTo} />
        </>
      );
    case "unfreeze":
      return (
        <>
          <Text role="status">
            {report.back.length + report.left.length + report.toBeSeen.length === 0
              ? `Nothing is frozen in ${place}.`
              : `${plural(report.back.length, "formula")} brought back.`}
          </Text>
          {report.changes === null && <Text>Their values were not compared with the frozen ones.</Text>}
          {report.stillListed && (
            <Text>The workbook still lists them as frozen. {report.stillListed.message}</Text>
          )}
          {report.textsLost.length > 0 && (
            <MessageBar intent="warning" layout="multiline">
              <MessageBarBody>{textsLost(report.textsLost)}</MessageBarBody>
            </MessageBar>
          )}
          {report.changes && report.changes.length > 0 && (
            <Text>{plural(report.changes.length, "value")} not the same as when frozen:</Text>
          )}
          <Changes changes={report.changes ?? []} onGoTo={onGoTo} />
          <LeftList title="still frozen" left={report.left.filter(({ ghost }) => !ghost)} onGoTo={onGoTo} />
          <Ghosts left={report.left.filter(({ ghost }) => ghost)} onGoTo={onGoTo} onForget={onForget} />
          <ToBeSeen report={report} onGoTo={onGoTo} onSeen={onSeen} />
        </>
      );
  }
}

/** Says that formulas are refreshed, or that nothing has changed, only if the service said so. */
export function outcomeWords({
  formulas,
  changes,
  askedNothing,
  old,
}: Pick<FormulaReport & { action: "refresh" }, "formulas" | "changes" | "askedNothing" | "old">): string {
  const changed = changes.length > 0 ? `${plural(changes.length, "value")} changed.` : "";
  if (old > 0) {
    const calculated = `${plural(formulas, "formula")} calculated again. ${changed}`.trim();
    return `${calculated} The service could not be asked for ${plural(old, "answer")}: ${old === 1 ? "it is an earlier one" : "they are earlier ones"}.`;
  }
  const unchanged = askedNothing ? "No formula needed the service." : "Nothing has changed.";
  return `${plural(formulas, "formula")} refreshed. ${changed || unchanged}`;
}

function Refreshed({
  report,
  place,
  onGoTo,
}: {
  report: FormulaReport & { action: "refresh" | "retry" };
  place: string;
  onGoTo: GoTo;
}) {
  const {
    action,
    formulas,
    changes,
    notCompared,
    withoutValue,
    errors,
    waiting,
    mayLagBehind,
    kept,
    withAt,
  } = report;
  if (formulas === 0 && !kept) {
    const none = action === "retry" ? "No REGDATA formulas in error" : "No REGDATA formulas";
    return (
      <Text role="status">
        {none} in {place}.
      </Text>
    );
  }
  return (
    <>
      <Text role="status">{outcomeWords(report)}</Text>
      <Changes changes={changes} onGoTo={onGoTo} />
      {notCompared > 0 && (
        <Text>{plural(notCompared, "formula")} not compared with earlier values: there are too many.</Text>
      )}
      {withoutValue > 0 && <Text>{plural(withoutValue, "formula")} with no value recorded (#N/A).</Text>}
      {errors > 0 && <Text>{plural(errors, "formula")} in error; the Source tab says why.</Text>}
      {kept && (
        <Text>
          {plural(kept.formulas, "formula")} not refreshed, to keep{" "}
          {kept.formulas === 1 ? "its value" : "their values"}. {kept.because.message}
        </Text>
      )}
      {mayLagBehind && (
        <Text>Cells that use these values through other cells may show earlier results. Press F9.</Text>
      )}
      {withAt > 0 && (
        <Text>
          {plural(withAt, "formula")} with an @ before a function, such as @IF: Excel on the web does not
          calculate {withAt === 1 ? "it" : "them"} again for add-ins. Take the @ out, or enter{" "}
          {withAt === 1 ? "it" : "each"} once more.
        </Text>
      )}
      {waiting > 0 && (
        <Text>{plural(waiting, "formula")} still waiting for Excel (#BUSY!). Refresh these again.</Text>
      )}
    </>
  );
}

function Changes({ changes, onGoTo }: { changes: readonly ShownChange[]; onGoTo: GoTo }) {
  const styles = useStyles();
  if (changes.length === 0) return null;
  return (
    <CellList name="What changed" cells={changes} onGoTo={onGoTo}>
      {({ before, after }) => (
        <>
          <span className={styles.before}>{before}</span> {after}
        </>
      )}
    </CellList>
  );
}

export function LeftList({ title, left, onGoTo }: { title: string; left: readonly Left[]; onGoTo: GoTo }) {
  if (left.length === 0) return null;
  return (
    <MessageBar intent="warning" layout="multiline">
      <MessageBarBody>
        <MessageBarTitle>
          {plural(left.length, "formula")} {title}
        </MessageBarTitle>
        <CellList name={title} cells={left} onGoTo={onGoTo}>
          {({ reason }) => reason}
        </CellList>
      </MessageBarBody>
    </MessageBar>
  );
}

/** Lists formulas that the workbook remembers for cells that hold something else, and offers to forget them. */
function Ghosts({
  left,
  onGoTo,
  onForget,
}: {
  left: readonly Left[];
  onGoTo: GoTo;
  onForget: ((ghosts: readonly FrozenFormula[]) => void) | undefined;
}) {
  if (left.length === 0) return null;
  return (
    <MessageBar intent="warning" layout="multiline">
      <MessageBarBody>
        <MessageBarTitle>{plural(left.length, "formula")} not brought back</MessageBarTitle>
        <CellList name="not brought back" cells={left} onGoTo={onGoTo}>
          {({ reason }) => reason}
        </CellList>
        {onForget && (
          <Text>
            If you don't need these formulas, the workbook can forget them. The cells stay as they are.
          </Text>
        )}
      </MessageBarBody>
      {onForget && (
        <MessageBarActions>
          <Button onClick={() => onForget(left.flatMap(({ ghost }) => ghost ?? []))}>
            {left.length === 1 ? "Forget this formula" : `Forget these ${left.length.toLocaleString()}`}
          </Button>
        </MessageBarActions>
      )}
    </MessageBar>
  );
}

/** Shows formulas before they are entered: the author of the workbook's record may have put in one that sends data somewhere. */
function ToBeSeen({
  report: { toBeSeen, toBeSeenLater, seen },
  onGoTo,
  onSeen,
}: {
  report: Unfrozen;
  onGoTo: GoTo;
  onSeen: (seen: readonly SeenFormula[]) => void;
}) {
  const styles = useStyles();
  if (toBeSeen.length === 0) return null;
  return (
    <MessageBar intent="warning" layout="multiline">
      <MessageBarBody>
        <MessageBarTitle>
          {plural(toBeSeen.length + toBeSeenLater, "formula")} to look at first.
        </MessageBarTitle>
        {toBeSeen.some(({ doesMore }) => doesMore) && (
          <Text>
            They use names or functions that may do more than calculate. This is what would be entered: bring
            them back only if you know them.
          </Text>
        )}
        {toBeSeen.some(({ from }) => from) && (
          <Text>
            Cells were moved since they were frozen. These cells now hold the same values, and references to
            cells were moved along. Bring the formulas back only if they belong there.
          </Text>
        )}
        <CellList name="to look at first" cells={toBeSeen} onGoTo={onGoTo}>
          {({ sheetName, row, column, from, formula, ...area }) => (
            <>
              <code className={styles.formula}>{shownFormula(formula)}</code>
              {from && (from.row !== row || from.column !== column) && (
                <> (was in {addressOf({ ...area, sheetName, ...from })})</>
              )}
            </>
          )}
        </CellList>
        {toBeSeenLater > 0 && <Text>{toBeSeenLater.toLocaleString()} more come after these.</Text>}
      </MessageBarBody>
      <MessageBarActions>
        <Button onClick={() => onSeen([...seen, ...toBeSeen])}>Bring these back, too</Button>
      </MessageBarActions>
    </MessageBar>
  );
}

export function CellList<Cell extends CellArea & { sheetName: string }>({
  name,
  cells,
  onGoTo,
  children,
}: {
  name: string;
  cells: readonly Cell[];
  onGoTo: GoTo;
  children: (cell: Cell) => ReactNode;
}) {
  const styles = useStyles();
  return (
    <>
      <ul className={styles.list} role="list" aria-label={name}>
        {cells.slice(0, shownAtOnce).map((cell, index) => (
          // The key is the index, because several lines may be about one cell.
          <li key={index}>
            <Link as="button" onClick={() => onGoTo(cell)}>
              {addressOf(cell)}
            </Link>{" "}
            {children(cell)}
          </li>
        ))}
      </ul>
      {cells.length > shownAtOnce && <Text>and {(cells.length - shownAtOnce).toLocaleString()} more</Text>}
    </>
  );
}
