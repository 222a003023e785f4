import { makeStyles, MessageBar, MessageBarBody } from "@fluentui/react-components";
import { useCallback } from "react";
import { readLastKnown } from "../../workbook/last-known/last-known-book";
import type { PaneApp } from "../pane-app";
import { useLoad } from "../ui/loading/use-load";
import { dayOf, unreadableSentence } from "./last-known-labels";

// The line is placed first, although it loads later than the screen.
const useStyles = makeStyles({ first: { order: -1, flexShrink: 0 } });

/** Says which values somebody without a key sees in this workbook. */
export function LastKnownLine({ app: { workbook } }: { app: PaneApp }) {
  const styles = useStyles();
  const { value, failure } = useLoad(useCallback(() => readLastKnown(workbook), [workbook]));
  if (!value && !failure) return null;
  const { values, unreadable = 0 } = value ?? {};
  return (
    <MessageBar layout="multiline" className={styles.first}>
      <MessageBarBody>
        {values
          ? `Formulas can show the author's values of ${dayOf(values)}. Connect to refresh them.`
          : "Values in this workbook stay as they were saved. Connect to refresh them."}
        {unreadable > 0 && ` ${unreadableSentence}`}
      </MessageBarBody>
    </MessageBar>
  );
}
