import { Button, makeStyles, Subtitle2, Text, tokens } from "@fluentui/react-components";
import { useMemo, useRef } from "react";
import { useStore } from "zustand";
import { config } from "../../../config";
import { joinedCitation } from "../../../workbook/formula-text/answer-fields";
import { formulaReferences } from "../../../workbook/formula-text/formula-references";
import {
  type AnswerLine,
  type AnswerStanding,
  type ListedPrecedents,
  standingWords,
} from "../../../workbook/precedents/precedent-lines";
import type { SelectedCell } from "../../../workbook/sheet/cells/selected-cell";
import type { CellPosition } from "../../../workbook/sheet/workbook";
import { JobView } from "../../jobs/JobView";
import { WorkOutcome } from "../../jobs/WorkOutcome";
import { useIsExcluded } from "../../jobs/jobs";
import type { PaneApp } from "../../pane-app";
import { dateAndTime } from "../../refresh/ago";
import { Details } from "../../ui/Details";
import { FailureMessage } from "../../ui/FailureMessage";
import { shownFormula, shownName } from "../../ui/labels";
import { LineList } from "../../ui/lists/LineList";
import { PassingButton } from "../../ui/PassingButton";
import { useAttention } from "../../ui/use-attention";
import { dayOf } from "../full-citation";
import type { PrecedentsControl } from "./precedents-control";

const useStyles = makeStyles({
  heading: { margin: 0 },
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalM },
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
  // A sheet's address may have no blank where it could wrap.
  text: { overflowWrap: "anywhere" },
});

/**
 * Offers to list the answers in the selected cell, if it calculates, and shows the list that was made last. The list stays while other
 * cells are selected, so that a user can go from one of its cells to the next.
 */
export default function PrecedentsSection({
  app,
  control,
  cell,
}: {
  app: PaneApp;
  control: PrecedentsControl;
  /** The selected cell; undefined if it does not calculate. */
  cell: SelectedCell | undefined;
}) {
  const styles = useStyles();
  const { look, work } = useStore(control);
  const formula = cell?.formula ?? "";
  const hasReferences = useMemo(
    () => formula !== "" && formulaReferences(formula, config.namespace).length > 0,
    [formula],
  );
  const isLooking = look.status === "running";
  const isWriting = work.status === "running";
  const isBusy = useIsExcluded(app.jobs, "cells") || isLooking || isWriting;
  const outcome = useRef<HTMLDivElement>(null);
  useAttention(outcome, look.status === "done" || look.status === "failed" ? look : undefined);
  const listedCell = "order" in look ? look.order : undefined;
  const seen = look.status === "done" ? look.result : undefined;
  const isOfListed = cell !== undefined && listedCell?.address === cell.address;
  if (!hasReferences && !listedCell) return null;
  return (
    <section className={styles.column} aria-label="Answers in a calculation">
      {cell && hasReferences && (
        <div className={styles.row}>
          <Button
            size="small"
            disabledFocusable={isLooking}
            onClick={() => control.look({ ...placeOf(cell), address: cell.address })}
          >
            {isOfListed && seen ? "List its answers again" : "List its answers"}
          </Button>
        </div>
      )}
      {listedCell && (
        <>
          <Subtitle2 as="h2" className={styles.heading}>
            <span className={styles.text}>Answers in {listedCell.address}</span>
          </Subtitle2>
          <div className={styles.row}>
            {seen && !isOfListed && (
              <Button size="small" onClick={() => control.goTo(placeOf(seen.listed.of))}>
                Back to the cell
              </Button>
            )}
            {seen && (
              <Button size="small" disabledFocusable={isBusy} onClick={control.writeSheet}>
                As a sheet
              </Button>
            )}
            <PassingButton size="small" isPossible={isLooking || isWriting} onClick={control.cancel}>
              Cancel
            </PassingButton>
            {!isLooking && (
              <Button size="small" onClick={control.dismiss}>
                Close the list
              </Button>
            )}
          </div>
        </>
      )}
      {isLooking && <JobView job={look.job} label="Following the formula" />}
      <WorkOutcome work={work} label="Writing the sheet" />
      <div ref={outcome} className={styles.column}>
        {look.status === "failed" && <FailureMessage failure={look.failure} />}
        {seen && (
          <>
            <Text role="status" className={styles.text}>
              {seen.summary}
            </Text>
            <Lists listed={seen.listed} goTo={control.goTo} />
          </>
        )}
      </div>
    </section>
  );
}

const placeOf = ({ sheetId, row, column }: CellPosition) => ({ sheetId, row, column });

const standings = Object.keys(standingWords) as AnswerStanding[];

function Lists({ listed, goTo }: { listed: ListedPrecedents; goTo: (place: CellPosition) => void }) {
  const styles = useStyles();
  const { answers, typedNumbers, typedTexts, others, notFollowed } = listed;
  const leadTo = (place: CellPosition & { address: string }) => ({
    address: place.address,
    goTo: () => goTo(placeOf(place)),
  });
  const ofCells = [
    { title: "Typed numbers", cells: typedNumbers, isOpen: true },
    { title: "Typed texts", cells: typedTexts, isOpen: false },
    { title: "Without an answer", cells: others, isOpen: false },
  ];
  return (
    <div className={styles.text}>
      {standings.map((standing) => {
        const items = answers.filter((each) => each.standing === standing);
        const title = standingWords[standing];
        return (
          items.length > 0 && (
            <Details key={standing} title={titleWith(title, items.length)} isOpen>
              <LineList
                label={title}
                items={items}
                line={lineOf}
                placeOf={({ place, address }) => leadTo({ ...place, address })}
              />
            </Details>
          )
        );
      })}
      {notFollowed.length > 0 && (
        <Details title={titleWith("Can’t be followed", notFollowed.length)} isOpen>
          <LineList
            label="Can’t be followed"
            items={notFollowed}
            line={({ text, why }) => `${shownFormula(text)}. ${why}`}
            placeOf={({ cell }) => leadTo(cell)}
          />
        </Details>
      )}
      {ofCells
        .filter(({ cells }) => cells.length > 0)
        .map(({ title, cells, isOpen }) => (
          <Details key={title} title={titleWith(title, cells.length)} isOpen={isOpen}>
            <LineList
              label={title}
              items={cells}
              line={({ text }) => shownName(text)}
              placeOf={(cell) => leadTo(cell)}
            />
          </Details>
        ))}
    </div>
  );
}

const titleWith = (title: string, count: number) => `${title}: ${count.toLocaleString()}`;

/** Place, question and value in a line, and their citation and dates in the next. */
function lineOf(line: AnswerLine): string {
  const { jurisdiction, question, value, updatedAt, fetchedAtMs, why } = line;
  const answer = [jurisdiction, question, value]
    .filter((part) => part !== "")
    .map(shownName)
    .join(": ");
  const source = joinedCitation(line);
  const details = [
    source === "" ? "" : shownName(source),
    updatedAt === null ? "" : `updated ${dayWords(updatedAt)}`,
    fetchedAtMs === null
      ? ""
      : `retrieved ${typeof fetchedAtMs === "number" ? dateAndTime(fetchedAtMs) : `${fetchedAtMs} (UTC)`}`,
  ].filter((part) => part !== "");
  return [answer, details.join(" · "), why].filter((part) => part !== "").join("\n");
}

/** The day of a time; a text that is no time, which a sheet may hold, as it is. */
const dayWords = (time: string) => (Number.isNaN(Date.parse(time)) ? shownName(time) : dayOf(time));
