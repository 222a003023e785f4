import {
  Button,
  makeStyles,
  MessageBar,
  MessageBarActions,
  MessageBarBody,
} from "@fluentui/react-components";
import { useEffect, useRef } from "react";
import type { SendQuestion } from "../../../engine/lookup/lists/resolve-list";
import { JobView } from "../../jobs/JobView";
import { FailureMessage } from "../../ui/FailureMessage";
import { plural } from "../../ui/labels";
import type { LookUpState } from "./jurisdictions-control";

const useStyles = makeStyles({ row: { display: "flex" } });

/** The look-up of jurisdictions: its progress with a button that stops it, its question, or its failure. */
export function LookUp({ state, cancel }: { state: LookUpState; cancel: () => void }) {
  const styles = useStyles();
  const isGoing = state.status === "running" || state.status === "asking";
  return (
    <>
      {state.status === "running" && <JobView job={state.job} label="Looking them up" />}
      {state.status === "asking" && <MaySend question={state.question} answer={state.answer} />}
      {isGoing && (
        <div className={styles.row}>
          <Button size="small" onClick={cancel}>
            Cancel
          </Button>
        </div>
      )}
      {state.status === "failed" && <FailureMessage failure={state.failure} />}
    </>
  );
}

const shownExamples = 5;

/**
 * Asks before the entries of a list are sent to the service if most of them are in no directory: they may be something other than geoIDs.
 */
function MaySend({
  question: { found, lacking },
  answer,
}: {
  question: SendQuestion;
  answer: (isAllowed: boolean) => void;
}) {
  const leave = useRef<HTMLButtonElement>(null);
  useEffect(() => leave.current?.focus(), []);
  return (
    <MessageBar intent="warning" layout="multiline">
      <MessageBarBody>
        Of this list, {plural(found, "geoID")} {found === 1 ? "is" : "are"} in your subscription, and{" "}
        {lacking.length.toLocaleString()} {lacking.length === 1 ? "is" : "are"} not, such as{" "}
        {lacking.slice(0, shownExamples).join(", ")}. Is it a list of geoIDs? Those that you ask about are
        sent to the service.
      </MessageBarBody>
      <MessageBarActions>
        <Button ref={leave} onClick={() => answer(false)}>
          Leave them out
        </Button>
        <Button onClick={() => answer(true)}>Ask about {lacking.length.toLocaleString()}</Button>
      </MessageBarActions>
    </MessageBar>
  );
}
