import { Button, makeStyles, MessageBar, MessageBarBody, Text, tokens } from "@fluentui/react-components";
import { useEffect, useRef } from "react";
import { useStore } from "zustand";
import type { Session } from "../../../app";
import { JobView } from "../../jobs/JobView";
import { FailureMessage } from "../../ui/FailureMessage";
import { oldAnswersSentence, plural } from "../../ui/labels";
import { leftWords } from "../jurisdictions/left-words";
import { useLimit } from "../jurisdictions/use-limit";
import type { FindControl, FindState } from "./find-control";

const useStyles = makeStyles({
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalS },
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
});

/** The requests that the conditions need, the button that sends them, their progress, and the answers that could not be had. */
export function FindRequests({
  session,
  state: { need, old, missing, among, problems },
  control,
}: {
  session: Session;
  state: FindState;
  control: FindControl;
}) {
  const styles = useStyles();
  const reading = useStore(control.reading);
  const work = reading.status === "running" ? reading.job : null;
  const failure = reading.status === "failed" ? reading.failure : undefined;
  const limit = useLimit(session);
  const isShort = (need?.answers ?? 0) > (limit.left ?? Infinity);
  const place = useRef<HTMLDivElement>(null);
  const shown = work ? "work" : failure ? "failure" : need ? "need" : null;
  // The part that asks scrolls into view below the condition that made it ask; the focus stays on the condition.
  useEffect(() => {
    if (shown !== null) place.current?.scrollIntoView({ block: "nearest" });
  }, [shown]);
  if (shown === null && !old && missing === 0) return null;
  return (
    <div ref={place} className={styles.column}>
      {need && !work && (
        <Text role="status" size={200}>
          {need.answers === null || among === null
            ? "First the list of jurisdictions is read, 500 in a request. Then their answers."
            : `${plural(among, "jurisdiction")} × ${plural(need.questions, "question")}: ${plural(need.answers, "request")}`}{" "}
          {leftWords(limit)}
        </Text>
      )}
      {need && !work && isShort && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>
            That may be more requests than are left. The find waits until your limit resets, then continues.
          </MessageBarBody>
        </MessageBar>
      )}
      {work && <JobView job={work} label="Reading" />}
      {(need || work) && (
        <div className={styles.row}>
          {/* One button serves both purposes, so that the focus stays on it. */}
          <Button
            appearance={work ? "secondary" : "primary"}
            disabledFocusable={!work && problems.size > 0}
            onClick={work ? control.cancel : control.run}
          >
            {work ? "Cancel" : failure ? "Try again" : "Find"}
          </Button>
        </div>
      )}
      {failure && <FailureMessage failure={failure} />}
      {failure && among !== null && (
        <Text size={200}>Jurisdictions whose answers could not be had are among those not known.</Text>
      )}
      {old && <Text size={200}>{oldAnswersSentence(old)}</Text>}
      {missing > 0 && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>
            The service counts {plural(missing, "jurisdiction")} that it does not list. They are in no heap.
          </MessageBarBody>
        </MessageBar>
      )}
    </div>
  );
}
