import {
  Button,
  Checkbox,
  Field,
  makeStyles,
  MessageBar,
  MessageBarActions,
  MessageBarBody,
  Subtitle2,
  Text,
  tokens,
} from "@fluentui/react-components";
import { useMemo, useRef, useState, useSyncExternalStore } from "react";
import type { KeylessSession, Session } from "../../app";
import type { RefusedPart } from "../../workbook/imports/saved/import-book";
import { asFailure, type Failure } from "../../errors";
import { createSignature, signatureOf } from "../../settings/signature";
import type { PaneApp } from "../pane-app";
import type { WantedImport } from "../fill/draft/draft-control";
import { press, type Pressed } from "../commands";
import { useIsRunning } from "../jobs/jobs";
import { useCommand } from "../use-command";
import { type Ending, useEnding } from "../unfinished/ending";
import { Details } from "../ui/Details";
import { FailureMessage } from "../ui/FailureMessage";
import { beingPrepared } from "../ui/NotBegun";
import { connectToRefresh, plural } from "../ui/labels";
import { lazyView } from "../ui/loading/lazy-view";
import { ScreenBoundary } from "../ui/loading/ScreenBoundary";
import { useLoad } from "../ui/loading/use-load";
import { ImportItem } from "./ImportItem";
import { LeftCopies } from "./LeftCopies";
import { OpeningChoice } from "./opening/OpeningChoice";
import { OtherServiceQuestion } from "./OtherServiceQuestion";
import { togetherSentence } from "./reports/outcome-sentence";
import type { SavedImportsState } from "./saved-imports-control";
import { useImports } from "./use-saved-imports";

const DatedSheets = lazyView(() => import("../dated-sheets/DatedSheets"));

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
  onShowGetData,
  onCommand,
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
  /** Called when a command of the ribbon, or unfinished work, is carried out on this screen. */
  onCommand: () => void;
}) {
  const styles = useStyles();
  const imports = useImports(app, session, isShown);
  const { control, list, copies, failure, isBusy } = imports;
  const isBeingPrepared = useIsRunning(app.jobs, "workbook");
  const [hasOpenedDated, setHasOpenedDated] = useState(false);
  const section = useRef<HTMLElement>(null);
  useCommand(pressed, ["refreshAll"], () => {
    if (pressed && app.jobs.isPutOff(pressed)) return;
    onCommand();
    section.current?.scrollIntoView({ block: "start" });
    control.refreshPresent();
  });
  useEnding(ending, ["refresh", "change"], ({ unfinished }) => {
    onCommand();
    control.finish(unfinished);
  });
  const present = list?.imports.filter(({ place }) => place !== null) ?? [];
  return (
    <section ref={section} className={styles.column} aria-label="Imports in this workbook">
      <Subtitle2 as="h2" className={styles.heading}>
        Imports
      </Subtitle2>
      {isBeingPrepared && <Text>{beingPrepared}</Text>}
      {list?.imports.length === 0 && (
        <>
          <Text>None yet. Tables that you insert with Get data are listed here and can be refreshed.</Text>
          <div className={styles.row}>
            <Button size="small" onClick={onShowGetData}>
              {session.credentials ? "Get data" : "Connect to get data"}
            </Button>
          </div>
        </>
      )}
      {present.length > 0 && !session.credentials && <Text>{connectToRefresh}</Text>}
      {present.length > 0 && session.credentials && (
        <div className={styles.row}>
          <Button appearance="primary" disabledFocusable={isBusy} onClick={() => void press("refreshAll")}>
            Refresh all
          </Button>
          {present.length > 1 && (
            <Button disabledFocusable={isBusy} onClick={() => control.refresh(present)}>
              Refresh all imports
            </Button>
          )}
        </div>
      )}
      {session.credentials && <OtherServiceQuestion app={app} session={session} imports={imports} />}
      {imports.isManual && (
        <MessageBar layout="multiline">
          <MessageBarBody>
            Calculation is set to manual in this workbook. Press F9 to update formulas that use these values.
          </MessageBarBody>
        </MessageBar>
      )}
      {failure && <FailureMessage failure={failure} onRetry={control.reload} />}
      {!isBusy && <Together imports={imports} />}
      {list && list.imports.length > 0 && (
        <Details title="Dated sheets" onToggle={(isOpen) => setHasOpenedDated((before) => before || isOpen)}>
          {hasOpenedDated && (
            <ScreenBoundary>
              <DatedSheets
                {...{ app, session, isBusy }}
                imports={control}
                dated={imports.dated}
                hasPresent={present.length > 0}
                changes={list}
              />
            </ScreenBoundary>
          )}
        </Details>
      )}
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
          {session.credentials && <SignatureChoice app={app} session={session} />}
        </>
      )}
    </section>
  );
}

/** The result of the imports that were refreshed together. Each has its own below. */
function Together({
  imports: { together, refreshes },
}: {
  imports: Pick<SavedImportsState, "together" | "refreshes">;
}) {
  if (together.length < 2) return null;
  const states = together.flatMap((id) => refreshes.get(id) ?? []);
  const reports = states.flatMap((state) => (state.status === "done" ? [state.report] : []));
  const failed = states.filter(({ status }) => status === "failed").length;
  return reports.length + failed > 0 ? <Text role="status">{togetherSentence(reports, failed)}</Text> : null;
}

const mostShown = 10;

/** Parts of the workbook that claim to be imports and can't be used. They stay as they are until the user forgets them. */
function RefusedImports({
  refused,
  onForget,
}: {
  refused: readonly RefusedPart[];
  onForget: (part: RefusedPart) => void;
}) {
  return (
    <>
      {refused.slice(0, mostShown).map((part, index) => (
        <MessageBar key={part.partId} intent="warning" layout="multiline">
          <MessageBarBody>A saved import can't be used. {part.reason} Left as it is.</MessageBarBody>
          <MessageBarActions>
            <Button onClick={() => onForget(part)} aria-label={`Forget the saved import ${index + 1}`}>
              Forget it
            </Button>
          </MessageBarActions>
        </MessageBar>
      ))}
      {refused.length > mostShown && (
        <Text>and {plural(refused.length - mostShown, "more saved import")} like that</Text>
      )}
    </>
  );
}

/** Lets the user choose if a refresh notes the connection's name in the workbook, where colleagues can read it. */
function SignatureChoice({ app, session }: { app: PaneApp; session: Session }) {
  const { connections } = app;
  const signature = useMemo(() => createSignature(app.storage), [app]);
  const unread = useLoad(signature.read).failure;
  const [refused, setRefused] = useState<Failure>();
  const mayTell = useSyncExternalStore(signature.onChange, signature.current);
  const kept = useSyncExternalStore(connections.onChange, connections.current);
  const failure = refused ?? unread;
  const name = signatureOf(kept, session.credentials);
  const hint =
    name === undefined
      ? "This connection’s name looks like an API key. Rename it under Settings to turn this on."
      : `Colleagues will see: ${name}`;
  return (
    <>
      <Field hint={hint}>
        <Checkbox
          label="Show colleagues which connection I refreshed with"
          checked={mayTell}
          onChange={(_, { checked }) => {
            setRefused(undefined);
            signature
              .change(() => checked === true)
              .catch((thrown: unknown) => setRefused(asFailure(thrown)));
          }}
        />
      </Field>
      {failure && <FailureMessage failure={failure} />}
    </>
  );
}
