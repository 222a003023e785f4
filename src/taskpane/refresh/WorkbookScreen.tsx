import { Button, Divider, makeStyles, tokens } from "@fluentui/react-components";
import { useCallback, useState } from "react";
import type { KeylessSession, Session } from "../../app";
import type { Pressed } from "../commands";
import type { PaneApp } from "../pane-app";
import type { WantedImport } from "../fill/draft/draft-control";
import { useIsRunning } from "../jobs/jobs";
import { useCommand } from "../use-command";
import type { Ending } from "../unfinished/ending";
import { NotBegun } from "../ui/NotBegun";
import { lazyView } from "../ui/loading/lazy-view";
import { ScreenBoundary } from "../ui/loading/ScreenBoundary";

const ImportsScreen = lazyView(() => import("./ImportsScreen"));
const FormulasScreen = lazyView(() => import("../formulas/FormulasScreen"));
const UsesSection = lazyView(() => import("../uses/UsesSection"));
const ShareScreen = lazyView(() => import("../share/ShareScreen"));

const useStyles = makeStyles({
  column: {
    display: "flex",
    flexDirection: "column",
    gap: tokens.spacingVerticalL,
    "&[hidden]": { display: "none" },
  },
  row: { display: "flex" },
});

/** RegData's parts of this workbook: its imports and formulas, and the way to prepare it for sharing. */
export default function WorkbookScreen({
  app,
  session,
  isShown,
  pressed,
  ending,
  onGetData,
  onShowGetData,
}: {
  app: PaneApp;
  session: Session | KeylessSession;
  isShown: boolean;
  pressed: Pressed | undefined;
  ending: Ending | undefined;
  /** The user wants an import's data once more. */
  onGetData: (wanted: WantedImport) => void;
  /** The user wants to insert data, as they have chosen it so far. */
  onShowGetData: () => void;
}) {
  const styles = useStyles();
  const [isSharing, setIsSharing] = useState(false);
  const isRunning = useIsRunning(app.jobs);
  /** The ribbon's command that was refused, because something else was running. */
  const [refused, setRefused] = useState<string>();
  useCommand(pressed, ["refreshAll", "refreshThese", "freezeThese"], (name) => {
    if (pressed && app.jobs.isPutOff(pressed)) setRefused(name === "freezeThese" ? "Freeze" : "Refresh");
  });
  if (refused !== undefined && !isRunning) setRefused(undefined);
  const leaveSharing = useCallback(() => setIsSharing(false), []);
  return (
    <>
      {refused !== undefined && <NotBegun what={refused} />}
      {isSharing && (
        <ScreenBoundary>
          <ShareScreen app={app} session={session} onBack={leaveSharing} />
        </ScreenBoundary>
      )}
      {/* The part is hidden rather than left out, so that its reports are still there afterwards. */}
      <div className={styles.column} hidden={isSharing}>
        <ScreenBoundary>
          <ImportsScreen
            {...{ app, session, pressed, ending, onGetData, onShowGetData }}
            isShown={isShown}
            onCommand={leaveSharing}
          />
        </ScreenBoundary>
        <Divider />
        <ScreenBoundary>
          <FormulasScreen
            {...{ app, pressed, ending }}
            hasKey={session.credentials !== null}
            isShown={isShown && !isSharing}
            onCommand={leaveSharing}
          />
        </ScreenBoundary>
        <Divider />
        <ScreenBoundary>
          <UsesSection app={app} session={session} />
        </ScreenBoundary>
        <Divider />
        <div className={styles.row}>
          <Button size="small" disabledFocusable={isRunning} onClick={() => setIsSharing(true)}>
            Prepare to share…
          </Button>
        </div>
      </div>
    </>
  );
}
