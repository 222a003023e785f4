import { Button, MessageBar, MessageBarActions, MessageBarBody } from "@fluentui/react-components";
import { useEffect, useRef } from "react";
import { plural } from "../../ui/labels";
import type { Jurisdictions } from "./use-jurisdictions";

const shownExamples = 5;

/**
 * Asks before the entries of a list are sent to the service if most of them are in no directory: they may be something other than geoIDs.
 */
export function SendQuestion({ question }: { question: Jurisdictions["sendQuestion"] }) {
  const leave = useRef<HTMLButtonElement>(null);
  const isAsked = question !== undefined;
  useEffect(() => {
    if (isAsked) leave.current?.focus();
  }, [isAsked]);
  if (!question) return null;
  const { found, lacking, answer } = question;
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
