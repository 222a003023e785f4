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
import type { Session } from "../../app";
import type { PaneApp } from "../pane-app";
import type { WantedImport } from "../fill/GetDataScreen";
import { press, type Pressed } from "../commands";
import { isPutOff, useIsRunning } from "../sheet-work";
import { useCommand } from "../use-command";
import { type Ending, useEnding } from "../unfinished/ending";
import { FailureMessage } from "../ui/FailureMessage";
import { beingPrepared } from "../ui/NotBegun";
import { ImportItem } from "./ImportItem";
import { LeftCopies } from "./LeftCopies";
import { OpeningChoice } from "./opening/OpeningChoice";
import { OtherServiceQuestion } from "./OtherServiceQuestion";
import { RefusedImports } from "./RefusedImports";
import { SignatureChoice } from "./SignatureChoice";
import { useImports } from "./use-saved-imports";

const useStyles = makeStyles({
  heading: { margin: 0 },
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

/** The imports of this workbook: their places, their last refreshes, and the actions on them. */
export default function ImportsScreen({
  app,
  session,
  isShown,
  pressed,
  ending,
  onGetData,
  onCommand,
}: {
  app: PaneApp;
  session: Session;
  isShown: boolean;
  pressed: Pressed | undefined;
  ending: Ending | undefined;
  /** The user wants an import's data once more. */
  onGetData: (wanted: WantedImport) => void;
  /** Called when a command of the ribbon, or unfinished work, is carried out on this screen. */
  onCommand: () => void;
}) {
  const styles = useStyles();
  const imports = useImports(app, session, isShown);
  const { control, list, copies, failure, isBusy } = imports;
  const isBeingPrepared = useIsRunning("share");
  useCommand(pressed, ["refreshAll"], () => {
    if (pressed && isPutOff(pressed)) return;
    onCommand();
    control.refreshPresent();
  });
  useEnding(ending, ["refresh", "change"], ({ unfinished }) => {
    onCommand();
    control.finish(unfinished);
  });
  const present = list?.imports.filter(({ place }) => place !== null) ?? [];
  return (
    <section className={styles.column} aria-label="Imports in this workbook">
      <Subtitle2 as="h2" className={styles.heading}>
        Imports
      </Subtitle2>
      {isBeingPrepared && <Text>{beingPrepared}</Text>}
      {list?.imports.length === 0 && (
        <Text>None yet. Tables that you insert with Get data are listed here and can be refreshed.</Text>
      )}
      {present.length > 0 && (
        <div className={styles.row}>
          {present.length > 1 && (
            <Button disabledFocusable={isBusy} onClick={() => control.refresh(present)}>
              Refresh all imports
            </Button>
          )}
          <Button disabledFocusable={isBusy} onClick={() => void press("refreshAll")}>
            Refresh all
          </Button>
        </div>
      )}
      <OtherServiceQuestion app={app} session={session} imports={imports} />
      {imports.isManual && (
        <MessageBar layout="multiline">
          <MessageBarBody>
            Calculation is set to manual in this workbook. Press F9 to update formulas that use these values.
          </MessageBarBody>
        </MessageBar>
      )}
      {failure && <FailureMessage failure={failure} onRetry={control.reload} />}
      {copies.map((copy) => (
        <MessageBar key={copy.table.tableId} layout="multiline">
          <MessageBarBody>
            A copy of {copy.of.saved.name} is at {copy.table.address}. It is not refreshed unless you make it
            an import.
          </MessageBarBody>
          <MessageBarActions>
            <Button disabledFocusable={isBusy} onClick={() => control.keepCopy(copy)}>
              Make it an import
            </Button>
            <Button onClick={() => control.goTo(copy.table.tableId)}>Go to it</Button>
          </MessageBarActions>
        </MessageBar>
      ))}
      <LeftCopies
        copies={imports.leftCopies}
        isBusy={isBusy}
        onShow={control.showLeftCopy}
        onDelete={control.deleteLeftCopies}
      />
      {list && <RefusedImports refused={list.refused} onForget={control.forgetRefused} />}
      <ul className={styles.list} role="list">
        {list?.imports.map((kept) => (
          <li key={kept.partId} className={styles.item}>
            <ImportItem
              {...{ app, session, kept, isBusy, onGetData }}
              state={imports.refreshes.get(kept.saved.id)}
              isMarked={imports.marks.has(kept.saved.id)}
              imports={control}
            />
          </li>
        ))}
      </ul>
      {present.length > 0 && (
        <>
          <OpeningChoice app={app} />
          <SignatureChoice app={app} session={session} />
        </>
      )}
    </section>
  );
}
