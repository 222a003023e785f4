import {
  Button,
  makeStyles,
  MessageBar,
  MessageBarActions,
  MessageBarBody,
  Subtitle2,
  Text,
  tokens,
} from "@fluentui/react-components";
import { lazy, useLayoutEffect, useRef, useState } from "react";
import type { Session } from "../../app";
import type { PaneApp } from "../pane-app";
import { press, type Pressed } from "../commands";
import { isPutOff, useIsRunning } from "../sheet-work";
import { useCommand } from "../use-command";
import { type Ending, useEnding } from "../unfinished/ending";
import { FailureMessage } from "../ui/FailureMessage";
import { beingPrepared, NotBegun } from "../ui/NotBegun";
import { ScreenBoundary } from "../ui/ScreenBoundary";
import { ImportItem } from "./ImportItem";
import { LeftCopies } from "./LeftCopies";
import { OtherServiceQuestion } from "./OtherServiceQuestion";
import { RefusedImports } from "./RefusedImports";
import { SignatureChoice } from "./SignatureChoice";
import { useImports } from "./use-saved-imports";

const ShareScreen = lazy(() => import("../share/ShareScreen"));

const useStyles = makeStyles({
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalS },
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
  list: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalL, margin: 0, padding: 0 },
  item: {
    display: "flex",
    flexDirection: "column",
    gap: tokens.spacingVerticalXS,
    listStyleType: "none",
    paddingBottom: tokens.spacingVerticalM,
    borderBottom: `${tokens.strokeWidthThin} solid ${tokens.colorNeutralStroke2}`,
  },
});

/** The imports that live in this workbook: where they are, how they went, and how to bring them up to date. */
export default function ImportsScreen({
  app,
  session,
  isShown,
  pressed,
  ending,
  onNoImports,
}: {
  app: PaneApp;
  session: Session;
  isShown: boolean;
  pressed: Pressed | undefined;
  ending: Ending | undefined;
  /** All of them were to be refreshed, and there are none. */
  onNoImports: () => void;
}) {
  const styles = useStyles();
  const imports = useImports(app, session, isShown);
  const current = useRef(imports);
  useLayoutEffect(() => void (current.current = imports));
  const { list, copies, failure, isBusy } = imports;
  const [isSharing, setIsSharing] = useState(false);
  const isBeingPrepared = useIsRunning("share");
  /** The ribbon asked for a refresh meanwhile. */
  const [isRefused, setIsRefused] = useState(false);
  useCommand(pressed, ["refreshAll"], () => {
    const isTooSoon = pressed !== undefined && isPutOff(pressed);
    setIsRefused(isTooSoon);
    if (isTooSoon) return;
    setIsSharing(false);
    imports.refreshPresent(onNoImports);
  });
  useEnding(ending, ["refresh", "change"], ({ unfinished }) => {
    setIsSharing(false);
    imports.finish(unfinished);
  });
  if (isRefused && !isBeingPrepared) setIsRefused(false);
  const notBegun = isRefused && <NotBegun what="Refresh" />;
  const present = list?.imports.filter(({ place }) => place !== null) ?? [];
  if (isSharing) {
    return (
      <>
        {notBegun}
        <ScreenBoundary>
          <ShareScreen app={app} session={session} onBack={() => setIsSharing(false)} />
        </ScreenBoundary>
      </>
    );
  }
  return (
    <section className={styles.column} aria-label="Imports in this workbook">
      <Subtitle2>Imports in this workbook</Subtitle2>
      {isBeingPrepared && <Text>{beingPrepared}</Text>}
      {notBegun}
      {list?.imports.length === 0 && (
        <Text>None yet. What you insert from Matrix or Collection is listed here, and can be refreshed.</Text>
      )}
      {present.length > 0 && (
        <div className={styles.row}>
          {present.length > 1 && (
            <Button disabledFocusable={isBusy} onClick={() => imports.refresh(present)}>
              Refresh all
            </Button>
          )}
          <Button disabledFocusable={isBusy} onClick={() => void press("refreshAll")}>
            Refresh all and the formulas
          </Button>
        </div>
      )}
      <OtherServiceQuestion app={app} session={session} imports={imports} />
      {imports.isManual && (
        <MessageBar layout="multiline">
          <MessageBarBody>
            This workbook calculates only when asked: press F9 to have formulas that use these values
            calculated.
          </MessageBarBody>
        </MessageBar>
      )}
      {failure && <FailureMessage failure={failure} onRetry={imports.reload} />}
      {copies.map((copy) => (
        <MessageBar key={copy.table.tableId} layout="multiline">
          <MessageBarBody>
            A copy of {copy.of.saved.name} is at {copy.table.address}. It stays as it is, unless you keep it
            as an import.
          </MessageBarBody>
          <MessageBarActions>
            <Button onClick={() => imports.keepCopy(copy)}>Keep it as an import of its own</Button>
            <Button onClick={() => imports.goTo(copy.table.tableId)}>Go to it</Button>
          </MessageBarActions>
        </MessageBar>
      ))}
      <LeftCopies
        copies={imports.leftCopies}
        isBusy={isBusy}
        onShow={imports.showLeftCopy}
        onDelete={imports.deleteLeftCopies}
      />
      {list && <RefusedImports refused={list.refused} onForget={imports.forgetRefused} />}
      <ul className={styles.list} role="list">
        {list?.imports.map((kept) => (
          <li key={kept.partId} className={styles.item}>
            <ImportItem
              {...{ app, session, kept, isBusy }}
              state={imports.refreshes.get(kept.saved.id)}
              isMarked={imports.marked.has(kept.saved.id)}
              imports={current}
            />
          </li>
        ))}
      </ul>
      {present.length > 0 && <SignatureChoice app={app} session={session} />}
      <div className={styles.row}>
        <Button size="small" disabledFocusable={isBusy} onClick={() => setIsSharing(true)}>
          Prepare to share…
        </Button>
      </div>
    </section>
  );
}
