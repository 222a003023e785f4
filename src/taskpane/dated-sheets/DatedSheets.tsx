import { Button, makeStyles, Text, tokens } from "@fluentui/react-components";
import { useRef } from "react";
import type { KeylessSession, Session } from "../../app";
import { keptSentences } from "../../workbook/dated-sheets/dated-sheets";
import { JobView } from "../jobs/JobView";
import type { PaneApp } from "../pane-app";
import type { DatedState, SavedImportsControl } from "../refresh/saved-imports-control";
import { FailureMessage } from "../ui/FailureMessage";
import { plural, shownName } from "../ui/labels";
import { PassingButton } from "../ui/PassingButton";
import { useAttention } from "../ui/use-attention";
import { CompareSheets } from "./CompareSheets";

const useStyles = makeStyles({
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalS },
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
  // A sheet's address may have no blank where it could wrap.
  text: { overflowWrap: "anywhere" },
});

/** Keeps what the imports show on dated sheets, and compares these. */
export default function DatedSheets({
  app,
  session,
  imports,
  dated,
  isBusy,
  hasPresent,
  changes,
}: {
  app: PaneApp;
  session: Session | KeylessSession;
  imports: SavedImportsControl;
  dated: DatedState;
  isBusy: boolean;
  /** True if an import has its table in the workbook. */
  hasPresent: boolean;
  /** Another object whenever tables may have come or gone. */
  changes: unknown;
}) {
  const styles = useStyles();
  const outcome = useRef<HTMLDivElement>(null);
  useAttention(outcome, dated.status === "failed" || dated.status === "done" ? dated : undefined);
  return (
    <div className={styles.column}>
      <Text>
        A dated sheet keeps what all imports show today: plain values, with their citations as far as they are
        known. No request is sent, and a refresh leaves it as it is.
      </Text>
      <div className={styles.row}>
        {hasPresent && session.credentials && (
          <Button
            size="small"
            disabledFocusable={isBusy}
            onClick={() => imports.refreshPresent({ keepsValues: true })}
          >
            Keep a dated sheet, then refresh
          </Button>
        )}
        {hasPresent && (
          <Button size="small" disabledFocusable={isBusy} onClick={imports.keepValues}>
            Keep a dated sheet now
          </Button>
        )}
        <PassingButton size="small" isPossible={dated.status === "running"} onClick={imports.cancel}>
          Cancel
        </PassingButton>
      </div>
      {dated.status === "running" && <JobView job={dated.job} label="Keeping a dated sheet" />}
      <div ref={outcome} className={styles.column}>
        {dated.status === "failed" && (
          <>
            <FailureMessage failure={dated.failure} />
            <Text>No dated sheet was written{dated.keptFromRefreshing && ", so nothing was refreshed"}.</Text>
          </>
        )}
        {dated.status === "done" && (
          <Text role="status" className={styles.text}>
            {keptSentences(dated.written, plural, shownName).join(" ")}
          </Text>
        )}
      </div>
      <CompareSheets {...{ app, session, isBusy, changes }} />
    </div>
  );
}
