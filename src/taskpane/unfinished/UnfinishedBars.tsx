import {
  Button,
  MessageBar,
  MessageBarActions,
  MessageBarBody,
  MessageBarTitle,
} from "@fluentui/react-components";
import { useCallback, useEffect, useState } from "react";
import { canTakeBack, type UnfinishedWork } from "../../workbook/work-note/unfinished-work";
import type { KeptUnfinished, UnfinishedList } from "../../workbook/work-note/unfinished-book";
import { asFailure, type Failure } from "../../errors";
import { createImportBook } from "../../workbook/imports/saved/import-book";
import { showSheet } from "../../workbook/sheet/tables/left-copies";
import type { TakenBack } from "../../workbook/unfinished/take-back";
import type { PaneApp } from "../pane-app";
import { useIsRunning } from "../jobs/jobs";
import { FailureMessage } from "../ui/FailureMessage";
import { plural } from "../ui/labels";
import { createLatest } from "../latest";
import type { Ending } from "./ending";
import { howItWasTakenBack, whatCanBeDone, whatItLeft, whatWasInterrupted } from "./sentences";

/** The number of bars that are shown: a workbook from somebody else may hold any number of notes. */
const mostShown = 3;

/** Interrupted work in this workbook, at the top of every screen. The user can finish it, take it back or leave it. */
export default function UnfinishedBars({
  app,
  screen,
  onEnd,
}: {
  app: PaneApp;
  /** The screen that is shown. */
  screen: string;
  /** Lets a screen end the work; undefined without a connection, when there is no such screen. */
  onEnd?: ((ending: Ending) => void) | undefined;
}) {
  const isBusy = useIsRunning(app.jobs);
  const { list, failure, takenBack, isCopyGone, ...unfinished } = useUnfinished(app, screen);
  const { works, unreadable } = list;
  const more = works.length - mostShown;
  return (
    <>
      {takenBack && (
        <MessageBar intent="success" layout="multiline">
          <MessageBarBody>{howItWasTakenBack(takenBack)}</MessageBarBody>
          <MessageBarActions>
            <Button onClick={unfinished.read}>OK</Button>
          </MessageBarActions>
        </MessageBar>
      )}
      {failure && <FailureMessage failure={failure} />}
      {isCopyGone && (
        <MessageBar intent="info" layout="multiline">
          <MessageBarBody>
            There is no hidden sheet: no cell was overwritten yet, or somebody has deleted it.
          </MessageBarBody>
        </MessageBar>
      )}
      {works.slice(0, mostShown).map((work) => (
        <UnfinishedBar key={work.partId} {...{ work, isBusy, onEnd, unfinished }} />
      ))}
      {more > 0 && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>{plural(more, "more interruption")} will be shown next.</MessageBarBody>
        </MessageBar>
      )}
      {unreadable.slice(0, 1).map(({ partId }) => (
        <MessageBar key={partId} intent="warning" layout="multiline">
          <MessageBarBody>
            This workbook has a note about interrupted work that can't be read. A newer version of RegData may
            have written it. Update the add-in to read it.
          </MessageBarBody>
          <MessageBarActions>
            <Button onClick={() => unfinished.leave(partId)}>Delete the note</Button>
          </MessageBarActions>
        </MessageBar>
      ))}
    </>
  );
}

function UnfinishedBar({
  work: kept,
  isBusy,
  onEnd,
  unfinished,
}: {
  work: KeptUnfinished;
  isBusy: boolean;
  onEnd: ((ending: Ending) => void) | undefined;
  unfinished: Pick<ReturnType<typeof useUnfinished>, "takeBack" | "showCopy" | "leave">;
}) {
  const { work, partId } = kept;
  const isTakenBackHere = work.kind === "import" && canTakeBack(work);
  const copyName = work.kind === "import" && !isTakenBackHere ? work.tables[0]?.copyName : null;
  const possible = whatCanBeDone(kept, { canTakeBack: isTakenBackHere, isConnected: onEnd !== undefined });
  return (
    <MessageBar intent="warning" layout="multiline">
      <MessageBarBody>
        <MessageBarTitle>{whatWasInterrupted(kept)}</MessageBarTitle> {whatItLeft(kept)} {possible}
      </MessageBarBody>
      <MessageBarActions>
        {work.kind !== "import" && onEnd && (
          <Button disabledFocusable={isBusy} onClick={() => onEnd({ unfinished: kept, by: "finish" })}>
            Finish
          </Button>
        )}
        {work.kind === "freeze" && onEnd && (
          <Button disabledFocusable={isBusy} onClick={() => onEnd({ unfinished: kept, by: "take back" })}>
            Take back
          </Button>
        )}
        {isTakenBackHere && (
          <Button disabledFocusable={isBusy} onClick={() => unfinished.takeBack({ ...kept, work })}>
            Take back
          </Button>
        )}
        {copyName && <Button onClick={() => unfinished.showCopy(copyName)}>Show the hidden sheet</Button>}
        <Button disabledFocusable={isBusy} onClick={() => unfinished.leave(partId)}>
          Dismiss
        </Button>
      </MessageBarActions>
    </MessageBar>
  );
}

type UnfinishedImport = KeptUnfinished<UnfinishedWork & { kind: "import" }>;

/** The interrupted work of this workbook, read anew whenever another screen is shown. */
function useUnfinished(app: PaneApp, screen: string) {
  const { workbook, unfinished } = app;
  const [list, setList] = useState<UnfinishedList>({ works: [], unreadable: [] });
  const [failure, setFailure] = useState<Failure>();
  const [takenBack, setTakenBack] = useState<TakenBack>();
  const [isCopyGone, setIsCopyGone] = useState(false);
  const act = useCallback((work: () => Promise<unknown>) => {
    setFailure(undefined);
    work().catch((thrown: unknown) => setFailure(asFailure(thrown)));
  }, []);

  useEffect(() => {
    const begin = createLatest();
    // If Excel can't be asked now, the next screen asks again.
    const read = () => {
      const isLatest = begin();
      unfinished.list().then(
        (next) => {
          if (isLatest()) setList(next);
        },
        () => undefined,
      );
    };
    read();
    const stop = unfinished.onChange(read);
    return () => {
      // The reading that is under way is dropped.
      begin();
      stop();
    };
  }, [unfinished, screen]);

  return {
    list,
    failure,
    takenBack,
    isCopyGone,
    read: () => setTakenBack(undefined),
    leave: (partId: string) => act(() => unfinished.forget(partId)),
    showCopy: (sheetName: string) =>
      act(async () => setIsCopyGone(!(await workbook.run((context) => showSheet(context, sheetName))))),
    takeBack: ({ work, partId }: UnfinishedImport) =>
      act(() =>
        app.jobs.run(
          { kind: "imports", title: "An import is being taken back.", tab: "workbook" },
          async () => {
            const { takeBackImport } = await import("../../workbook/unfinished/take-back");
            const taken = await workbook.run((context) => takeBackImport(context, work));
            // A missing copy means that the import was written to its end, so it stays in the list of imports.
            if (taken.withoutCopy.length === 0) await createImportBook(workbook).forget(work.importId);
            await unfinished.forget(partId);
            setTakenBack(taken);
          },
        ),
      ),
  };
}
