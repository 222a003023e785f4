import { Button, makeStyles, Subtitle2, Text, tokens } from "@fluentui/react-components";
import { useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import type { KeylessSession, Session } from "../../app";
import type { BookUses, Standing, Use, UsePlace } from "../../workbook/uses/plan-uses";
import { isLookUpFailed, nameOfUse } from "../../workbook/uses/use-lines";
import { JobView } from "../jobs/JobView";
import { WorkOutcome } from "../jobs/WorkOutcome";
import { useIsExcluded } from "../jobs/jobs";
import type { PaneApp } from "../pane-app";
import { dateAndTime } from "../refresh/ago";
import { Details } from "../ui/Details";
import { FailureMessage } from "../ui/FailureMessage";
import { plural, shownFormula, shownName } from "../ui/labels";
import { LineList } from "../ui/lists/LineList";
import { PassingButton } from "../ui/PassingButton";
import { useAttention } from "../ui/use-attention";
import { createUsesControl } from "./uses-control";

const useStyles = makeStyles({
  heading: { margin: 0 },
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalM },
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
  // A sheet's address may have no blank where it could wrap.
  text: { overflowWrap: "anywhere" },
});

/** The places and questions that this workbook uses, with what uses them. They are read when the user asks. */
export default function UsesSection({ app, session }: { app: PaneApp; session: Session | KeylessSession }) {
  const styles = useStyles();
  const [control] = useState(() => createUsesControl(app, session.credentials ? session : null));
  useEffect(() => control.cancel, [control]);
  const { look, work } = useStore(control);
  const isLooking = look.status === "running";
  const isBusy = useIsExcluded(app.jobs, "cells") || isLooking || work.status === "running";
  const outcome = useRef<HTMLDivElement>(null);
  useAttention(outcome, look.status === "done" || look.status === "failed" ? look : undefined);
  const seen = look.status === "done" ? look.result : undefined;
  const isLeft = seen !== undefined && all(seen.uses).some(isLookUpFailed);
  return (
    <section className={styles.column} aria-label="What this workbook uses">
      <Subtitle2 as="h2" className={styles.heading}>
        What this workbook uses
      </Subtitle2>
      <div className={styles.row}>
        <Button size="small" disabledFocusable={isLooking} onClick={() => control.look()}>
          {seen ? "Read again" : "Show what it uses"}
        </Button>
        {isLeft && (
          <Button size="small" disabledFocusable={isLooking} onClick={() => control.look(true)}>
            Look up the rest
          </Button>
        )}
        {seen && (
          <Button size="small" disabledFocusable={isBusy} onClick={control.writeSheet}>
            As a sheet
          </Button>
        )}
        <PassingButton size="small" isPossible={isLooking} onClick={control.cancel}>
          Cancel
        </PassingButton>
      </div>
      {look.status === "idle" && (
        <Text>
          Lists the places and questions of formulas and imports, codes that are gone, and places that your
          key does not cover.
        </Text>
      )}
      {isLooking && <JobView job={look.job} label="Reading the workbook" />}
      <WorkOutcome work={work} label="Writing the sheet" />
      <div ref={outcome} className={styles.column}>
        {look.status === "failed" && <FailureMessage failure={look.failure} />}
        {seen && (
          <>
            <Text role="status">{seen.summary}</Text>
            <UsesLists uses={seen.uses} goTo={control.goTo} />
          </>
        )}
      </div>
    </section>
  );
}

const all = ({ places, questions }: BookUses) => [...places, ...questions];
const isWith = (standing: Standing) => (use: Use) =>
  use.standing === standing && (standing !== "not-looked-up" || isLookUpFailed(use));

/** The lists of names that need somebody's attention, which are open from the beginning. */
const troubles = [
  { standing: "gone", title: "Gone" },
  { standing: "outside", title: "Outside your subscription" },
  { standing: "unclear", title: "Not clear" },
  { standing: "not-looked-up", title: "Not looked up" },
] as const satisfies { standing: Standing; title: string }[];

function UsesLists({ uses, goTo }: { uses: BookUses; goTo: (place: UsePlace) => void }) {
  const styles = useStyles();
  const { places, questions, imports, untold, formulasOldestMs } = uses;
  const lists = [
    ...troubles.map(({ standing, title }) => ({
      ...{ title, isOpen: true, line: lineWithReason },
      items: all(uses).filter(isWith(standing)),
    })),
    { title: "Can’t be told", isOpen: false, line: argumentLine, items: untold },
    { title: "Places", isOpen: false, line: lineOf, items: places },
    { title: "Questions", isOpen: false, line: lineOf, items: questions },
  ];
  return (
    <div className={styles.text}>
      {lists
        .filter(({ items }) => items.length > 0)
        .map(({ title, isOpen, line, items }) => (
          <Details key={title} title={`${title}: ${items.length.toLocaleString()}`} isOpen={isOpen}>
            <LineList
              label={title}
              items={items}
              line={line}
              placeOf={({ places: [first] }) => first && { address: first.address, goTo: () => goTo(first) }}
            />
          </Details>
        ))}
      {imports.length > 0 && (
        <Details title={`Imports: ${imports.length.toLocaleString()}`}>
          <LineList
            label="Imports"
            items={imports}
            line={({ name, asOfMs, ahjs, types, failure }) =>
              `${shownName(name)}: ${plural(ahjs.length, "place")}, ${plural(types.length, "question")}, answers as of ${dateAndTime(asOfMs)}.` +
              (failure ? ` ${failure.message}` : "")
            }
            placeOf={({ address, tableId }) =>
              address === null ? undefined : { address, goTo: () => goTo({ address, tableId }) }
            }
          />
        </Details>
      )}
      {formulasOldestMs !== null && (
        <Text>The oldest answer of the formulas is as of {dateAndTime(formulasOldestMs)}.</Text>
      )}
    </div>
  );
}

/** `Alameda County, CA (06001): 2 formulas, Fees` */
function lineOf(use: Use): string {
  return `${shownName(nameOfUse(use))}: ${usersOf(use)}`;
}

function lineWithReason(use: Use): string {
  return use.why === "" ? lineOf(use) : `${lineOf(use)}. ${use.why}`;
}

/** An argument, which is shown as a formula is. */
function argumentLine(use: Use): string {
  return `${shownFormula(use.name)}: ${usersOf(use)}. ${use.why}`;
}

function usersOf({ formulas, imports }: Use): string {
  return [...(formulas > 0 ? [plural(formulas, "formula")] : []), ...imports.map(shownName)].join(", ");
}
