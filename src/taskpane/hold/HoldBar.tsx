import { Button, MessageBar, MessageBarActions, MessageBarBody } from "@fluentui/react-components";
import { useState } from "react";
import { useStore } from "zustand";
import { parseHold } from "../../workbook/sheet/parts/hold-name";
import type { PaneApp } from "../pane-app";
import { useIsExcluded } from "../jobs/jobs";
import { FailureMessage } from "../ui/FailureMessage";
import { createHoldControl } from "./hold-control";
import { holdSentence } from "./hold-sentence";

/** Says at the top of each screen that the workbook is on hold, and releases it. */
export default function HoldBar({ app, formula }: { app: PaneApp; formula: string }) {
  const [control] = useState(() => createHoldControl(app));
  const state = useStore(control);
  const isExcluded = useIsExcluded(app.jobs, "workbook");
  return (
    <>
      <MessageBar layout="multiline">
        <MessageBarBody>{holdSentence(parseHold(formula))}</MessageBarBody>
        <MessageBarActions>
          <Button disabledFocusable={state.status === "running" || isExcluded} onClick={control.release}>
            Release
          </Button>
        </MessageBarActions>
      </MessageBar>
      {state.status === "failed" && <FailureMessage failure={state.failure} />}
    </>
  );
}
