import { Button, MessageBar, MessageBarActions, MessageBarBody } from "@fluentui/react-components";
import { useState } from "react";
import { useStore } from "zustand";
import { clockTime } from "../../errors";
import { holdWords, parseHold } from "../../workbook/sheet/parts/hold-name";
import type { PaneApp } from "../pane-app";
import { useIsExcluded } from "../jobs/jobs";
import { FailureMessage } from "../ui/FailureMessage";
import { createHoldControl } from "./hold-control";

/** Says at the top of each screen that the workbook is on hold, and releases it. */
export default function HoldBar({ app, formula }: { app: PaneApp; formula: string }) {
  const [control] = useState(() => createHoldControl(app));
  const state = useStore(control);
  const isExcluded = useIsExcluded(app.jobs, "workbook");
  return (
    <>
      <MessageBar layout="multiline">
        <MessageBarBody>
          On hold{holdWords(parseHold(formula), clockTime)}: the values stay, and nothing is asked.
        </MessageBarBody>
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
