import { Button, MessageBar, MessageBarActions, MessageBarBody } from "@fluentui/react-components";
import { useEffect, useState } from "react";
import type { Coverage } from "../../app";
import { config } from "../../config";
import { type AnsweredFormulas, answerWaiting } from "../../workbook/cell-formulas/answer-waiting";
import { lackingValueFor } from "../formulas/formula-control";
import { spills } from "../../workbook/sheet/excel-api";
import type { PaneApp } from "../pane-app";
import { plural } from "../ui/labels";
import { coverageWords, learnCoverage } from "./coverage";

/**
 * Says after connecting what the key covers, and what becomes of waiting formulas. Once that is known, it goes with the next click in the
 * pane, so that it never stands above the outcome of something else.
 */
export default function ConnectedNotice({ app, connected }: { app: PaneApp; connected: Coverage }) {
  const { jurisdictions } = connected;
  const [begun, setBegun] = useState(0);
  const [answered, setAnswered] = useState<AnsweredFormulas | "not known">();
  useEffect(() => {
    const session = app.currentSession();
    const lackingValue = lackingValueFor(app);
    if (!session || !lackingValue) return;
    const { lookup, closed: signal } = session;
    const options = { namespace: config.namespace, canSeeSpills: app.hasExcelApi(spills), signal };
    answerWaiting(app.workbook, { ...options, lookup, lackingValue, calls: app, onBegun: setBegun }).then(
      setAnswered,
      () => setAnswered("not known"),
    );
    void learnCoverage(session, jurisdictions).then(
      (coverage) => signal.aborted || app.tellConnected(coverage),
    );
  }, [app, jurisdictions]);
  useEffect(() => {
    if (!answered) return;
    const close = () => app.tellConnected(null);
    document.addEventListener("click", close);
    return () => document.removeEventListener("click", close);
  }, [app, answered]);
  const isEmpty = jurisdictions === 0;
  return (
    <MessageBar intent={isEmpty ? "warning" : "success"} layout="multiline">
      <MessageBarBody>
        {isEmpty
          ? "Connected, but this key covers no jurisdictions. Ask your data provider what your subscription includes."
          : `Connected. This key covers ${coverageWords(connected)}.`}{" "}
        {begun > 0 && waitingWords(begun, answered)}
      </MessageBarBody>
      <MessageBarActions>
        <Button onClick={() => app.tellConnected(null)}>OK</Button>
      </MessageBarActions>
    </MessageBar>
  );
}

/** Tells of the formulas that waited, as far as their outcome is known. */
function waitingWords(begun: number, outcome: AnsweredFormulas | "not known" | undefined): string {
  const formulas = `${plural(begun, "formula")} without an answer`;
  if (outcome === undefined) return `${formulas} ${begun === 1 ? "asks" : "ask"} again.`;
  if (outcome === "not known") return `${formulas} ${begun === 1 ? "was" : "were"} calculated again.`;
  const { answered, outside, withoutValue, inError } = outcome;
  const parts = [
    answered > 0 && `${answered.toLocaleString()} answered`,
    outside > 0 && `${outside.toLocaleString()} outside your subscription`,
    withoutValue > 0 && `${withoutValue.toLocaleString()} with no value recorded`,
    inError > 0 && `${inError.toLocaleString()} in error`,
  ];
  return `${formulas} asked again: ${parts.filter(Boolean).join(", ")}.`;
}
