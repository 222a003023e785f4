import { Button, MessageBar, MessageBarActions, MessageBarBody } from "@fluentui/react-components";
import { useCallback } from "react";
import type { Notices } from "../../app";
import { config } from "../../config";
import { answerWaiting } from "../../workbook/cell-formulas/answer-waiting";
import { spills } from "../../workbook/sheet/excel-api";
import type { PaneApp } from "../pane-app";
import { plural } from "../ui/labels";
import { useLoad } from "../ui/loading/use-load";

/** Says after connecting what the key covers, and that waiting formulas are being answered. */
export default function ConnectedNotice({
  app,
  connected: { jurisdictions },
}: {
  app: PaneApp;
  connected: NonNullable<Notices["connected"]>;
}) {
  const { value: answered } = useLoad(
    useCallback(
      () =>
        answerWaiting(app.workbook, {
          namespace: config.namespace,
          canSeeSpills: app.hasExcelApi(spills),
          signal: new AbortController().signal,
        }),
      [app],
    ),
  );
  const isEmpty = jurisdictions === 0;
  return (
    <MessageBar intent={isEmpty ? "warning" : "success"} layout="multiline">
      <MessageBarBody>
        {isEmpty
          ? "Connected, but this key covers no jurisdictions. Ask your data provider what your subscription includes."
          : `Connected. This key covers ${plural(jurisdictions, "jurisdiction")}.`}
        {answered !== undefined &&
          answered > 0 &&
          ` ${plural(answered, "formula")} that waited ${answered === 1 ? "is" : "are"} being answered.`}
      </MessageBarBody>
      <MessageBarActions>
        <Button onClick={app.seenConnected}>OK</Button>
      </MessageBarActions>
    </MessageBar>
  );
}
